//! Splices of a source text, and tests that go with the blank lines before them.

use paring_model::TextRange;

/// A piece of a text with another in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub range: TextRange,
    pub text: String,
}

/// A part of a source with its splices; those outside it do not count, and of two that overlap the larger.
pub fn spliced(source: &str, part: TextRange, mut splices: Vec<Splice>) -> String {
    splices.retain(|splice| part.covers(splice.range));
    splices.sort_by_key(|splice| (splice.range.start, std::cmp::Reverse(splice.range.end)));
    let mut text = String::new();
    let mut at = part.start;
    for splice in splices {
        if splice.range.start < at {
            continue;
        }
        text.push_str(TextRange::new(at, splice.range.start).of(source));
        text.push_str(&splice.text);
        at = splice.range.end;
    }
    text.push_str(TextRange::new(at, part.end).of(source));
    text
}

/// The range of a text as a whole.
pub fn all(source: &str) -> TextRange {
    TextRange::new(0, u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes"))
}

/// The lines of a test with the blank lines before them.
pub fn with_blank_before(source: &str, whole: TextRange) -> TextRange {
    let before = source[..whole.start as usize].trim_end_matches(['\n', '\r', ' ', '\t']);
    // The line end of what stands before stays.
    TextRange::new(u32::try_from(before.len()).unwrap_or(whole.start), whole.end)
}

/// A text of several lines that stands alone between brackets, with the space around it: something short takes its place.
pub fn within_brackets(source: &str, range: TextRange) -> TextRange {
    let before = source[..range.start as usize].trim_end();
    let gap = &source[before.len()..range.start as usize];
    let behind = source[range.end as usize..].trim_start();
    let is_call = before.strip_suffix('(').is_some_and(|callee| {
        callee.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'))
    });
    let closes = |text: &str, brackets: &[char]| text.starts_with(brackets);
    let rest = match behind.strip_prefix(',').map(str::trim_start) {
        // A comma may make a tuple of it.
        Some(rest) if is_call && closes(rest, &[')']) => rest,
        None if before.ends_with(['(', '[', '{']) && closes(behind, &[')', ']', '}']) => behind,
        _ => return range,
    };
    if !gap.contains('\n') || !range.of(source).contains('\n') {
        return range;
    }
    let offset = |at: usize| u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
    TextRange::new(offset(before.len()), offset(source.len() - rest.len()))
}

/// The lines that a range touches, the line end of the last included.
pub fn whole_lines(source: &str, range: TextRange) -> TextRange {
    let start = source[..range.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = source[range.end as usize..].find('\n').map_or(source.len(), |at| range.end as usize + at + 1);
    let offset = |at: usize| u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
    TextRange::new(offset(start), offset(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices_are_made_once_and_in_order() {
        let at = |start, end, text: &str| Splice { range: TextRange::new(start, end), text: text.to_owned() };
        let splices = vec![at(4, 5, "E"), at(0, 2, "x"), at(1, 2, "y"), at(9, 9, "z")];
        assert_eq!(spliced("abcdefg", TextRange::new(0, 7), splices), "xcdEfg");
    }

    #[test]
    fn what_stands_alone_between_brackets_takes_the_space_around_it() {
        let check = |source: &str, expected: &str| {
            let (start, end) = (source.find('<').unwrap(), source.find('>').unwrap() + 1);
            let range = TextRange::new(u32::try_from(start).unwrap(), u32::try_from(end).unwrap());
            let range = within_brackets(source, range);
            let splice = Splice { range, text: "x".to_owned() };
            assert_eq!(spliced(source, all(source), vec![splice]), expected);
        };
        check("join(\n  <\n  >\n)", "join(x)");
        check("join(\n  <\n  >,\n)", "join(x)");
        check("= (\n  <\n  >,\n)", "= (\n  x,\n)");
        check("= [\n  <\n  >\n]", "= [x]");
        check("join(\n  <>\n)", "join(\n  x\n)");
        check("join(\n  <\n  >,\n  y\n)", "join(\n  x,\n  y\n)");
    }

    #[test]
    fn a_test_goes_with_the_blank_lines_before_it() {
        let source = "a\n\n\nbb\n\nc";
        assert_eq!(with_blank_before(source, TextRange::new(4, 6)), TextRange::new(1, 6));
        assert_eq!(whole_lines(source, TextRange::new(5, 5)), TextRange::new(4, 7));
    }
}
