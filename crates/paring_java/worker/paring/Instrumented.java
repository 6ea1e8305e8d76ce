package paring;

import java.util.ArrayList;
import java.util.List;

/** A text with probes in it, and what each of them stands for. Offsets are of the original text, in characters. */
final class Instrumented {
    /** A place where something may begin. */
    static final class Point {
        final String kind;
        final int start;
        final int end;
        final int frame;
        final List<String> names;

        Point(String kind, int start, int end, int frame, List<String> names) {
            this.kind = kind;
            this.start = start;
            this.end = end;
            this.frame = frame;
            this.names = names;
        }
    }

    String text;
    final List<Point> points = new ArrayList<>();
    /** Of each method, lambda or initialiser, where its body begins. */
    final List<Integer> frames = new ArrayList<>();
    /** Where each point's call stands in the instrumented text. */
    final List<int[]> calls = new ArrayList<>();
}
