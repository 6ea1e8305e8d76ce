//! A parametrised test pared in its own file: the failing case gets a method of its own, right after the original, which
//! keeps the other cases.
//!
//! ```java
//! @ParameterizedTest @ValueSource(ints = {1, 3})
//! void half(int n) { … }                          // as it was, without the case 2
//!
//! @ParameterizedTest @ValueSource(ints = {2})
//! void halfCase2(int n) { … }                     // pared
//! ```
//!
//! Cases that come from elsewhere than a list on the method stay where they are: both methods have all of them.

use super::element::pieces;
use super::lines::Lines;
use super::splice::{Splice, apply};
use super::syntax::{self, annotations, named, offset, range_of, text, walk};
use super::target::split;
use super::{JavaFrontend, test_unit};
use paring_model::{Candidate, EditSet, Form, Frontend, TextRange, Unit};
use tree_sitter::Node;

/// `None` where the test has no other cases.
pub fn render(unit: &Unit, edits: &EditSet) -> Option<Candidate> {
    let (class, name) = split(&unit.target);
    let case = unit.target.get(class.len() + 1 + name.len()..).filter(|case| case.ends_with(']'))?;
    let new_name = unused_name(&unit.source, name, case);
    let number = case.rsplit('[').next().and_then(|number| number.trim_end_matches(']').parse().ok());
    let pared = JavaFrontend.render(unit, &edits.only_in_test(unit), Form::Compact).into_text();
    let (method, is_alone) = renamed(&pared, &unit.target, number, &new_name)?;
    let (text, end) =
        if is_alone { without_case(unit, number?)? } else { (unit.source.clone(), method_of(unit)?.end) };
    let case = if is_alone { "[1]" } else { case };
    let target = format!("{class}#{new_name}{case}");
    Some(unit.candidate(inserted(&text, end, &method), Form::Compact).with_target(target))
}

fn method_of(unit: &Unit) -> Option<TextRange> {
    Some(unit.stmt(unit.routine(unit.test?).def?).range)
}

/// The list of a test's cases where it stands on the method, and is its only one.
fn cases<'t>(root: Node<'t>, range: TextRange, source: &str) -> Option<Node<'t>> {
    let method = method_at(root, range)?;
    let mut lists = Vec::new();
    for (name, annotation) in annotations(method, source) {
        match name {
            "ValueSource" | "CsvSource" => walk(annotation, &mut |node| {
                let is_list = matches!(node.kind(), "element_value_array_initializer" | "array_initializer");
                if is_list {
                    lists.push(node);
                }
                !is_list
            }),
            _ if name.ends_with("Source") => return None,
            _ => {}
        }
    }
    match lists.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

fn method_at(root: Node<'_>, range: TextRange) -> Option<Node<'_>> {
    let mut found = None;
    walk(root, &mut |node| {
        if node.kind() == "method_declaration" && range_of(node) == range {
            found = Some(node);
        }
        found.is_none()
    });
    found
}

/// The text of the pared method under its new name, and whether it has only the one case now.
fn renamed(pared: &str, target: &str, number: Option<usize>, new_name: &str) -> Option<(String, bool)> {
    let range = method_of(&test_unit(pared, target))?;
    let tree = syntax::parsed(pared);
    let name = method_at(tree.root_node(), range)?.child_by_field_name("name")?;
    let mut splices = vec![Splice { range: range_of(name), text: new_name.to_owned() }];
    let only = cases(tree.root_node(), range, pared).and_then(|list| {
        let elements = named(list);
        let element = elements.get(number?.checked_sub(1)?)?;
        Some(Splice { range: range_of(list), text: format!("{{{}}}", text(*element, pared)) })
    });
    let is_alone = only.is_some();
    splices.extend(only);
    let length = pared.len();
    let end = length - range.end as usize;
    let whole = apply(pared, splices);
    Some((whole[range.start as usize..whole.len() - end].to_owned(), is_alone))
}

/// The file without a case of its test, and where the test ends there; `None` where it is the only one.
fn without_case(unit: &Unit, number: usize) -> Option<(String, u32)> {
    let range = method_of(unit)?;
    let tree = syntax::parsed(&unit.source);
    let list = cases(tree.root_node(), range, &unit.source)?;
    let pieces = pieces(list, &unit.source);
    let mut piece = *pieces.get(number.checked_sub(1)?)?;
    if pieces.len() == 1 {
        return None;
    }
    if number == pieces.len() {
        // The comma before it goes instead of the one behind.
        piece.start = offset(named(list).get(number - 2)?.end_byte());
    }
    let text = apply(&unit.source, vec![Splice::delete(piece.start, piece.end)]);
    Some((text, range.end - (piece.end - piece.start)))
}

/// Puts a method after another, with a blank line between.
fn inserted(text: &str, end: u32, method: &str) -> String {
    let starts = super::lines::line_starts(text);
    let tree = syntax::parsed(text);
    let lines = Lines::new(text, &starts, tree.root_node());
    let line = lines.of(end.max(1) - 1);
    let at = if lines.ends_line(end) { lines.content_end(line) } else { end } as usize;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (before, after) = text.split_at(at);
    format!("{before}{line_end}{line_end}{}{method}{after}", lines.indent(line))
}

/// A name that the file does not have: the test's, with the number of the case.
fn unused_name(source: &str, name: &str, case: &str) -> String {
    let number = case.rsplit('[').next().unwrap_or(case);
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let base = format!("{name}Case{digits}");
    let more = (2..=u32::MAX).map(|n| format!("{base}_{n}"));
    std::iter::once(base.clone())
        .chain(more)
        .find(|name| !source.contains(&format!("{name}(")))
        .expect("a file has fewer methods than there are numbers")
}
