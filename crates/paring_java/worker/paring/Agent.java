package paring;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts probes into the classes whose sources are at hand, as they are loaded, and tells which lines each test ran. */
public final class Agent implements ClassFileTransformer {
    /** The one that the JVM was started with; null where it was started without. */
    private static Instrumentation instrumentation;

    private final List<Path> roots;
    /** Sources by their numbers. */
    private final List<String> files = new ArrayList<>();
    /** Of each file, by its number, those of its lines. */
    private final List<Map<Integer, Integer>> numbers = new ArrayList<>();
    private final Map<String, Integer> fileNumbers = new HashMap<>();
    /** Classes by their names. */
    private final Map<String, Integer> types = new HashMap<>();

    private Agent(List<Path> roots) {
        this.roots = roots;
    }

    /** What the JVM calls before everything else. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        Agent.instrumentation = instrumentation;
    }

    /** Null where the JVM was started without an agent. */
    static Instrumentation instrumentation() {
        return instrumentation;
    }

    /** Records from here on. @param roots folders in which packages of sources start */
    static Agent start(List<Path> roots) {
        Agent agent = new Agent(roots);
        instrumentation.addTransformer(agent);
        return agent;
    }

    /** Null, for no change, is also the answer to whatever goes wrong: a class without probes is better than none. */
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] code) {
        if (loader == null || name == null || name.startsWith("paring/")) {
            return null;
        }
        String file = LineProbes.sourceFile(code);
        String source = file == null ? null : source(name.substring(0, name.lastIndexOf('/') + 1) + file);
        if (source == null) {
            return null;
        }
        int type = loaded(name);
        return LineProbes.insert(code, type, line -> number(source, line, type));
    }

    /** The number of a class. One that is loaded again, with another text perhaps, is initialised again: what it ran before is forgotten. */
    private synchronized int loaded(String name) {
        int type = types.computeIfAbsent(name, each -> types.size());
        Hits.forget(type);
        return type;
    }

    private String source(String name) {
        for (Path root : roots) {
            Path path = root.resolve(name);
            if (Files.isRegularFile(path)) {
                return path.toString();
            }
        }
        return null;
    }

    private synchronized int number(String source, int line, int type) {
        int file = fileNumbers.computeIfAbsent(source, each -> {
            files.add(each);
            numbers.add(new HashMap<>());
            return files.size() - 1;
        });
        return numbers.get(file).computeIfAbsent(line, each -> Hits.number(file, each, type));
    }

    /** Sources in the order of their numbers. */
    synchronized List<String> files() {
        return new ArrayList<>(files);
    }

    /** Pairs of a file's number and its lines, of numbers of {@link Hits}. */
    static List<Object> places(BitSet numbers) {
        Map<Integer, List<Object>> lines = new TreeMap<>();
        numbers.stream().mapToObj(Hits::place).forEach(place -> lines.computeIfAbsent(place[0], file -> new ArrayList<>()).add(place[1]));
        List<Object> covered = new ArrayList<>();
        lines.forEach((file, those) -> covered.add(List.of(file, those)));
        return covered;
    }
}
