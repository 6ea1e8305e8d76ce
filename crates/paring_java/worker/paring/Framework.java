package paring;

import java.util.Set;

/** Runs tests by one framework's own means. Implementations are compiled against the framework's interface. */
public interface Framework {
    /**
     * Loads the framework and finds the method, and of its cases only the one named, if one is. What it returns runs them.
     *
     * @param method null runs the whole class
     * @param cases the part of the id behind the method's name, or empty
     * @param skip methods that are left out, as {@code pkg.Outer$Inner#method}
     */
    Runnable prepare(Class<?> test, String method, String cases, Set<String> skip, Listener listener) throws Exception;
}
