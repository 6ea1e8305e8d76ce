//! What a runner saw. The user's test failing, hanging or dying is a value here, never an error of paring.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Observation {
    Passed,
    /// The test did not fail and did not pass either.
    Skipped {
        reason: String,
    },
    Failed(Failure),
    /// The text does not compile, or the framework finds no such test in it.
    Broken {
        message: String,
        line: Option<u32>,
        #[serde(default)]
        kind: BrokenKind,
    },
    /// No end within the time limit, and where it was then.
    Hung {
        /// Positions in the test file, outermost first.
        stack: Vec<Position>,
        /// What was called from there and had not come back after a second; lines do not count.
        #[serde(default)]
        below: Vec<Frame>,
    },
    /// The process ended without a word: a signal, `os._exit`.
    Died {
        how: String,
    },
}

/// Why no test of a text was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BrokenKind {
    /// The text does not compile, or the framework refuses it.
    #[default]
    NotRunnable,
    /// The framework finds no such test.
    NoTest,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub phase: Phase,
    pub kind: FailureKind,
    /// The exception that failed the test, then its causes. Never empty.
    pub exceptions: Vec<Exception>,
    /// Positions in the test file, outermost first; the last is the failing statement. Empty where the stack never
    /// passes through the file.
    pub stack: Vec<Position>,
    /// Frames below the last of `stack`.
    pub below: Vec<Frame>,
    /// What was noted on the exception: a property's failing example, say. No part of what makes a failure the same.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Settings of the whole process that the test changed and did not put back: a limit, the working directory.
    #[serde(default)]
    pub left: Vec<String>,
}

impl Failure {
    /// The exception that failed the test.
    pub fn exception(&self) -> &Exception {
        self.exceptions.first().expect("a failure has an exception")
    }

    /// Where in the test file it failed.
    pub fn site(&self) -> Option<Position> {
        self.stack.last().copied()
    }
}

/// When it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Collection,
    SetUp,
    Call,
    TearDown,
}

/// What sort of failure it is, for the rules about what an experiment may remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// An assertion of the test (or of a helper of the test) did not hold.
    Assertion,
    /// An exception the test did not expect.
    Exception,
    /// Something expected did not happen: `pytest.raises` that did not raise, `fail()` reached.
    Omission,
    /// The test does not end.
    Hang,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exception {
    #[serde(rename = "type")]
    pub type_name: String,
    pub message: String,
}

/// A place in the test file: 1-based line, 0-based column in bytes where the interpreter tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    pub line: u32,
    pub column: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Frame {
    /// The file's name without its folders.
    pub file: String,
    pub function: String,
    pub line: u32,
    /// Whether it is of the language's own library.
    #[serde(default)]
    pub runtime: bool,
}
