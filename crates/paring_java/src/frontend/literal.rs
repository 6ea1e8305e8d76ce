//! The literals of what runs for the test, each with the edits that make it smaller.
//!
//! Left alone are characters, for there is nothing smaller; annotations and templates; lists with a lambda or a class in
//! them, which are nodes of their own; and what [`Unit::offer_text`] and its like refuse: labels of a `switch`, headers of
//! methods, protected statements.

use super::element::{list, pieces};
use super::syntax::{self, children, named, offset, range_of, text, walk};
use paring_model::{TextRange, Unit, smaller_numbers};
use tree_sitter::Node;

pub fn offer(mut unit: Unit) -> Unit {
    let tree = syntax::parsed(&unit.source);
    let mut found: Vec<Node> = Vec::new();
    walk(tree.root_node(), &mut |node| match node.kind() {
        "annotation" | "marker_annotation" | "template_expression" | "switch_label" => false,
        _ => {
            found.push(node);
            !is_negative(node)
        }
    });
    for node in found {
        let range = range_of(node);
        match node.kind() {
            "string_literal" => {
                let parts = characters(text(node, &unit.source), range);
                unit.offer_text(range, &parts);
            }
            "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal"
            | "decimal_floating_point_literal" => offer_number(&mut unit, range),
            "unary_expression" if is_negative(node) => offer_number(&mut unit, range),
            "array_initializer" | "method_invocation" => offer_list(&mut unit, node),
            _ => {}
        }
    }
    unit
}

/// Whether a node is a number with a minus before it.
fn is_negative(node: Node) -> bool {
    let parts = children(node);
    node.kind() == "unary_expression"
        && matches!(parts.as_slice(), [sign, number] if sign.kind() == "-" && number.kind().ends_with("_literal"))
}

fn offer_number(unit: &mut Unit, range: TextRange) {
    let smaller = smaller_numbers(range.of(&unit.source));
    unit.offer_number(range, smaller);
}

fn offer_list(unit: &mut Unit, node: Node) {
    let Some(list) = list(node, &unit.source).filter(|list| !named(*list).is_empty()) else { return };
    let range = range_of(list);
    let has_nodes = unit.ids().any(|id| {
        let inside = unit.stmt(id).range;
        range.covers(inside) && range != inside
    });
    if !has_nodes {
        let elements = pieces(list, &unit.source).into_iter().map(|piece| vec![(piece, String::new())]);
        unit.offer_list(range, elements.collect(), false);
    }
}

const BLOCK: &str = "\"\"\"";

/// The characters of a string or a text block, escape sequences whole. In a block a line end goes with the indentation after it.
fn characters(literal: &str, range: TextRange) -> Vec<TextRange> {
    let is_block = literal.starts_with(BLOCK) && literal.len() >= 2 * BLOCK.len();
    let n_quotes = if is_block { BLOCK.len() } else { 1 };
    let Some(end) = literal.len().checked_sub(n_quotes).filter(|&end| end >= n_quotes) else {
        return Vec::new();
    };
    let mut at = n_quotes;
    if is_block {
        // The first line begins behind the line end after the quotes.
        let Some(line_end) = literal[at..end].find('\n') else { return Vec::new() };
        at += line_end + 1;
        at += indent(&literal[at..end]);
    }
    // Where a line ends with a carriage return alone, others count lines in other ways.
    if literal.replace("\r\n", "").contains('\r') {
        return Vec::new();
    }
    let mut found = Vec::new();
    while at < end {
        let length = length_of_first(&literal[at..end]);
        found.push(TextRange::new(range.start + offset(at), range.start + offset(at + length)));
        at += length;
    }
    found
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// The bytes of the first character of a text that is not empty.
fn length_of_first(text: &str) -> usize {
    let line_end = if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with('\n')) };
    if line_end > 0 {
        return line_end + indent(&text[line_end..]);
    }
    let length = |text: &str| text.chars().next().map_or(0, char::len_utf8);
    let Some(rest) = text.strip_prefix('\\') else { return length(text) };
    let n_us = rest.len() - rest.trim_start_matches('u').len();
    if n_us > 0 {
        return 1 + n_us + rest[n_us..].chars().take(4).take_while(char::is_ascii_hexdigit).count();
    }
    // Three octal digits only up to `\377`.
    let max = if rest.starts_with(['0', '1', '2', '3']) { 3 } else { 2 };
    let n_octal = rest.chars().take(max).take_while(|c| c.is_digit(8)).count();
    let n_more = if rest.starts_with("\r\n") { 2 } else { length(rest) };
    1 + n_octal.max(n_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(literal: &str, expected: &[&str]) {
        let all = TextRange::new(0, offset(literal.len()));
        let found: Vec<&str> = characters(literal, all).into_iter().map(|range| range.of(literal)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_escape_sequence_is_one_character() {
        check(r#""""#, &[]);
        check(r#""a\n\\\"b""#, &["a", r"\n", r"\\", r#"\""#, "b"]);
        check(r#""\u0041b\uuu20acé""#, &[r"\u0041", "b", r"\uuu20ac", "é"]);
        check(r#""\3778\4445""#, &[r"\377", "8", r"\44", "4", "5"]);
    }

    #[test]
    fn lines_of_a_text_block_go_with_their_indentation() {
        check("\"\"\"\n  a\n  \"b\\\n  \"\"\"", &["a", "\n  ", "\"", "b", "\\\n", " ", " "]);
        check("\"\"\"\n  a\"\"\"", &["a"]);
        check("\"\"\"\r\n\ta\r\n\t\"\"\"", &["a", "\r\n\t"]);
    }
}
