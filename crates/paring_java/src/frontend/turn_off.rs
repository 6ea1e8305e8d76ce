//! Assertions of a Java test, and the text with some of them turned off.
//!
//! ```java
//! try { assertEquals(1, stack.pop()); } catch (AssertionError ignored) { }     // runs, and its verdict does not count
//! ```
//!
//! What `assertAll` is given is written out as statements, a line each: each is then an assertion like any other.

use super::kind::{self, Style};
use super::outline::outline;
use super::splice::Splice;
use super::syntax::{field_text, named, parsed, range_of, text, walk};
use paring_model::{StmtId, StmtKind, TextRange, Unit, WorkingText};
use tree_sitter::Node;

/// How the exceptions are called that fail a test.
const VERDICTS: [&str; 4] =
    ["AssertionError.class", "AssertionFailedError.class", "ComparisonFailure.class", "Throwable.class"];

pub fn assertions(unit: &Unit) -> Vec<TextRange> {
    let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return Vec::new() };
    let test = unit.stmt(def).range;
    let tree = parsed(&unit.source);
    let mut found = Vec::new();
    walk(tree.root_node(), &mut |node| {
        let range = range_of(node);
        if test.covers(range) && !is_awaited(node, &unit.source) {
            match all_of(node, &unit.source) {
                // The statements of a block are found as such.
                Some(all) => {
                    let expressions = all.bodies.into_iter().filter(|body| body.kind() != "block");
                    found.extend(expressions.map(range_of));
                }
                None if is_assertion(node, &unit.source) => found.push(range),
                None => {}
            }
        }
        range.covers(test) || test.covers(range)
    });
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    found.dedup();
    found
}

/// Whether the verdict is what an assertion around it waits for: `assertThrows(AssertionError.class, …)`.
fn is_awaited(node: Node, source: &str) -> bool {
    let around = std::iter::successors(node.parent(), Node::parent);
    let mut calls = around.filter(|up| up.kind() == "method_invocation" && kind::is_assertion(*up, source));
    calls.any(|call| {
        let before = &source[call.start_byte()..node.start_byte()];
        VERDICTS.iter().any(|name| before.contains(name))
    })
}

/// Whether a statement fails the test by its own verdict. What only says whether the test applies has none.
fn is_assertion(node: Node, source: &str) -> bool {
    match node.kind() {
        "assert_statement" => true,
        "expression_statement" => named(node).first().is_some_and(|expr| is_assertion_call(*expr, source)),
        _ => false,
    }
}

fn is_assertion_call(expr: Node, source: &str) -> bool {
    let assumes =
        || kind::chain(expr).iter().any(|call| field_text(*call, "name", source).starts_with("assume"));
    expr.kind() == "method_invocation"
        && (kind::is_failure(expr, source) || kind::is_assertion(expr, source) && !assumes())
}

/// An `assertAll` whose executables are written out.
struct All<'t> {
    /// What the lambdas do: expressions or blocks.
    bodies: Vec<Node<'t>>,
}

fn all_of<'t>(node: Node<'t>, source: &str) -> Option<All<'t>> {
    let call = named(node).first().copied().filter(|_| node.kind() == "expression_statement")?;
    if call.kind() != "method_invocation" || field_text(call, "name", source) != "assertAll" {
        return None;
    }
    let mut arguments = named(call.child_by_field_name("arguments")?);
    if arguments.first().is_some_and(|first| first.kind() == "string_literal") {
        arguments.remove(0);
    }
    let body = |argument: &Node<'t>| {
        let is_lambda = argument.kind() == "lambda_expression";
        argument.child_by_field_name("body").filter(|_| is_lambda)
    };
    let bodies = arguments.iter().map(body).collect::<Option<Vec<_>>>()?;
    (!bodies.is_empty()).then_some(All { bodies })
}

/// Whether a node is the `try` around something that is turned off.
pub fn turns_off(unit: &Unit, id: StmtId) -> bool {
    let stmt = unit.stmt(id);
    let Some(&last) = stmt.children.last().filter(|_| stmt.kind == StmtKind::Try) else { return false };
    let handler = unit.stmt(last).range.of(&unit.source);
    stmt.header.of(&unit.source) == OPEN.trim_end() && CATCHES.iter().any(|catch| handler.starts_with(catch))
}

const OPEN: &str = "try { ";
/// For what fails with an `AssertionError`, and for `JUnit` 3, whose own failures are none in its early versions.
const CATCHES: [&str; 2] =
    ["catch (AssertionError ignored)", "catch (junit.framework.AssertionFailedError ignored)"];

pub fn turned_off(unit: &Unit, off: &[TextRange]) -> Option<WorkingText> {
    let source = &unit.source;
    let test = unit.stmt(unit.routine(unit.test?).def?).range;
    let tree = parsed(source);
    let mut splices = Vec::new();
    let mut n_found = 0;
    walk(tree.root_node(), &mut |node| {
        let range = range_of(node);
        if test.covers(range) {
            if let Some(all) = all_of(node, source) {
                splices.extend(written_out(node, &all, off, source));
            }
            if off.contains(&range) && matches!(node.kind(), "expression_statement" | "assert_statement") {
                n_found += 1;
                splices.extend(around(range, "", catch(node, source)));
            } else if off.contains(&range) && node.parent().is_some_and(|up| up.kind() == "lambda_expression")
            {
                n_found += 1;
                splices.extend(around(range, ";", catch(node, source)));
            }
        }
        range.covers(test) || test.covers(range)
    });
    let splices = splices.into_iter().map(|splice| (splice.range, splice.text)).collect();
    (n_found == off.len()).then(|| WorkingText::spliced(source, splices))
}

fn around(range: TextRange, ends: &str, catch: &str) -> [Splice; 2] {
    let at = |offset: u32| TextRange::new(offset, offset);
    [
        Splice { range: at(range.start), text: OPEN.to_owned() },
        Splice { range: at(range.end), text: format!("{ends} }} {catch} {{ }}") },
    ]
}

/// What the assertion fails with.
fn catch(node: Node, source: &str) -> &'static str {
    let is_own = node.kind() != "assert_statement" && !text(node, source).contains("assertThat");
    let is_junit_3 =
        || source.contains("junit.framework.") && kind::style(&outline(source).imports) == Style::Named;
    CATCHES[usize::from(is_own && is_junit_3())]
}

/// The executables of an `assertAll` as statements, a line each, as far to the right as the statement itself.
fn written_out(node: Node, all: &All<'_>, off: &[TextRange], source: &str) -> Vec<Splice> {
    let range = range_of(node);
    let line_start = source[..range.start as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line = &source[line_start..range.start as usize];
    let indent = &line[..line.len() - line.trim_start().len()];
    let line_end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let mut splices = Vec::new();
    let (mut at, mut ended) = (range.start, "");
    for (idx, body) in all.bodies.iter().enumerate() {
        let gap = if idx == 0 { String::new() } else { format!("{ended}{line_end}{indent}") };
        splices.push(Splice { range: TextRange::new(at, range_of(*body).start), text: gap });
        at = range_of(*body).end;
        ended = if body.kind() == "block" || off.contains(&range_of(*body)) { "" } else { ";" };
    }
    splices.push(Splice { range: TextRange::new(at, range.end), text: ended.to_owned() });
    splices
}
