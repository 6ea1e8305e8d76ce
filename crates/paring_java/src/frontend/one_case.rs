//! A parametrised test in two: the failing case as a test of its own, and the original with the other cases.
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
use super::splice::{Splice, apply};
use super::syntax::{self, annotations, method_at, named, offset, range_of, text, walk};
use super::target::split;
use super::test_unit;
use paring_model::{OtherCases, TextRange, Unit};
use tree_sitter::Node;

/// `None` where the test has no other cases.
pub fn other_cases(unit: &Unit) -> Option<OtherCases> {
    let (_, name) = split(&unit.target);
    let case = case(&unit.target)?;
    let digits: String = last_number(case).chars().filter(char::is_ascii_digit).collect();
    let name = format!("{name}Case{digits}");
    let text = match number(&unit.target).filter(|&number| has_in_list(unit, number)) {
        Some(number) => without_case(unit, number)?,
        None => unit.source.clone(),
    };
    Some(OtherCases { text, name })
}

/// A text whose test has the case of a target alone, and the test's id there; `None` where no list of the test has the case.
pub fn only_case(source: &str, target: &str) -> Option<(String, String)> {
    let number = number(target)?;
    let range = method_of(&test_unit(source, target))?;
    let tree = syntax::parsed(source);
    let list = cases(tree.root_node(), range, source)?;
    let elements = named(list);
    let element = elements.get(number.checked_sub(1)?)?;
    let only = Splice { range: range_of(list), text: format!("{{{}}}", text(*element, source)) };
    let (class, name) = split(target);
    Some((apply(source, vec![only]), format!("{class}#{name}[1]")))
}

/// What a target has behind the name: `(int)[2]`.
fn case(target: &str) -> Option<&str> {
    let (class, name) = split(target);
    target.get(class.len() + 1 + name.len()..).filter(|case| case.ends_with(']'))
}

fn last_number(case: &str) -> &str {
    case.rsplit('[').next().unwrap_or(case)
}

pub fn number(target: &str) -> Option<usize> {
    last_number(case(target)?).trim_end_matches(']').parse().ok()
}

fn method_of(unit: &Unit) -> Option<TextRange> {
    Some(unit.stmt(unit.routine(unit.test?).def?).range)
}

/// The list of a test's cases where it stands on the method, and is its only one.
pub fn cases<'t>(root: Node<'t>, range: TextRange, source: &str) -> Option<Node<'t>> {
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

fn has_in_list(unit: &Unit, number: usize) -> bool {
    let tree = syntax::parsed(&unit.source);
    let list = method_of(unit).and_then(|range| cases(tree.root_node(), range, &unit.source));
    list.is_some_and(|list| (1..=named(list).len()).contains(&number))
}

/// The file without a case of its test; `None` where it is the only one.
fn without_case(unit: &Unit, number: usize) -> Option<String> {
    let tree = syntax::parsed(&unit.source);
    let list = cases(tree.root_node(), method_of(unit)?, &unit.source)?;
    let pieces = pieces(list, &unit.source);
    let mut piece = *pieces.get(number.checked_sub(1)?)?;
    if pieces.len() == 1 {
        return None;
    }
    if number == pieces.len() {
        // The comma before it goes instead of the one behind.
        piece.start = offset(named(list).get(number - 2)?.end_byte());
    }
    Some(apply(&unit.source, vec![Splice::delete(piece.start, piece.end)]))
}
