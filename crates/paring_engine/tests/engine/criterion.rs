//! Which statements a slice starts from.

use crate::trial::{Saw, Trial, asserts, omits};
use paring_engine::criterion;
use paring_model::{Failure, Observation, Phase, Position, StmtId, Unit};

/// What the statements are sliced from for a failure of the last run, as the lines of the test.
#[track_caller]
fn check(trial: &Trial, change: impl Fn(&mut Failure), expected: &[&str]) {
    let unit = trial.unit();
    let mut failure = match (trial.program)(trial.source, paring_model::Version::Faulty) {
        Observation::Failed(failure) => failure,
        other => panic!("no failure: {other:?}"),
    };
    change(&mut failure);
    let found = criterion(&unit, &trial.facts(&unit), &failure);
    assert_eq!(texts(&unit, &found.stmts), expected);
}

fn texts(unit: &Unit, ids: &[StmtId]) -> Vec<String> {
    ids.iter().map(|&id| unit.stmt(id).header.of(&unit.source).to_owned()).collect()
}

fn plain(_: &mut Failure) {}

#[test]
fn an_assertion_is_all_there_is() {
    let trial = Trial::new("test:\n  a = 1\n  assert a\n", |text, _| asserts(text, "assert a"));
    check(&trial, plain, &["assert a"]);
}

#[test]
fn all_statements_of_the_stack_belong_to_it_the_innermost_first() {
    let source = "helper f x:\n  assert x\ntest:\n  a = 1\n  f(a)\n";
    let trial = Trial::new(source, |text, _| asserts(text, "assert x"));
    let called = |failure: &mut Failure| failure.stack.insert(0, Position { line: 5, column: None });
    check(&trial, called, &["assert x", "f(a)"]);
}

#[test]
fn what_was_to_raise_belongs_to_a_block_that_waited_in_vain() {
    let source = "test:\n  expect E:\n    a = 1\n    b.go(a)\n";
    check(&Trial::new(source, |text, _| omits(text, "expect E:")), plain, &["expect E:", "b.go(a)"]);
    let nested = "test:\n  expect E:\n    a = 1\n    with lock:\n      b.go(a)\n";
    check(&Trial::new(nested, |text, _| omits(text, "expect E:")), plain, &["expect E:", "b.go(a)"]);
}

#[test]
fn a_check_behind_what_was_to_raise_belongs_to_it_too() {
    let source = "test:\n  expect E:\n    b.go()\n    assert b\n";
    let trial = Trial::new(source, |text, _| omits(text, "expect E:"));
    check(&trial, plain, &["expect E:", "b.go()", "assert b"]);
}

#[test]
fn a_plain_block_waits_only_where_the_failure_is_one_of_omission() {
    let source = "test:\n  with waiting:\n    b.go()\n";
    let trial = Trial::new(source, |text, _| omits(text, "with waiting:"));
    check(&trial, plain, &["with waiting:", "b.go()"]);
    let trial = Trial::new(source, |text, _| asserts(text, "with waiting:"));
    check(&trial, plain, &["with waiting:"]);
}

#[test]
fn a_block_that_waits_around_the_failing_statement_brings_its_last_one() {
    let source = "test:\n  expect E:\n    assert a\n    b.go()\n";
    check(&Trial::new(source, |text, _| asserts(text, "assert a")), plain, &["assert a", "b.go()"]);
    let nested = "test:\n  expect E:\n    assert a\n    with lock:\n      b.go()\n";
    check(&Trial::new(nested, |text, _| asserts(text, "assert a")), plain, &["assert a", "b.go()"]);
}

#[test]
fn a_raise_in_a_try_waits_for_the_statement_before_it() {
    let source = "test:\n  try:\n    a.go()\n    b.go()\n    raise miss\n  catch e:\n    c = e\n";
    check(&Trial::new(source, |text, _| omits(text, "raise miss")), plain, &["raise miss", "b.go()"]);
    let in_else = "test:\n  try:\n    a.go()\n  catch e:\n    c = e\n  else:\n    raise miss\n";
    check(&Trial::new(in_else, |text, _| omits(text, "raise miss")), plain, &["raise miss", "a.go()"]);
}

#[test]
fn a_raise_in_a_handler_or_a_loop_waits_for_nothing() {
    let handler = "test:\n  try:\n    a.go()\n  catch e:\n    raise miss\n";
    check(&Trial::new(handler, |text, _| omits(text, "raise miss")), plain, &["raise miss"]);
    let in_loop = "test:\n  try:\n    a.go()\n    loop a:\n      raise miss\n  catch e:\n    c = e\n";
    check(&Trial::new(in_loop, |text, _| omits(text, "raise miss")), plain, &["raise miss"]);
}

#[test]
fn a_raise_of_the_test_itself_waits_for_the_effect_before_it() {
    let source = "test:\n  a.go()\n  raise miss\n";
    check(&Trial::new(source, |text, _| omits(text, "raise miss")), plain, &["raise miss", "a.go()"]);
    let value = "test:\n  a = b.go()\n  raise miss\n";
    check(&Trial::new(value, |text, _| omits(text, "raise miss")), plain, &["raise miss"]);
}

#[test]
fn a_framework_that_waited_for_the_whole_test_waited_for_its_last_statement() {
    let trial = Trial::new("test:\n  a = 1\n  b.go(a)\n", |text, _| omits(text, "a = 1"));
    check(&trial, |failure| failure.stack.clear(), &["b.go(a)"]);
}

const FIXTURE: &str = "fixture f:\n  c = 1\n  yield c\n  assert c\ntest f:\n  n = 1\n  f.put(n)\n  g = f.wrap()\n  \
    g.put(n)\n  n.put(n)\n  k = f.size()\n";

#[test]
fn what_the_test_did_to_a_fixture_belongs_to_a_failure_behind_its_yield() {
    let trial = Trial::new(FIXTURE, |text, _| asserts(text, "assert c"));
    let torn = |failure: &mut Failure| failure.phase = Phase::TearDown;
    check(&trial, torn, &["assert c", "f.put(n)", "g.put(n)"]);
    check(&trial, plain, &["assert c"]);
    let seen = Trial { saw: &[Saw::Change("k = f.size()", "f")], ..trial };
    check(&seen, torn, &["assert c", "f.put(n)", "g.put(n)", "k = f.size()"]);
}

#[test]
fn all_that_was_done_for_an_effect_belongs_to_the_failure_of_a_foreign_fixture() {
    let source = "test f:\n  n = 1\n  m.put(n)\n  h = k.open(n)\n";
    let trial = Trial {
        saw: &[Saw::Hidden("h = k.open(n)")],
        ..Trial::new(source, |text, _| asserts(text, "n = 1"))
    };
    let torn = |failure: &mut Failure| {
        failure.phase = Phase::TearDown;
        failure.stack.clear();
    };
    check(&trial, torn, &["m.put(n)", "h = k.open(n)"]);
}
