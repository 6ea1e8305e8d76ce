package paring.adapter;

import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import paring.Framework;
import paring.Listener;

/** Runs tests by JUnit 4, which also runs those of JUnit 3. */
public final class Junit4 implements Framework {
    @Override
    public Runnable prepare(Class<?> test, String method, String cases, Set<String> skip, Listener listener) {
        Request request = Request.aClass(test);
        JUnitCore core = new JUnitCore();
        core.addListener(new Recorder(listener, test, method, cases));
        Request wanted = method == null && skip.isEmpty() ? request : request.filterWith(new Only(method, cases, skip));
        Runner runner = wanted.getRunner();
        return () -> core.run(runner);
    }

    private static boolean matches(Description description, String method, String cases) {
        String name = description.getMethodName();
        if (method == null || name == null) {
            return true;
        }
        int number = cases.indexOf('[');
        if (number >= 0) {
            return name.equals(method + cases) || name.equals(method + cases.substring(number));
        }
        return name.equals(method) || name.startsWith(method + "[");
    }

    private static final class Only extends Filter {
        private final String method;
        private final String cases;
        private final Set<String> skip;

        Only(String method, String cases, Set<String> skip) {
            this.method = method;
            this.cases = cases;
            this.skip = skip;
        }

        @Override
        public boolean shouldRun(Description description) {
            if (description.isTest()) {
                return matches(description, method, cases) && !isSkipped(description);
            }
            return description.getChildren().stream().anyMatch(this::shouldRun);
        }

        private boolean isSkipped(Description description) {
            String name = String.valueOf(description.getMethodName());
            int bracket = name.indexOf('[');
            return skip.contains(description.getClassName() + "#" + (bracket < 0 ? name : name.substring(0, bracket)));
        }

        @Override
        public String describe() {
            return "method " + method + cases;
        }
    }

    private static final class Recorder extends RunListener {
        private final Listener listener;
        private final Class<?> test;
        private final String method;
        private final String cases;

        Recorder(Listener listener, Class<?> test, String method, String cases) {
            this.listener = listener;
            this.test = test;
            this.method = method;
            this.cases = cases;
        }

        private boolean isWanted(Description description) {
            return matches(description, method, cases);
        }

        private String id(Description description) {
            String name = description.getMethodName();
            String type = description.getClassName() == null ? test.getName() : description.getClassName();
            return name == null ? description.getDisplayName() : type + "#" + name;
        }

        @Override
        public void testStarted(Description description) {
            if (isWanted(description)) {
                listener.started(id(description));
            }
        }

        @Override
        public void testFailure(Failure failure) {
            Description description = failure.getDescription();
            boolean isUnrunnable = "initializationError".equals(description.getMethodName());
            if (isUnrunnable || isWanted(description)) {
                listener.failed(id(description), failure.getException());
            }
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            listener.skipped(id(failure.getDescription()), String.valueOf(failure.getMessage()));
        }

        @Override
        public void testIgnored(Description description) {
            if (isWanted(description)) {
                listener.skipped(id(description), "ignored");
            }
        }

        @Override
        public void testFinished(Description description) {
            if (isWanted(description)) {
                listener.finished(id(description));
            }
        }
    }
}
