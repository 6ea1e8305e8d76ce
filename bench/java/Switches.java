import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What one compilation with a switch before every statement would be worth: how much of a test can be switched at all, and what that
 * compilation takes beside those of candidates, in a compiler that is warm.
 *
 * <p>Reads lines {@code id TAB class path TAB file TAB method TAB release}; writes {@code id TAB statements TAB switched TAB ms of a
 * candidate TAB ms with switches}; of what does not compile even where only calls are switched, nothing is switched.
 */
public final class Switches {
    private static final int REPEATED = 5;
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    /** Where a statement stands, and what it is. */
    private record Found(int start, int end, Tree.Kind kind, boolean assigns) {
        boolean isCall() {
            return kind == Tree.Kind.EXPRESSION_STATEMENT && !assigns;
        }

        boolean isDeclaration() {
            return kind == Tree.Kind.VARIABLE || kind == Tree.Kind.CLASS || kind == Tree.Kind.RECORD || kind == Tree.Kind.ENUM;
        }

        boolean jumps() {
            return switch (kind) {
                case RETURN, THROW, BREAK, CONTINUE, YIELD -> true;
                default -> false;
            };
        }
    }

    public static void main(String[] args) throws IOException {
        Path out = Files.createTempDirectory("switches");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] fields = line.split("\t", -1);
            System.out.println(fields[0] + "\t" + new Switches(fields, out).measured());
        }
    }

    private final List<String> options = new ArrayList<>();
    private final Path file;
    private final String method;
    private final String text;

    private Switches(String[] fields, Path out) throws IOException {
        options.addAll(List.of("-nowarn", "-proc:none", "-g", "-implicit:none", "-cp", fields[1], "-d", out.toString()));
        if (!fields[4].isEmpty()) {
            options.addAll(List.of("-source", fields[4], "-target", fields[4]));
        }
        file = Path.of(fields[2]);
        method = fields[3];
        text = Files.readString(file, StandardCharsets.UTF_8);
    }

    private String measured() throws IOException {
        List<Found> statements = statements();
        // What is switched, boldest first: all that a switch may stand before; no jumps; nothing that gives a value.
        List<Predicate<Found>> ways = List.of(
                found -> !found.isDeclaration(),
                found -> !found.isDeclaration() && !found.jumps(),
                Found::isCall);
        String switched = text;
        long n = 0;
        millis(text);
        for (Predicate<Found> way : ways) {
            String tried = with(statements.stream().filter(way).toList());
            if (compiles(tried)) {
                switched = tried;
                n = statements.stream().filter(way).count();
                break;
            }
        }
        return statements.size() + "\t" + n + "\t" + millis(text) + "\t" + millis(switched);
    }

    private String with(List<Found> switched) {
        StringBuilder result = new StringBuilder(text);
        List<Object[]> insertions = new ArrayList<>();
        for (int i = 0; i < switched.size(); i++) {
            insertions.add(new Object[] {switched.get(i).start(), "if (Boolean.getBoolean(\"on" + i + "\")) "});
        }
        insertions.sort(Comparator.comparing((Object[] insertion) -> (Integer) insertion[0]).reversed());
        insertions.forEach(insertion -> result.insert((Integer) insertion[0], insertion[1]));
        return result.toString();
    }

    private boolean compiles(String source) throws IOException {
        try (StandardJavaFileManager manager = JAVAC.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            return JAVAC.getTask(new StringWriter(), manager, diagnostic -> { }, options, null, List.of(source(source))).call();
        }
    }

    /** The fastest of several. */
    private double millis(String source) throws IOException {
        double fastest = Double.MAX_VALUE;
        for (int i = 0; i < REPEATED; i++) {
            long start = System.nanoTime();
            compiles(source);
            fastest = Math.min(fastest, (System.nanoTime() - start) / 1e6);
        }
        return fastest;
    }

    private JavaFileObject source(String source) {
        return new SimpleJavaFileObject(URI.create("string:///" + file.getFileName()), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreErrors) {
                return source;
            }
        };
    }

    private List<Found> statements() throws IOException {
        List<Found> found = new ArrayList<>();
        try (StandardJavaFileManager manager = JAVAC.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) JAVAC.getTask(new StringWriter(), manager, diagnostic -> { }, options, null,
                    List.of(source(text)));
            CompilationUnitTree unit = task.parse().iterator().next();
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            new TreeScanner<Void, Boolean>() {
                @Override
                public Void visitMethod(MethodTree tree, Boolean isInside) {
                    return super.visitMethod(tree, isInside || tree.getName().contentEquals(method));
                }

                @Override
                public Void visitBlock(BlockTree tree, Boolean isInside) {
                    tree.getStatements().forEach(statement -> add(statement, isInside));
                    return super.visitBlock(tree, isInside);
                }

                @Override
                public Void visitCase(CaseTree tree, Boolean isInside) {
                    if (tree.getStatements() != null) {
                        tree.getStatements().forEach(statement -> add(statement, isInside));
                    }
                    return super.visitCase(tree, isInside);
                }

                private void add(StatementTree tree, boolean isInside) {
                    if (isInside && tree.getKind() != Tree.Kind.BLOCK) {
                        boolean assigns = tree instanceof ExpressionStatementTree call
                                && call.getExpression() instanceof AssignmentTree;
                        found.add(new Found((int) positions.getStartPosition(unit, tree),
                                (int) positions.getEndPosition(unit, tree), tree.getKind(), assigns));
                    }
                }
            }.scan(unit, false);
        }
        return found;
    }
}
