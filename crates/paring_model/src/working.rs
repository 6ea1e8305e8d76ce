//! Texts that are made from the user's own and are searched in its place.

use crate::text::{TextRange, line_starts};
use crate::write::LineMap;

/// A text that is made from another one, and where its lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingText {
    pub text: String,
    pub origins: LineMap,
}

/// A text in which something that the framework makes up anew for each run is written down: a property's failing example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinned {
    pub working: WorkingText,
    /// What was written down, for the reader: "numbers=[0, 1]".
    pub label: String,
}

impl WorkingText {
    /// The user's own text.
    pub fn unchanged(source: &str) -> Self {
        Self { text: source.to_owned(), origins: LineMap::identity() }
    }

    /// The source with replacements, which are disjoint; an insertion where another one begins comes before it. A line
    /// comes from where its first character does.
    pub fn spliced(source: &str, mut splices: Vec<(TextRange, String)>) -> Self {
        splices.sort_by_key(|(range, _)| (range.start, !range.is_empty()));
        let mut text = String::with_capacity(source.len());
        // For every byte of the text, the byte of the source it comes from.
        let mut origins: Vec<usize> = Vec::with_capacity(source.len());
        let mut at = 0;
        for (range, replacement) in &splices {
            let (start, end) = (range.start as usize, range.end as usize);
            text.push_str(&source[at..start]);
            origins.extend(at..start);
            text.push_str(replacement);
            origins.extend(std::iter::repeat_n(start, replacement.len()));
            at = end;
        }
        text.push_str(&source[at..]);
        origins.extend(at..source.len());
        let lines = lines_of(&text, &origins, source);
        Self { text, origins: LineMap::of_lines(lines) }
    }
}

/// The line of the source that each line of a text comes from.
fn lines_of(text: &str, origins: &[usize], source: &str) -> Vec<u32> {
    let source_starts = line_starts(source);
    let text_starts = line_starts(text);
    let line = |(idx, &start): (usize, &u32)| {
        let start = start as usize;
        let end = text_starts.get(idx + 1).map_or(text.len(), |&next| next as usize);
        let first = start + (end - start - text[start..end].trim_start().len());
        let from = origins.get(if first < end { first } else { start }).copied().unwrap_or(source.len());
        let line = source_starts.partition_point(|&start| start as usize <= from);
        u32::try_from(line).expect("a source file has fewer than 2^32 lines")
    };
    text_starts.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: u32, end: u32, text: &str) -> (TextRange, String) {
        (TextRange::new(start, end), text.to_owned())
    }

    #[test]
    fn a_line_comes_from_where_its_first_character_does() {
        let working = WorkingText::spliced("a\nb\nc\n", vec![at(2, 2, "with:\n  "), at(4, 6, "d\ne\n")]);
        assert_eq!(working.text, "a\nwith:\n  b\nd\ne\n");
        let lines: Vec<u32> = (1..=6).map(|line| working.origins.line(line)).collect();
        assert_eq!(lines, [1, 2, 2, 3, 3, 4]);
        assert_eq!(working.origins.line(99), 99);
    }

    #[test]
    fn an_insertion_stands_before_what_is_replaced_in_the_same_place() {
        let working = WorkingText::spliced("ab", vec![at(1, 2, "c"), at(1, 1, "-")]);
        assert_eq!(working.text, "a-c");
    }

    #[test]
    fn lines_of_a_text_that_was_made_in_two_steps_are_those_of_the_first_source() {
        let first = WorkingText::spliced("a\nb\nc\n", vec![at(2, 2, "with:\n  ")]);
        let second = WorkingText::spliced(&first.text, vec![at(0, 2, "")]);
        let lines = second.origins.through(&first.origins);
        assert_eq!((1..=3).map(|line| lines.line(line)).collect::<Vec<_>>(), [2, 2, 3]);
    }
}
