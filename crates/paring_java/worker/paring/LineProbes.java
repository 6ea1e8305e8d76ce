package paring;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Puts a call of {@link Hits#hit} before every line of a class's methods, as the class file's own tables have the lines. A line is
 * told before it runs, so that the one that throws is among those that ran.
 *
 * <p>Class initialisers also call {@link Hits#begin} and {@link Hits#end}.
 */
final class LineProbes extends Rewrite {
    private static final int RETURN = 0xb1;

    private final int type;
    private final IntUnaryOperator number;

    /**
     * @param type number of the class, for {@link Hits}
     * @param number of a line, for the same
     */
    private LineProbes(byte[] code, int type, IntUnaryOperator number) {
        super(code);
        this.type = type;
        this.number = number;
    }

    /** The class with probes; null where it has no room for them or is none that is understood. */
    static byte[] insert(byte[] code, int type, IntUnaryOperator number) {
        return new LineProbes(code, type, number).rewritten();
    }

    /** The name of the class's source file; null where it does not say. */
    static String sourceFile(byte[] code) {
        return new LineProbes(code, 0, line -> 0).sourceFile();
    }

    @Override
    void insert(Code code) throws IOException, TooLarge {
        TreeMap<Integer, Integer> probes = new TreeMap<>();
        code.lines().forEach((pc, line) -> probes.put(pc, number.applyAsInt(line)));
        probeEntries(code, probes);
        // A method without lines is nobody's.
        if (probes.isEmpty()) {
            return;
        }
        // An initialiser that jumps back to its first instruction begins more than once: Hits bears that.
        if (code.isInitializer()) {
            call(code, 0, "begin", type);
        }
        for (Map.Entry<Integer, Integer> probe : probes.entrySet()) {
            call(code, probe.getKey(), "hit", probe.getValue());
        }
        for (int pc = 0; pc < code.length && code.isInitializer(); pc += code.size(pc)) {
            if (code.op(pc) == RETURN) {
                call(code, pc, "end", type);
            }
        }
    }

    private static void call(Code code, int pc, String method, int argument) throws IOException, TooLarge {
        code.before(pc).push(argument).call("paring/Hits", method, "(I)V");
    }

    /**
     * Lines that are entered from another one behind their beginning. In {@code } else if (b)} the line begins with the jump that
     * ends the branch before; those who jump to the condition run the line, and those who run that jump alone do not.
     */
    private static void probeEntries(Code code, TreeMap<Integer, Integer> probes) {
        TreeMap<Integer, Integer> entries = new TreeMap<>();
        List<Integer> ended = new ArrayList<>();
        for (int pc = 0; pc < code.length; pc += code.size(pc)) {
            for (int target : code.targets(pc)) {
                Integer line = lineAt(probes, target);
                if (line != null && !probes.containsKey(target) && !line.equals(lineAt(probes, pc))) {
                    entries.put(target, line);
                }
            }
        }
        for (int entry : entries.keySet()) {
            int first = probes.floorKey(entry);
            if (code.op(first) == GOTO || code.op(first) == GOTO_W) {
                // Not yet: it is where the other entries of the line are looked up.
                ended.add(first);
            }
        }
        probes.putAll(entries);
        probes.keySet().removeAll(ended);
    }

    private static Integer lineAt(TreeMap<Integer, Integer> probes, int pc) {
        Map.Entry<Integer, Integer> line = probes.floorEntry(pc);
        return line == null ? null : line.getValue();
    }
}
