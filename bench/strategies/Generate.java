import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes JUnit tests of random calls over a jar's public API, each call run as it is chosen, so that the next one builds on
 * objects that exist.
 *
 * <pre>java -cp LIBRARY:ITS-DEPENDENCIES Generate.java JAR PREFIX CLASS SEED N-TESTS N-CALLS FOLDER OTHER-CLASS-PATH</pre>
 *
 * <p>Routines, objects and values are chosen as AutoTest chooses them: those routines that had the fewest turns, objects from a pool of which
 * null is always one, and values anew each time. A test ends where a call throws what nobody checks for (an index out of bounds, a null
 * dereferenced), or after so many calls. Only what the other class path, that of an older release, has as well is called. What a call returned is
 * asserted where it is a value, for another release to differ in.
 */
public final class Generate {
    private static final int MAX_TRIES = 40;
    private static final int MAX_TEXT = 60;
    /** Of so many objects, one is made anew though there is one that would do, as AutoTest has it. */
    private static final int NEW = 5;
    private static final int MAX_DEPTH = 3;
    private static final long PATIENCE_MS = 5000;
    /** What nobody throws on purpose. */
    private static final Set<Class<?>> BLUNDERS = Set.of(NullPointerException.class, ArrayIndexOutOfBoundsException.class,
            StringIndexOutOfBoundsException.class, ClassCastException.class, NegativeArraySizeException.class,
            ArithmeticException.class, StackOverflowError.class);
    /** Calls that reach outside, wait, or give another answer each time. */
    private static final Set<String> SHUNNED = Set.of("hashCode", "wait", "notify", "notifyAll", "getClass", "exit", "sleep",
            "currentTimeMillis", "nanoTime", "start", "run", "main", "identityHashCode", "delete", "toString", "equals");
    private static final Pattern CHANCE = Pattern.compile("[Rr]andom|[Cc]rypt\\b|[Ss]huffle");
    private static final List<Class<?>> BASICS = List.of(int.class, long.class, double.class, boolean.class, char.class, byte.class,
            short.class, float.class, String.class);

    /** A variable of the sequence. */
    private record Variable(String name, Class<?> type, Object value) { }

    /** A call that was made: its line, and what it gave. */
    private record Made(String line, Object result, Throwable thrown) {
        /** Whether it failed by what nobody checked for; what is asked of arguments was checked by the call itself, as by a precondition. */
        boolean isBlunder() {
            if (thrown == null || !BLUNDERS.contains(thrown.getClass())) {
                return false;
            }
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames.length > 0 && !frames[0].getClassName().equals("java.util.Objects");
        }
    }

    private final Random random;
    private final List<Executable> callables;
    /** How often each was chosen, over all sequences. */
    private static final Map<Executable, Integer> CHOSEN = new HashMap<>();
    /** What did not end once is not called again. */
    private static final Set<Executable> ENDLESS = new HashSet<>();
    private boolean hangs;
    /** How many objects are being made, each for the one before. */
    private int depth;
    private volatile Thread caller;
    private final ExecutorService runner = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(null, task, "call", 1 << 20);
        thread.setDaemon(true);
        return thread;
    });
    private List<Variable> variables = new ArrayList<>();
    private List<String> lines = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    private Generate(Random random, List<Executable> callables) {
        this.random = random;
        this.callables = callables;
    }

    public static void main(String[] args) throws IOException {
        String prefix = args[1];
        String name = args[2];
        List<Executable> callables = callables(Path.of(args[0]), prefix);
        ClassLoader older = other(args[7]);
        callables.removeIf(callable -> !isIn(older, callable));
        int nTests = Integer.parseInt(args[4]);
        int nCalls = Integer.parseInt(args[5]);
        PrintStream said = System.out;
        System.setOut(new PrintStream(new File("/dev/null").exists() ? new File("/dev/null") : File.createTempFile("said", "")));
        Random random = new Random(Long.parseLong(args[3]));
        StringBuilder text = new StringBuilder("import static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\n"
                + "public class " + name + " {\n");
        for (int i = 0; i < nTests; i++) {
            List<String> body;
            do {
                body = new Generate(random, callables).sequence(nCalls);
                callables.removeAll(ENDLESS);
            } while (body == null);
            text.append("    @Test\n    public void test").append(i).append("() throws Throwable {\n");
            body.forEach(line -> text.append("        ").append(line).append('\n'));
            text.append("    }\n\n");
        }
        text.append("}\n");
        Files.writeString(Path.of(args[6], name + ".java"), text, StandardCharsets.UTF_8);
        said.println(nTests + " tests over " + callables.size() + " methods and constructors");
        Runtime.getRuntime().halt(0);
    }

    /** Public constructors and methods whose parameters can be made. */
    private static List<Executable> callables(Path jar, String prefix) throws IOException {
        List<Class<?>> classes = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (String entry : file.stream().map(it -> it.getName()).sorted().toList()) {
                String name = entry.replace('/', '.');
                if (name.startsWith(prefix) && name.endsWith(".class") && !name.contains("$")) {
                    load(name.substring(0, name.length() - 6)).ifPresent(classes::add);
                }
            }
        }
        classes.addAll(List.of(java.util.ArrayList.class, java.util.HashMap.class, java.util.TreeSet.class, StringBuilder.class));
        List<Executable> found = new ArrayList<>();
        for (Class<?> type : classes) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                found.addAll(List.of(type.getConstructors()));
            }
            boolean isOurs = type.getName().startsWith(prefix);
            Arrays.stream(type.getMethods())
                    .filter(it -> it.getDeclaringClass() != Object.class && !it.isSynthetic() && !it.isBridge())
                    .filter(it -> isOurs || Set.of("add", "put", "append").contains(it.getName()))
                    .filter(it -> !SHUNNED.contains(it.getName()) && !CHANCE.matcher(it.toString()).find())
                    .filter(it -> Modifier.isPublic(it.getDeclaringClass().getModifiers()))
                    .forEach(found::add);
        }
        found.removeIf(it -> it.getParameterCount() > 5 || it.isAnnotationPresent(Deprecated.class));
        // Reflection tells methods in no order: the seed alone must decide.
        found.sort(Comparator.comparing(Executable::toGenericString));
        return found;
    }

    private static ClassLoader other(String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String path : classPath.split(File.pathSeparator)) {
            urls.add(Path.of(path).toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static boolean isIn(ClassLoader loader, Executable callable) {
        try {
            Class<?> type = Class.forName(callable.getDeclaringClass().getName(), false, loader);
            Executable[] there = callable instanceof Method ? type.getMethods() : type.getConstructors();
            return Arrays.stream(there).anyMatch(it -> signature(it).equals(signature(callable)));
        } catch (ClassNotFoundException | LinkageError notThere) {
            return false;
        }
    }

    private static String signature(Executable callable) {
        String type = callable instanceof Method method ? method.getReturnType().getName() : "";
        return type + " " + callable.getName() + Arrays.stream(callable.getParameterTypes()).map(Class::getName).toList();
    }

    private static Optional<Class<?>> load(String name) {
        try {
            Class<?> type = Class.forName(name);
            boolean isFit = !type.isAnnotation() && !Throwable.class.isAssignableFrom(type);
            return Modifier.isPublic(type.getModifiers()) && isFit ? Optional.of(type)
                    : Optional.empty();
        } catch (Throwable notThere) {
            return Optional.empty();
        }
    }

    /** A sequence; null where a call did not end, since its objects are still being worked on. */
    private List<String> sequence(int nCalls) {
        int n = 0;
        for (int tries = 0; n < nCalls && tries < nCalls * MAX_TRIES; tries++) {
            Executable callable = next();
            Made made = call(callable);
            if (hangs) {
                return null;
            }
            if (made == null) {
                continue;
            }
            if (made.thrown() == null) {
                n++;
            } else if (made.isBlunder() && isOurs(callable) && n >= nCalls * 3 / 4) {
                lines.add(made.line());
                return lines;
            }
        }
        return lines;
    }

    /** One of those that were chosen least often: all get their turn, as in AutoTest. */
    private Executable next() {
        int least = callables.stream().mapToInt(it -> CHOSEN.getOrDefault(it, 0)).min().orElseThrow();
        List<Executable> waiting = callables.stream().filter(it -> CHOSEN.getOrDefault(it, 0) == least).toList();
        Executable chosen = waiting.get(random.nextInt(waiting.size()));
        CHOSEN.merge(chosen, 1, Integer::sum);
        return chosen;
    }

    /** Tries one call; where it throws, what was made for it stays out of the sequence. */
    private Made call(Executable callable) {
        List<Variable> variablesBefore = new ArrayList<>(variables);
        List<String> linesBefore = new ArrayList<>(lines);
        List<Variable> given = new ArrayList<>();
        Variable target = null;
        if (callable instanceof Method method && !Modifier.isStatic(method.getModifiers())) {
            target = object(method.getDeclaringClass());
            if (target == null) {
                return null;
            }
        }
        for (Class<?> parameter : callable.getParameterTypes()) {
            given.add(argument(parameter));
        }
        Made made = run(callable, target, given);
        if (made.thrown() != null && !made.isBlunder()) {
            variables = variablesBefore;
            lines = linesBefore;
        }
        return made;
    }

    private Made run(Executable callable, Variable target, List<Variable> given) {
        Object[] values = given.stream().map(Variable::value).toArray();
        String arguments = given.stream().map(Variable::name).collect(Collectors.joining(", "));
        Class<?> type = callable instanceof Method method ? method.getReturnType() : callable.getDeclaringClass();
        String call;
        if (callable instanceof Constructor<?>) {
            call = "new " + name(callable.getDeclaringClass()) + "(" + arguments + ")";
        } else {
            String on = target == null ? name(callable.getDeclaringClass()) : target.name();
            call = on + "." + callable.getName() + "(" + arguments + ")";
        }
        Object result;
        Future<Object> running = runner.submit(() -> {
            caller = Thread.currentThread();
            return callable instanceof Constructor<?> constructor ? constructor.newInstance(values)
                    : ((Method) callable).invoke(target == null ? null : target.value(), values);
        });
        try {
            result = running.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | InterruptedException slow) {
            end(running);
            ENDLESS.add(callable);
            hangs = true;
            return new Made(call + ";", null, new IllegalStateException("it does not end"));
        } catch (ExecutionException thrown) {
            Throwable cause = thrown.getCause() instanceof InvocationTargetException inner ? inner.getCause() : thrown.getCause();
            return new Made(call + ";", null, cause);
        }
        if (type == void.class || !isNameable(type)) {
            lines.add(call + ";");
            return new Made(call + ";", null, null);
        }
        Variable variable = new Variable(fresh(type), type, result);
        lines.add(name(type) + " " + variable.name() + " = " + call + ";");
        variables.add(variable);
        String expected = literal(result);
        if (expected != null && isOurs(callable)) {
            lines.add("assertEquals(" + expected + ", " + asserted(variable) + ");");
        }
        return new Made(call + ";", result, null);
    }

    /** Ends a call that heeds no interruption: its thread would take the processor from all later ones. */
    @SuppressWarnings({"deprecation", "removal"})
    private void end(Future<Object> running) {
        running.cancel(true);
        Thread thread = caller;
        try {
            if (thread != null) {
                thread.stop();
            }
        } catch (UnsupportedOperationException newerJdk) {
            thread.setPriority(Thread.MIN_PRIORITY);
        }
    }

    private static boolean isOurs(Executable callable) {
        return !callable.getDeclaringClass().getName().startsWith("java.");
    }

    private static String asserted(Variable variable) {
        // Without a cast, assertEquals(1, integer1) is ambiguous.
        Class<?> type = boxed(variable.type());
        if (type == Double.class) {
            return "(double) " + variable.name() + ", 0";
        }
        if (type == Long.class) {
            return "(long) " + variable.name();
        }
        boolean isSmall = type == Integer.class || type == Short.class || type == Byte.class;
        return isSmall ? "(int) " + variable.name() : variable.name();
    }

    /** How a value is written; nothing where it is no value, or too long to read. */
    private static String literal(Object value) {
        if (value instanceof Boolean || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return value.toString();
        }
        if (value instanceof Long) {
            return value + "L";
        }
        if (value instanceof Double number && !number.isNaN() && !number.isInfinite()) {
            return value.toString();
        }
        if (value instanceof String text && text.length() <= MAX_TEXT && !text.contains("@")) {
            return quoted(text);
        }
        return null;
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(c < ' ' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return quoted.append('"').toString();
    }

    private List<Variable> fitting(Class<?> type) {
        return variables.stream()
                .filter(it -> it.value() != null && boxed(type).isInstance(it.value()) && boxed(type).isAssignableFrom(boxed(it.type())))
                .toList();
    }

    /** What a method is called on: an object that is there or, if there is none and now and then all the same, a new one. */
    private Variable object(Class<?> type) {
        List<Variable> fitting = fitting(type);
        Variable made = fitting.isEmpty() || random.nextInt(NEW) == 0 ? created(type) : null;
        return made != null || fitting.isEmpty() ? made : fitting.get(random.nextInt(fitting.size()));
    }

    private Variable created(Class<?> type) {
        List<Executable> makers = callables.stream()
                .filter(it -> it instanceof Constructor<?> && type.isAssignableFrom(it.getDeclaringClass())).toList();
        if (makers.isEmpty() || depth >= MAX_DEPTH) {
            return null;
        }
        depth++;
        Made made = call(makers.get(random.nextInt(makers.size())));
        depth--;
        return made != null && made.thrown() == null ? variables.get(variables.size() - 1) : null;
    }

    /** Values are written down anew; an object is new now and then, mostly one of those that are there, or null. */
    private Variable argument(Class<?> type) {
        if (type.isPrimitive()) {
            return basic(type);
        }
        Variable made = random.nextInt(NEW) == 0 ? made(type) : null;
        return made != null ? made : pooled(type);
    }

    private Variable made(Class<?> type) {
        if (type.isAssignableFrom(String.class)) {
            return basic(String.class);
        }
        return type.isArray() && BASICS.contains(type.getComponentType()) ? array(type) : created(type);
    }

    private Variable pooled(Class<?> type) {
        List<Variable> fitting = fitting(type);
        int chosen = random.nextInt(fitting.size() + 1);
        return chosen < fitting.size() ? fitting.get(chosen) : new Variable("(" + name(type) + ") null", type, null);
    }

    private Variable basic(Class<?> type) {
        Object value = value(type);
        String written = type == String.class ? quoted((String) value) : written(type, value);
        Variable variable = new Variable(fresh(type), type, value);
        lines.add(name(type) + " " + variable.name() + " = " + written + ";");
        variables.add(variable);
        return variable;
    }

    private Variable array(Class<?> type) {
        Class<?> component = type.getComponentType();
        int length = random.nextInt(4);
        Object array = Array.newInstance(component, length);
        StringJoiner elements = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < length; i++) {
            Object value = value(component);
            Array.set(array, i, value);
            elements.add(component == String.class ? quoted((String) value) : written(component, value));
        }
        Variable variable = new Variable(fresh(type), type, array);
        lines.add(name(type) + " " + variable.name() + " = new " + name(type) + elements + ";");
        variables.add(variable);
        return variable;
    }

    private Object value(Class<?> type) {
        int[] numbers = {0, 1, -1, 2, 3, 7, 10, 16, 64, 100, 255, 1000, -5};
        int number = numbers[random.nextInt(numbers.length)];
        String[] texts = {"", "a", "hi!", " x ", "A b", "10", "-3.5", "a,b;c", "\u00e9t\u00e9", "key=value", "aaaa", "%41", "<a>", "1e5"};
        if (type == String.class) {
            return texts[random.nextInt(texts.length)];
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == char.class) {
            return "aZ0 ,\n%".charAt(random.nextInt(7));
        }
        if (type == long.class) {
            return (long) number;
        }
        if (type == double.class) {
            return number / 2.0;
        }
        if (type == float.class) {
            return number / 2.0f;
        }
        if (type == byte.class) {
            return (byte) number;
        }
        return type == short.class ? (Object) (short) number : (Object) number;
    }

    private static String written(Class<?> type, Object value) {
        if (type == char.class) {
            return value.equals('\n') ? "'\\n'" : "'" + value + "'";
        }
        if (type == float.class) {
            return value + "f";
        }
        String cast = type == byte.class || type == short.class ? "(" + type.getName() + ") " : "";
        return cast + value + (type == long.class ? "L" : "");
    }

    private String fresh(Class<?> type) {
        String simple = type.getSimpleName().replace("[]", "s");
        String stem = Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
        return stem + numbers.merge(stem, 1, Integer::sum);
    }

    private static boolean isNameable(Class<?> type) {
        Class<?> innermost = type;
        while (innermost.isArray()) {
            innermost = innermost.getComponentType();
        }
        return innermost.isPrimitive() || Modifier.isPublic(innermost.getModifiers()) && innermost.getCanonicalName() != null
                && (innermost.getEnclosingClass() == null || isNameable(innermost.getEnclosingClass()));
    }

    private static String name(Class<?> type) {
        String name = type.getCanonicalName();
        return name.startsWith("java.lang.") && name.indexOf('.', 10) < 0 ? name.substring(10) : name;
    }

    private static Class<?> boxed(Class<?> type) {
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0).getClass() : type;
    }
}
