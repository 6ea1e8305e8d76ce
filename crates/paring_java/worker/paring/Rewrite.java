package paring;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Inserts instructions into the methods of a class file, and moves jumps, tables and frames accordingly. What is inserted, and where,
 * is up to the subclass: {@link LineProbes}, {@link TouchProbes}.
 *
 * <p>A method that would become too large is left as it is. Long because a class file's format is one thing.
 */
abstract class Rewrite {
    private static final int MAX_CODE = 0xffff;
    private static final int BRIDGE = 0x0040;

    private static final int SIPUSH = 0x11;
    private static final int LDC_W = 0x13;
    private static final int INVOKESTATIC = 0xb8;
    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    static final int GOTO = 0xa7;
    static final int GOTO_W = 0xc8;
    private static final int JSR_W = 0xc9;
    private static final int WIDE = 0xc4;
    private static final int IINC = 0x84;

    private final ByteBuffer in;
    /** Texts of the constant pool by their places; null for all other constants. */
    private final List<String> texts = new ArrayList<>();
    /** Where each constant begins. */
    private final List<Integer> constants = new ArrayList<>();
    private int nConstants;
    private final Constants added = new Constants();
    private final Map<String, Integer> methods = new HashMap<>();
    private boolean isChanged;
    private boolean isWhole = true;

    Rewrite(byte[] code) {
        in = ByteBuffer.wrap(code);
    }

    /** Inserts what is to be inserted into a method. */
    abstract void insert(Code code) throws IOException, TooLarge;

    /** The class with what was inserted; null where nothing was, where there is no room, or where the class is not understood. */
    final byte[] rewritten() {
        try {
            byte[] code = whole();
            return isChanged ? code : null;
        } catch (IOException | TooLarge | IndexOutOfBoundsException | java.nio.BufferUnderflowException e) {
            isWhole = false;
            return null;
        }
    }

    /** Whether all that was to be inserted was. */
    final boolean isWhole() {
        return isWhole;
    }

    static final class TooLarge extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** What is added to the constant pool. */
    private final class Constants {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);
        private final Map<Integer, Integer> integers = new HashMap<>();
        private int n;

        int text(String text) throws IOException, TooLarge {
            out.writeByte(1);
            out.writeUTF(text);
            return next();
        }

        int of(int tag, int first) throws IOException, TooLarge {
            out.writeByte(tag);
            out.writeShort(first);
            return next();
        }

        int of(int tag, int first, int second) throws IOException, TooLarge {
            out.writeByte(tag);
            out.writeShort(first);
            out.writeShort(second);
            return next();
        }

        /** A number as a constant, or the one that is there already. */
        int integer(int value) throws IOException, TooLarge {
            Integer known = integers.get(value);
            if (known == null) {
                out.writeByte(3);
                out.writeInt(value);
                known = next();
                integers.put(value, known);
            }
            return known;
        }

        private int next() throws TooLarge {
            int index = nConstants + n++;
            if (index >= 0xffff) {
                throw new TooLarge();
            }
            return index;
        }
    }

    private byte[] whole() throws IOException, TooLarge {
        readConstants();
        int constantsEnd = in.position();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(rest);
        copy(out, 6);
        int nInterfaces = u2();
        out.writeShort(nInterfaces);
        copy(out, 2 * nInterfaces);
        copyFields(out);
        int nMethods = u2();
        out.writeShort(nMethods);
        for (int i = 0; i < nMethods; i++) {
            method(out);
        }
        copy(out, in.remaining());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream whole = new DataOutputStream(all);
        whole.write(in.array(), 0, 8);
        whole.writeShort(nConstants + added.n);
        whole.write(in.array(), 10, constantsEnd - 10);
        added.bytes.writeTo(whole);
        rest.writeTo(whole);
        return all.toByteArray();
    }

    /** A static method as a constant. */
    private int method(String type, String name, String descriptor) throws IOException, TooLarge {
        String key = type + "." + name + descriptor;
        Integer known = methods.get(key);
        if (known == null) {
            int owner = added.of(7, added.text(type));
            known = added.of(10, owner, added.of(12, added.text(name), added.text(descriptor)));
            methods.put(key, known);
        }
        return known;
    }

    private void readConstants() {
        in.position(8);
        nConstants = u2();
        texts.add(null);
        constants.add(0);
        for (int i = 1; i < nConstants; i++) {
            constants.add(in.position());
            int tag = u1();
            String text = null;
            switch (tag) {
                case 1:
                    byte[] bytes = new byte[u2()];
                    in.get(bytes);
                    // Names of attributes are plain; of others nothing but equality matters.
                    text = new String(bytes, StandardCharsets.UTF_8);
                    break;
                case 5:
                case 6:
                    skip(8);
                    texts.add(null);
                    constants.add(0);
                    i++;
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    skip(2);
                    break;
                case 15:
                    skip(3);
                    break;
                case 3:
                case 4:
                case 9:
                case 10:
                case 11:
                case 12:
                case 17:
                case 18:
                    skip(4);
                    break;
                default:
                    throw new IndexOutOfBoundsException("constant " + tag);
            }
            texts.add(text);
        }
    }

    /** The name of the class's source file; null where it does not say. */
    final String sourceFile() {
        try {
            readConstants();
            return readSourceFile();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private String readSourceFile() {
        skip(6);
        skip(2 * u2());
        for (int part = 0; part < 2; part++) {
            for (int n = u2(); n > 0; n--) {
                skip(6);
                for (int attributes = u2(); attributes > 0; attributes--) {
                    skip(2);
                    skip(in.getInt());
                }
            }
        }
        for (int attributes = u2(); attributes > 0; attributes--) {
            String name = texts.get(u2());
            int length = in.getInt();
            if ("SourceFile".equals(name)) {
                return texts.get(u2());
            }
            skip(length);
        }
        return null;
    }

    private void copyFields(DataOutputStream out) throws IOException {
        int n = u2();
        out.writeShort(n);
        for (int i = 0; i < n; i++) {
            copy(out, 6);
            int attributes = u2();
            out.writeShort(attributes);
            for (int a = 0; a < attributes; a++) {
                copyAttribute(out);
            }
        }
    }

    private void copyAttribute(DataOutputStream out) throws IOException {
        copy(out, 2);
        int length = in.getInt();
        out.writeInt(length);
        copy(out, length);
    }

    private void method(DataOutputStream out) throws IOException, TooLarge {
        int flags = u2();
        int name = u2();
        int descriptor = u2();
        out.writeShort(flags);
        out.writeShort(name);
        out.writeShort(descriptor);
        int attributes = u2();
        out.writeShort(attributes);
        for (int i = 0; i < attributes; i++) {
            int at = in.position();
            boolean isCode = "Code".equals(texts.get(u2()));
            int length = in.getInt();
            byte[] code = isCode && (flags & BRIDGE) == 0 ? new Code(in.position(), texts.get(name), texts.get(descriptor), flags).rewritten() : null;
            if (code == null) {
                in.position(at);
                copyAttribute(out);
            } else {
                isChanged = true;
                out.writeShort(in.getShort(at));
                out.writeInt(code.length);
                out.write(code);
                in.position(at + 6 + length);
            }
        }
    }

    /** Instructions to be inserted before one of a method's. */
    final class Insert {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Code code;
        private int stack;

        private Insert(Code code) {
            this.code = code;
        }

        Insert push(int number) throws TooLarge {
            boolean isShort = number <= Short.MAX_VALUE;
            try {
                return add(1, isShort ? SIPUSH : LDC_W).operand(isShort ? number : added.integer(number));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** An instruction without operands that changes the depth of the stack by so much. */
        Insert add(int change, int op) {
            bytes.write(op);
            stack += change;
            code.deepest = Math.max(code.deepest, stack);
            return this;
        }

        /** Two bytes behind an instruction. */
        private Insert operand(int value) {
            bytes.write(value >> 8);
            bytes.write(value);
            return this;
        }

        /** One byte behind an instruction. */
        Insert index(int value) {
            bytes.write(value);
            return this;
        }

        /** Calls a static method that takes all that was pushed, and returns nothing. */
        void call(String type, String name, String descriptor) throws IOException, TooLarge {
            add(-stack, INVOKESTATIC).operand(method(type, name, descriptor));
        }

        /** The same where other things lie below what it takes: the stack gets deeper by so much. */
        Insert call(String type, String name, String descriptor, int change) throws IOException, TooLarge {
            return add(change, INVOKESTATIC).operand(method(type, name, descriptor));
        }
    }

    /** A member that an instruction names. */
    static final class Member {
        final String owner;
        final String name;
        final String descriptor;

        Member(String owner, String name, String descriptor) {
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
        }
    }

    /** One method's code. */
    final class Code {
        final String method;
        final String descriptor;
        final int flags;
        final int length;
        private final int maxStack;
        private int maxLocals;
        /** How many the method has of its own. */
        private int ownLocals;
        private final int start;
        /** How much more of the stack is needed. */
        private int deepest;
        /** What comes before an instruction, in this order. */
        private final TreeMap<Integer, List<Insert>> inserts = new TreeMap<>();
        /** The line that begins at an instruction. */
        private final TreeMap<Integer, Integer> lines = new TreeMap<>();
        /** Where an instruction goes, what is inserted included, and without. */
        private int[] placed;
        private int[] moved;

        private Code(int at, String method, String descriptor, int flags) {
            this.method = method;
            this.descriptor = descriptor;
            this.flags = flags;
            in.position(at);
            maxStack = u2();
            maxLocals = u2();
            ownLocals = maxLocals;
            length = in.getInt();
            start = in.position();
        }

        /** Local variables of nobody's, so many, for as long as nothing else is inserted; the first of them. */
        int locals(int n) {
            maxLocals = Math.max(maxLocals, ownLocals + n);
            return ownLocals;
        }

        boolean isInitializer() {
            return "<clinit>".equals(method);
        }

        /** Comes behind all that was inserted before that instruction already. */
        Insert before(int pc) {
            Insert insert = new Insert(this);
            if (!inserts.containsKey(pc)) {
                inserts.put(pc, new ArrayList<>());
            }
            inserts.get(pc).add(insert);
            return insert;
        }

        /** Lines by the instruction at which they begin. */
        TreeMap<Integer, Integer> lines() {
            return lines;
        }

        /** The field or method that an instruction names. */
        Member member(int pc) {
            int at = constants.get(in.getShort(start + pc + 1) & 0xffff);
            int type = constants.get(in.getShort(at + 1) & 0xffff);
            int both = constants.get(in.getShort(at + 3) & 0xffff);
            return new Member(texts.get(in.getShort(type + 1) & 0xffff), texts.get(in.getShort(both + 1) & 0xffff), texts.get(in.getShort(both + 3) & 0xffff));
        }

        /** Null where the method stays as it is. */
        private byte[] rewritten() throws IOException, TooLarge {
            skip(length);
            int tableStart = in.position();
            int nHandlers = u2();
            skip(8 * nHandlers);
            int attributesStart = in.position();
            readLines();
            insert(this);
            if (inserts.isEmpty()) {
                return null;
            }
            if (!place()) {
                isWhole = false;
                return null;
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeShort(Math.min(maxStack + deepest, 0xffff));
            out.writeShort(maxLocals);
            out.writeInt(placed[length]);
            if (!write(out)) {
                isWhole = false;
                return null;
            }
            in.position(tableStart);
            out.writeShort(u2());
            for (int i = 0; i < nHandlers; i++) {
                for (int j = 0; j < 3; j++) {
                    out.writeShort(placed[u2()]);
                }
                out.writeShort(u2());
            }
            in.position(attributesStart);
            attributes(out);
            return bytes.toByteArray();
        }

        private void readLines() {
            for (int n = u2(); n > 0; n--) {
                String name = texts.get(u2());
                int size = in.getInt();
                int end = in.position() + size;
                if ("LineNumberTable".equals(name)) {
                    for (int each = u2(); each > 0; each--) {
                        int pc = u2();
                        lines.put(pc, u2());
                    }
                }
                in.position(end);
            }
        }

        /** Where an instruction may go on, other than at the next one. */
        List<Integer> targets(int pc) {
            int op = op(pc);
            if (isShortJump(op)) {
                return List.of(pc + in.getShort(start + pc + 1));
            }
            if (op == GOTO_W || op == JSR_W) {
                return List.of(pc + in.getInt(start + pc + 1));
            }
            List<Integer> targets = new ArrayList<>();
            if (isSwitch(op)) {
                int at = pc + 1 + padding(pc);
                targets.add(pc + in.getInt(start + at));
                int step = op == TABLESWITCH ? 4 : 8;
                for (int offset = at + 12; offset < pc + size(pc); offset += step) {
                    targets.add(pc + in.getInt(start + offset));
                }
            }
            return targets;
        }

        /** Says where every instruction goes; false where they do not fit. */
        private boolean place() {
            placed = new int[length + 1];
            moved = new int[length + 1];
            int to = 0;
            for (int pc = 0; pc < length; ) {
                placed[pc] = to;
                for (Insert insert : inserts.getOrDefault(pc, List.of())) {
                    to += insert.bytes.size();
                }
                moved[pc] = to;
                int size = size(pc);
                to += isSwitch(op(pc)) ? size - padding(pc) + padding(to) : size;
                pc += size;
            }
            placed[length] = to;
            moved[length] = to;
            return to <= MAX_CODE;
        }

        private boolean write(DataOutputStream out) throws IOException {
            for (int pc = 0; pc < length; pc += size(pc)) {
                for (Insert insert : inserts.getOrDefault(pc, List.of())) {
                    insert.bytes.writeTo(out);
                }
                int op = op(pc);
                if (isSwitch(op)) {
                    writeSwitch(out, pc);
                } else if (isShortJump(op)) {
                    int offset = placed[pc + in.getShort(start + pc + 1)] - moved[pc];
                    if (offset != (short) offset) {
                        return false;
                    }
                    out.writeByte(op);
                    out.writeShort(offset);
                } else if (op == GOTO_W || op == JSR_W) {
                    out.writeByte(op);
                    out.writeInt(placed[pc + in.getInt(start + pc + 1)] - moved[pc]);
                } else {
                    out.write(in.array(), start + pc, size(pc));
                }
            }
            return true;
        }

        private void writeSwitch(DataOutputStream out, int pc) throws IOException {
            int op = op(pc);
            int at = pc + 1 + padding(pc);
            out.writeByte(op);
            for (int i = padding(moved[pc]); i > 0; i--) {
                out.writeByte(0);
            }
            out.writeInt(target(pc, at));
            int first = in.getInt(start + at + 4);
            out.writeInt(first);
            if (op == TABLESWITCH) {
                int last = in.getInt(start + at + 8);
                out.writeInt(last);
                for (int i = 0; i <= last - first; i++) {
                    out.writeInt(target(pc, at + 12 + 4 * i));
                }
            } else {
                for (int i = 0; i < first; i++) {
                    out.writeInt(in.getInt(start + at + 8 + 8 * i));
                    out.writeInt(target(pc, at + 12 + 8 * i));
                }
            }
        }

        private int target(int pc, int at) {
            return placed[pc + in.getInt(start + at)] - moved[pc];
        }

        int op(int pc) {
            return in.get(start + pc) & 0xff;
        }

        /** Bytes of an instruction. */
        int size(int pc) {
            int op = op(pc);
            if (op == WIDE) {
                return op(pc + 1) == IINC ? 6 : 4;
            }
            if (!isSwitch(op)) {
                return SIZES.charAt(op) - '0';
            }
            int at = pc + 1 + padding(pc);
            int first = in.getInt(start + at + 4);
            int table = op == TABLESWITCH ? 12 + 4 * (in.getInt(start + at + 8) - first + 1) : 8 + 8 * first;
            return at + table - pc;
        }

        private void attributes(DataOutputStream out) throws IOException {
            int n = u2();
            ByteArrayOutputStream kept = new ByteArrayOutputStream();
            DataOutputStream keptOut = new DataOutputStream(kept);
            int nKept = 0;
            for (int i = 0; i < n; i++) {
                int name = u2();
                int size = in.getInt();
                int end = in.position() + size;
                byte[] attribute = attribute(texts.get(name));
                if (attribute != null) {
                    keptOut.writeShort(name);
                    keptOut.writeInt(attribute.length);
                    keptOut.write(attribute);
                    nKept++;
                }
                in.position(end);
            }
            out.writeShort(nKept);
            kept.writeTo(out);
        }

        /** Null for one that is not kept: what it says would be wrong, and nobody runs by it. */
        private byte[] attribute(String name) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            switch (String.valueOf(name)) {
                case "LineNumberTable":
                    int lines = u2();
                    out.writeShort(lines);
                    for (int i = 0; i < lines; i++) {
                        out.writeShort(placed[u2()]);
                        out.writeShort(u2());
                    }
                    break;
                case "LocalVariableTable":
                case "LocalVariableTypeTable":
                    int locals = u2();
                    out.writeShort(locals);
                    for (int i = 0; i < locals; i++) {
                        int from = u2();
                        int to = from + u2();
                        out.writeShort(placed[from]);
                        out.writeShort(placed[to] - placed[from]);
                        copy(out, 6);
                    }
                    break;
                case "StackMapTable":
                    frames(out);
                    break;
                default:
                    return null;
            }
            return bytes.toByteArray();
        }

        private void frames(DataOutputStream out) throws IOException {
            int n = u2();
            out.writeShort(n);
            int pc = -1;
            int to = -1;
            for (int i = 0; i < n; i++) {
                int type = u1();
                int delta = type < 64 ? type : type < 128 ? type - 64 : u2();
                pc += delta + 1;
                int newDelta = placed[pc] - to - 1;
                to = placed[pc];
                if (type < 64) {
                    sameFrame(out, newDelta);
                } else if (type < 128 || type == 247) {
                    if (newDelta < 64) {
                        out.writeByte(64 + newDelta);
                    } else {
                        out.writeByte(247);
                        out.writeShort(newDelta);
                    }
                    types(out, 1);
                } else if (type == 251) {
                    sameFrame(out, newDelta);
                } else {
                    out.writeByte(type);
                    out.writeShort(newDelta);
                    if (type == 255) {
                        for (int part = 0; part < 2; part++) {
                            int count = u2();
                            out.writeShort(count);
                            types(out, count);
                        }
                    } else if (type > 251) {
                        types(out, type - 251);
                    }
                }
            }
        }

        private void sameFrame(DataOutputStream out, int delta) throws IOException {
            if (delta < 64) {
                out.writeByte(delta);
            } else {
                out.writeByte(251);
                out.writeShort(delta);
            }
        }

        private void types(DataOutputStream out, int n) throws IOException {
            for (int i = 0; i < n; i++) {
                int tag = u1();
                out.writeByte(tag);
                if (tag == 7) {
                    copy(out, 2);
                } else if (tag == 8) {
                    // Of an object that is not initialised yet, the instruction that made it.
                    out.writeShort(moved[u2()]);
                }
            }
        }
    }

    private static boolean isSwitch(int op) {
        return op == TABLESWITCH || op == LOOKUPSWITCH;
    }

    private static boolean isShortJump(int op) {
        return (op >= 0x99 && op <= 0xa8) || op == 0xc6 || op == 0xc7;
    }

    /** Bytes between a switch at an offset and its first number. */
    private static int padding(int pc) {
        return 3 - (pc & 3);
    }

    private int u1() {
        return in.get() & 0xff;
    }

    private int u2() {
        return in.getShort() & 0xffff;
    }

    private void skip(int n) {
        in.position(in.position() + n);
    }

    private void copy(DataOutputStream out, int n) throws IOException {
        out.write(in.array(), in.position(), n);
        skip(n);
    }

    /** Bytes of each instruction, its operands included, by opcode; those of varying size are 0. */
    private static final String SIZES =
            "1".repeat(16) // nop, constants
            + "23233" // bipush, sipush, ldc, ldc_w, ldc2_w
            + "2".repeat(5) + "1".repeat(28) // loads by index; from the first locals and from arrays
            + "2".repeat(5) + "1".repeat(28) // stores likewise
            + "1".repeat(9) // pop to swap
            + "1".repeat(36) // arithmetic
            + "3" // iinc
            + "1".repeat(20) // conversions, comparisons
            + "3".repeat(16) // jumps
            + "200" // ret, the switches
            + "1".repeat(6) // returns
            + "3".repeat(7) + "55" // fields and calls; invokeinterface, invokedynamic
            + "323" + "11" + "33" + "11" // new, newarray, anewarray; arraylength, athrow; checkcast, instanceof; monitors
            + "0" + "4" + "33" + "55"; // wide; multianewarray; ifnull, ifnonnull; goto_w, jsr_w
}
