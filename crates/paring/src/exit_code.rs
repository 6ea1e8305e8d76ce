//! The numbers paring ends with. They are an API: documented in `docs/exit-codes.md`, and never given another meaning.

use paring_tasks::{Outcome, Status};

/// A smaller test was found and verified.
pub const MINIMIZED: i32 = 0;
/// paring itself failed.
pub const FAILED: i32 = 1;
/// The command line or the configuration makes no sense.
pub const USAGE: i32 = 2;
/// No smaller test fails the same way.
pub const UNCHANGED: i32 = 3;
/// The test passes.
pub const PASSING: i32 = 4;
/// The test does not fail the same way every time.
pub const FLAKY: i32 = 5;
/// There is no such test.
pub const NOT_FOUND: i32 = 6;
/// The project's environment is broken.
pub const ENVIRONMENT: i32 = 7;
/// Stopped by the user, as shells number Ctrl-C.
pub const INTERRUPTED: i32 = 130;

/// Every number with its sentence, in order.
pub const ALL: [(i32, &str); 9] = [
    (MINIMIZED, "minimised: a smaller test was found and verified"),
    (FAILED, "paring failed: the message says how"),
    (USAGE, "usage: the command line or the configuration makes no sense"),
    (UNCHANGED, "nothing to remove: no smaller test fails the same way"),
    (PASSING, "the test passes"),
    (FLAKY, "flaky: the test does not fail the same way every time"),
    (NOT_FOUND, "there is no such test"),
    (
        ENVIRONMENT,
        "environment broken: no interpreter or JDK, no pytest or JUnit, a conftest that fails, a project that does not compile, no place for the cache",
    ),
    (INTERRUPTED, "interrupted: the best verified result so far is still printed"),
];

/// Codes of errors whose cause is the environment.
const ENVIRONMENT_CODES: [&str; 14] = [
    "no_pytest",
    "no_interpreter",
    "broken_environment",
    "cache",
    "no_jdk",
    "jre_only",
    "old_jdk",
    "no_junit",
    "no_launcher",
    "no_classpath",
    "no_maven",
    "maven",
    "does_not_compile",
    "javac_args",
];

/// The number for one target.
pub fn of(status: Status, error_code: Option<&str>) -> i32 {
    match status {
        Status::Minimized => MINIMIZED,
        Status::Unchanged => UNCHANGED,
        Status::Passing => PASSING,
        Status::Flaky => FLAKY,
        Status::NotFound => NOT_FOUND,
        Status::Interrupted => INTERRUPTED,
        Status::Error if error_code.is_some_and(|code| ENVIRONMENT_CODES.contains(&code)) => ENVIRONMENT,
        Status::Error if error_code == Some("interrupted") => INTERRUPTED,
        Status::Error => FAILED,
    }
}

/// The number for what came of one target.
pub fn of_outcome(outcome: &Outcome) -> i32 {
    of(outcome.status, outcome.error.as_ref().map(|error| error.code.as_str()))
}

/// The number for several targets: the highest of theirs.
pub fn combine(codes: impl IntoIterator<Item = i32>) -> i32 {
    codes.into_iter().max().unwrap_or(MINIMIZED)
}

/// The table for `--help`.
pub fn help() -> String {
    let rows: Vec<String> = ALL.iter().map(|(code, sentence)| format!("  {code:>3}  {sentence}")).collect();
    format!("Exit codes (of several targets the highest):\n{}", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_number() {
        for (status, error_code, expected) in [
            (Status::Minimized, None, 0),
            (Status::Error, None, 1),
            (Status::Error, Some("worker"), 1),
            (Status::Unchanged, None, 3),
            (Status::Passing, None, 4),
            (Status::Flaky, None, 5),
            (Status::NotFound, None, 6),
            (Status::Error, Some("no_pytest"), 7),
            (Status::Error, Some("no_interpreter"), 7),
            (Status::Error, Some("broken_environment"), 7),
            (Status::Error, Some("cache"), 7),
            (Status::Interrupted, None, 130),
            (Status::Error, Some("interrupted"), 130),
        ] {
            assert_eq!(of(status, error_code), expected, "{status:?} {error_code:?}");
        }
        assert_eq!(USAGE, 2);
    }

    #[test]
    fn of_several_targets_the_highest_counts() {
        assert_eq!(combine([]), 0);
        assert_eq!(combine([0, 0]), 0);
        assert_eq!(combine([0, 5, 3]), 5);
        assert_eq!(combine([7, 130, 1]), 130);
    }

    #[test]
    fn the_documentation_has_every_number_and_sentence() {
        let page = include_str!("../../../docs/exit-codes.md");
        for (code, sentence) in ALL {
            assert!(page.contains(&format!("| {code} | {sentence} |")), "{code} {sentence}");
        }
    }
}
