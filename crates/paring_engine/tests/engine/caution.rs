//! What stays by caution: that a crash may have been prevented, that it is told from what is needed, and what a bold search drops.

use crate::trial::{Saw, Trial, asserts, check, crashes, has, last};
use paring_model::{Observation, StmtSet};
use paring_testkit::passed;

const TAPE: &str = "test:\n  b = 1\n  x = 2\n  b.put('q')\n  b.close()\n  d = b.first()\n";

#[test]
fn all_that_was_done_to_an_object_stays_where_the_crash_is_the_same_without_any_of_it() {
    check(
        &Trial::new(TAPE, |text, _| last(text)),
        "test:\n  b = 1\n  b.put('q')\n  b.close()\n  d = b.first()\n",
    );
}

#[test]
fn where_the_crash_needs_some_of_it_the_rest_goes_with_a_doubt() {
    fn run(text: &str) -> Observation {
        if has(text, "b.close()") { last(text) } else { passed() }
    }
    let trial = Trial::new(TAPE, |text, _| run(text));
    let done = check(&trial, "test:\n  b = 1\n  b.close()\n  d = b.first()\n");
    assert_eq!(lines(&trial, done.result.dropped.iter().copied()), ["b.put('q')"]);
}

#[test]
fn each_object_of_the_failing_call_counts_for_itself() {
    fn run(text: &str) -> Observation {
        if has(text, "a.put(1)") { crashes(text, "d = a.first(b)") } else { passed() }
    }
    let source = "test:\n  a = 1\n  b = 1\n  a.put(1)\n  b.put(2)\n  d = a.first(b)\n";
    check(&Trial::new(source, |text, _| run(text)), source);
}

#[test]
fn what_the_failure_is_the_same_without_is_told_from_what_it_needs() {
    let source = "test:\n  b = 1\n  b.put(1)\n  b.put(2)\n  assert b\n";
    let trial = Trial::new(source, |text, _| asserts(text, "assert b"));
    let done = check(&trial, source);
    assert_eq!(of(&trial, &done.result.caution), ["b.put(1)", "b.put(2)"]);
    assert_eq!(of(&trial, &done.result.bound), ["b = 1", "assert b"]);
    assert_eq!(
        done.gone(),
        ["b.put(1)", "b.put(2)", "b.put(1) | b.put(2)"],
        "calls without effect, and all at once"
    );
}

#[test]
fn halves_find_what_is_needed_and_their_number_is_bounded() {
    fn run(text: &str) -> Observation {
        if has(text, "b.p(3)") { asserts(text, "assert b") } else { passed() }
    }
    let source = "test:\n  b = 1\n  b.p(1)\n  b.p(2)\n  b.p(3)\n  b.p(4)\n  b.p(5)\n  b.p(6)\n  b.p(7)\n  b.p(8)\n  assert b\n";
    let saw: &[Saw] = &[
        Saw::Change("b.p(1)", "b"),
        Saw::Change("b.p(2)", "b"),
        Saw::Change("b.p(3)", "b"),
        Saw::Change("b.p(4)", "b"),
        Saw::Change("b.p(5)", "b"),
        Saw::Change("b.p(6)", "b"),
        Saw::Change("b.p(7)", "b"),
        Saw::Change("b.p(8)", "b"),
    ];
    let trial = Trial { saw, ..Trial::new(source, |text, _| run(text)) };
    let done = check(&trial, source);
    assert!(done.result.tried_without.contains(crate::trial::stmt(&trial.unit(), "b.p(3)")));
    assert_eq!(of(&trial, &done.result.caution).len(), 7);
    assert!(done.tried.len() <= 9, "{:?}", done.gone());
}

#[test]
fn a_bold_search_keeps_what_was_without_effect_and_drops_what_was_done_to_other_objects() {
    let source =
        "test:\n  k = 1\n  a = k.make(1)\n  a.put(1)\n  b = k.make(2)\n  b.name(1)\n  b.put(2)\n  assert b\n";
    let saw: &[Saw] =
        &[Saw::Change("a.put(1)", "a"), Saw::Change("a.put(1)", "k"), Saw::Change("b.name(1)", "b")];
    let trial = Trial { saw, ..Trial::new(source, |text, _| asserts(text, "assert b")) };
    check(&trial, source);
    let bold = Trial { bold: true, ..trial };
    check(&bold, "test:\n  k = 1\n  b = k.make(2)\n  b.put(2)\n  assert b\n");
}

#[test]
fn a_bold_search_keeps_the_last_that_was_done_and_all_calls_of_a_method_that_matters() {
    fn needs_one(text: &str) -> Observation {
        if has(text, "b.put(1)") { asserts(text, "assert b") } else { passed() }
    }
    let source = "test:\n  b = 1\n  b.put(1)\n  b.put(2)\n  b.name(1)\n  assert b\n";
    let saw: &[Saw] =
        &[Saw::Change("b.put(1)", "b"), Saw::Change("b.put(2)", "b"), Saw::Change("b.name(1)", "b")];
    let trial = Trial { bold: true, saw, ..Trial::new(source, |text, _| asserts(text, "assert b")) };
    check(&trial, "test:\n  b = 1\n  b.name(1)\n  assert b\n");
    let trial = Trial { program: |text, _| needs_one(text), ..trial };
    check(&trial, "test:\n  b = 1\n  b.put(1)\n  b.put(2)\n  assert b\n");
}

fn of(trial: &Trial, stmts: &StmtSet) -> Vec<String> {
    lines(trial, stmts.iter())
}

fn lines(trial: &Trial, stmts: impl Iterator<Item = paring_model::StmtId>) -> Vec<String> {
    let unit = trial.unit();
    stmts.map(|id| unit.stmt(id).header.of(&unit.source).to_owned()).collect()
}
