package paring.adapter;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import paring.Framework;
import paring.Listener;

/** Runs tests by the JUnit Platform's launcher: JUnit 5 and whatever other engines there are. */
public final class Platform implements Framework {
    private static final Pattern CASE = Pattern.compile("\\[(test-template-invocation|dynamic-test|dynamic-container):#(\\d+)\\]");
    private static final Pattern NUMBER = Pattern.compile("\\[(\\d+)\\]");

    @Override
    public Runnable prepare(Class<?> test, String method, String cases, Set<String> skip, Listener listener) {
        Launcher launcher = LauncherFactory.create();
        List<DiscoverySelector> selectors = new ArrayList<>();
        if (method == null) {
            selectors.add(DiscoverySelectors.selectClass(test));
        } else {
            for (Method each : methods(test, method)) {
                selectors.add(DiscoverySelectors.selectMethod(test, each));
            }
        }
        Matcher number = NUMBER.matcher(cases);
        if (number.find()) {
            selectors = invocations(launcher, selectors, cases);
        }
        if (!skip.isEmpty()) {
            selectors = others(launcher, selectors, skip);
        }
        if (selectors.isEmpty()) {
            return () -> { };
        }
        LauncherDiscoveryRequest wanted = request(selectors);
        TestPlan plan = launcher.discover(wanted);
        if (takesPlans()) {
            return () -> launcher.execute(plan, new Recorder(listener));
        }
        return () -> launcher.execute(wanted, new Recorder(listener));
    }

    /** Launchers before 1.4 find the tests once more. */
    private static boolean takesPlans() {
        try {
            Launcher.class.getMethod("execute", TestPlan.class, TestExecutionListener[].class);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static LauncherDiscoveryRequest request(List<DiscoverySelector> selectors) {
        return LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
    }

    /** All methods of the name, inherited ones too, each once. */
    private static Iterable<Method> methods(Class<?> test, String name) {
        Map<String, Method> methods = new LinkedHashMap<>();
        for (Class<?> type = test; type != null; type = type.getSuperclass()) {
            collect(type, name, methods);
        }
        for (Class<?> type = test; type != null; type = type.getSuperclass()) {
            for (Class<?> each : type.getInterfaces()) {
                collect(each, name, methods);
            }
        }
        return methods.values();
    }

    private static void collect(Class<?> type, String name, Map<String, Method> methods) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && !method.isSynthetic() && !method.isBridge()) {
                methods.putIfAbsent(List.of(method.getParameterTypes()).toString(), method);
            }
        }
    }

    /** All methods but some, one by one. */
    private static List<DiscoverySelector> others(Launcher launcher, List<DiscoverySelector> selectors, Set<String> skip) {
        List<DiscoverySelector> found = new ArrayList<>();
        TestPlan plan = launcher.discover(request(selectors));
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                if (each.getSource().orElse(null) instanceof MethodSource && !skip.contains(id(each))) {
                    found.add(DiscoverySelectors.selectUniqueId(each.getUniqueId()));
                }
            }
        }
        return found;
    }

    /** The one invocation of a template or factory, by its number. */
    private static List<DiscoverySelector> invocations(Launcher launcher, List<DiscoverySelector> selectors, String cases) {
        List<DiscoverySelector> found = new ArrayList<>();
        TestPlan plan = launcher.discover(request(selectors));
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                String id = each.getUniqueId();
                StringBuilder path = new StringBuilder(id);
                boolean isTemplate = id.substring(id.lastIndexOf('[')).startsWith("[test-template:");
                boolean isFactory = id.substring(id.lastIndexOf('[')).startsWith("[test-factory:");
                if (isTemplate || isFactory) {
                    List<String> numbers = new ArrayList<>();
                    for (Matcher number = NUMBER.matcher(cases); number.find(); ) {
                        numbers.add(number.group(1));
                    }
                    for (int i = 0; i < numbers.size(); i++) {
                        String kind = isTemplate ? "test-template-invocation" : i == numbers.size() - 1 ? "dynamic-test" : "dynamic-container";
                        path.append("/[").append(kind).append(":#").append(numbers.get(i)).append("]");
                    }
                    found.add(DiscoverySelectors.selectUniqueId(path.toString()));
                }
            }
        }
        return found.isEmpty() ? selectors : found;
    }

    private static String id(TestIdentifier test) {
        Object source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            StringBuilder id = new StringBuilder(((MethodSource) source).getClassName() + "#" + ((MethodSource) source).getMethodName());
            for (Matcher matcher = CASE.matcher(test.getUniqueId()); matcher.find(); ) {
                id.append('[').append(matcher.group(2)).append(']');
            }
            return id.toString();
        }
        return test.getDisplayName();
    }

    private static final class Recorder implements TestExecutionListener {
        private final Listener listener;

        Recorder(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                listener.started(id(test));
            }
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            listener.skipped(id(test), reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            Throwable thrown = result.getThrowable().orElse(null);
            switch (result.getStatus()) {
                case FAILED:
                    listener.failed(id(test), thrown == null ? new AssertionError("failed") : thrown);
                    break;
                case ABORTED:
                    listener.skipped(id(test), thrown == null ? "aborted" : String.valueOf(thrown.getMessage()));
                    break;
                default:
                    break;
            }
            if (test.isTest()) {
                listener.finished(id(test));
            }
        }
    }
}
