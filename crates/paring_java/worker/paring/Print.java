package paring;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;

/**
 * Fingerprints of objects: equal where two graphs of objects are, with their types, identities, aliases and cycles; floats by their bits.
 * None of the user's code is run. What cannot be told (lambdas, mocks, threads, streams on files, graphs without end) has none.
 */
final class Print {
    private static final int LIMIT = 4000;
    private static final int DEPTH = 300;
    /** Told by their elements: how they came to be is nobody's business. */
    private static final Set<Class<?>> COLLECTIONS = Set.of(ArrayList.class, LinkedList.class, Vector.class, ArrayDeque.class, HashSet.class, LinkedHashSet.class,
            TreeSet.class, Arrays.asList().getClass(), List.of().getClass(), List.of(1).getClass());
    private static final Set<Class<?>> MAPS = Set.of(HashMap.class, LinkedHashMap.class, TreeMap.class, IdentityHashMap.class);
    private static final String[] TOLD = {"java.time.", "java.math."};
    private static final Set<Class<?>> WORDS = Set.of(StringBuilder.class, StringBuffer.class, java.util.UUID.class, java.util.Currency.class, java.net.URI.class,
            java.net.URL.class, java.util.Locale.class);

    private static final class Opaque extends RuntimeException {
        private static final long serialVersionUID = 1;

        Opaque() {
            super(null, null, false, false);
        }
    }

    private final boolean hasIdentity;
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    private boolean isShared;
    private int n;
    private long one = 0xcbf29ce484222325L;
    private long other = 0x9e3779b97f4a7c15L;

    private Print(boolean hasIdentity) {
        this.hasIdentity = hasIdentity;
    }

    /** With identities and without; null where there is no telling. */
    static String[] both(List<Object> things) {
        try {
            Print graph = of(things, true);
            return new String[] {graph.digest(), graph.isShared ? of(things, false).digest() : graph.digest()};
        } catch (RuntimeException | StackOverflowError e) {
            return new String[2];
        }
    }

    private static Print of(List<Object> things, boolean hasIdentity) {
        Print print = new Print(hasIdentity);
        for (Object thing : things) {
            print.walk(thing, 0);
        }
        return print;
    }

    private String digest() {
        return Long.toHexString(one) + Long.toHexString(other);
    }

    private void mix(long value) {
        one = (one ^ value) * 0x100000001b3L;
        one ^= one >>> 29;
        other = Long.rotateLeft(other + value * 0xbf58476d1ce4e5b9L, 31) * 0x94d049bb133111ebL;
    }

    private void words(String words) {
        mix(words.length());
        for (int i = 0; i < words.length(); i++) {
            mix(words.charAt(i));
        }
    }

    private void walk(Object thing, int depth) {
        if (++n > LIMIT || depth > DEPTH) {
            throw new Opaque();
        }
        if (thing == null) {
            mix(1);
            return;
        }
        Class<?> type = thing.getClass();
        if (isValue(thing, type)) {
            return;
        }
        Integer known = numbers.get(thing);
        if (known != null) {
            isShared = true;
            mix(2);
            mix(hasIdentity ? known : depth - known);
            return;
        }
        numbers.put(thing, hasIdentity ? numbers.size() : depth);
        words(type.getName());
        contents(thing, type, depth + 1);
        if (!hasIdentity) {
            numbers.remove(thing);
        }
    }

    /** Tells what has no identity worth speaking of. */
    private boolean isValue(Object thing, Class<?> type) {
        if (thing instanceof String) {
            mix(3);
            words((String) thing);
        } else if (thing instanceof Double) {
            mix(4);
            mix(Double.doubleToRawLongBits((Double) thing));
        } else if (thing instanceof Float) {
            mix(5);
            mix(Float.floatToRawIntBits((Float) thing));
        } else if (thing instanceof Number && type.getName().startsWith("java.lang.")) {
            words(type.getName());
            mix(((Number) thing).longValue());
        } else if (thing instanceof Boolean || thing instanceof Character) {
            words(type.getName());
            mix(thing.hashCode());
        } else if (thing instanceof Class) {
            mix(6);
            words(((Class<?>) thing).getName());
        } else if (thing instanceof Enum) {
            mix(7);
            words(((Enum<?>) thing).getDeclaringClass().getName());
            words(((Enum<?>) thing).name());
        } else if (thing instanceof java.util.regex.Pattern) {
            mix(8);
            words(((java.util.regex.Pattern) thing).pattern());
            mix(((java.util.regex.Pattern) thing).flags());
        } else if (thing instanceof java.nio.charset.Charset) {
            mix(9);
            words(((java.nio.charset.Charset) thing).name());
        } else if (thing instanceof java.io.File || (thing instanceof java.nio.file.Path && type.getName().startsWith("sun."))
                || type.getName().startsWith("sun.util.calendar.ZoneInfo")) {
            mix(10);
            words(type.getName());
            words(thing instanceof java.util.TimeZone ? ((java.util.TimeZone) thing).getID() : thing.toString());
        } else {
            return false;
        }
        return true;
    }

    private void contents(Object thing, Class<?> type, int depth) {
        String name = type.getName();
        if (type.isArray()) {
            array(thing, type, depth);
        } else if (WORDS.contains(type) || startsWithAny(name)) {
            words(thing.toString());
        } else if (COLLECTIONS.contains(type)) {
            Collection<?> all = (Collection<?>) thing;
            mix(all.size());
            for (Object each : all) {
                walk(each, depth);
            }
            if (thing instanceof TreeSet) {
                walk(((TreeSet<?>) thing).comparator(), depth);
            }
        } else if (MAPS.contains(type)) {
            Map<?, ?> all = (Map<?, ?>) thing;
            mix(all.size());
            for (Map.Entry<?, ?> each : all.entrySet()) {
                walk(each.getKey(), depth);
                walk(each.getValue(), depth);
            }
            if (thing instanceof TreeMap) {
                walk(((TreeMap<?, ?>) thing).comparator(), depth);
            }
        } else {
            fields(thing, type, depth);
        }
    }

    private void fields(Object thing, Class<?> type, int depth) {
        String name = type.getName();
        Heap.Shape shape = Heap.shape(type);
        boolean isGone = thing instanceof Thread || thing instanceof ClassLoader || thing instanceof ThreadLocal || thing instanceof java.lang.ref.Reference;
        boolean isMade = name.contains("$MockitoMock$") || name.contains("$$EnhancerBy") || java.lang.reflect.Proxy.isProxyClass(type);
        if (shape.isOpaque || shape.isLambda || isGone || isMade || (shape.isAtom && !shape.isValue)) {
            throw new Opaque();
        }
        if (shape.isValue) {
            words(thing.toString());
            return;
        }
        for (Heap.Slot slot : shape.slots) {
            // How often a collection was changed is nothing that it holds.
            if (!slot.field.getName().equals("modCount")) {
                walk(slot.get(thing), depth);
            }
        }
    }

    private void array(Object array, Class<?> type, int depth) {
        int length = Array.getLength(array);
        mix(length);
        if (array instanceof Object[]) {
            for (Object each : (Object[]) array) {
                walk(each, depth);
            }
        } else if (array instanceof double[]) {
            for (double each : (double[]) array) {
                mix(Double.doubleToRawLongBits(each));
            }
        } else if (array instanceof float[]) {
            for (float each : (float[]) array) {
                mix(Float.floatToRawIntBits(each));
            }
        } else {
            for (int i = 0; i < length; i++) {
                Object each = Array.get(array, i);
                mix(each instanceof Number ? ((Number) each).longValue() : each.hashCode());
            }
        }
    }

    private static boolean startsWithAny(String name) {
        for (String prefix : TOLD) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
