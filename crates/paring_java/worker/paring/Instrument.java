package paring;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.BreakTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ContinueTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LabeledStatementTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Modifier;

/**
 * Puts calls of {@link Probe} into a test file, each on the line of its statement, so that every line keeps its number:
 *
 * <pre>
 * void test() {                void test() { paring.Probe.enter(0); try {
 *     Cart cart = new Cart();      paring.Probe.at(0, this, new Object[]{}); Cart cart = new Cart();
 *     if (open) cart.close();      paring.Probe.at(1, this, new Object[]{cart}); if (open) { paring.Probe.at(2, ...); cart.close(); }
 * }                            } finally { paring.Probe.leave(); } }
 * </pre>
 *
 * A probe is told the locals that surely have a value there. Where that is not plain to see (a variable that gets its value in
 * a branch), it is tried, and what javac refuses is left out.
 */
final class Instrument extends TreeScanner<Void, Void> {
    private final String source;
    private final boolean withValues;
    /** By point, names that javac says have no value there. */
    private final Map<Integer, Set<String>> without;
    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final Instrumented result = new Instrumented();
    /** Texts to insert by offset; at one offset in the order in which they were added. */
    private final TreeMap<Integer, List<Object>> inserts = new TreeMap<>();
    /** Locals in scope that have a value, innermost last; null where another function begins. */
    private List<String> locals = new ArrayList<>();
    private Set<String> unassigned = new HashSet<>();
    private String self = "null";
    private String className = "";
    private int frame = -1;

    static Instrumented of(JavacTask task, String source, boolean withValues, Map<Integer, Set<String>> without) throws IOException {
        CompilationUnitTree unit = task.parse().iterator().next();
        Instrument instrument = new Instrument(source, withValues, without, Trees.instance(task).getSourcePositions(), unit);
        instrument.scan(unit, null);
        instrument.write();
        instrument.result.hasNames = withValues;
        return instrument.result;
    }

    private Instrument(String source, boolean withValues, Map<Integer, Set<String>> without, SourcePositions positions, CompilationUnitTree unit) {
        this.source = source;
        this.withValues = withValues;
        this.without = without;
        this.positions = positions;
        this.unit = unit;
    }

    // -- classes and functions

    @Override
    public Void visitClass(ClassTree type, Void none) {
        List<String> outerLocals = locals;
        String outerSelf = self;
        String outerName = className;
        int outerFrame = frame;
        locals = new ArrayList<>();
        className = type.getSimpleName().toString();
        for (Tree member : type.getMembers()) {
            if (member instanceof BlockTree) {
                BlockTree block = (BlockTree) member;
                self = selfOf(block.isStatic());
                function(block, List.of());
            } else {
                self = selfOf(true);
                frame = -1;
                scan(member, null);
            }
        }
        locals = outerLocals;
        self = outerSelf;
        className = outerName;
        frame = outerFrame;
        return null;
    }

    private String selfOf(boolean isStatic) {
        return !isStatic ? "this" : className.isEmpty() ? "null" : className + ".class";
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
        if (method.getBody() != null && positions.getStartPosition(unit, method.getBody()) >= 0) {
            self = selfOf(method.getModifiers().getFlags().contains(Modifier.STATIC));
            List<String> params = new ArrayList<>();
            method.getParameters().forEach(param -> params.add(param.getName().toString()));
            locals = new ArrayList<>();
            if (isCompact(method)) {
                return null;
            }
            function(method.getBody(), params);
        }
        return null;
    }

    /** A record's constructor without a list of parameters, whose fields get their values behind its end. */
    private boolean isCompact(MethodTree method) {
        if (!method.getName().contentEquals("<init>")) {
            return false;
        }
        int brace = start(method.getBody());
        int from = start(method);
        return from < 0 || source.substring(from, brace).indexOf('(') < 0;
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree lambda, Void none) {
        if (lambda.getBodyKind() == LambdaExpressionTree.BodyKind.STATEMENT) {
            List<String> outer = locals;
            int outerFrame = frame;
            List<String> params = new ArrayList<>();
            lambda.getParameters().forEach(param -> params.add(param.getName().toString()));
            // Who is captured must never change: javac would refuse what the user may do.
            locals = new ArrayList<>();
            function((BlockTree) lambda.getBody(), params);
            locals = outer;
            frame = outerFrame;
            return null;
        }
        return super.visitLambdaExpression(lambda, none);
    }

    private void function(BlockTree body, List<String> params) {
        int start = start(body);
        if (start < 0) {
            return;
        }
        Set<String> outer = unassigned;
        unassigned = new HashSet<>();
        frame = result.frames.size();
        result.frames.add(start);
        params.stream().filter(name -> !name.equals("_")).forEach(locals::add);
        List<? extends StatementTree> statements = body.getStatements();
        boolean isConstructed = !statements.isEmpty() && isConstructorCall(statements.get(0));
        int open = isConstructed ? end(statements.get(0)) : start + 1;
        insert(open, " paring.Probe.enter(" + frame + "); try {");
        block(isConstructed ? statements.subList(1, statements.size()) : statements);
        insert(end(body) - 1, "} finally { paring.Probe.leave(); } ");
        unassigned = outer;
    }

    private static boolean isConstructorCall(StatementTree statement) {
        if (!(statement instanceof ExpressionStatementTree) || !(((ExpressionStatementTree) statement).getExpression() instanceof MethodInvocationTree)) {
            return false;
        }
        String callee = ((MethodInvocationTree) ((ExpressionStatementTree) statement).getExpression()).getMethodSelect().toString();
        return callee.equals("super") || callee.equals("this") || callee.endsWith(".super");
    }

    // -- statements

    private void block(List<? extends StatementTree> statements) {
        int outer = locals.size();
        int last = -1;
        for (StatementTree statement : statements) {
            // The second variable of a declaration begins where the first one does.
            if (start(statement) != last) {
                last = start(statement);
                at(statement);
            }
            inside(statement);
            afterwards(statement);
        }
        if (!statements.isEmpty()) {
            over(statements.get(statements.size() - 1));
        }
        while (locals.size() > outer) {
            locals.remove(locals.size() - 1);
        }
    }

    /** The last statement of a block is over before the loop around it asks for more. */
    private void over(StatementTree last) {
        if (frame >= 0 && (last instanceof ExpressionStatementTree || last instanceof VariableTree)) {
            insert(end(last), " paring.Probe.over();");
        }
    }

    /** What has a value once a statement is done. */
    private void afterwards(StatementTree statement) {
        if (statement instanceof VariableTree) {
            VariableTree variable = (VariableTree) statement;
            String name = variable.getName().toString();
            if (variable.getInitializer() == null) {
                unassigned.add(name);
            } else if (!name.equals("_") && !name.isEmpty()) {
                locals.add(name);
            }
        } else if (!unassigned.isEmpty()) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitAssignment(AssignmentTree assignment, Void none) {
                    ExpressionTree target = assignment.getVariable();
                    if (target instanceof IdentifierTree && unassigned.contains(target.toString()) && !locals.contains(target.toString())) {
                        locals.add(target.toString());
                    }
                    return super.visitAssignment(assignment, none);
                }

                @Override
                public Void visitLambdaExpression(LambdaExpressionTree lambda, Void none) {
                    return null;
                }

                @Override
                public Void visitClass(ClassTree type, Void none) {
                    return null;
                }
            }.scan(statement, null);
        }
    }

    /** A body that may stand without braces gets them. */
    private void body(StatementTree statement) {
        if (statement == null) {
            return;
        }
        if (statement instanceof BlockTree) {
            block(((BlockTree) statement).getStatements());
            return;
        }
        int outer = locals.size();
        insert(start(statement), "{ ");
        at(statement);
        inside(statement);
        over(statement);
        insert(end(statement), " }");
        while (locals.size() > outer) {
            locals.remove(locals.size() - 1);
        }
    }

    private void inside(StatementTree statement) {
        int outer = locals.size();
        if (statement instanceof BlockTree) {
            block(((BlockTree) statement).getStatements());
        } else if (statement instanceof IfTree) {
            IfTree branch = (IfTree) statement;
            scan(branch.getCondition(), null);
            body(branch.getThenStatement());
            body(branch.getElseStatement());
        } else if (statement instanceof WhileLoopTree) {
            scan(((WhileLoopTree) statement).getCondition(), null);
            body(((WhileLoopTree) statement).getStatement());
        } else if (statement instanceof DoWhileLoopTree) {
            body(((DoWhileLoopTree) statement).getStatement());
            scan(((DoWhileLoopTree) statement).getCondition(), null);
        } else if (statement instanceof ForLoopTree) {
            ForLoopTree loop = (ForLoopTree) statement;
            for (StatementTree each : loop.getInitializer()) {
                scan(each, null);
                afterwards(each);
            }
            scan(loop.getCondition(), null);
            scan(loop.getUpdate(), null);
            body(loop.getStatement());
        } else if (statement instanceof EnhancedForLoopTree) {
            EnhancedForLoopTree loop = (EnhancedForLoopTree) statement;
            scan(loop.getExpression(), null);
            locals.add(loop.getVariable().getName().toString());
            body(loop.getStatement());
        } else if (statement instanceof LabeledStatementTree) {
            inside(((LabeledStatementTree) statement).getStatement());
        } else if (statement instanceof SynchronizedTree) {
            scan(((SynchronizedTree) statement).getExpression(), null);
            block(((SynchronizedTree) statement).getBlock().getStatements());
        } else if (statement instanceof TryTree) {
            attempt((TryTree) statement);
        } else if (statement instanceof SwitchTree) {
            scan(((SwitchTree) statement).getExpression(), null);
            ((SwitchTree) statement).getCases().forEach(this::arm);
        } else {
            scan(statement, null);
        }
        while (locals.size() > outer) {
            locals.remove(locals.size() - 1);
        }
    }

    private void attempt(TryTree attempt) {
        int outer = locals.size();
        for (Tree resource : attempt.getResources()) {
            scan(resource, null);
            if (resource instanceof VariableTree) {
                locals.add(((VariableTree) resource).getName().toString());
            }
        }
        block(attempt.getBlock().getStatements());
        while (locals.size() > outer) {
            locals.remove(locals.size() - 1);
        }
        for (CatchTree handler : attempt.getCatches()) {
            int point = point("handler", handler, List.of());
            insert(start(handler.getBlock()) + 1, " paring.Probe.caught(" + point + ");");
            String name = handler.getParameter().getName().toString();
            if (!name.equals("_")) {
                locals.add(name);
            }
            block(handler.getBlock().getStatements());
            while (locals.size() > outer) {
                locals.remove(locals.size() - 1);
            }
        }
        if (attempt.getFinallyBlock() != null) {
            block(attempt.getFinallyBlock().getStatements());
        }
    }

    private void arm(CaseTree arm) {
        if (arm.getStatements() != null) {
            if (!arm.getStatements().isEmpty()) {
                call("case", arm, start(arm.getStatements().get(0)));
                block(arm.getStatements());
            }
        } else if (arm.getBody() instanceof BlockTree) {
            call("case", arm, start(arm.getBody()) + 1);
            block(((BlockTree) arm.getBody()).getStatements());
        } else if (arm.getBody() instanceof StatementTree) {
            StatementTree body = (StatementTree) arm.getBody();
            insert(start(body), "{ ");
            call("case", arm, start(body));
            at(body);
            inside(body);
            insert(end(body), " }");
        } else {
            scan(arm.getBody(), null);
        }
    }

    @Override
    public Void visitCase(CaseTree arm, Void none) {
        // Of a switch that has a value: its blocks are looked into, its plain values stay.
        if (arm.getStatements() != null) {
            block(arm.getStatements());
        } else if (arm.getBody() instanceof BlockTree) {
            block(((BlockTree) arm.getBody()).getStatements());
        } else {
            scan(arm.getBody(), null);
        }
        return null;
    }

    // -- probes

    private void at(StatementTree statement) {
        if (frame >= 0 && start(statement) >= 0) {
            call("stmt", statement, start(statement));
        }
    }

    private void call(String kind, Tree tree, int offset) {
        if (!kind.equals("stmt") || tree instanceof BreakTree || tree instanceof ContinueTree) {
            // What follows is the doing of others: a loop's condition, the statement itself.
            int point = point(kind, tree, List.of());
            insert(offset, point, "paring.Probe.pass(" + point + "); ");
            return;
        }
        List<String> names = new ArrayList<>();
        if (withValues) {
            Set<String> refused = without.getOrDefault(result.points.size(), Set.of());
            for (int i = locals.size() - 1; i >= 0 && names.size() < Instrumented.NAME_LIMIT; i--) {
                String name = locals.get(i);
                if (!names.contains(name) && !refused.contains(name)) {
                    names.add(name);
                }
            }
            Collections.reverse(names);
        }
        int point = point(kind, tree, names);
        insert(offset, point, "paring.Probe.at(" + point + ", " + self + ", new Object[]{" + String.join(", ", names) + "}); ");
    }

    private int point(String kind, Tree tree, List<String> names) {
        result.points.add(new Instrumented.Point(kind, start(tree), end(tree), frame, names));
        result.calls.add(new int[] {0, 0});
        return result.points.size() - 1;
    }

    private int start(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    private int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }

    private void insert(int offset, String text) {
        inserts.computeIfAbsent(offset, key -> new ArrayList<>()).add(text);
    }

    private void insert(int offset, int point, String text) {
        inserts.computeIfAbsent(offset, key -> new ArrayList<>()).add(new Object[] {point, text});
    }

    private void write() {
        StringBuilder out = new StringBuilder();
        int done = 0;
        for (Map.Entry<Integer, List<Object>> entry : inserts.entrySet()) {
            out.append(source, done, entry.getKey());
            done = entry.getKey();
            for (Object each : entry.getValue()) {
                if (each instanceof String) {
                    out.append((String) each);
                } else {
                    Object[] call = (Object[]) each;
                    int begin = out.length();
                    out.append((String) call[1]);
                    result.calls.set((Integer) call[0], new int[] {begin, out.length()});
                }
            }
        }
        result.text = out.append(source, done, source.length()).toString();
    }

    /** Names that javac refuses, by the point whose call they stand in; null where something else is wrong. */
    static Map<Integer, Set<String>> refused(Instrumented instrumented, Compiler.Result compiled) {
        Map<Integer, Set<String>> refused = new LinkedHashMap<>();
        for (javax.tools.Diagnostic<?> error : compiled.errors) {
            boolean isKnown = false;
            for (int point = 0; point < instrumented.calls.size(); point++) {
                int[] call = instrumented.calls.get(point);
                if (call[0] <= error.getStartPosition() && error.getStartPosition() < call[1]) {
                    String name = instrumented.text.substring((int) error.getStartPosition(), (int) error.getEndPosition());
                    refused.computeIfAbsent(point, key -> new HashSet<>()).add(name);
                    isKnown = instrumented.points.get(point).names.contains(name);
                }
            }
            if (!isKnown) {
                return null;
            }
        }
        return refused;
    }
}
