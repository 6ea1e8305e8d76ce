//! The faults that could be put into a class: one operator, constant, result or statement another.
//!
//! Only statements of methods, constructors and lambdas are changed, those whose first line is asked for. What an annotation, an `assert`, a `throw`
//! or a `case` label says stays. No mutant changes the number of lines. Types are not known here: who runs a mutant asks javac first
//! whether it is a program at all.

use super::lines::line_starts;
use super::syntax::{children, field_text, in_field, named, offset, parsed, range_of, text};
use camino::Utf8Path;
use paring_model::{Mutant, Operator, TextRange};
use std::collections::BTreeSet;
use tree_sitter::Node;

pub fn mutants(path: &Utf8Path, source: &str, lines: &BTreeSet<u32>) -> Vec<Mutant> {
    let tree = parsed(source);
    let starts = line_starts(source);
    let mut finder = Finder { path, source, lines, starts: &starts, found: Vec::new() };
    finder.visit(tree.root_node(), Around { line: None, in_body: false, returns: Returns::Unknown });
    finder.found.sort_by_key(|mutant| mutant.range);
    finder.found
}

/// What a node stands in.
#[derive(Clone, Copy)]
struct Around {
    /// The first line of the innermost statement, if it is asked for.
    line: Option<u32>,
    in_body: bool,
    returns: Returns,
}

/// What the method around gives back.
#[derive(Clone, Copy)]
enum Returns {
    Boolean,
    Number,
    Object,
    /// A lambda may return anything.
    Unknown,
}

struct Finder<'a> {
    path: &'a Utf8Path,
    source: &'a str,
    lines: &'a BTreeSet<u32>,
    starts: &'a [u32],
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn visit(&mut self, node: Node<'_>, around: Around) {
        let mut around = around;
        match node.kind() {
            "annotation"
            | "marker_annotation"
            | "assert_statement"
            | "throw_statement"
            | "switch_label"
            | "explicit_constructor_invocation" => return,
            "method_declaration" => around.returns = returns(field_text(node, "type", self.source)),
            "constructor_declaration" | "compact_constructor_declaration" | "static_initializer" => {
                around.returns = Returns::Unknown;
            }
            "lambda_expression" => around.returns = Returns::Unknown,
            "class_body" | "enum_body" | "interface_body" => around.in_body = false,
            "block" | "constructor_body" => around.in_body = true,
            _ => {}
        }
        if is_statement(node) {
            let line = u32::try_from(self.starts.partition_point(|&at| at <= offset(node.start_byte())));
            around.line = line.ok().filter(|line| around.in_body && self.lines.contains(line));
            self.statement(node, around);
        } else {
            self.expression(node, around);
        }
        for child in children(node) {
            self.visit(child, around);
        }
    }

    fn add(&mut self, around: Around, operator: Operator, range: TextRange, to: &str) {
        let Some(line) = around.line else { return };
        let from = range.of(self.source);
        // What is cut keeps its line ends.
        let to = format!("{to}{}", "\n".repeat(from.matches('\n').count()));
        if from != to {
            let (path, from) = (self.path.to_owned(), from.to_owned());
            self.found.push(Mutant { path, line, operator, range, from, to });
        }
    }

    /// The statement gone, or another result or condition.
    fn statement(&mut self, node: Node<'_>, around: Around) {
        match node.kind() {
            "expression_statement" | "break_statement" | "continue_statement" => {
                self.add(around, Operator::Statement, range_of(node), ";");
            }
            "return_statement" => {
                if let Some(value) = named(node).first() {
                    let to = other_result(text(*value, self.source), around.returns);
                    self.add(around, Operator::Returned, range_of(*value), to);
                }
            }
            "if_statement" | "while_statement" | "do_statement" => {
                let condition = node.child_by_field_name("condition");
                if let Some(condition) = condition.and_then(|it| named(it).first().copied()) {
                    self.condition(condition, around);
                }
            }
            _ => {}
        }
    }

    /// One that no other operator changes.
    fn condition(&mut self, node: Node<'_>, around: Around) {
        let has_operator = matches!(node.kind(), "binary_expression" | "unary_expression" | "true" | "false");
        let condition = text(node, self.source);
        if !has_operator && !condition.contains('\n') {
            self.add(around, Operator::Boolean, range_of(node), &format!("!({condition})"));
        }
    }

    fn expression(&mut self, node: Node<'_>, around: Around) {
        let range = range_of(node);
        let own = text(node, self.source);
        match node.kind() {
            "binary_expression" => self.binary(node, around),
            "unary_expression" if field_text(node, "operator", self.source) == "!" => {
                if let Some(operand) = node.child_by_field_name("operand") {
                    let sign = TextRange::new(range.start, offset(operand.start_byte()));
                    if !sign.of(self.source).contains('\n') {
                        self.add(around, Operator::Boolean, sign, "");
                    }
                }
            }
            "true" => self.add(around, Operator::Constant, range, "false"),
            "false" => self.add(around, Operator::Constant, range, "true"),
            "string_literal" if !own.starts_with("\"\"\"") => {
                let to = if own == "\"\"" { "\"paring\"" } else { "\"\"" };
                self.add(around, Operator::Constant, range, to);
            }
            "character_literal" => {
                self.add(around, Operator::Constant, range, if own == "' '" { "'p'" } else { "' '" });
            }
            kind if kind.ends_with("_integer_literal") || kind.ends_with("floating_point_literal") => {
                // The smallest number is one literal with its sign, and has no larger one without.
                if let Some(to) = other_number(own) {
                    self.add(around, Operator::Constant, range, &to);
                }
            }
            _ => {}
        }
    }

    fn binary(&mut self, node: Node<'_>, around: Around) {
        let Some(operator) = in_field(node, "operator").first().copied() else { return };
        let (kind, others): (Operator, &[&str]) = match text(operator, self.source) {
            "+" if is_text(node) => return,
            "+" | "|" | "%" => (Operator::Arithmetic, &["-"]),
            "-" | "^" | "*" => (Operator::Arithmetic, &["+"]),
            "/" => (Operator::Arithmetic, &["*"]),
            "<<" => (Operator::Arithmetic, &[">>"]),
            ">>" | ">>>" => (Operator::Arithmetic, &["<<"]),
            "&" => (Operator::Arithmetic, &["|"]),
            "==" => (Operator::Comparison, &["!="]),
            "!=" => (Operator::Comparison, &["=="]),
            "<" => (Operator::Comparison, &["<=", ">"]),
            "<=" => (Operator::Comparison, &["<", ">="]),
            ">" => (Operator::Comparison, &[">=", "<"]),
            ">=" => (Operator::Comparison, &[">", "<="]),
            "&&" => (Operator::Boolean, &["||"]),
            "||" => (Operator::Boolean, &["&&"]),
            _ => return,
        };
        for to in others {
            self.add(around, kind, range_of(operator), to);
        }
    }
}

fn returns(type_name: &str) -> Returns {
    match type_name {
        "boolean" => Returns::Boolean,
        "byte" | "short" | "int" | "long" | "char" | "float" | "double" => Returns::Number,
        _ => Returns::Object,
    }
}

fn other_result(value: &str, returns: Returns) -> &'static str {
    match returns {
        Returns::Boolean if value == "false" => "true",
        Returns::Boolean => "false",
        Returns::Number if value == "0" => "1",
        Returns::Number => "0",
        Returns::Object | Returns::Unknown => "null",
    }
}

/// Whether a sum joins texts, as far as its literals tell.
fn is_text(sum: Node<'_>) -> bool {
    let operands = in_field(sum, "left").into_iter().chain(in_field(sum, "right"));
    operands.into_iter().any(|it| match it.kind() {
        "string_literal" => true,
        "binary_expression" => is_text(it),
        _ => false,
    })
}

/// The next number, with the same suffix.
fn other_number(literal: &str) -> Option<String> {
    let lower = literal.to_ascii_lowercase().replace('_', "");
    let suffix = |letters: &[char]| {
        let digits = lower.trim_end_matches(letters);
        (digits.to_owned(), literal[literal.len() - (lower.len() - digits.len())..].to_owned())
    };
    for (prefix, radix) in [("0x", 16), ("0b", 2)] {
        if lower.starts_with(prefix) {
            let (digits, suffix) = suffix(&['l']);
            let value = u64::from_str_radix(&digits[2..], radix).ok()?;
            return Some(format!("0x{:x}{suffix}", value.wrapping_add(1)));
        }
    }
    let (digits, suffix) = suffix(&['l', 'f', 'd']);
    if let Ok(value) = digits.parse::<u64>() {
        let next = if value == 0 { 1 } else { value.checked_add(1)? };
        return Some(format!("{next}{suffix}"));
    }
    let value: f64 = digits.parse().ok()?;
    Some(format!("{:?}{suffix}", value + 1.0))
}

/// Whether a node is a statement that has lines of its own.
fn is_statement(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind == "local_variable_declaration"
        || kind == "enhanced_for_statement"
        || (kind.ends_with("_statement") && kind != "labeled_statement")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::JavaFrontend;
    use paring_model::{Frontend, TargetSpec};

    #[track_caller]
    fn check(body: &str, lines: &[u32], expected: &[&str]) {
        let source = format!("class A {{\n{body}\n}}\n");
        let found = mutants("A.java".into(), &source, &lines.iter().copied().collect());
        for mutant in &found {
            let text = mutant.text(&source);
            let (_, problems) = JavaFrontend.parse("A.java".into(), &text, &TargetSpec::new("A#f"));
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
            "int f(int a) {\n  int c = a + 0x0fL * 2;\n  if (a < 1.5f && !done)\n    return c;\n  n += 1;\n  log(true, 'x', \"\");\n  while (it.hasNext()) { break; }\n  return 0;\n}",
            &[3, 4, 5, 6, 7, 8, 9],
            &[
                "3: + -> -",
                "3: 0x0fL -> 0x10L",
                "3: * -> +",
                "3: 2 -> 3",
                "4: < -> <=",
                "4: < -> >",
                "4: 1.5f -> 2.5f",
                "4: && -> ||",
                "4: ! -> ",
                "5: c -> 0",
                "6: n += 1; -> ;",
                "6: 1 -> 2",
                "7: log(true, 'x', \"\"); -> ;",
                "7: true -> false",
                "7: 'x' -> ' '",
                "7: \"\" -> \"paring\"",
                "8: it.hasNext() -> !(it.hasNext())",
                "8: break; -> ;",
                "9: 0 -> 1",
                "9: 0 -> 1",
            ],
        );
    }

    #[test]
    fn a_result_has_the_type_of_the_method() {
        check(
            "boolean f() { return a(); }\nString g() { return b(); }\nRunnable h() {\n  return () -> {\n    return 1L;\n  };\n}",
            &[2, 3, 5, 6],
            &[
                "2: a() -> false",
                "3: b() -> null",
                "5: () -> {\n    return 1L;\n  } -> null\n\n",
                "6: 1L -> null",
                "6: 1L -> 2L",
            ],
        );
    }

    #[test]
    fn only_lines_that_are_asked_for_and_only_within_methods() {
        check(
            "static int a = 1;\n@Level(2) void f() {\n  x(3);\n  x(4);\n}\nA() {\n  this(5);\n  b = 6;\n}",
            &[2, 3, 4, 8, 9],
            &["4: x(3); -> ;", "4: 3 -> 4", "9: b = 6; -> ;", "9: 6 -> 7"],
        );
    }

    #[test]
    fn what_only_says_something_stays() {
        check(
            "void f() {\n  assert a == 1;\n  throw new E(\"no\");\n  switch (a) {\n    case 1:\n      g(\"a\" + b + 2);\n  }\n}",
            &[3, 4, 5, 6, 7],
            &["7: g(\"a\" + b + 2); -> ;", "7: \"a\" -> \"\"", "7: 2 -> 3"],
        );
    }

    #[test]
    fn what_is_cut_keeps_its_lines() {
        check("void f() {\n  g(\n    a\n  );\n}", &[3], &["3: g(\n    a\n  ); -> ;\n\n"]);
    }
}
