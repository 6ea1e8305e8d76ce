//! The numbers paring ends with. They are an API: documented in `docs/exit-codes.md`, and never given another meaning.

use paring_model::ErrorCode;
use paring_tasks::merge::{MergeOutcome, MergeStatus};
use paring_tasks::split::{SplitOutcome, SplitStatus};
use paring_tasks::{Outcome, Status};

/// The command did what it is for.
pub const DONE: i32 = 0;
/// paring itself failed.
pub const FAILED: i32 = 1;
/// The command line or the configuration makes no sense.
pub const USAGE: i32 = 2;
/// There is nothing to do: no smaller test fails the same way.
pub const NOTHING_TO_DO: i32 = 3;
/// The test passes.
pub const PASSING: i32 = 4;
/// The test does not fail the same way every time.
pub const FLAKY: i32 = 5;
/// There is no such test.
pub const NOT_FOUND: i32 = 6;
/// The project's environment is broken.
pub const ENVIRONMENT: i32 = 7;
/// A test fails that should pass.
const FAILING: i32 = 8;
/// The known-good version is not good.
const NOT_GOOD: i32 = 9;
/// Stopped by the user, as shells number Ctrl-C.
pub const INTERRUPTED: i32 = 130;

/// A number and its sentence.
struct Row {
    code: i32,
    meaning: &'static str,
}

/// Every number, in order.
const ALL: [Row; 11] = [
    row(DONE, "done: a smaller test was found and verified, or lines were ranked"),
    row(FAILED, "paring failed: the message says how"),
    row(USAGE, "usage: the command line or the configuration makes no sense"),
    row(NOTHING_TO_DO, "nothing to do: no smaller test fails the same way"),
    row(PASSING, "the test passes"),
    row(FLAKY, "flaky: the test does not fail the same way every time"),
    row(NOT_FOUND, "there is no such test"),
    row(
        ENVIRONMENT,
        "environment broken: no interpreter or JDK, no pytest or JUnit, a conftest that fails, a project that does not compile, no place for the cache",
    ),
    row(FAILING, "the test fails and should pass"),
    row(NOT_GOOD, "the good version is not good: the test fails there too, or cannot be run there"),
    row(INTERRUPTED, "interrupted: the best verified result so far is still printed"),
];

const fn row(code: i32, meaning: &'static str) -> Row {
    Row { code, meaning }
}

/// The number for an error.
pub fn of_error(code: ErrorCode) -> i32 {
    match code {
        ErrorCode::Budget
        | ErrorCode::Changed
        | ErrorCode::Collection
        | ErrorCode::Copy
        | ErrorCode::Encoding
        | ErrorCode::Good
        | ErrorCode::Hangs
        | ErrorCode::IgnoresFile
        | ErrorCode::Io
        | ErrorCode::JunitXml
        | ErrorCode::NoCoverage
        | ErrorCode::NoSource
        | ErrorCode::NoSpectrum
        | ErrorCode::SyntaxError
        | ErrorCode::Worker
        | ErrorCode::WritesIntoTree => FAILED,
        ErrorCode::NoFailures | ErrorCode::OtherFailure | ErrorCode::Passes => PASSING,
        ErrorCode::Flaky => FLAKY,
        ErrorCode::TestFails => FAILING,
        ErrorCode::NotGood => NOT_GOOD,
        ErrorCode::NotFound => NOT_FOUND,
        ErrorCode::BrokenEnvironment
        | ErrorCode::Cache
        | ErrorCode::DoesNotCompile
        | ErrorCode::JavacArgs
        | ErrorCode::JreOnly
        | ErrorCode::Maven
        | ErrorCode::NoClasspath
        | ErrorCode::NoInterpreter
        | ErrorCode::NoJdk
        | ErrorCode::NoJunit
        | ErrorCode::NoLauncher
        | ErrorCode::NoMaven
        | ErrorCode::NoPytest
        | ErrorCode::NoTrace
        | ErrorCode::OldJdk => ENVIRONMENT,
        ErrorCode::Interrupted => INTERRUPTED,
    }
}

/// The number for one target.
pub fn of_outcome(outcome: &Outcome) -> i32 {
    match outcome.status {
        Status::Minimized => DONE,
        Status::Unchanged => NOTHING_TO_DO,
        Status::Passing => PASSING,
        Status::Flaky => FLAKY,
        Status::NotGood => NOT_GOOD,
        Status::NotFound => NOT_FOUND,
        Status::Interrupted => INTERRUPTED,
        Status::Error => outcome.error.as_ref().map_or(FAILED, |error| of_error(error.code)),
    }
}

/// The number for one test that was to be split.
pub fn of_split(outcome: &SplitOutcome) -> i32 {
    match outcome.status {
        SplitStatus::Split => DONE,
        SplitStatus::Whole | SplitStatus::Skipped => NOTHING_TO_DO,
        SplitStatus::Failing => FAILING,
        SplitStatus::Flaky => FLAKY,
        SplitStatus::NotFound => NOT_FOUND,
        SplitStatus::Interrupted => INTERRUPTED,
        SplitStatus::Error => outcome.error.as_ref().map_or(FAILED, |error| of_error(error.code)),
    }
}

/// The number for one file whose tests were to be merged.
pub fn of_merge(outcome: &MergeOutcome) -> i32 {
    match outcome.status {
        MergeStatus::Merged => DONE,
        MergeStatus::Nothing => NOTHING_TO_DO,
        MergeStatus::NotFound => NOT_FOUND,
        MergeStatus::Interrupted => INTERRUPTED,
        MergeStatus::Error => outcome.error.as_ref().map_or(FAILED, |error| of_error(error.code)),
    }
}

/// The number for several tests that were to be split: that nothing was to do for some is no failure where others were split.
pub fn of_splits(codes: impl IntoIterator<Item = i32>) -> i32 {
    let codes: Vec<i32> = codes.into_iter().collect();
    let is_done = codes.contains(&DONE);
    combine(codes.into_iter().filter(|&code| !(is_done && code == NOTHING_TO_DO)))
}

/// The number for several targets: the highest of theirs.
pub fn combine(codes: impl IntoIterator<Item = i32>) -> i32 {
    codes.into_iter().max().unwrap_or(DONE)
}

/// The table for `--help`.
pub fn help() -> String {
    let rows = ALL.iter();
    let rows: Vec<String> = rows.map(|row| format!("  {:>3}  {}", row.code, row.meaning)).collect();
    format!("Exit codes (of several targets the highest):\n{}", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/exit-codes.md");

    #[test]
    fn of_several_targets_the_highest_counts() {
        assert_eq!(combine([]), 0);
        assert_eq!(combine([0, 0]), 0);
        assert_eq!(combine([0, 5, 3]), 5);
        assert_eq!(combine([7, 130, 1]), 130);
    }

    #[test]
    fn the_documentation_has_every_number_and_sentence() {
        for Row { code, meaning } in ALL {
            assert!(PAGE.contains(&format!("| {code} | {meaning} |")), "{code} {meaning}");
        }
    }

    // `tests/command/exit_codes.rs` brings about each error that this page has under 7.
    #[test]
    fn the_documentation_has_every_error_under_its_number() {
        for &error in ErrorCode::ALL {
            let (code, word) = (of_error(error), error.word());
            let rows = PAGE.lines().filter(|line| line.contains(&format!("`{word}`")));
            let starts: Vec<&str> =
                rows.filter_map(|row| row.strip_prefix("| ")?.split(' ').next()).collect();
            assert_eq!(starts, [code.to_string()], "{word}");
        }
    }
}
