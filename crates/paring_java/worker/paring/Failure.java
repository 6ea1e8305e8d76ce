package paring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** An exception as plain data: types, messages, kind and phase, the stack through the test file and below it. */
final class Failure {
    private static final int MESSAGE_LIMIT = 20000;
    private static final int CAUSE_LIMIT = 10;
    private static final Pattern CHECKING = Pattern.compile("assert|check|verify|expect|ensure|should", Pattern.CASE_INSENSITIVE);
    private static final Pattern NOT_THROWN = Pattern.compile(
            "nothing was thrown|^Expected exception: |Expected test to throw|Expecting code to raise a throwable|[Ee]xpected .*to be thrown, but nothing");
    private static final Set<String> BEFORE = Set.of("Before", "BeforeEach", "BeforeAll", "BeforeClass", "Parameters", "BeforeParam", "DataPoints");
    private static final Set<String> AFTER = Set.of("After", "AfterEach", "AfterAll", "AfterClass", "AfterParam");

    private Failure() {}

    static Map<String, Object> of(Throwable thrown, Set<String> own, ClassLoader loader, List<String> left) {
        List<Throwable> chain = chain(thrown);
        Throwable shown = thrown;
        Stack stack = stackOf(thrown, own);
        for (Throwable cause : chain) {
            // What another thread or an initialiser threw: the wrapper's own stack never enters the file.
            Stack deeper = stack.entersFile() ? stack : stackOf(cause, own);
            if (!stack.entersFile() && deeper.entersFile()) {
                stack = deeper;
                shown = cause;
            }
        }
        List<Object> exceptions = new ArrayList<>();
        for (Throwable each : chain) {
            exceptions.add(Json.object("type", each.getClass().getName(), "message", message(each)));
        }
        return Json.object("phase", phase(shown, own, loader), "kind", kind(thrown, stack), "exceptions", exceptions, "stack", stack.inside, "below", stack.below,
                "notes", List.of(), "left", left);
    }

    private static Stack stackOf(Throwable thrown, Set<String> own) {
        return new Stack(thrown.getStackTrace(), own, thrown instanceof StackOverflowError);
    }

    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable each = thrown;
        while (each != null && chain.size() < CAUSE_LIMIT && seen.add(each)) {
            chain.add(each);
            try {
                each = each.getCause();
            } catch (RuntimeException | Error e) {
                each = null;
            }
        }
        return chain;
    }

    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            if (message == null) {
                return "";
            }
            return message.length() > MESSAGE_LIMIT ? message.substring(0, MESSAGE_LIMIT) : message;
        } catch (RuntimeException | Error e) {
            return "<the message cannot be made>";
        }
    }

    private static String kind(Throwable thrown, Stack stack) {
        if (!isAssertion(thrown)) {
            return "exception";
        }
        if (NOT_THROWN.matcher(message(thrown)).find() || isFail(stack)) {
            return "omission";
        }
        return isCheck(stack) ? "assertion" : "exception";
    }

    private static boolean isAssertion(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (type == AssertionError.class || type.getName().equals("junit.framework.AssertionFailedError")) {
                return true;
            }
        }
        return false;
    }

    /** Whether the test itself called {@code fail()}. */
    private static boolean isFail(Stack stack) {
        if (!stack.entersFile() || stack.raw.isEmpty()) {
            return false;
        }
        StackTraceElement first = stack.raw.get(0);
        return Stack.isCheck(first) && (first.getMethodName().equals("fail") || first.getMethodName().equals("failBecauseExceptionWasNotThrown"));
    }

    /** Whether it came from something that checks for the test, not from the code under test. */
    private static boolean isCheck(Stack stack) {
        if (stack.raw.isEmpty()) {
            return true;
        }
        StackTraceElement innermost = stack.raw.get(stack.raw.size() - 1);
        if (Stack.isCheck(innermost)) {
            return true;
        }
        for (StackTraceElement frame : stack.raw) {
            if (CHECKING.matcher(frame.getMethodName()).find() || frame.getClassName().matches(".*Tests?(Case)?(\\$.*)?")) {
                return true;
            }
        }
        return false;
    }

    /** By the outermost method of a test class on the stack. */
    private static String phase(Throwable thrown, Set<String> own, ClassLoader loader) {
        StackTraceElement[] trace = thrown.getStackTrace();
        for (int i = trace.length - 1; i >= 0; i--) {
            String name = trace[i].getClassName();
            if (own.contains(name) || isRunBy(trace, i)) {
                String phase = phaseOf(name, trace[i].getMethodName(), loader);
                if (phase != null) {
                    return phase;
                }
            }
        }
        return "call";
    }

    /** Whether a frame is the first one that a framework called. */
    private static boolean isRunBy(StackTraceElement[] trace, int i) {
        String name = trace[i].getClassName();
        return !Stack.isCheck(trace[i]) && !name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.") && !name.startsWith("paring.");
    }

    private static String phaseOf(String className, String method, ClassLoader loader) {
        if (method.equals("<init>") || method.equals("<clinit>")) {
            return "set_up";
        }
        try {
            Class<?> type = Class.forName(className, false, loader);
            for (Method each : type.getDeclaredMethods()) {
                if (each.getName().equals(method)) {
                    for (Annotation annotation : each.getAnnotations()) {
                        String name = annotation.annotationType().getSimpleName();
                        if (BEFORE.contains(name)) {
                            return "set_up";
                        }
                        if (AFTER.contains(name)) {
                            return "tear_down";
                        }
                    }
                }
            }
            if (isTestCase(type)) {
                return method.equals("setUp") ? "set_up" : method.equals("tearDown") ? "tear_down" : "call";
            }
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
        return "call";
    }

    private static boolean isTestCase(Class<?> type) {
        for (Class<?> up = type; up != null; up = up.getSuperclass()) {
            if (up.getName().equals("junit.framework.TestCase")) {
                return true;
            }
        }
        return false;
    }
}
