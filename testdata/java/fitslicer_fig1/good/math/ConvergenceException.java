package math;

/** A series or a fraction does not come to an end. */
public class ConvergenceException extends Exception {
    public ConvergenceException(String message) {
        super(message);
    }
}
