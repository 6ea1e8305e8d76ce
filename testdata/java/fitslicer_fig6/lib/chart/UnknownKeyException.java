package chart;

/** There is no row or column of that key. */
public class UnknownKeyException extends IllegalArgumentException {
    public UnknownKeyException(String key) {
        super(key);
    }
}
