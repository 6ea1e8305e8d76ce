package paring.adapter;

import java.util.Collections;
import java.util.Set;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestListener;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import paring.Framework;
import paring.Listener;

/** Runs tests by JUnit 3, where there is nothing newer. */
public final class Junit3 implements Framework {
    @Override
    public Runnable prepare(Class<?> test, String method, String cases, Set<String> skip, Listener listener) {
        TestResult result = new TestResult();
        result.addListener(new Recorder(listener));
        TestSuite suite = new TestSuite(test);
        return () -> runAll(suite, method, skip, result);
    }

    private static void runAll(TestSuite suite, String method, Set<String> skip, TestResult result) {
        for (Object each : Collections.list(suite.tests())) {
            if (each instanceof TestSuite) {
                runAll((TestSuite) each, method, skip, result);
            } else if (method == null || (each instanceof TestCase && method.equals(((TestCase) each).getName()))) {
                if (!skip.contains(id((Test) each))) {
                    ((Test) each).run(result);
                }
            }
        }
    }

    private static String id(Test test) {
        return test instanceof TestCase ? test.getClass().getName() + "#" + ((TestCase) test).getName() : test.toString();
    }

    private static final class Recorder implements TestListener {
        private final Listener listener;

        Recorder(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void addError(Test test, Throwable thrown) {
            listener.failed(id(test), thrown);
        }

        @Override
        public void addFailure(Test test, AssertionFailedError thrown) {
            listener.failed(id(test), thrown);
        }

        @Override
        public void endTest(Test test) {
            listener.finished(id(test));
        }

        @Override
        public void startTest(Test test) {
            listener.started(id(test));
        }
    }
}
