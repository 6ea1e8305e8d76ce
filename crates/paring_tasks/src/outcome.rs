//! What came of one target: observations and the result, for the reports to summarise.

pub use paring_engine::RunsBy;
use paring_model::{ErrorCode, Failure, Phase, RunnerError, VersionName};
use std::time::Duration;

/// The end of one job on one target.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The id as the user gave it, completed (the failing case of a parametrised test is named).
    pub target: String,
    pub status: Status,
    /// The failure of the original, where one was observed.
    pub failure: Option<Failure>,
    /// The result, for `Minimized`, `Unchanged`, and an `Interrupted` that has one.
    pub pared: Option<Pared>,
    /// The tests it needs before it in the same process.
    pub after: Vec<String>,
    pub strategy: String,
    /// The level of dependence the result stands on: `O`, `0`, `1`, `none`; empty where no slicing took place.
    pub level: String,
    pub runs: RunsBy,
    pub elapsed: Duration,
    /// Things the user should know that are not errors: "`test_x` has 12 cases; pared the first failing one".
    pub notes: Vec<String>,
    /// Whether the search was stopped before it was done, so that `--resume` has something to go on with.
    pub unfinished: bool,
    pub error: Option<OutcomeError>,
    /// The version on which the test passes, or where one was looked for; `None` where nobody asked for one.
    pub good: Option<Good>,
    /// The defect it shows, where several results were sorted.
    pub group: Option<Membership>,
    /// The assertion it is about, where a test was purified.
    pub assertion: Option<Assertion>,
}

/// A search for a version on which the test passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Good {
    /// The one that was found, or named.
    pub version: Option<VersionName>,
    /// Those that it does not pass on, with what happened there: "fails there too".
    pub tried: Vec<(VersionName, String)>,
    /// What trying all of them took.
    pub took: Duration,
}

/// One assertion of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Line of the original on which it begins.
    pub line: u32,
    pub text: String,
}

/// A result among others of one defect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// From 1, in the order in which the defects first showed.
    pub number: usize,
    pub representative: String,
    pub n_members: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Minimized,
    Unchanged,
    Passing,
    Flaky,
    /// The version that the user named is not good.
    NotGood,
    NotFound,
    Interrupted,
    Error,
}

impl Status {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Status::Minimized => "minimized",
            Status::Unchanged => "unchanged",
            Status::Passing => "passing",
            Status::Flaky => "flaky",
            Status::NotGood => "not_good",
            Status::NotFound => "not_found",
            Status::Interrupted => "interrupted",
            Status::Error => "error",
        }
    }
}

/// A verified smaller test.
#[derive(Clone, Debug)]
pub struct Pared {
    /// Path of the test file, absolute.
    pub path: String,
    /// The path that programs know it by: relative to where its names start.
    pub short_path: String,
    /// The original text of the file.
    pub original: String,
    /// The whole text that would replace the file, and the id of the test in it.
    pub text: String,
    pub target: String,
    /// The test with just what it needs, as a file of its own: `text`, but also where nothing of the test itself went.
    pub alone: String,
    /// The pared test alone, decorators included, and the original test alone, both as at the top of a file.
    pub test: String,
    pub original_test: String,
    /// The line of the original on which the test begins.
    pub first_line: Option<u32>,
    /// The text of the file with only this test rewritten and all else as it was: what `--apply` writes. Only where it was
    /// asked for, and holds in a fresh process.
    pub in_place: Option<String>,
    /// The id of the test in that text.
    pub in_place_target: Option<String>,
    /// What the pared test does, whatever its names and values.
    pub shape: String,
    /// Statements of the test body.
    pub statements: Size,
    /// Statements of fixtures, set-up and helpers of the file that ran for it.
    pub fixtures: Size,
    /// Tokens of the test.
    pub tokens: Size,
    /// Executed statements of the test body, repetitions counted; `after` where it was traced.
    pub trace: Size,
    pub verified: Verified,
    pub kept: Vec<Kept>,
    pub removed: Vec<Removed>,
    pub suspects: Vec<Suspect>,
    pub doubts: Vec<Doubt>,
    /// Whether the search was free to drop what is only kept by caution.
    pub is_bold: bool,
    /// Line of the original at which it fails.
    pub failing_line: Option<u32>,
    pub phase: Phase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub before: usize,
    pub after: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub same_failure: bool,
    pub fresh_process: bool,
    /// `None` where there is no good version.
    pub passes_on_good: Option<bool>,
}

/// A statement of the result, with the line it had in the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub line: u32,
    pub text: String,
    pub reasons: Vec<Reason>,
    /// `None` where nobody found out.
    pub certainty: Option<Certainty>,
}

/// How sure it is that the failure needs a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Without it the failure is another: a run has shown it, or there is no test without it.
    Needed,
    /// A run has shown the same failure without it; correct code may need it.
    Caution,
}

impl Certainty {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Certainty::Needed => "needed",
            Certainty::Caution => "caution",
        }
    }
}

impl Pared {
    /// The statements that are only kept by caution. A suspect is not one of them: it stays as the likely fault.
    pub fn by_caution(&self) -> impl Iterator<Item = &Kept> {
        let is_suspect = |kept: &Kept| {
            self.suspects.iter().any(|it| (it.line, it.text.as_str()) == (kept.line, kept.text.as_str()))
        };
        let held = self.kept.iter().filter(|kept| kept.certainty == Some(Certainty::Caution));
        held.filter(move |kept| !is_suspect(kept))
    }
}

/// Why a statement stays.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    pub kind: ReasonKind,
    /// The line that asks for it, where there is one.
    pub line: Option<u32>,
    /// A sentence fragment: "defines `cart`, read on line 12".
    pub text: String,
    /// Whether an experiment confirmed that the failure is lost without it.
    pub checked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonKind {
    /// It is where the test fails.
    Failing,
    Data,
    Observed,
    Control,
    Handler,
    Resource,
    WellFormed,
    Protected,
    Experiment,
    /// It checks something, and the test is there for that.
    Check,
    /// That it raises nothing is all that the test says about it.
    Call,
}

impl ReasonKind {
    pub fn word(self) -> &'static str {
        match self {
            ReasonKind::Failing => "failing",
            ReasonKind::Data => "data",
            ReasonKind::Observed => "observed",
            ReasonKind::Control => "control",
            ReasonKind::Handler => "handler",
            ReasonKind::Resource => "resource",
            ReasonKind::WellFormed => "well_formed",
            ReasonKind::Protected => "protected",
            ReasonKind::Experiment => "experiment",
            ReasonKind::Check => "check",
            ReasonKind::Call => "call",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    pub line: u32,
    pub text: String,
}

/// A call without effect: its removal changes nothing, which may be the very bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    pub line: u32,
    pub text: String,
    pub reason: String,
    /// What would stand in the place of the test's file without it.
    pub without: String,
}

/// Something that could not be ruled out about the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub line: Option<u32>,
    pub reason: String,
}

/// Why there is no result, or what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeError {
    pub code: ErrorCode,
    pub message: String,
    /// What the user can do about it.
    pub help: String,
}

impl From<RunnerError> for OutcomeError {
    fn from(error: RunnerError) -> Self {
        Self { code: error.code, message: error.message, help: error.help }
    }
}
