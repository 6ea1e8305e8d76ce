package paring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which lines ran since somebody last asked. Lines are numbered as {@link LineProbes} meets them. */
public final class Hits {
    private static final int FIRST_SIZE = 1 << 14;

    /** Written by the code under test, of any thread, without locks: a line that ran stays one that ran. */
    private static byte[] hits = new byte[FIRST_SIZE];
    private static final List<int[]> PLACES = new ArrayList<>();

    private Hits() {}

    /** What a probe calls. */
    public static void hit(int number) {
        hits[number] = 1;
    }

    /** A number for a line of a file. */
    static synchronized int number(int file, int line) {
        int number = PLACES.size();
        PLACES.add(new int[] {file, line});
        if (number >= hits.length) {
            hits = Arrays.copyOf(hits, 2 * hits.length);
        }
        return number;
    }

    static synchronized void clear() {
        Arrays.fill(hits, (byte) 0);
    }

    /** Files and lines that ran, in the order of their numbers. */
    static synchronized List<int[]> taken() {
        List<int[]> taken = new ArrayList<>();
        byte[] hits = Hits.hits;
        for (int number = 0; number < PLACES.size(); number++) {
            if (hits[number] != 0) {
                taken.add(PLACES.get(number));
            }
        }
        clear();
        return taken;
    }
}
