package junit.framework;

import java.util.Enumeration;

public class TestSuite implements Test {
    public TestSuite(Class<?> type) {}

    @Override
    public int countTestCases() {
        return 0;
    }

    @Override
    public void run(TestResult result) {}

    public Enumeration<Test> tests() {
        return null;
    }
}
