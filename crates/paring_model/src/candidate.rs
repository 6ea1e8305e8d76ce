//! A source text to run.

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
    /// The line of the source that a line of the text comes from.
    pub fn line(&self, line: u32) -> u32 {
        let line_idx = usize::try_from(line).ok().and_then(|line| line.checked_sub(1));
        line_idx.and_then(|idx| self.lines.get(idx)).copied().unwrap_or(line)
    }
}
