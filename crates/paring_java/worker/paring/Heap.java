package paring;

import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import sun.misc.Unsafe;

/** Reads objects without running any of their code: fields by their offset, arrays by their elements. */
@SuppressWarnings("removal")
final class Heap {
    private static final Unsafe UNSAFE = unsafe();
    private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();
    private static final int LISTED = 200;
    private static final int ELEMENTS = 2000;
    /** Values: told by what they are, not by which one they are. */
    private static final Set<Class<?>> VALUES = Set.of(String.class, Integer.class, Long.class, Short.class, Byte.class, Character.class, Boolean.class, Float.class,
            Double.class, java.math.BigInteger.class, java.math.BigDecimal.class, java.util.UUID.class);
    /** Fields of the JDK that only keep what can be had without them. */
    private static final Set<String> CACHES = Set.of("keySet", "values", "entrySet", "descendingMap", "navigableKeySet", "hash", "hashIsZero", "hashCode", "stackTrace",
            "backtrace", "suppressedExceptions", "depth", "cachedToString");
    private static final String[] ATOM_PACKAGES = {
        "java.lang.reflect.", "java.lang.invoke.", "java.lang.ref.", "java.lang.module.", "java.security.", "java.util.regex.", "java.util.logging.", "java.nio.charset.",
        "java.time.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.hamcrest.", "org.mockito.", "net.bytebuddy.", "org.assertj.", "org.objenesis.", "paring.",
    };
    private static final Class<?>[] ATOMS = {Class.class, ClassLoader.class, Thread.class, ThreadGroup.class, Module.class, Enum.class, java.util.Locale.class,
        java.net.URI.class, java.net.URL.class, java.text.Format.class, java.util.TimeZone.class, java.util.Currency.class};

    private Heap() {}

    /** How objects of one class are read. */
    static final class Shape {
        final boolean isValue;
        final boolean isAtom;
        final boolean isOpaque;
        final boolean isRecord;
        final boolean isLambda;
        final List<Slot> slots = new ArrayList<>();

        Shape(Class<?> type) {
            String name = type.getName();
            isValue = VALUES.contains(type);
            // A proxy's class is made in a package of the JDK, and what it stands for is the user's.
            boolean isForeign = startsWithAny(name) && !Throwable.class.isAssignableFrom(type) && !Proxy.isProxyClass(type);
            isAtom = isValue || isForeign || isAny(type);
            isRecord = type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
            isLambda = name.contains("$$Lambda");
            boolean isOpaque = false;
            if (!isAtom && !type.isArray()) {
                isOpaque = isPeer(type);
                for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
                    isOpaque |= !add(each);
                }
            }
            this.isOpaque = isOpaque;
        }

        /** Whether all of a class's fields can be read. */
        private boolean add(Class<?> type) {
            boolean isJdk = type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
            Field[] fields;
            try {
                fields = type.getDeclaredFields();
            } catch (LinkageError | SecurityException e) {
                return false;
            }
            boolean isWhole = true;
            for (Field field : fields) {
                if (!Modifier.isStatic(field.getModifiers()) && !(isJdk && CACHES.contains(field.getName()))) {
                    Slot slot = Slot.of(field, isJdk);
                    if (slot == null) {
                        isWhole = false;
                    } else {
                        slots.add(slot);
                    }
                }
            }
            return isWhole;
        }

        /** State that is outside of the heap. */
        private static boolean isPeer(Class<?> type) {
            for (Class<?> each = type; each != null; each = each.getSuperclass()) {
                String name = each.getName();
                if (name.equals("java.io.FileOutputStream") || name.equals("java.io.FileInputStream") || name.equals("java.io.RandomAccessFile")
                        || name.startsWith("java.net.") || name.startsWith("java.nio.Direct")) {
                    return true;
                }
            }
            return false;
        }

        private static boolean startsWithAny(String name) {
            for (String prefix : ATOM_PACKAGES) {
                if (name.startsWith(prefix)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isAny(Class<?> type) {
            for (Class<?> atom : ATOMS) {
                if (atom.isAssignableFrom(type)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** One field, read by its offset, or by reflection where a class has no offsets (records, lambdas). */
    static final class Slot {
        final Field field;
        final long offset;
        final Class<?> type;

        private Slot(Field field, long offset) {
            this.field = field;
            this.offset = offset;
            this.type = field.getType();
        }

        static Slot of(Field field, boolean isJdk) {
            try {
                return new Slot(field, UNSAFE.objectFieldOffset(field));
            } catch (RuntimeException e) {
                try {
                    if (!isJdk) {
                        field.setAccessible(true);
                        return new Slot(field, -1);
                    }
                } catch (RuntimeException refused) {
                    return null;
                }
                return null;
            }
        }

        Object get(Object thing) {
            if (offset < 0) {
                try {
                    return field.get(thing);
                } catch (IllegalAccessException e) {
                    return null;
                }
            }
            return read(thing, offset, type);
        }
    }

    static Shape shape(Class<?> type) {
        Shape shape = SHAPES.get(type);
        if (shape == null) {
            shape = new Shape(type);
            SHAPES.put(type, shape);
        }
        return shape;
    }

    /** Classes of a run go with it. */
    static void forget() {
        SHAPES.clear();
    }

    static Object read(Object base, long offset, Class<?> type) {
        if (!type.isPrimitive()) {
            return UNSAFE.getObject(base, offset);
        } else if (type == int.class) {
            return UNSAFE.getInt(base, offset);
        } else if (type == long.class) {
            return UNSAFE.getLong(base, offset);
        } else if (type == boolean.class) {
            return UNSAFE.getBoolean(base, offset);
        } else if (type == double.class) {
            return UNSAFE.getDouble(base, offset);
        } else if (type == char.class) {
            return UNSAFE.getChar(base, offset);
        } else if (type == byte.class) {
            return UNSAFE.getByte(base, offset);
        } else if (type == float.class) {
            return UNSAFE.getFloat(base, offset);
        }
        return UNSAFE.getShort(base, offset);
    }

    /** A static field as it is in memory: a class that is not initialised stays so. */
    static Object readStatic(Field field) {
        return read(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field), field.getType());
    }

    /** Told by its value or its identity, and not looked into. */
    static boolean isAtom(Object thing) {
        return thing == null || (shape(thing.getClass()).isAtom && !isFile(thing));
    }

    /** What a reference to something contributes to the token of its holder. */
    static long mark(Object thing) {
        if (thing == null) {
            return 7;
        }
        return shape(thing.getClass()).isValue ? thing.getClass().getName().hashCode() * 31L + thing.hashCode() : System.identityHashCode(thing);
    }

    static boolean isFile(Object thing) {
        return thing instanceof File || thing instanceof Path;
    }

    /** What is on the disk under a name: a folder's entries two levels deep. */
    static long fileMark(Object thing) {
        try {
            Path path = thing instanceof File ? ((File) thing).toPath() : (Path) thing;
            return folderMark(path);
        } catch (RuntimeException e) {
            return 1;
        }
    }

    private static long folderMark(Path path) {
        if (!Files.exists(path)) {
            return 3;
        }
        try (Stream<Path> entries = Files.walk(path, 3)) {
            long mark = 5;
            for (Path each : (Iterable<Path>) entries.limit(LISTED)::iterator) {
                boolean isFile = Files.isRegularFile(each);
                mark = mark * 31 + each.toString().hashCode();
                mark = mark * 31 + (isFile ? Files.size(each) * 31 + Files.getLastModifiedTime(each).toMillis() : 0);
            }
            return mark;
        } catch (java.io.IOException | java.io.UncheckedIOException | SecurityException e) {
            return 11;
        }
    }

    /** What lies in a folder, by path: the size and the date of files. */
    static Map<String, Long> entries(Path folder) {
        Map<String, Long> found = new java.util.TreeMap<>();
        try (Stream<Path> entries = Files.walk(folder, 1)) {
            for (Path each : (Iterable<Path>) entries.skip(1).limit(LISTED)::iterator) {
                found.put(each.toString(), Files.isRegularFile(each) ? Files.size(each) * 31 + Files.getLastModifiedTime(each).toMillis() : 0);
            }
        } catch (java.io.IOException | java.io.UncheckedIOException | SecurityException e) {
            // What was found so far is the same each time.
            return found;
        }
        return found;
    }

    /** The token of one object: all it holds, other objects by their identity. These are added to {@code children}. */
    static long token(Object thing, List<Object> children) {
        if (isFile(thing)) {
            return fileMark(thing);
        }
        Class<?> type = thing.getClass();
        long token = type.getName().hashCode();
        if (type.isArray()) {
            return arrayToken(thing, token, children);
        }
        for (Slot slot : shape(type).slots) {
            Object value = slot.get(thing);
            token = token * 31 + mark(value);
            if (!slot.type.isPrimitive() && !isAtom(value)) {
                children.add(value);
            }
        }
        if (thing instanceof ThreadLocal) {
            Object value = threadValue((ThreadLocal<?>) thing);
            token = token * 31 + mark(value);
            if (!isAtom(value)) {
                children.add(value);
            }
        }
        return token;
    }

    private static long arrayToken(Object array, long token, List<Object> children) {
        int length = Array.getLength(array);
        token = token * 31 + length;
        if (array instanceof byte[]) {
            return token * 31 + java.util.Arrays.hashCode((byte[]) array);
        } else if (array instanceof int[]) {
            return token * 31 + java.util.Arrays.hashCode((int[]) array);
        } else if (array instanceof char[]) {
            return token * 31 + java.util.Arrays.hashCode((char[]) array);
        } else if (array instanceof long[]) {
            return token * 31 + java.util.Arrays.hashCode((long[]) array);
        } else if (array instanceof double[]) {
            return token * 31 + java.util.Arrays.hashCode((double[]) array);
        } else if (!(array instanceof Object[])) {
            for (int i = 0; i < Math.min(length, ELEMENTS); i++) {
                token = token * 31 + Array.get(array, i).hashCode();
            }
            return token;
        }
        Object[] elements = (Object[]) array;
        for (int i = 0; i < Math.min(length, ELEMENTS); i++) {
            token = token * 31 + mark(elements[i]);
            if (!isAtom(elements[i])) {
                children.add(elements[i]);
            }
        }
        return token;
    }

    /** This thread's value, if it has one: asking the variable itself would give it one. */
    private static Object threadValue(ThreadLocal<?> variable) {
        try {
            Object map = field(Thread.currentThread(), Thread.class, "threadLocals");
            Object[] table = map == null ? new Object[0] : (Object[]) field(map, map.getClass(), "table");
            for (Object entry : table) {
                if (entry != null && field(entry, java.lang.ref.Reference.class, "referent") == variable) {
                    return field(entry, entry.getClass(), "value");
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
        return null;
    }

    private static Object field(Object thing, Class<?> type, String name) throws ReflectiveOperationException {
        return UNSAFE.getObject(thing, UNSAFE.objectFieldOffset(type.getDeclaredField(name)));
    }

    /** Whether a value cannot change, as far as its class tells. */
    static boolean isImmutable(Object thing, int depth) {
        if (thing == null) {
            return true;
        }
        Class<?> type = thing.getClass();
        if (isFile(thing)) {
            return false;
        }
        String name = type.getName();
        Shape shape = shape(type);
        if (shape.isValue || thing instanceof Enum || thing instanceof Class || name.startsWith("java.time.") || name.startsWith("java.util.regex.Pattern")
                || thing instanceof java.util.Locale || thing instanceof java.net.URI || thing instanceof java.nio.charset.Charset) {
            return true;
        }
        boolean isFixed = shape.isRecord || shape.isLambda || name.startsWith("java.util.ImmutableCollections") || name.equals("java.util.Optional");
        if (!isFixed || depth == 0) {
            return false;
        }
        for (Slot slot : shape.slots) {
            Object value = slot.get(thing);
            if (value instanceof Object[] && !shape.isRecord && !shape.isLambda) {
                for (Object each : (Object[]) value) {
                    if (!isImmutable(each, depth - 1)) {
                        return false;
                    }
                }
            } else if (!slot.type.isPrimitive() && !isImmutable(value, depth - 1)) {
                return false;
            }
        }
        return true;
    }

    /** What a static field of the JDK holds that reflection does not show. */
    @SuppressWarnings({"deprecation", "removal"})
    static Object staticObject(Field field) {
        return UNSAFE.getObject(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    @SuppressWarnings({"deprecation", "removal"})
    static void setStatic(Field field, boolean value) {
        UNSAFE.putBooleanVolatile(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field), value);
    }

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
