//! Removals that hold only together.

use crate::trial::{Trial, asserts, crashes, has};
use paring_model::{Observation, Version};
use paring_testkit::passed;

/// Without `send.fail()` the block waits in vain, and without the block nobody catches what that throws.
fn waits(text: &str) -> Observation {
    match (has(text, "expect E:"), has(text, "send.fail()")) {
        (true, false) => crashes(text, "expect E:"),
        (false, true) => crashes(text, "send.fail()"),
        (true, true) | (false, false) => asserts(text, "assert b"),
    }
}

const SOURCE: &str =
    "test:\n  b = 1\n  send = 2\n  send.fail()\n  expect E:\n    b.notify(send)\n  assert b\n";

fn run(text: &str, version: Version) -> Observation {
    match version {
        Version::Faulty => waits(text),
        Version::Good => passed(),
    }
}

#[test]
fn a_statement_goes_with_the_one_that_fails_without_it() {
    let trial = Trial { has_good: true, ..Trial::new(SOURCE, run) };
    assert_eq!(trial.search().text, "test:\n  b = 1\n  assert b\n");
}

#[test]
fn without_a_good_version_a_check_that_fails_is_a_reason_to_keep_what_it_checks() {
    assert_eq!(Trial::new(SOURCE, run).search().text, SOURCE);
}
