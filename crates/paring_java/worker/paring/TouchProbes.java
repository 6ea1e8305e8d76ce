package paring;

import java.io.IOException;
import java.util.List;

/** Puts a call of {@link paring.boot.Touches#touch} at the beginning of hooked methods. */
final class TouchProbes extends Rewrite {
    private static final int ACONST_NULL = 0x01;
    private static final int ICONST_0 = 0x03;
    private static final int ILOAD = 0x15;
    private static final int ALOAD = 0x19;
    private static final int STATIC = 0x0008;

    private final List<Hook.Row> rows;

    private TouchProbes(byte[] code, List<Hook.Row> rows) {
        super(code);
        this.rows = rows;
    }

    /** The class with probes; null where it has none of the methods. */
    static byte[] insert(byte[] code, List<Hook.Row> rows) {
        return new TouchProbes(code, rows).rewritten();
    }

    @Override
    void insert(Code code) throws IOException, TooLarge {
        for (Hook.Row row : rows) {
            if (row.method.equals(code.method) && (row.descriptor == null || row.descriptor.equals(code.descriptor))) {
                Insert insert = code.before(0);
                object(insert, code, row.first);
                object(insert, code, row.second);
                int slot = slot(code, row.flag, 'I', 'Z');
                insert = slot < 0 ? insert.add(1, ICONST_0) : insert.add(1, ILOAD).index(slot);
                insert.push(row.hook.ordinal()).call("paring/boot/Touches", "touch", "(Ljava/lang/Object;Ljava/lang/Object;II)V");
                return;
            }
        }
    }

    private static void object(Insert insert, Code code, int argument) {
        int slot = slot(code, argument, 'L', '[');
        if (slot < 0) {
            insert.add(1, ACONST_NULL);
        } else {
            insert.add(1, ALOAD).index(slot);
        }
    }

    /** The local variable of an argument; -1 where there is none, or none of these kinds. */
    private static int slot(Code code, int argument, char one, char other) {
        boolean isStatic = (code.flags & STATIC) != 0;
        if (argument <= Hook.THIS) {
            return argument == Hook.THIS && one == 'L' && !isStatic ? 0 : -1;
        }
        int slot = isStatic ? 0 : 1;
        int at = 1;
        for (int param = 1; code.descriptor.charAt(at) != ')'; param++) {
            char kind = code.descriptor.charAt(at);
            if (param == argument) {
                return kind == one || kind == other ? slot : -1;
            }
            slot += kind == 'J' || kind == 'D' ? 2 : 1;
            while (code.descriptor.charAt(at) == '[') {
                at++;
            }
            at = code.descriptor.charAt(at) == 'L' ? code.descriptor.indexOf(';', at) + 1 : at + 1;
        }
        return -1;
    }
}
