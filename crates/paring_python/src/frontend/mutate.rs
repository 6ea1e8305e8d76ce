//! The faults that could be put into a module: one operator, constant, result or statement another.
//!
//! Only statements within functions are changed, those whose first line is asked for. What an `assert`, a docstring, an annotation or a
//! pattern says stays, and so do texts that are only there to be read (the message of a `raise`, the words of a log).
//! No mutant changes the number of lines.

use super::lines::line_starts;
use super::parsed;
use super::tree::range_of;
use camino::Utf8Path;
use paring_model::{Mutant, Operator, TextRange};
use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, walk_expr, walk_stmt};
use ruff_python_ast::{BoolOp, CmpOp, Expr, Number, Operator as BinaryOp, Pattern, Stmt, UnaryOp};
use ruff_text_size::Ranged;
use std::collections::BTreeSet;

pub fn mutants(path: &Utf8Path, source: &str, lines: &BTreeSet<u32>) -> Vec<Mutant> {
    let parsed = parsed(source);
    let starts = line_starts(source);
    let mut finder = Finder { path, source, lines, starts: &starts, line: None, depth: 0, found: Vec::new() };
    for stmt in parsed.suite() {
        finder.visit_stmt(stmt);
    }
    finder.found.sort_by_key(|mutant| mutant.range);
    finder.found
}

struct Finder<'a> {
    path: &'a Utf8Path,
    source: &'a str,
    lines: &'a BTreeSet<u32>,
    starts: &'a [u32],
    /// The first line of the statement that is visited, if it is asked for.
    line: Option<u32>,
    /// How many functions are around it.
    depth: usize,
    found: Vec<Mutant>,
}

impl<'a> SourceOrderVisitor<'a> for Finder<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let outer = self.line;
        let line = u32::try_from(self.starts.partition_point(|&start| start <= stmt.start().to_u32()));
        self.line = line.ok().filter(|line| self.depth > 0 && self.lines.contains(line));
        match stmt {
            Stmt::FunctionDef(def) => {
                self.depth += 1;
                def.body.iter().for_each(|stmt| self.visit_stmt(stmt));
                self.depth -= 1;
            }
            Stmt::Assert(_) | Stmt::Raise(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => {}
            Stmt::Expr(alone) if alone.value.is_literal_expr() => {}
            _ => {
                self.statement(stmt);
                walk_stmt(self, stmt);
            }
        }
        self.line = outer;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            // Their text is a program of its own, with ranges that not all versions tell.
            Expr::FString(_) | Expr::TString(_) => return,
            Expr::BinOp(binary) => self.binary(binary.op, &binary.left, &binary.right),
            Expr::Compare(compare) => {
                let mut left: &Expr = &compare.left;
                for (op, right) in compare.ops.iter().zip(&compare.comparators) {
                    self.comparison(*op, left, right);
                    left = right;
                }
            }
            Expr::BoolOp(boolean) => self.boolean(boolean.op, &boolean.values),
            Expr::UnaryOp(unary) => self.unary(unary.op, expr, &unary.operand),
            Expr::NumberLiteral(number) => self.number(&number.value, expr),
            Expr::BooleanLiteral(it) => {
                self.add(Operator::Constant, range_of(expr), if it.value { "False" } else { "True" });
            }
            Expr::StringLiteral(text) => self.text(text.value.is_empty(), expr),
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_pattern(&mut self, _: &'a Pattern) {}
}

impl Finder<'_> {
    fn add(&mut self, operator: Operator, range: TextRange, to: &str) {
        let Some(line) = self.line else { return };
        let from = range.of(self.source);
        // What is cut keeps its line ends: within brackets they mean nothing.
        let n_ends = from.matches('\n').count();
        let to = if n_ends == 0 { to.to_owned() } else { format!("{to}{}", "\\\n".repeat(n_ends)) };
        if from != to {
            self.found.push(Mutant {
                path: self.path.to_owned(),
                line,
                operator,
                range,
                from: from.to_owned(),
                to,
            });
        }
    }

    /// The statement gone, or another result.
    fn statement(&mut self, stmt: &Stmt) {
        let range = range_of(stmt);
        match stmt {
            Stmt::Return(it) => match it.value.as_deref() {
                None => {}
                Some(Expr::NoneLiteral(_)) => {
                    self.add(Operator::Returned, range, "return object()");
                }
                Some(_) => self.add(Operator::Returned, range, "return None"),
            },
            Stmt::Expr(_) | Stmt::AugAssign(_) | Stmt::Delete(_) | Stmt::Continue(_) | Stmt::Break(_) => {
                self.gone(stmt);
            }
            // A name that is never given a value makes another error, which any test notices.
            Stmt::Assign(assign) if !assign.targets.iter().any(binds) => self.gone(stmt),
            Stmt::If(it) => self.condition(&it.test),
            Stmt::While(it) => self.condition(&it.test),
            _ => {}
        }
    }

    /// A generator without its only `yield`, or a function with a name that is nowhere bound, would be another function.
    fn gone(&mut self, stmt: &Stmt) {
        let mut yields = Yields(false);
        yields.visit_stmt(stmt);
        if !yields.0 {
            self.add(Operator::Statement, range_of(stmt), "pass");
        }
    }

    fn condition(&mut self, test: &Expr) {
        if !matches!(test, Expr::Compare(_) | Expr::BoolOp(_) | Expr::UnaryOp(_) | Expr::BooleanLiteral(_)) {
            let range = range_of(test);
            let condition = range.of(self.source);
            if !condition.contains('\n') {
                self.add(Operator::Boolean, range, &format!("(not ({condition}))"));
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let to = match op {
            BinaryOp::Add | BinaryOp::BitOr | BinaryOp::Mod => "-",
            BinaryOp::Sub | BinaryOp::BitXor | BinaryOp::Mult => "+",
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Pow => "*",
            BinaryOp::LShift => ">>",
            BinaryOp::RShift => "<<",
            BinaryOp::BitAnd => "|",
            BinaryOp::MatMult => return,
        };
        // What joins or formats texts has no other arithmetic.
        if left.is_string_literal_expr() || right.is_string_literal_expr() || left.is_f_string_expr() {
            return;
        }
        self.between(Operator::Arithmetic, left, right, op.as_str(), to);
    }

    fn comparison(&mut self, op: CmpOp, left: &Expr, right: &Expr) {
        let to: &[&str] = match op {
            CmpOp::Eq => &["!="],
            CmpOp::NotEq => &["=="],
            CmpOp::Lt => &["<=", ">"],
            CmpOp::LtE => &["<", ">="],
            CmpOp::Gt => &[">=", "<"],
            CmpOp::GtE => &[">", "<="],
            CmpOp::Is => &["is not"],
            CmpOp::IsNot => &["is"],
            CmpOp::In => &["not in"],
            CmpOp::NotIn => &["in"],
        };
        for to in to {
            self.between(Operator::Comparison, left, right, op.as_str(), to);
        }
    }

    fn boolean(&mut self, op: BoolOp, values: &[Expr]) {
        let to = if op == BoolOp::And { "or" } else { "and" };
        for pair in values.windows(2) {
            self.between(Operator::Boolean, &pair[0], &pair[1], op.as_str(), to);
        }
    }

    fn unary(&mut self, op: UnaryOp, whole: &Expr, operand: &Expr) {
        let sign = TextRange::new(range_of(whole).start, range_of(operand).start);
        if op == UnaryOp::Not && !sign.of(self.source).contains(['\n', '(']) {
            self.add(Operator::Boolean, sign, "");
        }
    }

    fn number(&mut self, number: &Number, expr: &Expr) {
        let to = match number {
            Number::Int(int) => match int.as_u64() {
                Some(0) => "1".to_owned(),
                Some(value) => value.checked_add(1).map_or_else(|| "0".to_owned(), |next| next.to_string()),
                None => "0".to_owned(),
            },
            Number::Float(value) => format!("{:?}", value + 1.0),
            Number::Complex { .. } => return,
        };
        self.add(Operator::Constant, range_of(expr), &to);
    }

    fn text(&mut self, is_empty: bool, expr: &Expr) {
        self.add(Operator::Constant, range_of(expr), if is_empty { "'paring'" } else { "''" });
    }

    /// Another operator in the place of the one between two operands.
    fn between(&mut self, operator: Operator, left: &Expr, right: &Expr, from: &str, to: &str) {
        let gap = TextRange::new(range_of(left).end, range_of(right).start);
        let text = gap.of(self.source);
        // A comment may stand there, and say anything.
        if text.contains('#') || text.matches(from).count() != 1 {
            return;
        }
        let Some(at) = text.find(from) else { return };
        let start = gap.start + u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
        let end = start + u32::try_from(from.len()).expect("an operator is short");
        self.add(operator, TextRange::new(start, end), to);
    }
}

/// Whether an assignment to it gives a name its value.
fn binds(target: &Expr) -> bool {
    match target {
        Expr::Name(_) => true,
        Expr::Tuple(tuple) => tuple.elts.iter().any(binds),
        Expr::List(list) => list.elts.iter().any(binds),
        Expr::Starred(starred) => binds(&starred.value),
        _ => false,
    }
}

/// Whether a statement hands a value out, or gives a name its value within an expression.
struct Yields(bool);

impl<'a> SourceOrderVisitor<'a> for Yields {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= matches!(expr, Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_) | Expr::Named(_));
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::PythonFrontend;
    use paring_model::{Frontend, TargetSpec};

    #[track_caller]
    fn check(source: &str, lines: &[u32], expected: &[&str]) {
        let found = mutants("m.py".into(), source, &lines.iter().copied().collect());
        for mutant in &found {
            let text = mutant.text(source);
            let (_, problems) = PythonFrontend.parse("m.py".into(), &text, &TargetSpec::new("m.py::f"));
            assert!(problems.is_empty(), "{text}\n{problems:?}");
            assert_eq!(text.lines().count(), source.lines().count(), "{text}");
        }
        let said: Vec<String> =
            found.iter().map(|mutant| format!("{}: {} -> {}", mutant.line, mutant.from, mutant.to)).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn each_operator_has_its_mutants() {
        check(
            "def f(a, b):\n    c = a + b * 2\n    if a < b and not c:\n        return c\n    self.n += 1\n    log(True)\n",
            &[2, 3, 4, 5, 6],
            &[
                "2: + -> -",
                "2: * -> +",
                "2: 2 -> 3",
                "3: < -> <=",
                "3: < -> >",
                "3: and -> or",
                "3: not  -> ",
                "4: return c -> return None",
                "5: self.n += 1 -> pass",
                "5: 1 -> 2",
                "6: log(True) -> pass",
                "6: True -> False",
            ],
        );
    }

    #[test]
    fn only_lines_that_are_asked_for_and_only_within_functions() {
        check("A = 1\ndef f():\n    x = 2\n    y = 3\n", &[1, 2, 3], &["3: 2 -> 3"]);
    }

    #[test]
    fn what_is_cut_keeps_its_lines() {
        check(
            "def f(a):\n    g(\n        a,\n    )\n    return (a\n        # one\n        + h(a))\n",
            &[2, 5],
            &[
                "2: g(\n        a,\n    ) -> pass\\\n\\\n",
                "5: return (a\n        # one\n        + h(a)) -> return None\\\n\\\n",
            ],
        );
    }

    #[test]
    fn what_only_says_something_stays() {
        check(
            "def f(a):\n    'words'\n    assert a == 1\n    raise E('no')\n    x: int = g('a' + b)\n    yield a\n",
            &[2, 3, 4, 5, 6],
            &["5: 'a' -> ''"],
        );
    }
}
