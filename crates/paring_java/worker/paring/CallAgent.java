package paring;

import java.lang.instrument.ClassFileTransformer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Puts probes into the classes of tests, as they are loaded: those whose sources lie where test sources do. */
final class CallAgent implements ClassFileTransformer {
    private static List<Path> roots = List.of();
    private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<>();

    /** From here on. @param roots folders in which packages of test sources start */
    static void start(List<Path> roots) {
        CallAgent.roots = roots;
        Agent.instrumentation().addTransformer(new CallAgent());
    }

    static boolean isOn() {
        return !roots.isEmpty();
    }

    /** Whether a class, by its internal name, is one of tests. */
    static boolean isOfTests(String name) {
        int dollar = name.indexOf('$');
        String outer = dollar > 0 ? name.substring(0, dollar) : name;
        return KNOWN.computeIfAbsent(outer, each -> isSource(each + ".java"));
    }

    private static boolean isSource(String name) {
        for (Path root : roots) {
            if (Files.isRegularFile(root.resolve(name))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] code) {
        if (loader == null || name == null || name.startsWith("paring/")) {
            return null;
        }
        if (!isOfTests(name)) {
            // Several classes may stand in one file.
            String file = CallProbes.sourceFile(code);
            if (file == null || !isSource(name.substring(0, name.lastIndexOf('/') + 1) + file)) {
                return null;
            }
            int dollar = name.indexOf('$');
            KNOWN.put(dollar > 0 ? name.substring(0, dollar) : name, true);
        }
        return CallProbes.insert(code, name, CallAgent::isOfTests);
    }
}
