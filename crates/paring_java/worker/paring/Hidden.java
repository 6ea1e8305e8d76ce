package paring;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
        /** Marks of the statics of each class that is initialised, in the order of its fields. */
        final Map<Class<?>, long[]> classes = new IdentityHashMap<>();
        /** Objects that statics hold, and who they are. */
        final Map<Object, Set<Resource>> roots = new IdentityHashMap<>();
        Look look;
        Surroundings world;
        Map<String, Long> folder;
    }

    View look() {
        View view = new View();
        collect();
        for (Map.Entry<Class<?>, List<Field>> entry : statics.entrySet()) {
            if (isInitialised(entry.getKey())) {
                view.classes.put(entry.getKey(), marks(entry.getValue(), view));
            }
        }
        view.look = new Look(view.roots.keySet(), OBJECT_LIMIT, mocks);
        view.world = Surroundings.take();
        view.folder = Heap.entries(Path.of("").toAbsolutePath());
        return view;
    }

    private static long[] marks(List<Field> fields, View view) {
        long[] marks = new long[fields.size()];
        for (int i = 0; i < marks.length; i++) {
            Field field = fields.get(i);
            Object value = Heap.readStatic(field);
            marks[i] = Heap.mark(value);
            if (!field.getType().isPrimitive() && !Heap.isAtom(value)) {
                view.roots.computeIfAbsent(value, key -> new LinkedHashSet<>()).add(resource(field));
            }
        }
        return marks;
    }

    static Resource resource(Field field) {
        return Resource.attribute(field.getDeclaringClass().getName(), field.getName());
    }

    /**
     * What changed that the test's names (which lead to {@code shown}) do not show. That is less than it might be where not all of
     * them were looked through.
     */
    Map<Resource, Resource.How> changes(View before, View now, Set<Object> shown, boolean isShownWhole) {
        Map<Resource, Resource.How> changes = new LinkedHashMap<>();
        now.world.resourcesChangedSince(before.world).forEach(resource -> changes.put(resource, Resource.How.KILL));
        Set<String> paths = new TreeSet<>(before.folder.keySet());
        paths.addAll(now.folder.keySet());
        for (String path : paths) {
            if (!Objects.equals(before.folder.get(path), now.folder.get(path))) {
                changes.put(FileTouches.resource(path), Resource.How.DEFINE);
            }
        }
        for (Map.Entry<Class<?>, long[]> entry : now.classes.entrySet()) {
            List<Field> fields = statics.get(entry.getKey());
            long[] earlier = before.classes.get(entry.getKey());
            if (earlier == null && !isPristine(entry.getKey())) {
                fields.forEach(field -> changes.put(resource(field), Resource.How.DEFINE));
            }
            for (int i = 0; earlier != null && i < earlier.length; i++) {
                if (earlier[i] != entry.getValue()[i]) {
                    changes.put(resource(fields.get(i)), Resource.How.KILL);
                }
            }
        }
        objects(before, now, shown, isShownWhole).forEach(resource -> changes.put(resource, Resource.How.DEFINE));
        return changes;
    }

    /** The statics that lead to objects that changed and are not shown. */
    private static Set<Resource> objects(View before, View now, Set<Object> shown, boolean isShownWhole) {
        Set<Object> changed = now.look.changedSince(before.look);
        changed.removeAll(shown);
        if (changed.isEmpty()) {
            return Set.of();
        }
        if (!isShownWhole || now.look.isCut || before.look.isCut) {
            // Others may lead there, too.
            return Set.of(Resource.UNKNOWN);
        }
        Set<Object> leading = now.look.leadingTo(changed);
        leading.addAll(before.look.leadingTo(changed));
        Set<Resource> found = new LinkedHashSet<>();
        for (View view : List.of(before, now)) {
            view.roots.forEach((root, statics) -> {
                if (leading.contains(root)) {
                    found.addAll(statics);
                }
            });
        }
        return found.isEmpty() ? Set.of(Resource.UNKNOWN) : found;
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
