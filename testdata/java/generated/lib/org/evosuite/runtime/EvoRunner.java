package org.evosuite.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.InitializationError;

/** What matters of EvoSuite's runner: the test and the code under test are loaded once more, from their bytes, by a loader of its own. */
public class EvoRunner extends BlockJUnit4ClassRunner {
    public EvoRunner(Class<?> test) throws InitializationError {
        super(apart(test));
    }

    private static Class<?> apart(Class<?> test) throws InitializationError {
        try {
            return Class.forName(test.getName(), true, new Apart(test.getClassLoader()));
        } catch (ClassNotFoundException e) {
            throw new InitializationError(e);
        }
    }

    private static final class Apart extends ClassLoader {
        Apart(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null || !name.startsWith("acme.")) {
                return loaded != null ? loaded : super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
