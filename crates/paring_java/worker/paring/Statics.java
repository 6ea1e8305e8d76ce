package paring;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets the classes of one traced run tell {@link paring.boot.Touches} which statics they read and write, when a class is initialised,
 * when somebody asks or awaits the clock, and what is done to a database: a driver is code like any other. Methods outside the test file tell that
 * they run.
 */
final class Statics implements ClassFileTransformer {
    enum Kind { READ, WRITTEN, BEGIN, END, CLOCK, ENTERED }

    /** A place in the code, or rather all that say the same. */
    static final class Place {
        final Kind kind;
        final String owner;
        final String name;
        /** As it was found. */
        private Resource resource;

        Place(Kind kind, String owner, String name) {
            this.kind = kind;
            this.owner = owner;
            this.name = name;
        }
    }

    private static final String TOUCHES = "paring/boot/Touches";
    private static final int GETSTATIC = 0xb2;
    private static final int PUTSTATIC = 0xb3;
    private static final int INVOKESTATIC = 0xb8;
    private static final int ARETURN = 0xb0;
    private static final int RETURN = 0xb1;
    private static final int ICONST_0 = 0x03;
    private static final int ACONST_NULL = 0x01;
    private static final int ALOAD = 0x19;
    private static final int DUP = 0x59;
    private static final int STATIC = 0x0008;
    /** What is done by statements of a database, and what makes one or a connection. */
    private static final Set<String> DONE = Set.of("execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "executeBatch", "executeLargeBatch", "addBatch",
            "commit", "rollback");
    private static final Set<String> MADE = Set.of("connect", "getConnection", "createStatement", "prepareStatement", "prepareCall");

    private final ClassLoader loader;
    /** Classes of the test file. */
    private final Set<String> own;
    private volatile boolean isWhole = true;
    private final List<Place> places = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    Statics(ClassLoader loader, Set<String> own) {
        this.loader = loader;
        this.own = own;
    }

    synchronized Place place(int number) {
        return places.get(number);
    }

    /** The static that a place is about, under the class that declares it. */
    Resource resource(Place place) {
        if (place.resource == null) {
            Class<?> type = null;
            try {
                type = declaring(Class.forName(place.owner, false, loader), place.name);
            } catch (ReflectiveOperationException | LinkageError e) {
                // The instruction itself will say so.
                type = null;
            }
            place.resource = Resource.attribute(type == null ? place.owner : type.getName(), place.name);
        }
        return place.resource;
    }

    private static Class<?> declaring(Class<?> type, String name) {
        if (type == null) {
            return null;
        }
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().equals(name)) {
                return type;
            }
        }
        for (Class<?> each : type.getInterfaces()) {
            Class<?> found = declaring(each, name);
            if (found != null) {
                return found;
            }
        }
        return declaring(type.getSuperclass(), name);
    }

    /** Whether no class was beyond it. */
    boolean isWhole() {
        return isWhole;
    }

    private synchronized int number(Kind kind, String owner, String name) {
        return numbers.computeIfAbsent(kind + " " + owner + "." + name, key -> {
            places.add(new Place(kind, owner.replace('/', '.'), name));
            paring.boot.Touches.makeRoom(places.size() - 1);
            return places.size() - 1;
        });
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] code) {
        if (loader != this.loader || name == null) {
            return null;
        }
        try {
            Probes probes = new Probes(name, code);
            byte[] probed = probes.rewritten();
            isWhole &= probes.isWhole();
            return probed;
        } catch (RuntimeException | LinkageError e) {
            // Whoever loads the class would never know.
            isWhole = false;
            throw e;
        }
    }

    private final class Probes extends Rewrite {
        private final String type;
        private final boolean namesSql;
        private final boolean isUnderTest;

        Probes(String type, byte[] code) {
            super(code);
            this.type = type;
            this.isUnderTest = !isJdk(type) && !own.contains(type.replace('/', '.'));
            this.namesSql = new String(code, java.nio.charset.StandardCharsets.ISO_8859_1).contains("java/sql/");
        }

        @Override
        void insert(Code code) throws IOException, TooLarge {
            if (code.isInitializer()) {
                always(code, 0, Kind.BEGIN);
            } else if (isUnderTest) {
                pass(code, 0, Kind.ENTERED, "", "");
            }
            database(code);
            for (int pc = 0; pc < code.length; pc += code.size(pc)) {
                int op = code.op(pc);
                if (op == GETSTATIC || op == PUTSTATIC) {
                    Member field = code.member(pc);
                    if (!field.name.startsWith("$") && (!isJdk(field.owner) || field.owner.equals("java/lang/System"))) {
                        pass(code, pc, op == GETSTATIC ? Kind.READ : Kind.WRITTEN, field.owner, field.name);
                    }
                } else if (op == INVOKESTATIC) {
                    time(code, pc);
                } else if (op == RETURN && code.isInitializer()) {
                    always(code, pc, Kind.END);
                }
            }
        }

        /** The JDK has these as natives. */
        private void time(Code code, int pc) throws IOException, TooLarge {
            Member method = code.member(pc);
            boolean isRead = method.owner.equals("java/lang/System") && (method.name.equals("currentTimeMillis") || method.name.equals("nanoTime"));
            if (isRead || (method.owner.equals("java/lang/Thread") && method.name.equals("sleep"))) {
                pass(code, pc, Kind.CLOCK, "", "");
            }
        }

        private void database(Code code) throws IOException, TooLarge {
            if (!namesSql || (code.flags & STATIC) != 0) {
                return;
            }
            boolean isNamed = code.descriptor.startsWith("(Ljava/lang/String;");
            if (DONE.contains(code.method)) {
                Insert insert = code.before(0).add(1, ALOAD).index(0);
                insert = isNamed ? insert.add(1, ALOAD).index(1) : insert.add(1, ACONST_NULL);
                told(insert, Hook.DATABASE_TOUCHED);
            } else if (MADE.contains(code.method)) {
                for (int pc = 0; pc < code.length; pc += code.size(pc)) {
                    if (code.op(pc) == ARETURN) {
                        told(code.before(pc).add(1, DUP).add(1, ALOAD).index(0), Hook.DATABASE_MADE);
                        if (isNamed) {
                            told(code.before(pc).add(1, DUP).add(1, ALOAD).index(1), Hook.DATABASE_MADE);
                        }
                    }
                }
            }
        }

        private void told(Insert insert, Hook hook) throws IOException, TooLarge {
            insert.add(1, ICONST_0).push(hook.ordinal()).call(TOUCHES, "touch", "(Ljava/lang/Object;Ljava/lang/Object;II)V");
        }

        private void pass(Code code, int pc, Kind kind, String owner, String name) throws IOException, TooLarge {
            code.before(pc).push(number(kind, owner, name)).call(TOUCHES, "pass", "(I)V");
        }

        private void always(Code code, int pc, Kind kind) throws IOException, TooLarge {
            code.before(pc).push(number(kind, type, "")).call(TOUCHES, "always", "(I)V");
        }
    }

    private static boolean isJdk(String type) {
        return type.startsWith("java/") || type.startsWith("javax/") || type.startsWith("jdk/") || type.startsWith("sun/") || type.startsWith("paring/");
    }
}
