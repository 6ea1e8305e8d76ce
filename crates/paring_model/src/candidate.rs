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
    pub form: Form,
}
