//! A source text to run.

use crate::text::{TextRange, line_starts};
use serde::{Deserialize, Serialize};

/// How a draft is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Form {
    /// Removed text is blanked and newlines are kept, so that lines and columns stay comparable.
    Blanked,
    /// As a person would commit it.
    Compact,
}

/// A complete text for the test file, and the id that runs the test in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    pub text: String,
    /// The target's id in this text; another than the original's where a parameter list shrank.
    pub target: String,
    /// Tests that run before it in the same process, in order.
    pub after: Vec<String>,
    pub form: Form,
}

/// A text in which something that the framework makes up anew for each run is written down: a property's failing example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinned {
    pub text: String,
    /// The line each line of the text has in the source it was made from.
    pub lines: Vec<u32>,
    /// What was written down, for the reader: "numbers=[0, 1]".
    pub label: String,
}

impl Pinned {
    /// The source with replacements, which are disjoint; an insertion where another one begins comes before it. A line comes from where its first character does.
    pub fn spliced(source: &str, mut splices: Vec<(TextRange, String)>, label: impl Into<String>) -> Self {
        splices.sort_by_key(|(range, _)| (range.start, !range.is_empty()));
        let starts = line_starts(source);
        let mut text = String::with_capacity(source.len());
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
        let text_starts = line_starts(&text);
        let line = |(idx, &start): (usize, &u32)| {
            let start = start as usize;
            let end = text_starts.get(idx + 1).map_or(text.len(), |&next| next as usize);
            let first = start + (end - start - text[start..end].trim_start().len());
            let from = origins.get(if first < end { first } else { start }).copied().unwrap_or(source.len());
            let line = starts.partition_point(|&start| start as usize <= from);
            u32::try_from(line).expect("a source file has fewer than 2^32 lines")
        };
        let lines = text_starts.iter().enumerate().map(line).collect();
        Self { text, lines, label: label.into() }
    }

    /// The line of the source that a line of the text comes from.
    pub fn line(&self, line: u32) -> u32 {
        let line_idx = usize::try_from(line).ok().and_then(|line| line.checked_sub(1));
        line_idx.and_then(|idx| self.lines.get(idx)).copied().unwrap_or(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_from_where_its_first_character_does() {
        let at = |start, end, text: &str| (TextRange::new(start, end), text.to_owned());
        let pinned = Pinned::spliced("a\nb\nc\n", vec![at(2, 2, "with:\n  "), at(4, 6, "d\ne\n")], "");
        assert_eq!(pinned.text, "a\nwith:\n  b\nd\ne\n");
        assert_eq!(pinned.lines, [1, 2, 2, 3, 3, 4]);
        assert_eq!((pinned.line(3), pinned.line(99)), (2, 99));
    }

    #[test]
    fn an_insertion_stands_before_what_is_replaced_in_the_same_place() {
        let at = |start, end, text: &str| (TextRange::new(start, end), text.to_owned());
        let pinned = Pinned::spliced("ab", vec![at(1, 2, "c"), at(1, 1, "-")], "");
        assert_eq!(pinned.text, "a-c");
    }
}
