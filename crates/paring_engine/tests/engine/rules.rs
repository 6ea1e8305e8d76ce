//! What an experiment may remove. Each test fails wherever its failing line is, so that all that stays is there by a rule.

use crate::trial::{Saw, Trial, asserts, check, crashes, has, omits, unless_good};
use paring_model::{Failure, Observation, StmtId, Version};
use paring_testkit::passed;

const VALUE: &str = "test:\n  a = 1\n  c = 2\n  b = a\n  b.put(c)\n  assert b\n";

#[test]
fn what_an_asserted_value_is_computed_from_stays() {
    check(&Trial::new(VALUE, |text, _| asserts(text, "assert b")), VALUE);
}

#[test]
fn an_exception_of_the_tests_own_expression_is_like_an_assertion_on_its_value() {
    fn run(text: &str) -> Observation {
        match crashes(text, "d = b.first()") {
            Observation::Failed(failure) => Observation::Failed(Failure { below: Vec::new(), ..failure }),
            other => other,
        }
    }
    let source = "test:\n  a = 1\n  c = 2\n  b = a\n  b.put(c)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), source);
}

#[test]
fn an_exception_within_an_assertion_is_like_its_failure() {
    check(&Trial::new(VALUE, |text, _| crashes(text, "assert b")), VALUE);
}

#[test]
fn of_a_crash_only_the_failing_call_stays_and_what_went_is_named() {
    fn run(text: &str) -> Observation {
        if has(text, "b.k()") { crashes(text, "d = b.first()") } else { passed() }
    }
    let source = "test:\n  a = 1\n  c = 2\n  b = a\n  b.k()\n  b.put(c)\n  d = b.first()\n";
    let trial = Trial::new(source, |text, _| run(text));
    let done = check(&trial, "test:\n  a = 1\n  b = a\n  b.k()\n  d = b.first()\n");
    assert_eq!(lines(&trial, &done.result.dropped), ["c = 2", "b.put(c)"]);
}

#[test]
fn a_call_that_names_what_the_crash_names_stays_with_what_that_names() {
    let source = "test:\n  b.load('kk')\n  b.put('kk','zz')\n  b.put('q')\n  d = b.first()\n";
    let kept = "test:\n  b.load('kk')\n  b.put('kk','zz')\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| names(text)), kept);
}

/// A crash whose message has a word of a call in it.
fn names(text: &str) -> Observation {
    match crashes(text, "d = b.first()") {
        Observation::Failed(mut failure) => {
            "no zz here".clone_into(&mut failure.exceptions[0].message);
            Observation::Failed(failure)
        }
        other => other,
    }
}

#[test]
fn what_prepares_state_that_no_name_shows_stays_with_what_it_is_computed_from() {
    let source = "test:\n  n = 'x'\n  n.add(1)\n  m = 'y'\n  k.setenv(n)\n  k.print(m)\n  d = k.first()\n";
    let trial = Trial {
        saw: &[Saw::Hidden("k.setenv(n)")],
        ..Trial::new(source, |text, _| crashes(text, "d = k.first()"))
    };
    check(&trial, "test:\n  n = 'x'\n  n.add(1)\n  k.setenv(n)\n  d = k.first()\n");
    let value = "test:\n  n = 'x'\n  r = k.sync(n)\n  d = j.first()\n";
    let trial = Trial {
        saw: &[Saw::Hidden("r = k.sync(n)")],
        ..Trial::new(value, |text, _| crashes(text, "d = j.first()"))
    };
    check(&trial, value);
}

#[test]
fn a_branch_that_was_not_taken_and_would_have_changed_the_value_stays() {
    let source = "test:\n  b = 1\n  c = 2\n  if c:\n    b = 3\n  assert b\n";
    let trial =
        Trial { saw: &[Saw::Skip("b = 3")], ..Trial::new(source, |text, _| asserts(text, "assert b")) };
    check(&trial, source);
    check(&Trial { program: |text, _| crashes(text, "assert b"), ..trial }, source);
}

#[test]
fn what_decides_whether_the_value_is_computed_stays_as_a_header() {
    let source = "test:\n  b = 1\n  c = 2\n  if c:\n    b.put(3)\n  assert b\n";
    check(&Trial::new(source, |text, _| asserts(text, "assert b")), source);
    let around = "test:\n  b = 1\n  c = 2\n  if c:\n    assert b\n";
    check(&Trial::new(around, |text, _| asserts(text, "assert b")), "test:\n  b = 1\n  c = 2\n  assert b\n");
}

#[test]
fn a_guard_that_was_not_taken_goes_and_one_that_ends_another_branch_stays() {
    let source = "test:\n  b = 1\n  for v in b:\n    if v:\n      continue\n    b.put(v)\n  assert b\n";
    let free = "test:\n  b = 1\n  for v in b:\n    b.put(v)\n  assert b\n";
    let trial =
        Trial { saw: &[Saw::Skip("continue")], ..Trial::new(source, |text, _| asserts(text, "assert b")) };
    check(&trial, free);
    let taken = Trial { saw: &[], ..trial };
    check(&taken, source);
}

#[test]
fn a_break_that_kept_a_loop_from_its_else_stays() {
    let source = "test:\n  b = 1\n  for v in b:\n    if v:\n      break\n  else:\n    b.put(v)\n  assert b\n";
    let trial =
        Trial { saw: &[Saw::Skip("break")], ..Trial::new(source, |text, _| asserts(text, "assert b")) };
    check(&trial, source);
}

#[test]
fn every_condition_on_the_way_to_a_fail_stays() {
    let source = "test:\n  a = 1\n  x = 2\n  if a:\n    b = 2\n    if b:\n      raise miss\n";
    let kept = "test:\n  a = 1\n  if a:\n    b = 2\n    if b:\n      raise miss\n";
    check(&Trial::new(source, |text, _| omits(text, "raise miss")), kept);
}

#[test]
fn what_would_have_changed_a_condition_on_the_way_to_a_fail_stays() {
    let source = "test:\n  a = 1\n  c = 2\n  if c:\n    a = 3\n  if a:\n    raise miss\n";
    let trial =
        Trial { saw: &[Saw::Skip("a = 3")], ..Trial::new(source, |text, _| omits(text, "raise miss")) };
    check(&trial, source);
}

#[test]
fn the_bodies_of_functions_of_the_test_stay() {
    let source = "test:\n  helper f a:\n    n = 1\n    return a\n  x = 2\n  d = k.first(f)\n";
    let trial = Trial::new(source, |text, _| crashes(text, "d = k.first(f)"));
    check(&trial, "test:\n  helper f a:\n    n = 1\n    return a\n  d = k.first(f)\n");
}

#[test]
fn what_a_block_allows_and_sets_up_stays() {
    let handler = "test:\n  b = 1\n  try:\n    b.put(2)\n  catch e:\n    c = e\n  assert b\n";
    let kept = "test:\n  b = 1\n  try:\n    b.put(2)\n  catch e:\n  assert b\n";
    check(&Trial::new(handler, |text, _| asserts(text, "assert b")), kept);
    let with = "test:\n  b = 1\n  with lock:\n    assert b\n";
    check(&Trial::new(with, |text, _| asserts(text, "assert b")), with);
}

#[test]
fn a_protected_line_stays() {
    let source = "test:\n  b = 1\n  x = 2 # keep\n  assert b\n";
    check(&Trial::new(source, |text, _| asserts(text, "assert b")), source);
    let good = Trial {
        has_good: true,
        ..Trial::new(source, |text, version| unless_good(version, asserts(text, "assert b")))
    };
    check(&good, source);
}

#[test]
fn with_a_good_version_all_may_go_that_it_does_not_need() {
    fn run(text: &str, version: Version) -> Observation {
        let needs = has(text, "b.put(c)");
        if version == Version::Good && needs { passed() } else { asserts(text, "assert b") }
    }
    let trial = Trial { has_good: true, ..Trial::new(VALUE, run) };
    check(&trial, VALUE);
    let trial = Trial::new(VALUE, |text, version| unless_good(version, asserts(text, "assert b")));
    check(&Trial { has_good: true, ..trial }, "test:\n  a = 1\n  b = a\n  assert b\n");
}

#[test]
fn what_an_experiment_finds_needed_stays_with_all_it_is_computed_from() {
    // The file is read by a way that no name shows: no slice holds, and `w.write(t)` is found needed.
    fn run(text: &str) -> Observation {
        if has(text, "w.write(t)") { asserts(text, "assert b") } else { passed() }
    }
    let source =
        "test:\n  t = 1\n  u = 2\n  w = 3\n  w.open(u)\n  w.write(t)\n  x = 4\n  b = k.read()\n  assert b\n";
    let kept = "test:\n  t = 1\n  u = 2\n  w = 3\n  w.open(u)\n  w.write(t)\n  b = k.read()\n  assert b\n";
    check(&Trial::new(source, |text, _| run(text)), kept);
}

fn lines(trial: &Trial, ids: &[StmtId]) -> Vec<String> {
    let unit = trial.unit();
    ids.iter().map(|&id| unit.stmt(id).header.of(&unit.source).to_owned()).collect()
}
