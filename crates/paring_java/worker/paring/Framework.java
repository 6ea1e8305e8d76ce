package paring;

import java.util.Set;

/** Runs tests by one framework's own means. Implementations are compiled against the framework's interface. */
public interface Framework {
    /**
     * Runs the method, and of its cases only the one named, if one is.
     *
     * @param method null runs the whole class
     * @param cases the part of the id behind the method's name, or empty
     * @param skip methods that are left out, as {@code pkg.Outer$Inner#method}
     */
    void run(Class<?> test, String method, String cases, Set<String> skip, Listener listener) throws Exception;
}
