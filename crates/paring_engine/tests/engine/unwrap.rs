//! Headers that give way to their bodies.

use crate::trial::{Saw, Trial, asserts, crashes, has};
use paring_testkit::passed;

/// What becomes of a header around the failing statement.
#[track_caller]
fn check(source: &'static str, saw: &'static [Saw], expected: &str) {
    let trial = Trial { saw, ..Trial::new(source, |text, _| crashes(text, "d = b.first()")) };
    let done = trial.search();
    assert_eq!(done.text, expected, "{:?}", done.tried);
}

#[test]
fn a_header_around_what_the_crash_needs_stays_for_what_it_may_decide_on_good_code() {
    let source = "test:\n  b = 1\n  if b:\n    b.go()\n  d = b.first()\n";
    let run = |text: &str, _| if has(text, "b.go()") { crashes(text, "d = b.first()") } else { passed() };
    assert_eq!(Trial::new(source, run).search().text, source);
}

const BARE: &str = "test:\n  b = 1\n  d = b.first()\n";

#[test]
fn an_if_gives_way_to_the_branch_that_ran() {
    check("test:\n  b = 1\n  if b:\n    d = b.first()\n", &[], BARE);
    check("test:\n  b = 1\n  if b:\n    b.p()\n  else:\n    d = b.first()\n", &[Saw::Skip("b.p()")], BARE);
}

#[test]
fn an_if_of_which_two_branches_ran_stays() {
    let source = "test:\n  b = 1\n  if b:\n    b.p()\n  else:\n    d = b.first()\n";
    let trial =
        Trial::new(
            source,
            |text, _| if has(text, "b.p()") { crashes(text, "d = b.first()") } else { passed() },
        );
    assert_eq!(trial.search().text, source);
}

#[test]
fn a_loop_gives_way_to_one_round_of_its_body() {
    check("test:\n  b = 1\n  loop b:\n    d = b.first()\n", &[], BARE);
}

#[test]
fn a_loop_stays_whose_variable_is_read_or_that_is_left_by_a_jump() {
    let reads = "test:\n  for b in {1,2}:\n    d = b.first()\n";
    let trial = Trial::new(reads, |text, _| crashes(text, "d = b.first()"));
    assert!(trial.search().text.contains("for b in"), "{}", trial.search().text);
    let jumps = "test:\n  b = 1\n  loop b:\n    d = b.first()\n    break\n";
    let trial = Trial::new(
        jumps,
        |text, _| if has(text, "break") { crashes(text, "d = b.first()") } else { passed() },
    );
    assert_eq!(trial.search().text, jumps);
}

#[test]
fn a_plain_block_gives_way_to_its_body() {
    check("test:\n  b = 1\n  block:\n    d = b.first()\n", &[], BARE);
}

#[test]
fn with_a_good_version_a_try_loses_its_handlers_and_a_with_its_header() {
    let check = |source: &'static str, expected: &str| {
        let trial = Trial {
            has_good: true,
            ..Trial::new(source, |text, version| match version {
                paring_model::Version::Faulty => asserts(text, "assert b"),
                paring_model::Version::Good => passed(),
            })
        };
        assert_eq!(trial.search().text, expected);
    };
    let bare = "test:\n  b = 1\n  assert b\n";
    check("test:\n  b = 1\n  try:\n    assert b\n  catch e:\n    c = e\n", bare);
    check("test:\n  b = 1\n  with lock:\n    assert b\n", bare);
    check("test:\n  b = 1\n  try:\n    assert b\n  finally:\n    b.p()\n", bare);
}

#[test]
fn a_header_that_the_failure_needs_stays() {
    let source = "test:\n  b = 1\n  block:\n    d = b.first()\n";
    let trial =
        Trial::new(
            source,
            |text, _| if has(text, "block:") { crashes(text, "d = b.first()") } else { passed() },
        );
    assert_eq!(trial.search().text, source);
}
