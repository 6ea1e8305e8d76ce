import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LabeledStatementTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * What `paring evaluate` judges Java results by. As a listener it looks on in a plain run of JUnit's console launcher and
 * writes a JSON line for each test; as a program it measures a test in a source file. It shares no code with paring.
 */
public final class Judge implements TestExecutionListener {
    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, "skipped", null);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            write(test, "started", null);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL:
                if (test.isTest()) {
                    write(test, "passed", null);
                }
                break;
            case ABORTED:
                write(test, "skipped", null);
                break;
            default:
                write(test, "failed", thrown);
        }
    }

    private static void write(TestIdentifier test, String outcome, Throwable thrown) {
        StringBuilder line = new StringBuilder("{\"id\": " + quote(test.getUniqueId()) + ", \"outcome\": \"" + outcome + "\"");
        List<String> chain = new ArrayList<>();
        List<Throwable> seen = new ArrayList<>();
        for (Throwable each = thrown; each != null && !seen.contains(each); each = each.getCause()) {
            seen.add(each);
            chain.add("{\"type\": " + quote(each.getClass().getName()) + ", \"message\": " + quote(message(each)) + "}");
        }
        List<String> frames = new ArrayList<>();
        if (thrown != null) {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                frames.add("[" + quote(frame.getClassName()) + ", " + quote(frame.getMethodName()) + ", "
                        + quote(String.valueOf(frame.getFileName())) + ", " + frame.getLineNumber() + "]");
            }
        }
        line.append(", \"chain\": [" + String.join(", ", chain) + "], \"frames\": [" + String.join(", ", frames) + "]}\n");
        try {
            Files.write(Path.of(System.getProperty("judge.out")), line.toString().getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String message(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (RuntimeException | StackOverflowError e) {
            return "<" + e.getClass().getName() + " in getMessage>";
        }
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                quoted.append(String.format("\\u%04x", Character.isSurrogate(c) ? 0xfffd : (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** Arguments: the class and the method of the test, lines of the failure (outermost first, with commas), file, classes. */
    public static void main(String[] args) throws IOException {
        String text = Files.readString(Path.of(args[3]), StandardCharsets.UTF_8);
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) javac.getTask(new StringWriter(), manager, d -> { }, List.of("-proc:none"), null,
                    manager.getJavaFileObjects(Path.of(args[3])));
            CompilationUnitTree unit = task.parse().iterator().next();
            Measure measure = new Measure(unit, Trees.instance(task).getSourcePositions(), text);
            measure.scan(unit, null);
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            out.println(measure.answer(args[0], args[1], args[2], args[4]));
        }
    }

    /** A statement, and the method it stands in. */
    private record Statement(Method method, int start, int end, String own, boolean counts) { }

    private record Method(String type, String name, int start, int end) { }

    private static final class Measure extends TreePathScanner<Void, Void> {
        private static final Pattern TOKEN = Pattern.compile(
                "/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|[\\w$.]*\\w|[-+*/=<>!&|^%:]+|\\S",
                Pattern.DOTALL);
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final String text;
        private final List<Statement> statements = new ArrayList<>();
        private final List<Method> methods = new ArrayList<>();
        private String type = "";
        private Method method;

        Measure(CompilationUnitTree unit, SourcePositions positions, String text) {
            this.unit = unit;
            this.positions = positions;
            this.text = text;
        }

        @Override
        public Void visitClass(ClassTree tree, Void p) {
            if (method != null) {
                return super.visitClass(tree, p);
            }
            String outer = type;
            String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
            type = outer.isEmpty() ? prefix + tree.getSimpleName() : outer + "$" + tree.getSimpleName();
            super.visitClass(tree, p);
            type = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree tree, Void p) {
            Method outer = method;
            if (method == null) {
                method = new Method(type, tree.getName().toString(), start(tree), end(tree));
                methods.add(method);
            }
            super.visitMethod(tree, p);
            method = outer;
            return null;
        }

        @Override
        public Void scan(Tree tree, Void p) {
            if (tree != null && getCurrentPath() != null && start(tree) >= 0) {
                Tree parent = getCurrentPath().getLeaf();
                boolean counts = stands(parent, tree);
                if (counts || tree instanceof VariableTree && parent instanceof ClassTree) {
                    statements.add(new Statement(method, start(tree), end(tree), own(tree), counts));
                }
            }
            return super.scan(tree, p);
        }

        private int start(Tree tree) {
            return (int) positions.getStartPosition(unit, tree);
        }

        private int end(Tree tree) {
            return (int) positions.getEndPosition(unit, tree);
        }

        private int line(int offset) {
            return (int) unit.getLineMap().getLineNumber(offset);
        }

        /** The text of a statement without those nested in it. */
        private String own(Tree statement) {
            char[] own = text.substring(start(statement), end(statement)).toCharArray();
            int from = start(statement);
            new TreePathScanner<Void, Void>() {
                @Override
                public Void scan(Tree tree, Void p) {
                    boolean inner = tree != null && tree != statement && getCurrentPath() != null && start(tree) >= 0
                            && stands(getCurrentPath().getLeaf(), tree);
                    for (int i = start(inner ? tree : statement); inner && i < end(tree); i++) {
                        own[i - from] = ' ';
                    }
                    return inner ? null : super.scan(tree, p);
                }
            }.scan(new com.sun.source.util.TreePath(getCurrentPath(), statement), null);
            return new String(own).strip();
        }

        private static boolean stands(Tree parent, Tree tree) {
            if (!(tree instanceof StatementTree) || tree instanceof BlockTree) {
                return false;
            }
            return parent instanceof BlockTree || parent instanceof CaseTree || parent instanceof IfTree
                    || parent instanceof LabeledStatementTree
                    || parent instanceof ForLoopTree loop && loop.getStatement() == tree
                    || parent instanceof EnhancedForLoopTree each && each.getStatement() == tree
                    || parent instanceof WhileLoopTree loop && loop.getStatement() == tree
                    || parent instanceof DoWhileLoopTree loop && loop.getStatement() == tree;
        }

        String answer(String className, String name, String lines, String classes) {
            Method test = null;
            for (Method each : methods) {
                if (each.name.equals(name) && (test == null || each.type.equals(className))) {
                    test = each;
                }
            }
            int[] failing = lines.isEmpty() ? new int[0] : Pattern.compile(",").splitAsStream(lines).mapToInt(Integer::parseInt).toArray();
            Statement site = failing.length == 0 ? null : at(failing[failing.length - 1]);
            String statement = ", \"statement\": " + quote(site == null ? "" : site.own);
            if (test == null) {
                return "{\"found\": false" + statement + "}";
            }
            int last = Integer.MAX_VALUE;
            for (int line : failing) {
                last = line >= line(test.start) && line <= line(test.end - 1) ? line : last;
            }
            int count = 0;
            int until = 0;
            for (Statement each : statements) {
                if (each.counts && each.method != null && each.method.equals(test)) {
                    count++;
                    until += line(each.start) <= last ? 1 : 0;
                }
            }
            return "{\"found\": true, \"statements\": " + count + ", \"until\": " + until + ", \"tokens\": " + tokens(test)
                    + ", \"instructions\": " + instructions(test, classes) + statement + "}";
        }

        private Statement at(int line) {
            Statement found = null;
            for (Statement each : statements) {
                boolean covers = line(each.start) <= line && line <= line(each.end - 1);
                if (covers && (found == null || each.end - each.start <= found.end - found.start)) {
                    found = each;
                }
            }
            return found;
        }

        private int tokens(Method test) {
            Matcher matcher = TOKEN.matcher(text.substring(test.start, test.end));
            int count = 0;
            while (matcher.find()) {
                count += matcher.group().startsWith("//") || matcher.group().startsWith("/*") ? 0 : 1;
            }
            return count;
        }

        /** Bytecode instructions of a method and of the lambdas in it. */
        private static int instructions(Method test, String classes) {
            StringWriter said = new StringWriter();
            Path file = Path.of(classes, test.type.replace('.', '/') + ".class");
            java.util.spi.ToolProvider.findFirst("javap").orElseThrow()
                    .run(new PrintWriter(said), new PrintWriter(new StringWriter()), "-c", "-p", file.toString());
            Pattern header = Pattern.compile("[ (]" + Pattern.quote(test.name) + "\\(|lambda\\$" + Pattern.quote(test.name) + "\\$");
            boolean inside = false;
            int count = 0;
            for (String line : said.toString().split("\n")) {
                if (line.endsWith(";") && line.startsWith("  ") && !line.startsWith("   ")) {
                    inside = header.matcher(line).find();
                } else if (inside && line.matches("\\s+\\d+: [a-z].*")) {
                    // Not the cases of a switch, which have a number there.
                    count++;
                }
            }
            return count;
        }
    }
}
