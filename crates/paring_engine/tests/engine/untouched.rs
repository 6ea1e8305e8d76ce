//! Calls that may have failed to change what the failed assertion looks at: they stay, though nothing shows what they did.

use crate::trial::{Saw, Trial, asserts};

/// What stays of a test whose failure needs nothing but its last line.
#[track_caller]
fn check(source: &'static str, saw: &'static [Saw], expected: &str) {
    let trial = Trial { saw, ..Trial::new(source, |text, _| asserts(text, "assert b.left()")) };
    assert_eq!(trial.search().text, expected);
}

#[test]
fn an_object_of_the_test_that_was_handed_to_a_call_and_not_changed() {
    let source = "test:\n  b = Buffer()\n  t = k.encode(b)\n  assert b.left()\n";
    check(source, &[], source);
    check(source, &[Saw::Change("t = k.encode(b)", "b")], source);
}

#[test]
fn an_object_that_was_changed_since_needs_no_other_call() {
    let source = "test:\n  b = Buffer()\n  t = k.encode(b)\n  b.put(1)\n  assert b.left()\n";
    check(source, &[Saw::Change("b.put(1)", "b")], "test:\n  b = Buffer()\n  b.put(1)\n  assert b.left()\n");
}

#[test]
fn a_value_that_nothing_can_change() {
    let source = "test:\n  b = Buffer()\n  t = k.encode(b)\n  assert b.left()\n";
    check(source, &[Saw::Immutable("b")], "test:\n  b = Buffer()\n  assert b.left()\n");
}

#[test]
fn an_object_that_the_code_under_test_made() {
    let source = "test:\n  b = k.open()\n  t = k.encode(b)\n  assert b.left()\n";
    check(source, &[], "test:\n  b = k.open()\n  assert b.left()\n");
    let of_the_file = "helper open:\n  return 1\ntest:\n  b = open()\n  t = k.encode(b)\n  assert b.left()\n";
    check(of_the_file, &[], of_the_file);
}

#[test]
fn an_object_that_was_asked_to_act_and_not_changed() {
    let source = "test:\n  b = k.open()\n  t = b.cancel(1)\n  assert b.left()\n";
    check(source, &[], source);
    let asks = "test:\n  b = k.open()\n  t = b.size(1)\n  assert b.left()\n";
    check(asks, &[], "test:\n  b = k.open()\n  assert b.left()\n");
}

#[test]
fn an_object_of_the_whole_file_is_not_asked_to_act() {
    let source = "b = 1\ntest:\n  b.put(2)\n  t = b.cancel(1)\n  assert b.left()\n";
    check(source, &[], "b = 1\ntest:\n  b.put(2)\n  assert b.left()\n");
}

#[test]
fn what_the_function_under_test_works_on_is_no_object_looked_at() {
    let source = "test:\n  b = Buffer()\n  t = encode(b)\n  assert encode(b)\n";
    let trial = Trial::new(source, |text, _| asserts(text, "assert encode(b)"));
    assert_eq!(trial.search().text, "test:\n  b = Buffer()\n  assert encode(b)\n");
}

#[test]
fn without_a_trace_nothing_is_known_of_it() {
    let source = "test:\n  b = Buffer()\n  t = k.encode(b)\n  assert b.left()\n";
    let trial = Trial { untraced: true, ..Trial::new(source, |text, _| asserts(text, "assert b.left()")) };
    assert_eq!(trial.search().text, "test:\n  b = Buffer()\n  assert b.left()\n");
}
