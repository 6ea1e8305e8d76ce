//! Assertions of a Java test, and the text with some of them turned off.
//!
//! ```java
//! try { assertEquals(1, stack.pop()); } catch (AssertionError ignored) { }     // runs, and its verdict does not count
//! ```
//!
//! All of it stands in the lines of the assertion itself, so that every line keeps its number. What `assertAll` is given is
//! written out as statements, in its own lines too: each is then an assertion like any other.

use super::kind::{self, Style};
use super::outline::outline;
use super::splice::{Splice, apply};
use super::syntax::{field_text, named, parsed, range_of, text, walk};
use paring_model::{Pinned, StmtId, StmtKind, TextRange, Unit};
use tree_sitter::Node;

pub fn assertions(unit: &Unit) -> Vec<TextRange> {
    let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return Vec::new() };
    let test = unit.stmt(def).range;
    let tree = parsed(&unit.source);
    let mut found = Vec::new();
    walk(tree.root_node(), &mut |node| {
        let range = range_of(node);
        if test.covers(range) {
            match all_of(node, &unit.source) {
                Some(all) => found.extend(all.bodies.into_iter().map(range_of)),
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

/// Whether a statement fails the test by its own verdict. What only says whether the test applies has none.
fn is_assertion(node: Node, source: &str) -> bool {
    match node.kind() {
        "assert_statement" => true,
        "expression_statement" => named(node).first().is_some_and(|expr| is_assertion_call(*expr, source)),
        _ => false,
    }
}

fn is_assertion_call(expr: Node, source: &str) -> bool {
    let assumes = || kind::chain(expr).iter().any(|call| field_text(*call, "name", source).starts_with("assume"));
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

pub fn turned_off(unit: &Unit, off: &[TextRange]) -> Option<Pinned> {
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
            } else if off.contains(&range) && node.parent().is_some_and(|up| up.kind() == "lambda_expression") {
                n_found += 1;
                let ends = if node.kind() == "block" { "" } else { ";" };
                splices.extend(around(range, ends, catch(node, source)));
            }
        }
        range.covers(test) || test.covers(range)
    });
    let is_complete = n_found == off.len() && !splices.is_empty();
    let n_lines = unit.line_starts.len();
    is_complete.then(|| Pinned {
        text: apply(source, splices),
        lines: (1..=u32::try_from(n_lines).expect("a source file has fewer than 2^32 lines")).collect(),
        label: String::new(),
    })
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
    let is_junit_3 = || source.contains("junit.framework.") && kind::style(&outline(source).imports) == Style::Named;
    CATCHES[usize::from(is_own && is_junit_3())]
}

/// The executables of an `assertAll` as statements: what stands between them goes, its line ends stay.
fn written_out(node: Node, all: &All<'_>, off: &[TextRange], source: &str) -> Vec<Splice> {
    let range = range_of(node);
    let mut splices = Vec::new();
    let mut at = range.start;
    let ends = all.bodies.iter().map(|body| range_of(*body)).chain([TextRange::new(range.end, range.end)]);
    let mut ended = "";
    for body in ends {
        let between = TextRange::new(at, body.start);
        let line_ends: String = between.of(source).chars().filter(|c| matches!(c, '\n' | '\r')).collect();
        let indent = between.of(source).rsplit('\n').next().filter(|_| !line_ends.is_empty()).unwrap_or_default();
        let indent: String = indent.chars().take_while(|c| c.is_whitespace()).collect();
        let space = if line_ends.is_empty() && at > range.start { " " } else { "" };
        splices.push(Splice { range: between, text: format!("{ended}{line_ends}{indent}{space}") });
        at = body.end;
        let is_complete = off.contains(&body) || source[..at as usize].ends_with('}');
        ended = if is_complete { "" } else { ";" };
    }
    splices
}
