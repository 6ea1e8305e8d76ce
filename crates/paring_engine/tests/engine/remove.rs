//! In which order statements are tried, and what goes together.

use crate::trial::{Trial, check, has, last};
use paring_model::Observation;
use paring_testkit::passed;

/// A crash that needs something of what was done to its object.
fn last_after_k(text: &str) -> Observation {
    if has(text, "b.k()") { last(text) } else { passed() }
}

#[test]
fn the_last_statements_are_tried_first_and_the_step_grows_with_success() {
    let source = "test:\n  b = 1\n  b.k()\n  b.p()\n  b.q()\n  b.r()\n  b.s()\n  b.t()\n  b.u()\n  b.v()\n  d = b.first()\n";
    let kept = "test:\n  b = 1\n  b.k()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| last_after_k(text)), kept);
    assert_eq!(
        // The first is without all that was done to the object.
        done.gone()[1..],
        ["b.v()", "b.t() | b.u() | b.v()", "b.p() | b.q() | b.r() | b.s() | b.t() | b.u() | b.v()"]
    );
}

#[test]
fn a_step_that_fails_is_one_statement_again() {
    fn run(text: &str) -> Observation {
        if has(text, "b.q()") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  b.p()\n  b.q()\n  b.r()\n  b.s()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  b.q()\n  d = b.first()\n");
    assert_eq!(
        done.gone(),
        // The first is without all that was done to the object. The draft without `b.q()` alone is known.
        [
            "b.p() | b.q() | b.r() | b.s()",
            "b.s()",
            "b.q() | b.r() | b.s()",
            "b.r() | b.s()",
            "b.p() | b.r() | b.s()"
        ]
    );
}

#[test]
fn what_reads_a_name_goes_with_what_gave_it_its_value() {
    fn run(text: &str) -> Observation {
        // Not a word of a name that nothing gives a value.
        let is_bound = has(text, "n = 2") || !has(text, "m = n");
        let is_read = has(text, "m = n") || !has(text, "b.put(m)");
        assert!(is_bound && is_read, "{text}");
        last_after_k(text)
    }
    let source = "test:\n  b = 1\n  b.k()\n  n = 2\n  m = n\n  b.put(m)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  b.k()\n  d = b.first()\n");
}

#[test]
fn a_name_that_two_statements_bind_is_not_missed_with_one_of_them() {
    fn run(text: &str) -> Observation {
        if has(text, "b.put(n)") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  n = 2\n  if b:\n    n = 3\n  b.put(n)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  n = 2\n  b.put(n)\n  d = b.first()\n");
}

#[test]
fn a_change_of_an_object_binds_nothing_and_its_reader_stays() {
    fn run(text: &str) -> Observation {
        if has(text, "b.put(n)") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  n = 2\n  n.add(3)\n  b.put(n)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  n = 2\n  b.put(n)\n  d = b.first()\n");
}

#[test]
fn a_block_is_tried_whole_before_its_parts() {
    let source = "test:\n  b = 1\n  b.k()\n  if b:\n    b.p()\n    b.q()\n  d = b.first()\n";
    let kept = "test:\n  b = 1\n  b.k()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| last_after_k(text)), kept);
    assert_eq!(done.gone()[1], "if b: | b.p() | b.q()");
}

#[test]
fn the_number_of_workers_changes_no_result() {
    fn run(text: &str) -> Observation {
        if has(text, "b.q()") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  b.p()\n  b.q()\n  b.r()\n  if b:\n    b.s()\n  d = b.first()\n";
    let one = Trial::new(source, |text, _| run(text));
    let four = Trial { n_parallel: 4, ..one.clone() };
    assert_eq!(one.search().text, four.search().text);
}
