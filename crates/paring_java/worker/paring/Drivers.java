package paring;

import java.lang.reflect.Field;
import java.util.Collection;

/**
 * JDBC drivers. The JVM finds them once, on the class path of whoever asks first, and lets nobody else have them. Each run has class
 * loaders of its own, so each run is to find its own drivers, as in a JVM of its own.
 */
final class Drivers {
    private Drivers() {
    }

    /** Nobody has asked yet. Where the JDK has no databases, or keeps them in another way, all stays as it is. */
    static void forget() {
        try {
            Class<?> manager = Class.forName("java.sql.DriverManager");
            Field registered = manager.getDeclaredField("registeredDrivers");
            Field isInitialized = manager.getDeclaredField("driversInitialized");
            ((Collection<?>) Heap.staticObject(registered)).clear();
            Heap.setStatic(isInitialized, false);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // Then a second run may not find its driver, and a cold run tells.
            return;
        }
    }
}
