package paring;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import paring.boot.Touches;

/**
 * What a traced run does: which statements of the test file ran, what each changed, and what it changed that no name shows.
 *
 * <p>At the beginning of every statement the values of its names are looked at; once the statement is over (the next one begins,
 * or the function ends) the same objects are looked at again. Looking is limited by the objects looked at, not by the clock,
 * so that two runs tell the same; counting goes on.
 */
final class Trace {
    private static final int LOOK_LIMIT = 2000;
    /** A statement in a long loop is looked at this often, and then only counted. */
    private static final int POINT_LOOKS = 40;
    private static final int HIDDEN_LOOKS = 2;
    private static final int OBJECT_LIMIT = 400_000;
    private static final int VIEW_OBJECTS = 1500;
    private static final int FRAME_DEPTH = 2000;

    /** One call of a function of the test file. */
    private static final class Frame {
        final int index;
        int last = -1;
        /** Which execution of that. */
        int nth;
        /** It is over, and the next has not begun. */
        boolean isBetween;
        Map<String, Object> roots;
        Look look;
        Hidden.View hidden;

        Frame(int index) {
            this.index = index;
        }
    }

    private static final class Record {
        int hits;
        final Set<String> changed = new TreeSet<>();
        /** How often it was looked at what it changes that has no name. */
        int nHiddenLooks;
        /** Code outside the test file ran in it. */
        boolean ranCode;
    }

    private final Instrumented instrumented;
    private final Hidden hidden;
    private final Mocks mocks;
    private final Set<String> own;
    private final Map<Thread, ArrayDeque<Frame>> stacks = new WeakHashMap<>();
    private final Map<Integer, Record> records = new LinkedHashMap<>();
    private final Set<Integer> entered = new LinkedHashSet<>();
    private final Set<List<Integer>> transfers = new LinkedHashSet<>();
    private final Set<List<Object>> named = new LinkedHashSet<>();
    private final Set<List<Object>> mutable = new LinkedHashSet<>();
    private final Set<List<Object>> opaque = new LinkedHashSet<>();
    private boolean hasThreads;
    private final Set<List<Object>> reaches = new LinkedHashSet<>();
    private int nLooks;
    private int nObjects;
    private boolean isBusy;
    private final TouchLog log = new TouchLog();
    /** The thread of the test. */
    private Thread thread;
    /** Something may have been used or changed unseen. */
    private boolean isUnsure;

    Trace(Instrumented instrumented, Hidden hidden, Mocks mocks, Set<String> own) {
        this.instrumented = instrumented;
        this.hidden = hidden;
        this.mocks = mocks;
        this.own = own;
    }

    /** From here on. */
    synchronized void begin() {
        thread = Thread.currentThread();
    }

    synchronized void end() {
        thread = null;
    }

    /** Whether this is the thread of the test; something that another does may be unseen, or in another order the next time. */
    synchronized boolean isOfRun() {
        return Thread.currentThread() == thread;
    }

    /** Something that nobody sees may have happened. */
    synchronized void doubt() {
        isUnsure |= thread != null;
    }

    /** Resources of a kind that were changed so far. */
    synchronized List<Resource> changed(String kind) {
        return log.changed().stream().filter(resource -> resource.kind.equals(kind)).collect(Collectors.toList());
    }

    synchronized boolean isInStatement() {
        return depth() > 0;
    }

    /** A resource was used or changed: by the innermost statement first, since those around it depend on it. */
    synchronized void touch(Resource resource, Resource.How how) {
        ArrayDeque<Frame> stack = stacks.get(Thread.currentThread());
        if (isBusy || stack == null) {
            return;
        }
        for (Frame frame : stack) {
            touch(frame, resource, how);
        }
    }

    private void touch(Frame frame, Resource resource, Resource.How how) {
        if (frame.last >= 0) {
            log.add(frame.last, frame.nth, frame.isBetween, resource, how);
        }
    }

    /** Code outside the test file runs. */
    synchronized void ranCode() {
        ArrayDeque<Frame> stack = stacks.get(Thread.currentThread());
        if (isBusy || stack == null) {
            return;
        }
        for (Frame frame : stack) {
            if (frame.last >= 0) {
                records.get(frame.last).ranCode = true;
            }
        }
    }

    /** The initialiser of a class used something. */
    synchronized void initialised(String type, Resource resource) {
        log.initialised(type, resource);
    }

    // -- events

    synchronized void enter(int frame) {
        if (isBusy) {
            return;
        }
        ArrayDeque<Frame> stack = stacks.computeIfAbsent(Thread.currentThread(), thread -> new ArrayDeque<>());
        stack.push(new Frame(frame));
        Touches.nextEpoch();
        entered.add(frame);
    }

    synchronized void leave() {
        ArrayDeque<Frame> stack = stacks.get(Thread.currentThread());
        if (isBusy || stack == null || stack.isEmpty()) {
            return;
        }
        settle(stack.pop());
        Touches.nextEpoch();
    }

    synchronized void at(int point, Object self, Object[] values) {
        Frame frame = frame();
        if (isBusy || frame == null) {
            return;
        }
        Record record = next(frame, point);
        if (record.hits <= POINT_LOOKS && nLooks < LOOK_LIMIT && nObjects < OBJECT_LIMIT && depth() < FRAME_DEPTH) {
            guarded(() -> look(frame, point, self, values, record.hits <= HIDDEN_LOOKS));
        }
    }

    synchronized void pass(int point) {
        Frame frame = frame();
        if (!isBusy && frame != null) {
            next(frame, point);
        }
    }

    synchronized void over() {
        Frame frame = frame();
        if (!isBusy && frame != null) {
            settle(frame);
            frame.isBetween = true;
            Touches.nextEpoch();
        }
    }

    /** Another statement begins. */
    private Record next(Frame frame, int point) {
        settle(frame);
        Record record = records.computeIfAbsent(point, key -> new Record());
        record.hits++;
        frame.last = point;
        frame.nth = record.hits;
        frame.isBetween = false;
        Touches.nextEpoch();
        return record;
    }

    synchronized void caught(int handler) {
        Frame frame = frame();
        if (isBusy || frame == null) {
            return;
        }
        if (frame.last >= 0) {
            transfers.add(List.of(frame.last, handler));
        }
        next(frame, handler);
    }

    private Frame frame() {
        ArrayDeque<Frame> stack = stacks.get(Thread.currentThread());
        return stack == null ? null : stack.peek();
    }

    private int depth() {
        ArrayDeque<Frame> stack = stacks.get(Thread.currentThread());
        return stack == null ? 0 : stack.size();
    }

    /** Whatever goes wrong while looking is no part of the test. */
    private void guarded(Runnable looking) {
        isBusy = true;
        try {
            Touches.unseen(looking);
        } catch (RuntimeException | LinkageError e) {
            nObjects++;
        } finally {
            isBusy = false;
        }
    }

    // -- looking

    private void look(Frame frame, int point, Object self, Object[] values, boolean withHidden) {
        Map<String, Object> roots = new TreeMap<>();
        List<String> names = instrumented.points.get(point).names;
        for (int i = 0; i < names.size(); i++) {
            note(frame, "l:" + names.get(i), values[i], roots);
        }
        members(frame, self, roots);
        frame.roots = roots;
        frame.look = new Look(roots.values(), VIEW_OBJECTS, mocks);
        nLooks++;
        nObjects += frame.look.tokens.size();
        relate(frame);
        if (withHidden) {
            frame.hidden = hidden.look();
            records.get(point).nHiddenLooks++;
        }
    }

    private void note(Frame frame, String name, Object value, Map<String, Object> roots) {
        List<Object> key = List.of(frame.index, name);
        named.add(key);
        if (!Heap.isImmutable(value, 4)) {
            mutable.add(key);
        }
        if (!Heap.isAtom(value)) {
            roots.put(name, value);
        }
    }

    /** Fields of the test object and of the objects around it, statics of their classes. */
    private void members(Frame frame, Object self, Map<String, Object> roots) {
        Object object = self instanceof Class ? null : self;
        Class<?> type = self instanceof Class ? (Class<?>) self : self == null ? null : self.getClass();
        for (int depth = 0; type != null && depth < 5; depth++) {
            Object outer = null;
            for (Class<?> each = type; each != null && each != Object.class && isOfTests(each); each = each.getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    Object value = value(field, object);
                    if (field.getName().startsWith("this$")) {
                        outer = value;
                    } else if (!field.isSynthetic() && value != this) {
                        note(frame, "m:" + field.getName(), value, roots);
                    }
                }
            }
            object = outer;
            type = outer != null ? outer.getClass() : type.getEnclosingClass();
        }
    }

    private boolean isOfTests(Class<?> type) {
        return own.contains(type.getName()) || (type.getClassLoader() instanceof Loaders.Run && !type.getName().startsWith("junit."));
    }

    private static Object value(Field field, Object object) {
        try {
            if (Modifier.isStatic(field.getModifiers())) {
                return Heap.readStatic(field);
            }
            if (object == null) {
                return null;
            }
            Heap.Slot slot = Heap.Slot.of(field, false);
            return slot == null ? null : slot.get(object);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private void relate(Frame frame) {
        for (Map.Entry<String, Object> outer : frame.roots.entrySet()) {
            Set<Object> reach = frame.look.reach(outer.getValue());
            if (reach.contains(null)) {
                opaque.add(List.of(frame.index, outer.getKey()));
            }
            for (Map.Entry<String, Object> inner : frame.roots.entrySet()) {
                if (!inner.getKey().equals(outer.getKey()) && reach.contains(inner.getValue()) && mutable.contains(List.of(frame.index, inner.getKey()))) {
                    reaches.add(List.of(frame.index, inner.getKey(), outer.getKey()));
                }
            }
            if (isNearOpaque(frame.look, outer.getValue())) {
                opaque.add(List.of(frame.index, outer.getKey()));
            }
        }
    }

    private static boolean isNearOpaque(Look look, Object root) {
        List<Object> layer = List.of(root);
        for (int step = 0; step < 3; step++) {
            List<Object> next = new ArrayList<>();
            for (Object each : layer) {
                if (look.opaque.contains(each)) {
                    return true;
                }
                next.addAll(look.edges.getOrDefault(each, List.of()));
            }
            layer = next.size() > 200 ? next.subList(0, 200) : next;
        }
        return false;
    }

    /** Gives the statement that just ended what changed since it began. */
    private void settle(Frame frame) {
        if (frame.look == null) {
            return;
        }
        Look before = frame.look;
        Hidden.View hiddenBefore = frame.hidden;
        frame.look = null;
        frame.hidden = null;
        guarded(() -> {
            Look now = new Look(frame.roots.values(), VIEW_OBJECTS * 2, mocks);
            nObjects += now.tokens.size();
            Record record = records.get(frame.last);
            Set<Object> changed = now.changedSince(before);
            Set<Object> shown = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Map.Entry<String, Object> root : frame.roots.entrySet()) {
                Set<Object> reach = before.reach(root.getValue());
                shown.addAll(reach);
                if (!Collections.disjoint(changed, reach)) {
                    record.changed.add(root.getKey());
                }
            }
            if (hiddenBefore != null) {
                boolean isShownWhole = !before.isCut && !now.isCut && instrumented.isWhole(frame.last);
                hidden.changes(hiddenBefore, hidden.look(), shown, isShownWhole).forEach((resource, how) -> touch(frame, resource, how));
            }
        });
    }

    // -- the end

    synchronized void sawThreads(boolean hasThreads) {
        this.hasThreads = hasThreads;
    }

    /** @param isWhole whether all that was hooked told */
    synchronized Map<String, Object> report(boolean isWhole) {
        List<Object> points = new ArrayList<>();
        records.forEach((point, record) -> {
            Instrumented.Point place = instrumented.points.get(point);
            points.add(Json.object("kind", place.kind, "start", place.start, "end", place.end, "frame", place.frame, "hits", record.hits, "changed",
                    new ArrayList<>(record.changed), "ran_code", record.ranCode));
        });
        List<Object> moves = new ArrayList<>();
        for (List<Integer> transfer : transfers) {
            moves.add(List.of(instrumented.points.get(transfer.get(0)).start, instrumented.points.get(transfer.get(1)).start));
        }
        Set<List<Object>> immutable = new LinkedHashSet<>(named);
        immutable.removeAll(mutable);
        List<Integer> order = new ArrayList<>(records.keySet());
        Map<String, Object> report = log.report(order::indexOf, point -> records.get(point).nHiddenLooks == records.get(point).hits);
        report.put("complete", isWhole && !isUnsure && !hasThreads && log.isWhole());
        report.putAll(Json.object("frames", instrumented.frames, "entered", entered, "points", points, "immutable", immutable, "mutable", mutable, "opaque", opaque,
                "reaches", reaches, "transfers", moves, "threads", hasThreads));
        return report;
    }
}
