package paring.boot;

/**
 * Where instrumented classes, those of the JDK among them, say what they are about to do to files and other things outside of the
 * heap. It is loaded by the JVM's own loader, so that the JDK finds it, and knows nothing of the worker.
 */
public final class Touches {
    /** Somebody who wants to know. */
    public interface Watcher {
        /**
         * Called before it happens, in the thread that does it. What the watcher itself does is told to nobody.
         *
         * @param hook what happens, by its number
         * @param first the object or the first argument, as the hook says; null where there is none
         */
        void touched(int hook, Object first, Object second, int flag);

        /** The same for a place in the code of a traced run, once in each epoch. */
        void passed(int place);
    }

    private static volatile Watcher[] watchers = {};
    private static final ThreadLocal<Boolean> BUSY = new ThreadLocal<>();
    /** The epoch in which each place was passed last: what was told need not be told again before another statement begins. */
    private static int[] seen = new int[1 << 12];
    private static int epoch = 1;

    private Touches() {}

    public static synchronized void watch(Watcher watcher) {
        Watcher[] more = java.util.Arrays.copyOf(watchers, watchers.length + 1);
        more[watchers.length] = watcher;
        watchers = more;
    }

    public static synchronized void unwatch(Watcher watcher) {
        java.util.List<Watcher> rest = new java.util.ArrayList<>(java.util.Arrays.asList(watchers));
        rest.remove(watcher);
        watchers = rest.toArray(new Watcher[0]);
    }

    /** What instrumented code calls. */
    public static void touch(Object first, Object second, int flag, int hook) {
        if (watchers.length > 0 && BUSY.get() == null) {
            BUSY.set(true);
            try {
                for (Watcher watcher : watchers) {
                    watcher.touched(hook, first, second, flag);
                }
            } finally {
                BUSY.remove();
            }
        }
    }

    /** What instrumented code calls where a number says it all. */
    public static void pass(int place) {
        int[] seen = Touches.seen;
        if (place < seen.length) {
            if (seen[place] == epoch) {
                return;
            }
            seen[place] = epoch;
        }
        always(place);
    }

    /** The same, however often. */
    public static void always(int place) {
        if (watchers.length > 0 && BUSY.get() == null) {
            BUSY.set(true);
            try {
                for (Watcher watcher : watchers) {
                    watcher.passed(place);
                }
            } finally {
                BUSY.remove();
            }
        }
    }

    /** From here on, what is passed is told once more. */
    public static void nextEpoch() {
        epoch++;
    }

    /** There is a place of that number. */
    public static synchronized void makeRoom(int place) {
        if (place >= seen.length) {
            seen = java.util.Arrays.copyOf(seen, Math.max(place + 1, 2 * seen.length));
        }
    }

    /** Does something that no watcher is told of. */
    public static void unseen(Runnable action) {
        Boolean before = BUSY.get();
        BUSY.set(true);
        try {
            action.run();
        } finally {
            if (before == null) {
                BUSY.remove();
            }
        }
    }
}
