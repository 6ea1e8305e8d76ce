//! The result of merging the tests of one file.

use super::verify::Shown;
use crate::outcome::{OutcomeError, RunsBy};
use paring_model::{ErrorCode, Refusal};
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct MergeOutcome {
    /// The file, as the user knows it; of a target that was not found, what was given.
    pub target: String,
    pub status: MergeStatus,
    pub file: Option<MergedFile>,
    /// For each test that ran and passed, in order, the tests that do its work now.
    pub map: Vec<(String, Vec<String>)>,
    pub groups: Vec<Group>,
    /// Tests that were not looked at: they fail, are skipped, or do not always pass.
    pub left_out: Vec<(String, String)>,
    /// Tests that no other may meet.
    pub alone: BTreeMap<String, Refusal>,
    pub n_tests: usize,
    pub runs: RunsBy,
    pub elapsed: Duration,
    pub notes: Vec<String>,
    pub unfinished: bool,
    pub error: Option<OutcomeError>,
}

impl MergeOutcome {
    pub fn unknown(target: &str) -> Self {
        Self {
            target: target.to_owned(),
            status: MergeStatus::Nothing,
            file: None,
            map: Vec::new(),
            groups: Vec::new(),
            left_out: Vec::new(),
            alone: BTreeMap::new(),
            n_tests: 0,
            runs: RunsBy::default(),
            elapsed: Duration::ZERO,
            notes: Vec::new(),
            unfinished: false,
            error: None,
        }
    }

    pub fn failed(target: &str, error: OutcomeError) -> Self {
        let status = match error.code {
            ErrorCode::NotFound => MergeStatus::NotFound,
            ErrorCode::Interrupted => MergeStatus::Interrupted,
            _ => MergeStatus::Error,
        };
        Self { status, error: Some(error), ..Self::unknown(target) }
    }

    /// Tests before, and after.
    pub fn n_tests(&self) -> (usize, usize) {
        let gone: usize =
            self.groups.iter().filter(|it| it.result.is_ok()).map(|it| it.tests.len() - it.n_functions).sum();
        (self.n_tests, self.n_tests - gone)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MergeStatus {
    Merged,
    Nothing,
    NotFound,
    Interrupted,
    Error,
}

impl MergeStatus {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            MergeStatus::Merged => "merged",
            MergeStatus::Nothing => "nothing",
            MergeStatus::NotFound => "not_found",
            MergeStatus::Interrupted => "interrupted",
            MergeStatus::Error => "error",
        }
    }
}

/// How tests become fewer, or shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Parametrise,
    Reorganise,
    Extract,
}

impl How {
    pub const ALL: [Self; 3] = [How::Parametrise, How::Reorganise, How::Extract];
    pub const DEFAULT: [Self; 2] = [How::Parametrise, How::Extract];

    pub fn word(self) -> &'static str {
        match self {
            How::Parametrise => "parametrise",
            How::Reorganise => "reorganise",
            How::Extract => "extract",
        }
    }
}

/// Tests that might meet, and what became of them.
#[derive(Clone, Debug)]
pub struct Group {
    pub how: How,
    /// The ids of the old tests.
    pub tests: Vec<String>,
    /// Those of the new ones, each row one.
    pub new: Vec<String>,
    /// How many functions those are.
    pub n_functions: usize,
    pub result: Result<Shown, Refusal>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFile {
    /// Absolute.
    pub path: String,
    pub short_path: String,
    pub original: String,
    pub text: String,
}
