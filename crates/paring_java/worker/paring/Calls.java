package paring;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What each statement of a test calls of other code, and asserts, as {@link CallProbes} tell. Only the outermost call counts, and only while
 * the test's own method runs: what comes back into a test class from within is the business of what called it.
 */
public final class Calls {
    /** So many are told of one test: a statement with more equals nothing. */
    private static final int LIMIT = 2000;

    /** A place from which calls are made. */
    private static final class Site {
        final String callee;
        final boolean isVerdict;
        /** Whether only the receiver tells if it is code of the JDK. */
        final boolean isJdk;

        Site(String callee, boolean isVerdict, boolean isJdk) {
            this.callee = callee;
            this.isVerdict = isVerdict;
            this.isJdk = isJdk;
        }
    }

    private static final class Place {
        final String type;
        final String method;
        final int line;

        Place(String type, String method, int line) {
            this.type = type;
            this.method = method;
            this.line = line;
        }
    }

    private static final class Fact {
        final int line;
        final int nth;
        final Site site;
        final List<Object> operands;
        final String[] before;
        String after;

        Fact(int line, int nth, Site site, List<Object> operands, String[] before) {
            this.line = line;
            this.nth = nth;
            this.site = site;
            this.operands = operands;
            this.before = before;
        }
    }

    private static final List<Site> SITES = new ArrayList<>();
    private static final List<Place> PLACES = new ArrayList<>();
    /** Methods that throw or fail by what they themselves look at. */
    private static final Set<String> DECIDING = new HashSet<>();

    private static boolean isOn;
    /** Of the test that runs. */
    private static String method = "";
    private static String type = "";
    private static int line;
    private static long begun;
    private static Map<Integer, Integer> runs = new TreeMap<>();
    private static List<Fact> facts = new ArrayList<>();
    private static Fact open;
    private static Site next;
    private static List<Object> operands = new ArrayList<>();
    private static Object result;
    /** Probes that what is looked at runs into. */
    private static boolean isBusy;

    private Calls() {}

    static synchronized int site(String callee, boolean isVerdict, boolean isJdk) {
        SITES.add(new Site(callee, isVerdict, isJdk));
        return SITES.size() - 1;
    }

    static synchronized int place(String type, String method, int line) {
        PLACES.add(new Place(type, method, line));
        return PLACES.size() - 1;
    }

    static synchronized void decides(String type, String method) {
        DECIDING.add(type + "#" + method);
    }

    // What is told of a run.

    static synchronized void start(String id) {
        TestId test = new TestId(id);
        method = test.method == null ? "" : test.method;
        type = test.className.replace('.', '/');
        line = 0;
        runs = new TreeMap<>();
        facts = new ArrayList<>();
        open = null;
        next = null;
        isOn = true;
        begun = System.nanoTime();
    }

    /** What the test did. */
    static synchronized Map<String, Object> taken() {
        isOn = false;
        close();
        double seconds = (System.nanoTime() - begun) / 1e9;
        List<Object> told = new ArrayList<>();
        if (DECIDING.stream().anyMatch(each -> each.endsWith("#" + method) || each.contains("#lambda$" + method + "$"))) {
            told.add(fact(0, 0, "assert", "a verdict of its own", null, null, null));
        }
        for (Fact fact : facts) {
            told.add(fact(fact.line, fact.nth, fact.site.isVerdict ? "assert" : "call", fact.site.callee, fact.before[1], fact.before[0], fact.after));
        }
        List<Object> statements = new ArrayList<>(runs.keySet());
        return Json.object("seconds", seconds, "first_line", 0L, "statements", statements, "facts", told, "native", false);
    }

    private static Object fact(int line, int nth, String what, String callee, String value, String inputs, String after) {
        return Json.object("line", line, "nth", nth, "what", what, "callee", callee, "value", value, "inputs", inputs, "after", after);
    }

    // What probes call.

    /** A line begins. */
    public static void line(int place) {
        enter(place, 1);
    }

    /** A line goes on. */
    public static void back(int place) {
        enter(place, 0);
    }

    private static void enter(int place, int n) {
        if (!isOn || isBusy) {
            return;
        }
        synchronized (Calls.class) {
            Place at = PLACES.get(place);
            boolean isOwn = at.method.equals(method) || at.method.startsWith("lambda$" + method + "$");
            if (isOwn && (open == null || !isWithin())) {
                line = at.line;
                runs.merge(line, n, Integer::sum);
            }
        }
    }

    /** A call is about to be made. */
    public static void open(int site) {
        next = isOn && !isBusy && line > 0 ? SITES.get(site) : null;
        operands = new ArrayList<>();
    }

    public static void arg(Object operand) {
        operands.add(operand);
    }

    public static void arg(int operand) {
        operands.add(operand);
    }

    public static void arg(long operand) {
        operands.add(operand);
    }

    public static void arg(float operand) {
        operands.add(operand);
    }

    public static void arg(double operand) {
        operands.add(operand);
    }

    /** All its operands were told. */
    public static void begin() {
        Site site = next;
        next = null;
        if (site == null || (site.isJdk && !isForeign(operands))) {
            return;
        }
        synchronized (Calls.class) {
            if (open != null) {
                if (isWithin()) {
                    return;
                }
                close();
            }
            if (facts.size() >= LIMIT) {
                Fact last = facts.get(facts.size() - 1);
                if (last.line != line || last.before[0] != null) {
                    facts.add(new Fact(line, 1, site, List.of(), new String[2]));
                }
                return;
            }
            List<Object> held = operands;
            open = new Fact(line, Math.max(1, runs.getOrDefault(line, 1)), site, held, prints(held));
            facts.add(open);
            result = null;
        }
    }

    public static void result(Object value) {
        result = value;
    }

    public static void result(int value) {
        result = value;
    }

    public static void result(long value) {
        result = value;
    }

    public static void result(float value) {
        result = value;
    }

    public static void result(double value) {
        result = value;
    }

    /** A call is over. A jump may get here that comes from elsewhere. */
    public static void end(int site) {
        if (!isOn || isBusy || open == null || open.site != SITES.get(site)) {
            return;
        }
        synchronized (Calls.class) {
            if (open == null || isWithin()) {
                return;
            }
            List<Object> all = new ArrayList<>(open.operands);
            all.add(result);
            open.after = open.site.isVerdict ? open.before[0] : prints(all)[0];
            open = null;
            result = null;
        }
    }

    /** The call that is open threw. */
    private static void close() {
        if (open != null) {
            List<Object> all = new ArrayList<>(open.operands);
            all.add("thrown");
            open.after = open.before[0] == null ? null : prints(all)[0];
            open = null;
        }
    }

    private static String[] prints(List<Object> things) {
        isBusy = true;
        try {
            return Print.both(things);
        } finally {
            isBusy = false;
        }
    }

    /** Whether the receiver's code is none of the JDK's. */
    private static boolean isForeign(List<Object> operands) {
        Object receiver = operands.isEmpty() ? null : operands.get(0);
        if (receiver == null) {
            return false;
        }
        ClassLoader loader = receiver.getClass().getClassLoader();
        return loader != null && loader != ClassLoader.getPlatformClassLoader() && !receiver.getClass().getName().startsWith("paring.");
    }

    /** Whether the open call still runs, and has come back to a test class: there is other code between that and the test's method. */
    private static boolean isWithin() {
        return StackWalker.getInstance().walk(frames -> {
            boolean[] hasLeft = new boolean[1];
            return frames.dropWhile(frame -> frame.getClassName().equals("paring.Calls")).skip(1).anyMatch(frame -> {
                boolean isOwn = frame.getMethodName().equals(method) && hasLeft[0];
                hasLeft[0] |= !CallAgent.isOfTests(frame.getClassName().replace('.', '/'));
                return isOwn && CallAgent.isOfTests(frame.getClassName().replace('.', '/'));
            });
        });
    }
}
