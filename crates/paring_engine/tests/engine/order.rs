//! Which of two drafts is better.

use crate::trial::stmt;
use paring_engine::order::score;
use paring_model::{EditSet, TrimKind, Unit};
use paring_testkit::LineFrontend;

enum Edit {
    Gone(&'static str),
    Unwrapped(&'static str),
    /// The first trim of this kind.
    Trimmed(TrimKind),
}

const SOURCE: &str =
    "use x y\nfixture f:\n  a = 1\n  return a\ntest f:\n  if f:\n    b = 1\n  else:\n    c = 2\n  assert f\n";

fn edited(unit: &Unit, changes: &[Edit]) -> EditSet {
    let mut edits = EditSet::all(unit);
    for change in changes {
        match *change {
            Edit::Gone(line) => edits.remove(unit, stmt(unit, line)),
            Edit::Unwrapped(line) => {
                edits.unwrapped.insert(stmt(unit, line));
            }
            Edit::Trimmed(kind) => {
                edits.trims.extend(unit.trim_ids().find(|&id| unit.trim(id).kind == kind));
            }
        }
    }
    edits
}

#[track_caller]
fn check(better: &[Edit], worse: &[Edit]) {
    let unit = LineFrontend::unit(SOURCE);
    let (better, worse) = (edited(&unit, better), edited(&unit, worse));
    assert!(score(&unit, &better) < score(&unit, &worse));
    assert!(score(&unit, &worse) > score(&unit, &better));
}

#[test]
fn any_edit_is_better_than_none() {
    check(&[Edit::Gone("b = 1")], &[]);
    check(&[Edit::Gone("a = 1")], &[]);
    check(&[Edit::Unwrapped("if f:")], &[]);
    check(&[Edit::Trimmed(TrimKind::Parameter)], &[]);
}

#[test]
fn a_statement_of_the_test_counts_more_than_all_around_it() {
    check(&[Edit::Gone("b = 1")], &[Edit::Gone("fixture f:"), Edit::Gone("use x y")]);
    check(&[Edit::Unwrapped("if f:")], &[Edit::Gone("fixture f:"), Edit::Gone("use x y")]);
}

#[test]
fn a_statement_around_the_test_counts_more_than_clauses_and_these_more_than_trims() {
    let bare = || vec![Edit::Gone("c = 2")];
    let with = |more: Edit| bare().into_iter().chain([more]).collect::<Vec<_>>();
    check(&with(Edit::Gone("a = 1")), &with(Edit::Gone("else:")));
    check(&with(Edit::Gone("else:")), &with(Edit::Trimmed(TrimKind::Parameter)));
}

#[test]
fn of_two_that_are_as_small_the_one_with_the_earlier_statements_is_better() {
    check(&[Edit::Gone("c = 2")], &[Edit::Gone("b = 1")]);
    check(&[Edit::Gone("return a")], &[Edit::Gone("a = 1")]);
}
