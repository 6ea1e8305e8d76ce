//! Whether a run shows the failure of the original.

use crate::trial::{asserts, crashes};
use paring_engine::oracle::{baseline, stmt_of};
use paring_engine::{Baseline, Same};
use paring_model::{
    BrokenKind, Difference, Exception, Failure, Form, Frame, Frontend, Observation, Phase, Position,
    TargetSpec, Verdict,
};
use paring_testkit::{LineFrontend, passed};

const SOURCE: &str = "test:\n  a = 1\n  assert a\n  assert b\n";

fn original() -> Failure {
    of(crashes(SOURCE, "assert a"))
}

fn of(observation: Observation) -> Failure {
    match observation {
        Observation::Failed(failure) => failure,
        other => panic!("no failure: {other:?}"),
    }
}

#[track_caller]
fn check(same: Same, seen: &Observation, verdict: &Verdict) {
    let unit = LineFrontend::unit(SOURCE);
    let Baseline::Stable(oracle) = baseline(&unit, &[Observation::Failed(original())], same, false) else {
        panic!("the original fails in one way");
    };
    assert_eq!(oracle.judge_in(&unit, seen), *verdict);
}

/// The failure with one thing changed, under the strict oracle and under one that does not look at that thing.
#[track_caller]
fn check_part(change: fn(&mut Failure), difference: Difference, relaxed: Same) {
    let mut failure = original();
    change(&mut failure);
    check(Same::default(), &Observation::Failed(failure.clone()), &Verdict::Other(difference));
    check(relaxed, &Observation::Failed(failure), &Verdict::Same);
}

#[test]
fn the_same_failure_is_the_same() {
    check(Same::default(), &Observation::Failed(original()), &Verdict::Same);
}

#[test]
fn each_part_of_a_failure_counts_unless_it_is_not_looked_at() {
    let all = Same::default();
    check_part(
        |failure| failure.exceptions[0].type_name = "ValueError".to_owned(),
        Difference::Type { found: "ValueError".to_owned(), line: Some(3) },
        Same { exception: false, ..all },
    );
    check_part(
        |failure| failure.exceptions[0].message = "'j'".to_owned(),
        Difference::Message { found: "'j'".to_owned() },
        Same { message: false, ..all },
    );
    check_part(
        |failure| failure.below[0].function = "play".to_owned(),
        Difference::Frames,
        Same { frames: false, ..all },
    );
    check_part(
        |failure| failure.stack[0].line = 4,
        Difference::Statement { line: Some(4) },
        Same { statement: false, ..all },
    );
}

#[test]
fn a_cause_more_is_another_failure() {
    let cause = Exception { type_name: "OSError".to_owned(), message: String::new() };
    let mut failure = original();
    failure.exceptions.push(cause);
    let difference = Difference::Type { found: "KeyError".to_owned(), line: Some(3) };
    check(Same::default(), &Observation::Failed(failure), &Verdict::Other(difference));
}

#[test]
fn a_frame_that_comes_twice_counts_once() {
    let mut failure = original();
    let again: Frame = failure.below[0].clone();
    failure.below.push(again);
    check(Same::default(), &Observation::Failed(failure), &Verdict::Same);
}

#[test]
fn another_phase_is_another_failure_whatever_is_looked_at() {
    let none = Same { exception: false, message: false, frames: false, statement: false };
    let failure = Failure { phase: Phase::SetUp, ..original() };
    check(none, &Observation::Failed(failure), &Verdict::Other(Difference::Phase));
}

#[test]
fn a_setting_that_the_original_puts_back_must_be_put_back() {
    let failure = Failure { left: vec!["cwd".to_owned()], ..original() };
    let difference = Difference::Left { what: "cwd".to_owned() };
    check(Same::default(), &Observation::Failed(failure), &Verdict::Other(difference));
}

#[test]
fn what_does_not_fail_is_another_and_what_does_not_compile_is_broken() {
    let other = |difference| Verdict::Other(difference);
    check(Same::default(), &passed(), &other(Difference::Passed));
    check(Same::default(), &Observation::Skipped { reason: String::new() }, &other(Difference::Skipped));
    check(
        Same::default(),
        &Observation::Hung { stack: Vec::new(), below: Vec::new() },
        &other(Difference::Hung),
    );
    check(Same::default(), &Observation::Died { how: "signal 9".to_owned() }, &other(Difference::Died));
    let (message, line) = ("no such name".to_owned(), Some(2));
    let broken = Observation::Broken { message: message.clone(), line, kind: BrokenKind::NotRunnable };
    check(Same::default(), &broken, &Verdict::Broken { message, line });
}

/// What kind of baseline some runs of the original make.
#[track_caller]
fn check_baseline(seen: &[Observation], allow_flaky: bool, expected: &str) {
    let unit = LineFrontend::unit(SOURCE);
    let word = match baseline(&unit, seen, Same::default(), allow_flaky) {
        Baseline::Stable(_) => "stable",
        Baseline::Passing => "passing",
        Baseline::Skipped { .. } => "skipped",
        Baseline::Flaky { .. } => "flaky",
        Baseline::Broken { .. } => "broken",
        Baseline::Hung { .. } => "hung",
    };
    assert_eq!(word, expected);
}

#[test]
fn an_original_is_stable_only_where_all_its_runs_are_alike() {
    let (fails, other) = (asserts(SOURCE, "assert a"), asserts(SOURCE, "assert b"));
    let dies = Observation::Died { how: "signal 6".to_owned() };
    check_baseline(&[fails.clone(), fails.clone()], false, "stable");
    check_baseline(&[fails.clone(), other.clone()], false, "flaky");
    check_baseline(&[fails.clone(), passed()], false, "flaky");
    check_baseline(&[fails.clone(), other], true, "stable");
    check_baseline(&[dies.clone(), dies.clone()], false, "stable");
    check_baseline(&[dies, fails], false, "flaky");
    check_baseline(&[passed(), passed()], false, "passing");
    check_baseline(&[passed(), passed()], true, "passing");
    check_baseline(&[Observation::Hung { stack: Vec::new(), below: Vec::new() }], false, "hung");
}

#[test]
fn a_number_that_changes_from_run_to_run_may_change_in_drafts() {
    let unit = LineFrontend::unit(SOURCE);
    let with = |message: &str| {
        let mut failure = original();
        message.clone_into(&mut failure.exceptions[0].message);
        Observation::Failed(failure)
    };
    let seen = [with("took 15 ms of 20"), with("took 17 ms of 20")];
    let Baseline::Stable(oracle) = baseline(&unit, &seen, Same::default(), false) else {
        panic!("only a number differs");
    };
    assert_eq!(oracle.judge_in(&unit, &with("took 21 ms of 20")), Verdict::Same);
    assert_ne!(oracle.judge_in(&unit, &with("lost 21 ms of 20")), Verdict::Same);
}

#[test]
fn a_compact_text_is_judged_by_its_own_lines() {
    let unit = LineFrontend::unit(SOURCE);
    let mut edits = paring_model::EditSet::all(&unit);
    edits.remove(&unit, crate::trial::stmt(&unit, "a = 1"));
    let candidate = LineFrontend.edited(&unit, &edits, Form::Compact);
    let oracle = match baseline(&unit, &[asserts(SOURCE, "assert a")], Same::default(), false) {
        Baseline::Stable(oracle) => oracle,
        other => panic!("{other:?}"),
    };
    let judge = |line: &str| {
        oracle.judge(&unit, &LineFrontend, &candidate, &asserts(candidate.text(), line)).is_same()
    };
    assert!(judge("assert a"));
    assert!(!judge("assert b"));
}

#[test]
fn a_position_is_the_statement_that_begins_there_or_spans_it() {
    let target = TargetSpec::new("test.lines::test");
    let unit = LineFrontend.parse("test.lines".into(), "test:\n  if a:\n    b = 1\n", &target).0;
    let at = |line, column| {
        stmt_of(&unit, Position { line, column }).map(|id| unit.stmt(id).header.of(&unit.source))
    };
    assert_eq!(at(2, None), Some("if a:"));
    assert_eq!(at(3, Some(4)), Some("b = 1"));
    assert_eq!(at(3, Some(0)), Some("if a:"));
    assert_eq!(at(9, None), None);
}
