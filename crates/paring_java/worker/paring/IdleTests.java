package paring;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tests of a file that a run of others leaves alone: nobody asked for them, and nothing in the file has their name. Generated files
 * have hundreds of them, which take seconds to compile.
 */
final class IdleTests extends TreeScanner<Void, Void> {
    /** Shorter texts are compiled as quickly as they are looked through. */
    private static final int LONG = 50_000;

    private final Set<String> alive = new HashSet<>();
    private final List<MethodTree> tests = new ArrayList<>();

    /** The text without what those tests do; all else stands where it stood. */
    static String blanked(String text, Compiler compiler, List<TestId> asked) throws IOException {
        if (text.length() < LONG || asked.stream().anyMatch(id -> id.method == null)) {
            return text;
        }
        JavacTask task = compiler.task(text, new javax.tools.DiagnosticCollector<>());
        CompilationUnitTree unit = task.parse().iterator().next();
        IdleTests found = new IdleTests();
        asked.forEach(id -> found.alive.add(id.method));
        found.scan(unit, null);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        StringBuilder out = new StringBuilder(text);
        for (MethodTree test : found.tests) {
            if (!found.alive.contains(test.getName().toString())) {
                for (StatementTree statement : test.getBody().getStatements()) {
                    blank(out, (int) positions.getStartPosition(unit, statement), (int) positions.getEndPosition(unit, statement));
                }
            }
        }
        return out.toString();
    }

    private static void blank(StringBuilder out, int from, int to) {
        for (int at = Math.max(from, 0); at < to; at++) {
            if (out.charAt(at) != '\r' && out.charAt(at) != '\n') {
                out.setCharAt(at, ' ');
            }
        }
    }

    /** Only tests that return nothing: their bodies may be empty. */
    @Override
    public Void visitMethod(MethodTree method, Void none) {
        BlockTree body = method.getBody();
        if (body != null && "void".equals(String.valueOf(method.getReturnType())) && isTest(method)) {
            tests.add(method);
        }
        return super.visitMethod(method, none);
    }

    private static boolean isTest(MethodTree method) {
        // As JUnit 3 has them.
        boolean isTest = method.getName().toString().startsWith("test") && method.getParameters().isEmpty();
        for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
            String name = annotation.getAnnotationType().toString();
            if (name.endsWith("Override")) {
                // Whoever it overrides may call it.
                return false;
            }
            isTest |= name.endsWith("Test");
        }
        return isTest;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void none) {
        alive.add(tree.getName().toString());
        return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void none) {
        alive.add(tree.getIdentifier().toString());
        return super.visitMemberSelect(tree, none);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void none) {
        alive.add(tree.getName().toString());
        return super.visitMemberReference(tree, none);
    }

    /** A method may be called by a name in a text. */
    @Override
    public Void visitLiteral(LiteralTree tree, Void none) {
        if (tree.getValue() instanceof String) {
            alive.add((String) tree.getValue());
        }
        return null;
    }
}
