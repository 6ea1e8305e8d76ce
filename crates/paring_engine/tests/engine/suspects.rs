//! Calls without effect are named.

use crate::trial::{Saw, Trial, asserts, check};

#[test]
fn calls_without_effect_are_suspects_where_the_failure_stays_without_them() {
    let source = "test:\n  b = 1\n  b.put(2)\n  b.pop()\n  assert b\n";
    let trial = Trial {
        saw: &[Saw::Change("b.put(2)", "b")],
        ..Trial::new(source, |text, _| asserts(text, "assert b"))
    };
    let done = check(&trial, source);
    let suspects = done.result.suspects;
    let unit = trial.unit();
    let texts: Vec<&str> =
        suspects.iter().map(|suspect| unit.stmt(suspect.stmt).header.of(&unit.source)).collect();
    assert_eq!(texts, ["b.pop()"]);
    assert!(!suspects[0].without.kept.contains(suspects[0].stmt));
}
