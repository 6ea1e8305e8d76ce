package paring;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lets methods of the JDK tell {@link paring.boot.Touches} what they do: those of {@link Hook}. */
final class Hooks implements ClassFileTransformer {
    private static Hooks only;

    private final Instrumentation instrumentation;
    /** Rows by class. */
    private volatile Map<String, List<Hook.Row>> rows = new HashMap<>();

    private Hooks(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        instrumentation.addTransformer(this, true);
    }

    /** Those of this JVM; null where it was started without an agent. */
    static synchronized Hooks ofThisJvm() {
        if (only == null && Agent.instrumentation() != null) {
            only = new Hooks(Agent.instrumentation());
        }
        return only;
    }

    /** Hooks what changes files, or all. Classes that are not loaded yet get theirs as they are. */
    synchronized void hook(Map<String, List<Hook.Row>> next) {
        if (next == rows || rows == Hook.ALL) {
            return;
        }
        List<Class<?>> again = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String name = type.getName().replace('.', '/');
            if (type.getClassLoader() == null && next.containsKey(name) && !next.get(name).equals(rows.get(name))) {
                again.add(type);
            }
        }
        rows = next;
        try {
            if (!again.isEmpty()) {
                instrumentation.retransformClasses(again.toArray(new Class<?>[0]));
            }
        } catch (UnmodifiableClassException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] code) {
        List<Hook.Row> rows = name == null || isUsers(loader) ? null : this.rows.get(name);
        return rows == null ? null : TouchProbes.insert(code, rows);
    }

    /** The JDK's classes are those of its own loaders. */
    private static boolean isUsers(ClassLoader loader) {
        return loader != null && loader != ClassLoader.getPlatformClassLoader();
    }
}
