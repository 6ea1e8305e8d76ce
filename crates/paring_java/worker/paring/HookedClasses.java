package paring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import paring.boot.Touches;

/**
 * The JDK's classes with the hooks that every run needs, {@link Hook#CHANGES}. They are written once, when the worker is compiled:
 * every JVM is started with them, and reading them is quicker than writing them anew.
 */
public final class HookedClasses {
    private static final String FOLDER = "hooked/";

    private HookedClasses() {}

    /** Writes them for this JDK. @param args the folder that becomes the worker's jar */
    public static void main(String[] args) throws IOException {
        for (Map.Entry<String, List<Hook.Row>> each : Hook.CHANGES.entrySet()) {
            byte[] hooked = hooked(each.getKey(), each.getValue());
            if (hooked != null) {
                Path file = Path.of(args[0]).resolve(FOLDER + each.getKey() + ".hooked");
                Files.createDirectories(file.getParent());
                Files.write(file, hooked);
            }
        }
    }

    /** Null where this JDK has no such class. */
    private static byte[] hooked(String type, List<Hook.Row> rows) throws IOException {
        try (InputStream in = Object.class.getResourceAsStream("/" + type + ".class")) {
            return in == null ? null : TouchProbes.insert(in.readAllBytes(), rows);
        }
    }

    /** Puts them in the place of those that the JVM has. */
    static void install(Instrumentation instrumentation) throws IOException {
        List<ClassDefinition> definitions = new ArrayList<>();
        for (String type : Hook.CHANGES.keySet()) {
            try (InputStream in = HookedClasses.class.getResourceAsStream("/" + FOLDER + type + ".hooked")) {
                if (in != null) {
                    definitions.add(new ClassDefinition(Class.forName(type.replace('/', '.'), false, null), in.readAllBytes()));
                }
            } catch (ClassNotFoundException e) {
                throw new IOException(e);
            }
        }
        // Without a transformer at work nobody else lets the JDK see the class that is called.
        instrumentation.redefineModule(Object.class.getModule(), Set.of(Touches.class.getModule()), Map.of(), Map.of(), Set.of(), Map.of());
        try {
            instrumentation.redefineClasses(definitions.toArray(new ClassDefinition[0]));
        } catch (ClassNotFoundException | UnmodifiableClassException e) {
            throw new IOException(e);
        }
    }
}
