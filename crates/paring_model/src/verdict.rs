//! What the oracle makes of an observation.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The failure of the original (and, with a good version at hand, a pass there).
    Same,
    /// Something else happened.
    Other(Difference),
    /// The same failure here, and no pass on the good version: still failing, no longer a test.
    Slipped,
    /// It does not compile, or there is no such test.
    Broken { message: String, line: Option<u32> },
}

impl Verdict {
    pub fn is_same(&self) -> bool {
        matches!(self, Verdict::Same)
    }
}

/// In what a failure differs from the original's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    Passed,
    Skipped,
    Phase,
    Type {
        found: String,
        line: Option<u32>,
    },
    Message {
        found: String,
    },
    Frames,
    Statement {
        line: Option<u32>,
    },
    /// It leaves something of the process changed that the original puts back.
    Left {
        what: String,
    },
    Hung,
    Died,
}
