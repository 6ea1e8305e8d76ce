package paring;

/** What instrumented tests call. Does nothing unless a trace is on. */
public final class Probe {
    private static volatile Trace trace;

    private Probe() {}

    static void begin(Trace next) {
        if (next != null) {
            next.begin();
        }
        trace = next;
    }

    static void end() {
        Trace last = trace;
        trace = null;
        if (last != null) {
            last.end();
        }
    }

    /** A method, lambda or initialiser of the test file begins. */
    public static void enter(int frame) {
        Trace trace = Probe.trace;
        if (trace != null) {
            trace.enter(frame);
        }
    }

    /** It ends, in whatever way. */
    public static void leave() {
        Trace trace = Probe.trace;
        if (trace != null) {
            trace.leave();
        }
    }

    /**
     * A statement begins.
     *
     * @param self the object the method is of, or the class where there is none
     */
    public static void at(int stmt, Object self, Object[] values) {
        Trace trace = Probe.trace;
        if (trace != null) {
            trace.at(stmt, self, values);
        }
    }

    /** Something begins that changes nothing itself: a jump, an arm of a switch. */
    public static void pass(int stmt) {
        Trace trace = Probe.trace;
        if (trace != null) {
            trace.pass(stmt);
        }
    }

    /** The statement that began last is over. */
    public static void over() {
        Trace trace = Probe.trace;
        if (trace != null) {
            trace.over();
        }
    }

    /** A handler begins. */
    public static void caught(int handler) {
        Trace trace = Probe.trace;
        if (trace != null) {
            trace.caught(handler);
        }
    }
}
