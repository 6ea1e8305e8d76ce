package junit.framework;

public class AssertionFailedError extends Error {
    private static final long serialVersionUID = 1;
}
