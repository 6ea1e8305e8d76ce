//! What a search takes, and what it remembers.

use crate::trial::{Trial, asserts, has, stmt};
use paring_engine::Search;
use paring_model::{EditSet, Observation};
use paring_testkit::passed;

const SOURCE: &str = "test:\n  a = 1\n  b = 2\n  c = 3\n  assert b\n";

fn needs_b(text: &str) -> Observation {
    if has(text, "b = 2") { asserts(text, "assert b") } else { passed() }
}

/// Lends a search on the whole test, and drafts of it without some lines.
fn with_search(body: impl FnOnce(&mut Search<'_>, &dyn Fn(&[&str]) -> EditSet)) {
    let trial = Trial::new(SOURCE, |text, _| needs_b(text));
    let unit = trial.unit();
    let (oracle, facts, runner) = (trial.oracle(&unit), trial.facts(&unit), trial.runner());
    let without = |lines: &[&str]| {
        let mut draft = EditSet::all(&unit);
        for line in lines {
            draft.remove(&unit, stmt(&unit, line));
        }
        draft
    };
    trial.in_lab(&unit, &oracle, &runner, |lab| {
        body(&mut Search::new(lab, &facts, trial.criterion(&unit)), &without);
    });
}

#[test]
fn a_draft_that_holds_and_is_better_is_the_current_one() {
    with_search(|search, without| {
        assert!(!search.has_result());
        assert!(search.take(&without(&["a = 1"])).unwrap());
        assert_eq!(*search.current(), without(&["a = 1"]));
        assert!(search.take(&without(&["a = 1", "c = 3"])).unwrap());
        assert_eq!(*search.current(), without(&["a = 1", "c = 3"]));
    });
}

#[test]
fn a_draft_that_holds_and_is_not_better_is_not_taken() {
    with_search(|search, without| {
        search.take(&without(&["a = 1", "c = 3"])).unwrap();
        assert!(!search.take(&without(&["a = 1"])).unwrap());
        assert_eq!(*search.current(), without(&["a = 1", "c = 3"]));
    });
}

#[test]
fn a_draft_that_does_not_hold_is_not_taken() {
    with_search(|search, without| {
        search.take(&without(&["a = 1"])).unwrap();
        assert!(!search.take(&without(&["a = 1", "b = 2"])).unwrap());
        assert_eq!(*search.current(), without(&["a = 1"]));
    });
}

#[test]
fn a_statement_is_found_needed_only_by_a_draft_without_it_that_does_not_hold() {
    with_search(|search, without| {
        let unit = search.unit;
        search.take_without(stmt(unit, "b = 2"), &without(&["b = 2"])).unwrap();
        search.take_without(stmt(unit, "c = 3"), &without(&["c = 3"])).unwrap();
        assert_eq!(search.tried_without().iter().collect::<Vec<_>>(), [stmt(unit, "b = 2")]);
    });
}
