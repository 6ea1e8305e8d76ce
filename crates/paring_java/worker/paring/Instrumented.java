package paring;

import java.util.ArrayList;
import java.util.List;

/** A text with probes in it, and what each of them stands for. Offsets are of the original text, in characters. */
final class Instrumented {
    /** The names of a point, at most. */
    static final int NAME_LIMIT = 40;

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
    /** Whether points have the names in scope at all. */
    boolean hasNames;
    final List<Point> points = new ArrayList<>();
    /** Of each method, lambda or initialiser, where its body begins. */
    final List<Integer> frames = new ArrayList<>();
    /** Where each point's call stands in the instrumented text. */
    final List<int[]> calls = new ArrayList<>();

    /** Whether a point has all names in scope that have a value. */
    boolean isWhole(int point) {
        return hasNames && points.get(point).names.size() < NAME_LIMIT;
    }
}
