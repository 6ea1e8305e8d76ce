//! The result of splitting one test.

use crate::keeping::MutantReport;
use crate::outcome::{Kept, OutcomeError, RunsBy};
use paring_engine::Stop;
use paring_model::{ErrorCode, Mutant, Watched};
use std::time::Duration;

/// The end of the job on one test.
#[derive(Clone, Debug)]
pub struct SplitOutcome {
    /// The test's id as it was given, completed.
    pub target: String,
    pub status: SplitStatus,
    /// The file with the new tests in the place of the one.
    pub file: Option<SplitFile>,
    pub tests: Vec<NewTest>,
    /// Why the test stays whole.
    pub reason: Option<Whole>,
    pub n_checks: usize,
    pub n_statements: usize,
    pub strategy: Splitter,
    pub mutants: Option<MutantReport>,
    /// How many lines of the code under test the original runs, and the new tests run too; `None` where nobody looked.
    pub n_lines: Option<usize>,
    /// Who saw what the interpreter does not; `None` where nobody was asked to.
    pub watched: Option<Watched>,
    pub cost: Option<Cost>,
    /// Lines of the project that name the old test.
    pub references: Vec<Reference>,
    pub runs: RunsBy,
    pub elapsed: Duration,
    pub notes: Vec<String>,
    /// Whether the job was stopped before it was done.
    pub unfinished: bool,
    pub error: Option<OutcomeError>,
}

impl SplitOutcome {
    /// Of a target of which nothing is known yet.
    pub fn unknown(target: &str, strategy: Splitter) -> Self {
        Self {
            target: target.to_owned(),
            status: SplitStatus::Error,
            file: None,
            tests: Vec::new(),
            reason: None,
            n_checks: 0,
            n_statements: 0,
            strategy,
            mutants: None,
            n_lines: None,
            watched: None,
            cost: None,
            references: Vec::new(),
            runs: RunsBy::default(),
            elapsed: Duration::ZERO,
            notes: Vec::new(),
            unfinished: false,
            error: None,
        }
    }

    /// Of a target that could not be tried.
    pub fn failed(target: &str, strategy: Splitter, error: OutcomeError) -> Self {
        let status =
            if error.code == ErrorCode::NotFound { SplitStatus::NotFound } else { SplitStatus::Error };
        Self { status, error: Some(error), ..Self::unknown(target, strategy) }
    }
}

/// A line that names a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    pub file: String,
    pub line: u32,
    pub text: String,
}

/// What the new tests take, next to what the old one took: bodies, fixtures and set-up, without the framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub original: Duration,
    pub split: Duration,
}

impl Cost {
    pub fn ratio(self) -> f64 {
        self.split.as_secs_f64() / self.original.as_secs_f64().max(1e-9)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SplitStatus {
    Split,
    /// It is one scenario, or splitting it would lose something.
    Whole,
    Failing,
    Flaky,
    Skipped,
    NotFound,
    Interrupted,
    Error,
}

impl SplitStatus {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            SplitStatus::Split => "split",
            SplitStatus::Whole => "whole",
            SplitStatus::Failing => "failing",
            SplitStatus::Flaky => "flaky",
            SplitStatus::Skipped => "skipped",
            SplitStatus::NotFound => "not_found",
            SplitStatus::Interrupted => "interrupted",
            SplitStatus::Error => "error",
        }
    }
}

/// How the statements of each new test are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Splitter {
    /// Observed dependences, verified by runs.
    #[default]
    Auto,
    /// As the DS3 paper has it: static slices, completed by who wrote what they use, and never run.
    Ds3,
    /// All that stands before each check.
    Prefix,
}

impl Splitter {
    pub const ALL: [Self; 3] = [Splitter::Auto, Splitter::Ds3, Splitter::Prefix];

    pub fn word(self) -> &'static str {
        match self {
            Splitter::Auto => "auto",
            Splitter::Ds3 => "ds3",
            Splitter::Prefix => "prefix",
        }
    }
}

/// Why a test is not split.
#[derive(Clone, Debug, PartialEq)]
pub enum Whole {
    /// A comment says so.
    Protected,
    /// It checks nothing that could be told apart.
    NoCheck,
    OneCheck,
    /// All that it checks needs the same statements.
    OneScenario,
    /// A new test does not pass alone, whatever it is given.
    Fails {
        message: String,
        line: Option<u32>,
    },
    /// The new tests do not all pass in one process.
    Together {
        test: String,
        order: String,
    },
    /// Something would get lost.
    Loses {
        what: String,
    },
    /// The original catches a fault that no new test would catch.
    LosesFault {
        mutant: Mutant,
    },
    /// The new tests would take too long.
    Costs {
        ratio: f64,
    },
    /// The language cannot write it.
    Unwritable {
        why: String,
    },
}

/// Why a job ends without new tests.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// There is a result: the test stays whole.
    Whole(Whole),
    Stopped(Stop),
}

impl From<Whole> for Ended {
    fn from(whole: Whole) -> Self {
        Self::Whole(whole)
    }
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitFile {
    /// Absolute.
    pub path: String,
    pub short_path: String,
    pub original: String,
    pub text: String,
}

/// One of the tests that a test was split into.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTest {
    pub id: String,
    pub name: String,
    /// Its statements, with the lines they have in the original and why they are there.
    pub statements: Vec<Kept>,
    /// Those among them that check something.
    pub checks: Vec<u32>,
    /// How long it took, with its set-up.
    pub took: Option<Duration>,
}
