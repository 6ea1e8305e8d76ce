//! The tests that run before the target are pared to what they are needed for.

use crate::trial::{Trial, asserts, has};
use paring_model::Observation;
use paring_testkit::passed;

/// Fails once `r.leave()` of an earlier test has run.
fn run(text: &str) -> Observation {
    if has(text, "r.leave()") { asserts(text, "assert b") } else { passed() }
}

const SOURCE: &str = "use r\nearlier one:\n  x = 1\n  r.leave()\n  y = 2\n  z = 3\nearlier two:\n  w = 4\ntest:\n  b = 1\n  assert b\n";

#[test]
fn what_they_leave_behind_stays_and_the_rest_goes() {
    let trial = Trial { after: &["one", "two"], ..Trial::new(SOURCE, |text, _| run(text)) };
    let done = trial.search();
    assert_eq!(done.text, "use r\nearlier one:\n  r.leave()\nearlier two:\ntest:\n  b = 1\n  assert b\n");
}

#[test]
fn a_test_that_does_not_run_before_it_goes_whole() {
    let trial = Trial { after: &["one"], ..Trial::new(SOURCE, |text, _| run(text)) };
    let done = trial.search();
    assert_eq!(done.text, "use r\nearlier one:\n  r.leave()\ntest:\n  b = 1\n  assert b\n");
}

#[test]
fn the_last_statement_is_tried_first_and_the_step_grows_with_success() {
    let trial = Trial { after: &["one"], ..Trial::new(SOURCE, |text, _| run(text)) };
    let tried = trial.search().tried;
    let steps: Vec<&str> = tried.iter().filter_map(|draft| draft.split("earlier one: | ").nth(1)).collect();
    assert_eq!(
        steps,
        [
            "x = 1 | r.leave() | y = 2 | z = 3 | test: | b = 1 | assert b",
            "x = 1 | r.leave() | y = 2 | test: | b = 1 | assert b",
            "x = 1 | test: | b = 1 | assert b",
            "x = 1 | r.leave() | test: | b = 1 | assert b",
            "test: | b = 1 | assert b",
            "r.leave() | test: | b = 1 | assert b",
        ]
    );
}
