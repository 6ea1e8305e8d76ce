package paring;

import java.lang.reflect.Method;
import java.util.Collection;

/** Mocks keep what they were told and asked apart from themselves: their library is asked for it. */
final class Mocks {
    private final Class<?> mockito;
    private boolean isUsed;
    private final Method details;
    private final Method invocations;
    private final Method stubbings;
    private final Method isMock;

    Mocks(ClassLoader loader) {
        Class<?> mockito = null;
        Method details = null;
        Method invocations = null;
        Method stubbings = null;
        Method isMock = null;
        try {
            mockito = Class.forName("org.mockito.Mockito", false, loader);
            Class<?> type = Class.forName("org.mockito.MockingDetails", false, loader);
            details = mockito.getMethod("mockingDetails", Object.class);
            invocations = type.getMethod("getInvocations");
            stubbings = type.getMethod("getStubbings");
            isMock = type.getMethod("isMock");
        } catch (ReflectiveOperationException | LinkageError e) {
            // There are no mocks.
        }
        this.mockito = mockito;
        this.details = details;
        this.invocations = invocations;
        this.stubbings = stubbings;
        this.isMock = isMock;
    }

    long token(Object thing) {
        // Of the JDK's classes only interfaces are mocked in practice, and those mocks have classes of their own.
        if (isMock == null || thing.getClass().getClassLoader() == null) {
            return 0;
        }
        // Asking a library that the test has not used would start it, which is dear and changes the process.
        isUsed = isUsed || Hidden.isInitialised(mockito);
        if (!isUsed) {
            return 0;
        }
        try {
            Object all = details.invoke(null, thing);
            if (!Boolean.TRUE.equals(isMock.invoke(all))) {
                return 0;
            }
            return ((Collection<?>) invocations.invoke(all)).size() * 31L + ((Collection<?>) stubbings.invoke(all)).size() + 1;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return 0;
        }
    }
}
