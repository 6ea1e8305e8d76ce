package paring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

/** Chooses what runs a test class, by what the class is and what is on the class path. */
final class Frameworks {
    /** There is nothing to run the test with. */
    static final class Missing extends Exception {
        private static final long serialVersionUID = 1;
        final String code;

        Missing(String code, String message) {
            super(message);
            this.code = code;
        }
    }

    private Frameworks() {}

    static Framework choose(Class<?> test, ClassLoader loader) throws Exception {
        boolean isOld = isOld(test);
        if (!isOld && has("org.junit.platform.launcher.Launcher", loader)) {
            return make("Platform", loader);
        }
        if (!isOld && isNew(test)) {
            throw new Missing("no_launcher", test.getName() + " is a JUnit 5 test, and the JUnit Platform's launcher is not on the class path");
        }
        if (has("org.junit.runner.JUnitCore", loader)) {
            return make("Junit4", loader);
        }
        if (has("junit.framework.TestCase", loader)) {
            return make("Junit3", loader);
        }
        if (has("org.junit.platform.launcher.Launcher", loader)) {
            return make("Platform", loader);
        }
        throw new Missing("no_junit", "there is no JUnit on the class path");
    }

    private static Framework make(String name, ClassLoader loader) throws ReflectiveOperationException {
        return (Framework) Class.forName("paring.adapter." + name, true, loader).getDeclaredConstructor().newInstance();
    }

    static boolean has(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Whether it is a test of JUnit 3 or 4. */
    private static boolean isOld(Class<?> test) {
        for (Class<?> type = test; type != null; type = type.getSuperclass()) {
            if (type.getName().equals("junit.framework.TestCase")) {
                return true;
            }
            for (Annotation annotation : type.getAnnotations()) {
                if (annotation.annotationType().getName().equals("org.junit.runner.RunWith")) {
                    return true;
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                for (Annotation annotation : method.getAnnotations()) {
                    if (annotation.annotationType().getName().equals("org.junit.Test")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether a method of it is marked as a test of the platform. */
    private static boolean isNew(Class<?> test) {
        for (Class<?> type = test; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                for (Annotation annotation : method.getAnnotations()) {
                    if (isTestable(annotation.annotationType(), new HashSet<>())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean isTestable(Class<?> annotation, Set<Class<?>> seen) {
        if (annotation.getName().equals("org.junit.platform.commons.annotation.Testable") || annotation.getName().startsWith("org.junit.jupiter.")) {
            return true;
        }
        for (Annotation meta : annotation.getAnnotations()) {
            if (seen.add(meta.annotationType()) && isTestable(meta.annotationType(), seen)) {
                return true;
            }
        }
        return false;
    }
}
