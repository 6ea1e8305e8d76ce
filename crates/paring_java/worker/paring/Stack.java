package paring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A stack trace seen from the test file: where in it, and what is below. */
final class Stack {
    private static final int LIMIT = 200;
    private static final int OVERFLOW_LIMIT = 30;
    /** Frames whose number and names differ between runs, or tell nothing of the program. */
    private static final Pattern NOISE = Pattern.compile(
            "^(jdk\\.internal\\.|java\\.lang\\.reflect\\.|java\\.lang\\.invoke\\.|sun\\.reflect\\.|paring\\.)|\\$\\$Lambda|\\$\\$FastClass|\\$\\$Enhancer|^(com\\.sun\\.proxy|jdk\\.proxy[0-9]*)\\.");
    private static final Pattern RUNTIME = Pattern.compile("^(java|javax|jdk|sun|com\\.sun)\\.");
    private static final Pattern CHECKS = Pattern.compile(
            "^(org\\.junit\\.|junit\\.|org\\.hamcrest\\.|org\\.assertj\\.|org\\.opentest4j\\.|com\\.google\\.common\\.truth\\.|org\\.mockito\\.|org\\.testng\\.|kotlin\\.test\\.)");
    private static final Pattern NUMBERED = Pattern.compile("(lambda\\$[^$]*\\$|MockitoMock\\$|\\$\\$EnhancerBy[A-Za-z]*\\$\\$)[0-9a-f]+");

    final List<Map<String, Object>> inside = new ArrayList<>();
    final List<Map<String, Object>> below = new ArrayList<>();
    /** All below the test file, checks included, outermost first. */
    final List<StackTraceElement> raw = new ArrayList<>();

    /** @param own binary names of the test file's classes */
    Stack(StackTraceElement[] trace, Set<String> own, boolean isOverflow) {
        List<StackTraceElement> frames = new ArrayList<>(List.of(trace));
        Collections.reverse(frames);
        int last = -1;
        for (int i = 0; i < frames.size(); i++) {
            StackTraceElement frame = frames.get(i);
            if (own.contains(frame.getClassName()) && frame.getLineNumber() > 0) {
                last = i;
                inside.add(Json.object("line", frame.getLineNumber(), "column", null));
            }
        }
        for (StackTraceElement frame : last < 0 ? withoutRunner(frames) : frames.subList(last + 1, frames.size())) {
            if (!NOISE.matcher(frame.getClassName()).find()) {
                raw.add(frame);
            }
            if (!isNoise(frame)) {
                below.add(Json.object("file", file(frame), "function", function(frame), "line", Math.max(0, frame.getLineNumber()), "runtime", RUNTIME.matcher(frame.getClassName()).find()));
            }
        }
        int limit = isOverflow ? OVERFLOW_LIMIT : LIMIT;
        // An overflow happens anywhere in the cycle: only how it came into it is the same each time.
        cut(inside, limit);
        cut(below, limit);
    }

    /** Leaves what an earlier stack has too, from the outermost frame to the first that has gone on. */
    void keepCommon(Stack earlier) {
        int n = 0;
        while (n < inside.size() && n < earlier.inside.size() && inside.get(n).equals(earlier.inside.get(n))) {
            n++;
        }
        boolean isSame = n == inside.size() && n == earlier.inside.size();
        if (!isSame) {
            inside.subList(Math.min(n + 1, inside.size()), inside.size()).clear();
            below.clear();
        }
        int m = 0;
        while (m < below.size() && m < earlier.below.size() && isSameFunction(below.get(m), earlier.below.get(m))) {
            m++;
        }
        below.subList(m, below.size()).clear();
    }

    private static boolean isSameFunction(Map<String, Object> one, Map<String, Object> other) {
        return one.get("file").equals(other.get("file")) && one.get("function").equals(other.get("function"));
    }

    boolean entersFile() {
        return !inside.isEmpty();
    }

    /** Of a stack that never enters the test file: without the frames of the framework that lead to it. */
    private static List<StackTraceElement> withoutRunner(List<StackTraceElement> frames) {
        int i = 0;
        while (i < frames.size() && isRunner(frames.get(i))) {
            i++;
        }
        return frames.subList(i, frames.size());
    }

    private static boolean isRunner(StackTraceElement frame) {
        String name = frame.getClassName();
        return CHECKS.matcher(name).find() || NOISE.matcher(name).find() || name.startsWith("java.");
    }

    static boolean isCheck(StackTraceElement frame) {
        return CHECKS.matcher(frame.getClassName()).find();
    }

    private static boolean isNoise(StackTraceElement frame) {
        return NOISE.matcher(frame.getClassName()).find() || CHECKS.matcher(frame.getClassName()).find();
    }

    private static String file(StackTraceElement frame) {
        if (frame.getFileName() != null) {
            return frame.getFileName();
        }
        String name = frame.getClassName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String function(StackTraceElement frame) {
        String name = frame.getClassName();
        String whole = name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
        return NUMBERED.matcher(whole).replaceAll("$10");
    }

    private static void cut(List<?> list, int limit) {
        if (list.size() > limit) {
            list.subList(limit, list.size()).clear();
        }
    }
}
