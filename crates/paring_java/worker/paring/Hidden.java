package paring;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * State that no name of the test shows: statics of the classes that the run has loaded, and settings of the process.
 *
 * <p>A class that was initialised while a statement ran has no state from before it. What initialising alone gives is seen in a
 * loader of its own, and compared by shape rather than by identity.
 */
final class Hidden {
    private static final int CLASS_LIMIT = 2000;
    private static final int OBJECT_LIMIT = 3000;
    private static final int SHAPE_LIMIT = 400;

    private final Loaders.Run loader;
    private final Set<String> own;
    private final Supplier<Loaders.Run> others;
    private final Mocks mocks;
    private final Map<Class<?>, List<Field>> statics = new LinkedHashMap<>();
    private Loaders.Run pristine;
    private int nSeen;

    Hidden(Loaders.Run loader, Set<String> own, Supplier<Loaders.Run> others, Mocks mocks) {
        this.loader = loader;
        this.own = own;
        this.others = others;
        this.mocks = mocks;
    }

    /** What was there at one moment. */
    static final class View {
        final Map<Class<?>, Long> classes = new IdentityHashMap<>();
        Look look;
        List<Object> world;
        long folder;
    }

    View look() {
        View view = new View();
        List<Object> roots = new ArrayList<>();
        collect();
        for (Map.Entry<Class<?>, List<Field>> entry : statics.entrySet()) {
            if (isInitialised(entry.getKey())) {
                long token = 17;
                for (Field field : entry.getValue()) {
                    Object value = Heap.readStatic(field);
                    token = token * 31 + Heap.mark(value);
                    if (!field.getType().isPrimitive() && !Heap.isAtom(value)) {
                        roots.add(value);
                    }
                }
                view.classes.put(entry.getKey(), token);
            }
        }
        view.look = new Look(roots, OBJECT_LIMIT, mocks);
        view.world = Surroundings.take().token();
        view.folder = Heap.folderMark(Path.of("").toAbsolutePath(), 1);
        return view;
    }

    /** Whether something changed that the test's names (which lead to {@code shown}) do not show. */
    boolean differs(View before, View now, Set<Object> shown) {
        if (!before.world.equals(now.world) || before.folder != now.folder) {
            return true;
        }
        for (Map.Entry<Class<?>, Long> entry : now.classes.entrySet()) {
            Long earlier = before.classes.get(entry.getKey());
            if (earlier == null ? !isPristine(entry.getKey()) : !earlier.equals(entry.getValue())) {
                return true;
            }
        }
        for (Object changed : now.look.changedSince(before.look)) {
            if (!shown.contains(changed)) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        List<Class<?>> loaded;
        synchronized (loader.loaded) {
            loaded = new ArrayList<>(loader.loaded.subList(nSeen, loader.loaded.size()));
            nSeen = loader.loaded.size();
        }
        for (Class<?> type : loaded) {
            if (statics.size() < CLASS_LIMIT && !own.contains(type.getName()) && !type.isRecord() && !type.isHidden()) {
                List<Field> fields = fields(type);
                if (!fields.isEmpty()) {
                    statics.put(type, fields);
                }
            }
        }
    }

    /** Statics that can change, or whose objects can. */
    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        try {
            for (Field field : type.getDeclaredFields()) {
                boolean isConstant = Modifier.isFinal(field.getModifiers()) && (field.getType().isPrimitive() || field.getType() == String.class || field.getType().isEnum());
                if (Modifier.isStatic(field.getModifiers()) && !isConstant && !field.isSynthetic() && !field.getName().equals("$assertionsDisabled")) {
                    fields.add(field);
                }
            }
        } catch (LinkageError e) {
            return List.of();
        }
        return fields;
    }

    private boolean isPristine(Class<?> type) {
        if (pristine == null) {
            pristine = others.get();
        }
        try {
            Class<?> twin = Class.forName(type.getName(), true, pristine);
            return shape(type) == shape(twin);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return true;
        }
    }

    /** What the statics of a class hold, by values and classes in the order in which they are met. */
    private long shape(Class<?> type) {
        long shape = 23;
        ArrayDeque<Object> queue = new ArrayDeque<>();
        Map<Object, Integer> met = new IdentityHashMap<>();
        for (Field field : fields(type)) {
            shape = shape * 31 + shapeOf(Heap.readStatic(field), queue, met);
        }
        while (!queue.isEmpty() && met.size() < SHAPE_LIMIT) {
            Object thing = queue.poll();
            if (thing instanceof Object[]) {
                // Which slot of a table an object without a hash of its own is in differs from run to run.
                long sum = 0;
                for (Object each : (Object[]) thing) {
                    sum += shapeOf(each, queue, met);
                }
                shape = shape * 31 + sum + ((Object[]) thing).length;
            } else if (thing.getClass().isArray()) {
                shape = shape * 31 + Heap.token(thing, new ArrayList<>());
            } else {
                for (Heap.Slot slot : Heap.shape(thing.getClass()).slots) {
                    if (!slot.field.getName().equals("hash")) {
                        shape = shape * 31 + shapeOf(slot.get(thing), queue, met) % 1000003;
                    }
                }
            }
        }
        return shape;
    }

    private static long shapeOf(Object value, ArrayDeque<Object> queue, Map<Object, Integer> met) {
        if (value == null) {
            return 1;
        }
        if (Heap.shape(value.getClass()).isValue) {
            return value.hashCode();
        }
        if (!Heap.isAtom(value) && met.putIfAbsent(value, met.size()) == null) {
            queue.add(value);
        }
        return value.getClass().getName().hashCode();
    }

    private static final java.lang.reflect.Method SHOULD_BE_INITIALISED = shouldBeInitialised();
    private static Object internal;

    private static java.lang.reflect.Method shouldBeInitialised() {
        try {
            Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
            internal = type.getMethod("getUnsafe").invoke(null);
            return type.getMethod("shouldBeInitialized", Class.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    static boolean isInitialised(Class<?> type) {
        try {
            return SHOULD_BE_INITIALISED == null || !((Boolean) SHOULD_BE_INITIALISED.invoke(internal, type));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return true;
        }
    }
}
