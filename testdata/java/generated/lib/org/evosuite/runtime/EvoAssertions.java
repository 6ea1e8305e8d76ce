package org.evosuite.runtime;

public class EvoAssertions {
    public static void verifyException(String source, Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        if (stack.length == 0 || !stack[0].getClassName().equals(source)) {
            throw new AssertionError("Exception was not thrown in " + source);
        }
    }
}
