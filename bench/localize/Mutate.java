import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The six mutation operators of the purification paper (its Table 2) on Java source: one change in one place each.
 *
 * <pre>java Mutate.java FILE...</pre>
 *
 * Prints a line for each mutant, parts separated by tabs: file, line, operator, and the change: from and to in UTF-16 units, and what
 * comes there. Only within methods: what runs when a class is loaded belongs to no test. Nothing is attributed, so that some mutants
 * do not compile; whoever compiles them finds out.
 */
final class Mutate extends TreeScanner<Void, Void> {
    private static final Map<Tree.Kind, String> MATH = new EnumMap<>(Tree.Kind.class);
    private static final Map<Tree.Kind, String> OPPOSITE = new EnumMap<>(Tree.Kind.class);
    private static final Map<Tree.Kind, String> BOUNDARY = new EnumMap<>(Tree.Kind.class);
    private static final Map<Tree.Kind, String> STEP = new EnumMap<>(Tree.Kind.class);

    static {
        MATH.putAll(Map.of(
                Tree.Kind.PLUS, "-", Tree.Kind.MINUS, "+", Tree.Kind.MULTIPLY, "/", Tree.Kind.DIVIDE, "*", Tree.Kind.REMAINDER, "*",
                Tree.Kind.AND, "|", Tree.Kind.OR, "&", Tree.Kind.XOR, "&", Tree.Kind.LEFT_SHIFT, ">>", Tree.Kind.RIGHT_SHIFT, "<<"));
        MATH.put(Tree.Kind.UNSIGNED_RIGHT_SHIFT, "<<");
        OPPOSITE.putAll(Map.of(
                Tree.Kind.EQUAL_TO, "!=", Tree.Kind.NOT_EQUAL_TO, "==", Tree.Kind.LESS_THAN, ">=", Tree.Kind.GREATER_THAN_EQUAL, "<",
                Tree.Kind.GREATER_THAN, "<=", Tree.Kind.LESS_THAN_EQUAL, ">"));
        BOUNDARY.putAll(Map.of(
                Tree.Kind.LESS_THAN, "<=", Tree.Kind.LESS_THAN_EQUAL, "<", Tree.Kind.GREATER_THAN, ">=", Tree.Kind.GREATER_THAN_EQUAL, ">"));
        STEP.putAll(Map.of(
                Tree.Kind.POSTFIX_INCREMENT, "%s--", Tree.Kind.POSTFIX_DECREMENT, "%s++", Tree.Kind.PREFIX_INCREMENT, "--%s",
                Tree.Kind.PREFIX_DECREMENT, "++%s", Tree.Kind.PLUS_ASSIGNMENT, "%s -= %s", Tree.Kind.MINUS_ASSIGNMENT, "%s += %s"));
    }

    private final String file;
    private final String source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final PrintStream out;
    /** What the method around gives back; none outside of methods and within lambdas. */
    private Tree returned;
    private boolean inMethod;

    private Mutate(String file, String source, CompilationUnitTree unit, SourcePositions positions, PrintStream out) {
        this.file = file;
        this.source = source;
        this.unit = unit;
        this.positions = positions;
        this.out = out;
    }

    public static void main(String[] files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var units = manager.getJavaFileObjectsFromPaths(List.of(files).stream().map(Path::of).toList());
            JavacTask task = (JavacTask) compiler.getTask(null, manager, problem -> { }, List.of("-proc:none"), null, units);
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                String file = Path.of(unit.getSourceFile().toUri()).toString();
                new Mutate(file, unit.getSourceFile().getCharContent(true).toString(), unit, positions, out).scan(unit, null);
            }
        }
        out.flush();
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
        Tree before = returned;
        boolean wasIn = inMethod;
        returned = method.getReturnType();
        inMethod = true;
        scan(method.getBody(), null);
        returned = before;
        inMethod = wasIn;
        return null;
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree lambda, Void nothing) {
        Tree before = returned;
        returned = null;
        super.visitLambdaExpression(lambda, null);
        returned = before;
        return null;
    }

    @Override
    public Void visitReturn(ReturnTree tree, Void nothing) {
        ExpressionTree value = tree.getExpression();
        if (value != null && returned != null && value.getKind() != Tree.Kind.NULL_LITERAL) {
            if (value instanceof LiteralTree literal && literal.getValue() instanceof Boolean is) {
                change("return values", value, String.valueOf(!is));
            } else if (returned instanceof PrimitiveTypeTree primitive) {
                switch (primitive.getPrimitiveTypeKind()) {
                    case BOOLEAN -> change("return values", value, "!(" + text(value) + ")");
                    case INT, LONG, FLOAT, DOUBLE -> change("return values", value, "(" + text(value) + ") + 1");
                    default -> { }
                }
            } else {
                change("return values", value, "null");
            }
        }
        return super.visitReturn(tree, null);
    }

    @Override
    public Void visitUnary(UnaryTree tree, Void nothing) {
        String operand = text(tree.getExpression());
        if (tree.getKind() == Tree.Kind.UNARY_MINUS) {
            change("invert negatives", tree, "(" + operand + ")");
        } else if (STEP.containsKey(tree.getKind())) {
            change("increments", tree, String.format(STEP.get(tree.getKind()), operand));
        }
        return super.visitUnary(tree, null);
    }

    @Override
    public Void visitCompoundAssignment(CompoundAssignmentTree tree, Void nothing) {
        if (STEP.containsKey(tree.getKind())) {
            change("increments", tree, String.format(STEP.get(tree.getKind()), text(tree.getVariable()), text(tree.getExpression())));
        }
        return super.visitCompoundAssignment(tree, null);
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
        between("math", MATH, tree);
        between("negate conditionals", OPPOSITE, tree);
        between("conditional boundary", BOUNDARY, tree);
        return super.visitBinary(tree, null);
    }

    @Override
    public Void visitIf(IfTree tree, Void nothing) {
        negate(tree.getCondition());
        return super.visitIf(tree, null);
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree tree, Void nothing) {
        negate(tree.getCondition());
        return super.visitWhileLoop(tree, null);
    }

    @Override
    public Void visitConditionalExpression(ConditionalExpressionTree tree, Void nothing) {
        negate(tree.getCondition());
        return super.visitConditionalExpression(tree, null);
    }

    /** A condition that is no comparison: those have an opposite of their own. */
    private void negate(ExpressionTree condition) {
        ExpressionTree inner = condition;
        while (inner instanceof ParenthesizedTree parenthesized) {
            inner = parenthesized.getExpression();
        }
        if (!OPPOSITE.containsKey(inner.getKind())) {
            change("negate conditionals", inner, "!(" + text(inner) + ")");
        }
    }

    private void between(String operator, Map<Tree.Kind, String> others, BinaryTree tree) {
        String other = others.get(tree.getKind());
        if (other != null) {
            change(operator, tree, text(tree.getLeftOperand()) + " " + other + " " + text(tree.getRightOperand()));
        }
    }

    private void change(String operator, Tree tree, String text) {
        long start = positions.getStartPosition(unit, tree);
        long end = positions.getEndPosition(unit, tree);
        if (inMethod && start >= 0 && end > start && !text.contains("\n") && !text.contains("\t")) {
            long line = unit.getLineMap().getLineNumber(start);
            out.println(String.join("\t", file, String.valueOf(line), operator, String.valueOf(start), String.valueOf(end), text));
        }
    }

    private String text(Tree tree) {
        return source.substring((int) positions.getStartPosition(unit, tree), (int) positions.getEndPosition(unit, tree));
    }
}
