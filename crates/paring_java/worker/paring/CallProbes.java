package paring;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Puts probes around the calls that a test class makes of other code: {@link Calls} is told of receiver and arguments before, and of the
 * result. Operands are taken from the stack into locals of their own, and put back: nothing jumps, so no frame changes.
 *
 * <pre>
 * cart, "pen", 2                     cart, "pen", 2 -> locals; open(site); arg(cart); arg("pen"); arg(2); begin(); locals -> stack
 * invokevirtual Cart.add      becomes    invokevirtual Cart.add
 *                                    dup; result(it); end(site)
 * </pre>
 */
final class CallProbes extends Rewrite {
    private static final int FIRST_INVOKE = 0xb6;
    private static final int SPECIAL = 0xb7;
    private static final int STATIC = 0xb8;
    private static final int INTERFACE = 0xb9;
    private static final int ATHROW = 0xbf;
    private static final int DUP = 0x59;
    private static final int DUP2 = 0x5c;
    private static final int LOAD = 0x15;
    private static final int STORE = 0x36;
    private static final String CALLS = "paring/Calls";
    /** No longer operands are counted in one byte. */
    private static final int MAX_LOCALS = 250;
    private static final String[] JDK = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
    private static final String[] FRAMEWORKS = {
        "org/junit/", "junit/", "org/hamcrest/", "org/opentest4j/", "org/mockito/", "org/assertj/", "org/easymock/", "com/google/common/truth/",
    };
    private static final String[] VERDICTS = {"assert", "fail", "verify", "expect", "isEqualTo"};

    private final String type;
    private final Predicate<String> isOfTests;

    private CallProbes(byte[] code, String type, Predicate<String> isOfTests) {
        super(code);
        this.type = type;
        this.isOfTests = isOfTests;
    }

    /** The class with probes; null where it makes no calls, or has no room. @param isOfTests says so of the name of a class */
    static byte[] insert(byte[] code, String type, Predicate<String> isOfTests) {
        return new CallProbes(code, type, isOfTests).rewritten();
    }

    static String sourceFile(byte[] code) {
        return new CallProbes(code, "", name -> false).sourceFile();
    }

    @Override
    void insert(Code code) throws IOException, TooLarge {
        Set<Integer> begun = new HashSet<>();
        for (Map.Entry<Integer, Integer> line : code.lines().entrySet()) {
            // A call over several lines comes back to its first.
            String probe = begun.add(line.getValue()) ? "line" : "back";
            code.before(line.getKey()).push(Calls.place(type, code.method, line.getValue())).call(CALLS, probe, "(I)V");
        }
        for (int pc = 0; pc < code.length; pc += code.size(pc)) {
            int op = code.op(pc);
            if (op == ATHROW) {
                Calls.decides(type, code.method);
            }
            if (op >= FIRST_INVOKE && op <= INTERFACE) {
                call(code, pc, op);
            }
        }
    }

    private void call(Code code, int pc, int op) throws IOException, TooLarge {
        Member called = code.member(pc);
        boolean isFramework = startsWithAny(called.owner, FRAMEWORKS);
        boolean isVerdict = isFramework && startsWithAny(called.name, VERDICTS);
        if (isVerdict && called.name.startsWith("fail")) {
            // What it is that fails the test is up to what stands around it.
            Calls.decides(type, code.method);
        }
        boolean isNew = "<init>".equals(called.name);
        if (called.owner.startsWith("[") || (isFramework && !isVerdict) || isOfTests.test(called.owner) || (isNew && "<init>".equals(code.method))) {
            return;
        }
        boolean isJdk = startsWithAny(called.owner, JDK);
        if (isJdk && (isNew || op == STATIC || op == SPECIAL || (called.owner.startsWith("java/lang/") && op != INTERFACE && !called.owner.equals("java/lang/Object")))) {
            return;
        }
        List<Character> kinds = kinds(called.descriptor);
        boolean hasReceiver = op != STATIC && !isNew;
        int first = code.locals(2 * kinds.size() + 1);
        if (first + 2 * kinds.size() + 1 > MAX_LOCALS) {
            return;
        }
        int site = Calls.site(called.owner.replace('/', '.') + "." + called.name + called.descriptor, isVerdict, isJdk);
        before(code.before(pc), site, kinds, hasReceiver, first);
        after(code.before(pc + code.size(pc)), site, called.descriptor.charAt(called.descriptor.indexOf(')') + 1), isNew);
    }

    private static void before(Insert insert, int site, List<Character> kinds, boolean hasReceiver, int first) throws IOException, TooLarge {
        for (int i = kinds.size() - 1; i >= 0; i--) {
            move(insert, STORE, kinds.get(i), first + 1 + 2 * i);
        }
        if (hasReceiver) {
            move(insert, STORE, 'L', first);
        }
        insert.push(site).call(CALLS, "open", "(I)V", -1);
        if (hasReceiver) {
            move(insert, LOAD, 'L', first);
            insert.call(CALLS, "arg", "(Ljava/lang/Object;)V", -1);
        }
        for (int i = 0; i < kinds.size(); i++) {
            move(insert, LOAD, kinds.get(i), first + 1 + 2 * i);
            argument(insert, "arg", kinds.get(i));
        }
        insert.call(CALLS, "begin", "()V", 0);
        if (hasReceiver) {
            move(insert, LOAD, 'L', first);
        }
        for (int i = 0; i < kinds.size(); i++) {
            move(insert, LOAD, kinds.get(i), first + 1 + 2 * i);
        }
    }

    private static void after(Insert insert, int site, char result, boolean isNew) throws IOException, TooLarge {
        char kind = isNew ? 'L' : kind(result);
        // Of a constructor the object itself, of which javac leaves a copy.
        if (kind != 'V') {
            insert.add(width(kind), width(kind) == 2 ? DUP2 : DUP);
            argument(insert, "result", kind);
        }
        insert.push(site).call(CALLS, "end", "(I)V", -1);
    }

    private static void move(Insert insert, int base, char kind, int local) {
        int op = base + "IJFDL".indexOf(kind);
        insert.add(base == LOAD ? width(kind) : -width(kind), op).index(local);
    }

    private static void argument(Insert insert, String method, char kind) throws IOException, TooLarge {
        insert.call(CALLS, method, kind == 'L' ? "(Ljava/lang/Object;)V" : "(" + kind + ")V", -width(kind));
    }

    private static int width(char kind) {
        return kind == 'J' || kind == 'D' ? 2 : 1;
    }

    /** As the virtual machine keeps it: all small numbers are ints. */
    private static char kind(char type) {
        switch (type) {
            case 'Z':
            case 'B':
            case 'C':
            case 'S':
                return 'I';
            case '[':
                return 'L';
            default:
                return type;
        }
    }

    private static List<Character> kinds(String descriptor) {
        List<Character> kinds = new ArrayList<>();
        for (int at = 1; descriptor.charAt(at) != ')'; at++) {
            kinds.add(kind(descriptor.charAt(at)));
            while (descriptor.charAt(at) == '[') {
                at++;
            }
            if (descriptor.charAt(at) == 'L') {
                at = descriptor.indexOf(';', at);
            }
        }
        return kinds;
    }

    private static boolean startsWithAny(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
