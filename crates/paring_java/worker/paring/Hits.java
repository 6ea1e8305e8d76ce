package paring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which lines ran since somebody last asked. Lines are numbered as {@link LineProbes} meets them.
 *
 * <p>A class is initialised once, for whoever comes first, and all who run its code live on what that made. So what ran while a class was
 * initialised is kept with the class, and counts for everybody who runs a line of it.
 */
public final class Hits {
    private static final int FIRST_SIZE = 1 << 14;

    /** Written by the code under test, of any thread, without locks: a line that ran stays one that ran. */
    private static byte[] hits = new byte[FIRST_SIZE];
    /** The file and the line of each number, and the number of the class that had the line first. */
    private static final List<int[]> PLACES = new ArrayList<>();
    /** The numbers of lines that ran while a class was initialised. */
    private static final Map<Integer, BitSet> INITIALIZED = new HashMap<>();
    /** Classes that are being initialised, the innermost first. */
    private static final Deque<Initializing> OPEN = new ArrayDeque<>();

    private static final class Initializing {
        final int type;
        /** What had run when it began. */
        final byte[] before;

        Initializing(int type, byte[] before) {
            this.type = type;
            this.before = before;
        }
    }

    private Hits() {}

    /** What a probe calls. */
    public static void hit(int number) {
        hits[number] = 1;
    }

    /** What an initialiser calls first. */
    public static synchronized void begin(int type) {
        if (!OPEN.isEmpty() && OPEN.peek().type == type) {
            return;
        }
        OPEN.push(new Initializing(type, hits));
        hits = new byte[hits.length];
    }

    /** What an initialiser calls last. One that throws does not get here: the next one out ends it, too. */
    public static synchronized void end(int type) {
        if (OPEN.stream().noneMatch(each -> each.type == type)) {
            return;
        }
        boolean isLast;
        do {
            Initializing ended = OPEN.pop();
            BitSet ran = all(hits);
            INITIALIZED.put(ended.type, ran);
            hits = Arrays.copyOf(ended.before, hits.length);
            // It also ran in the course of whatever asked for the class.
            ran.stream().forEach(number -> hits[number] = 1);
            isLast = ended.type == type;
        } while (!isLast);
    }

    /** A class is there anew, and not initialised yet. */
    static synchronized void forget(int type) {
        INITIALIZED.remove(type);
    }

    /** A number for a line of a file, in a class. */
    static synchronized int number(int file, int line, int type) {
        int number = PLACES.size();
        PLACES.add(new int[] {file, line, type});
        if (number >= hits.length) {
            hits = Arrays.copyOf(hits, 2 * hits.length);
        }
        return number;
    }

    static synchronized void clear() {
        OPEN.clear();
        Arrays.fill(hits, (byte) 0);
    }

    /** The numbers of the lines that ran, those of initialisers included. */
    static synchronized BitSet taken() {
        while (!OPEN.isEmpty()) {
            end(OPEN.peek().type);
        }
        BitSet taken = all(hits);
        clear();
        BitSet types = new BitSet();
        Deque<BitSet> open = new ArrayDeque<>(List.of((BitSet) taken.clone()));
        while (!open.isEmpty()) {
            open.pop().stream().map(number -> PLACES.get(number)[2]).filter(type -> !types.get(type)).forEach(type -> {
                types.set(type);
                BitSet ran = INITIALIZED.get(type);
                if (ran != null) {
                    taken.or(ran);
                    open.push(ran);
                }
            });
        }
        return taken;
    }

    /** The file and the line of a number. */
    static synchronized int[] place(int number) {
        return PLACES.get(number);
    }

    private static BitSet all(byte[] hits) {
        BitSet all = new BitSet();
        for (int number = 0; number < PLACES.size(); number++) {
            if (hits[number] != 0) {
                all.set(number);
            }
        }
        return all;
    }
}
