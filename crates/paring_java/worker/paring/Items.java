package paring;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What happened to each test of a run, as the framework tells it. Threads of the test may outlive it: access is locked. */
final class Items implements Listener {
    static final class Item {
        final String id;
        /** What was asked for when it turned up. */
        final String of;
        Throwable thrown;
        List<String> left = List.of();
        String skipped;
        boolean isFinished;
        /** Files and lines that it ran; null where nobody records them. */
        List<Object> covered;
        /** What its statements called; null where nobody follows them. */
        Map<String, Object> calls;
        /** When it began, and how long it took: nanoseconds, negative where it is not over. */
        long began;
        long took = -1;

        Item(String id, String of) {
            this.id = id;
            this.of = of;
        }
    }

    private final Map<String, Item> items = new LinkedHashMap<>();
    private final Consumer<String> begun;
    private final boolean records;
    private String current;
    private String asked = "";
    /** What ran before the first test of a class, {@code @BeforeAll} and the like, by the class. */
    private final Map<String, BitSet> shared = new HashMap<>();

    /** @param records whether lines that run are taken down for each test */
    Items(Consumer<String> begun, boolean records) {
        this.begun = begun;
        this.records = records;
    }

    /** All that turns up from here on was asked for by this. */
    synchronized void ask(String test) {
        asked = test;
        if (records) {
            // What an earlier class did at its end is no part of this one.
            Hits.clear();
        }
    }

    private Item item(String id) {
        return items.computeIfAbsent(id, each -> new Item(each, asked));
    }

    @Override
    public synchronized void started(String id) {
        current = id;
        item(id).began = System.nanoTime();
        begun.accept(id);
        if (CallAgent.isOn()) {
            Calls.start(id);
        }
        if (records) {
            // What ran before the first test of a class belongs to all of them; what ran between two belongs to neither.
            shared.computeIfAbsent(type(id), each -> Hits.taken());
            Hits.clear();
        }
    }

    @Override
    public synchronized void failed(String id, Throwable thrown) {
        Item item = item(id);
        if (item.thrown == null) {
            item.thrown = thrown;
        }
    }

    @Override
    public synchronized void skipped(String id, String reason) {
        item(id).skipped = reason == null ? "skipped" : reason;
    }

    @Override
    public synchronized void finished(String id) {
        current = null;
        Item item = item(id);
        item.isFinished = true;
        if (CallAgent.isOn()) {
            item.calls = Calls.taken();
        }
        item.took = System.nanoTime() - item.began;
        if (records) {
            item.covered = Agent.places(covered(type(id)));
        }
    }

    /** What ran in a test of a class: what was made ready for it in the class and those around it included. */
    private BitSet covered(String type) {
        BitSet covered = Hits.taken();
        for (int end = type.length(); end > 0; end = type.lastIndexOf('$', end - 1)) {
            BitSet ran = shared.get(type.substring(0, end));
            if (ran != null) {
                covered.or(ran);
            }
        }
        return covered;
    }

    private static String type(String id) {
        int hash = id.indexOf('#');
        return hash < 0 ? id : id.substring(0, hash);
    }

    synchronized List<Item> all() {
        return new ArrayList<>(items.values());
    }

    synchronized String current() {
        return current;
    }
}
