//! Levels the order of sets in messages: hashes differ from process to process, and so does the order in which a set is written.

use regex::Regex;
use std::sync::LazyLock;

/// A set that was cut in the middle, between two elements or within one: which of them are left is a matter of their order.
static CUT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{[^{}:\n]*\.\.\.[^{}:\n]*\}").expect("the pattern is a constant"));

/// What stands before elements of a set that are written one on a line.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(Items in the (first|second) set but not the (first|second)|Extra items in the (left|right) set):$")
        .expect("the pattern is a constant")
});

/// The message with the elements of each set in the order of their texts.
pub fn unordered(message: &str) -> String {
    sorted_lines(&sorted_displays(&CUT.replace_all(message, "{...}")))
}

/// `{b, a}` becomes `{a, b}`; dicts keep their order, which is the program's own.
fn sorted_displays(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let Some(display) = Display::at(&rest[at..]) else {
            out.push('{');
            rest = &rest[at + 1..];
            continue;
        };
        let mut elements: Vec<String> =
            display.elements.iter().map(|element| sorted_displays(element.trim())).collect();
        if !display.is_dict {
            elements.sort_unstable();
        }
        out.push('{');
        out.push_str(&elements.join(", "));
        out.push('}');
        rest = &rest[at + display.len..];
    }
    out.push_str(rest);
    out
}

/// What stands between braces.
struct Display<'a> {
    elements: Vec<&'a str>,
    is_dict: bool,
    /// Braces included.
    len: usize,
}

impl<'a> Display<'a> {
    /// The one that a text begins with; `None` where its end is not to be found.
    fn at(text: &'a str) -> Option<Self> {
        let (mut depth, mut quote, mut is_dict) = (0, None, false);
        let (mut elements, mut start) = (Vec::new(), 1);
        let mut chars = text.char_indices();
        while let Some((at, c)) = chars.next() {
            match (quote, c) {
                (Some(_), '\\') => {
                    chars.next();
                }
                (Some(open), _) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '{' | '[' | '(') => depth += 1,
                (None, '}' | ']' | ')') => {
                    depth -= 1;
                    if depth == 0 {
                        elements.push(&text[start..at]);
                        return (c == '}').then_some(Self { elements, is_dict, len: at + 1 });
                    }
                }
                (None, ',') if depth == 1 => {
                    elements.push(&text[start..at]);
                    start = at + 1;
                }
                (None, ':') if depth == 1 => is_dict = true,
                (Some(_) | None, _) => {}
            }
        }
        None
    }
}

/// Sorts the lines below each heading.
fn sorted_lines(text: &str) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut at = 0;
    while at < lines.len() {
        at += 1;
        if !HEADING.is_match(lines[at - 1]) {
            continue;
        }
        let is_element = |line: &&&str| {
            !line.trim().is_empty() && !HEADING.is_match(line) && !line.trim_start().starts_with("Use -v")
        };
        let n_elements = lines[at..].iter().take_while(is_element).count();
        lines[at..at + n_elements].sort_unstable();
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, same: bool) {
        assert_eq!(
            unordered(a) == unordered(b),
            same,
            "{a:?} against {b:?}: {:?} and {:?}",
            unordered(a),
            unordered(b)
        );
    }

    #[test]
    fn a_set_is_the_same_in_any_order() {
        check("assert {'a', 'b'} == {'c'}", "assert {'b', 'a'} == {'c'}", true);
        check("assert {'a', 'b'} == {'c'}", "assert {'a', 'd'} == {'c'}", false);
        check("frozenset({(1, None), (2, {3, 4})})", "frozenset({(2, {4, 3}), (1, None)})", true);
        check("{'it\\'s, {', \"a}\"}", "{\"a}\", 'it\\'s, {'}", true);
    }

    #[test]
    fn lists_and_dicts_have_an_order_of_their_own() {
        check("['a', 'b']", "['b', 'a']", false);
        check("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", false);
        check("{'a': {1, 2}}", "{'a': {2, 1}}", true);
    }

    #[test]
    fn of_a_set_that_was_cut_nothing_is_compared() {
        check("assert {None, 'eps',...eta', 'gamma'} == 1", "assert {'gamma', 'b...s', None} == 1", true);
        check("assert {None, 'eps',...eta'} == 1", "assert {None, 'eps',...eta'} == 2", false);
    }

    #[test]
    fn elements_below_each_other_are_the_same_in_any_order() {
        check(
            "Items in the first set but not the second:\n'b'\n'a'\nItems in the second set but not the first:\n'c'",
            "Items in the first set but not the second:\n'a'\n'b'\nItems in the second set but not the first:\n'c'",
            true,
        );
        check(
            "  Extra items in the left set:\n  2\n  1\n  Use -v to get more diff",
            "  Extra items in the left set:\n  1\n  2\n  Use -v to get more diff",
            true,
        );
        check(
            "Items in the first set but not the second:\n'a'",
            "Items in the second set but not the first:\n'a'",
            false,
        );
    }

    #[test]
    fn braces_that_do_not_match_are_left_alone() {
        for text in ["a { b", "} {", "can't { parse 'x", "{]}", "{", ""] {
            assert_eq!(unordered(text), text);
        }
    }
}
