//! What a bold search keeps beside the last that was done to an object: names, what was to raise, loops, and what is registered.

use crate::trial::{Saw, Trial, asserts, check, has, omits};
use paring_testkit::passed;

fn bold(source: &'static str, saw: &'static [Saw]) -> Trial {
    Trial { bold: true, saw, ..Trial::new(source, |text, _| asserts(text, "assert b")) }
}

#[test]
fn what_names_what_gives_the_value_stays() {
    let source = "test:\n  k = 1\n  k.put('two cats')\n  k.put('no fish')\n  k.put('a dog')\n  b = k.find('cat')\n  assert b\n";
    let saw: &[Saw] = &[
        Saw::Change("k.put('two cats')", "k"),
        Saw::Change("k.put('no fish')", "k"),
        Saw::Change("k.put('a dog')", "k"),
    ];
    check(&bold(source, saw), "test:\n  k = 1\n  k.put('two cats')\n  b = k.find('cat')\n  assert b\n");
}

#[test]
fn what_was_made_with_such_a_name_is_handed_over() {
    let source = "test:\n  b = 1\n  c = Box('heavy')\n  d = Box('light')\n  b.put(c)\n  b.put(d)\n  assert b 'heavy'\n";
    let saw: &[Saw] = &[Saw::Change("b.put(c)", "b"), Saw::Change("b.put(d)", "b")];
    let trial = Trial { program: |text, _| asserts(text, "assert b 'heavy'"), ..bold(source, saw) };
    check(&trial, "test:\n  b = 1\n  c = Box('heavy')\n  b.put(c)\n  assert b 'heavy'\n");
}

#[test]
fn what_was_done_to_what_was_to_raise_stays() {
    let source = "test:\n  b = 1\n  c = 2\n  b.freeze()\n  c.take(1)\n  expect miss:\n    b.take(2)\n";
    let saw: &[Saw] = &[Saw::Change("b.freeze()", "b"), Saw::Change("b.take(2)", "b")];
    let trial = Trial { program: |text, _| omits(text, "expect miss:"), ..bold(source, saw) };
    check(&trial, "test:\n  b = 1\n  b.freeze()\n  expect miss:\n    b.take(2)\n");
    let inside = "test:\n  expect miss:\n    b = 1\n    b.put(2)\n    c = 1\n    b.take(3)\n";
    let saw: &[Saw] = &[Saw::Change("b.put(2)", "b"), Saw::Change("b.take(3)", "b")];
    let trial = Trial { program: |text, _| omits(text, "expect miss:"), ..bold(inside, saw) };
    check(&trial, "test:\n  expect miss:\n    b = 1\n    b.put(2)\n    b.take(3)\n");
}

#[test]
fn each_loop_in_which_the_object_was_changed_stays() {
    let source = "test:\n  a = 1\n  b = 1\n  loop a:\n    b.step()\n  loop a:\n    c = b.step()\n  b.halt()\n  assert b\n";
    let saw: &[Saw] =
        &[Saw::Change("b.step()", "b"), Saw::Change("c = b.step()", "b"), Saw::Change("b.halt()", "b")];
    check(&bold(source, saw), source);
}

#[test]
fn all_calls_of_a_method_that_matters_stay_though_one_stays_anyway() {
    let source = "test:\n  b = 1\n  b.put('x')\n  b.put('y')\n  b.put('z')\n  assert b 'y'\n";
    let saw: &[Saw] =
        &[Saw::Change("b.put('x')", "b"), Saw::Change("b.put('y')", "b"), Saw::Change("b.put('z')", "b")];
    let trial = Trial {
        program: |text, _| {
            let any = ["b.put('x')", "b.put('y')", "b.put('z')"].iter().any(|line| has(text, line));
            if any { asserts(text, "assert b 'y'") } else { passed() }
        },
        ..bold(source, saw)
    };
    check(&trial, source);
}

#[test]
fn a_call_without_effect_on_what_is_registered_somewhere_stays() {
    let source = "test:\n  a = Ticket('a')\n  a.cancel()\n  b = Ticket('b')\n  assert b\n";
    let saw: &[Saw] = &[Saw::Hidden("a = Ticket('a')"), Saw::Hidden("b = Ticket('b')")];
    let trial = Trial {
        program: |text, _| if has(text, "a = Ticket('a')") { asserts(text, "assert b") } else { passed() },
        ..bold(source, saw)
    };
    check(&trial, source);
}

#[test]
fn calls_of_one_function_of_a_module_are_not_all_alike() {
    let source = "use b\n\ntest:\n  b.put(1)\n  b.put(2)\n  b.put(3)\n  assert b\n";
    let saw: &[Saw] =
        &[Saw::Change("b.put(1)", "b"), Saw::Change("b.put(2)", "b"), Saw::Change("b.put(3)", "b")];
    let trial = Trial {
        program: |text, _| {
            if has(text, "use b") && has(text, "b.put(2)") { asserts(text, "assert b") } else { passed() }
        },
        ..bold(source, saw)
    };
    check(&trial, "use b\n\ntest:\n  b.put(2)\n  assert b\n");
}
