//! What the laboratory runs, what it remembers, and what it makes of a good version.

use crate::trial::{Trial, asserts, has, stmt, tried};
use paring_engine::lab::Lab;
use paring_engine::{Budget, Stop};
use paring_model::{EditSet, Observation, Verdict, Version};
use paring_testkit::{FakeRunner, passed};
use std::sync::atomic::{AtomicUsize, Ordering};

const SOURCE: &str = "test:\n  a = 1\n  b = 2\n  c = 3\n  assert b\n";

fn run(text: &str, version: Version) -> Observation {
    match version {
        Version::Faulty if has(text, "b = 2") => asserts(text, "assert b"),
        Version::Good if !has(text, "a = 1") => asserts(text, "assert b"),
        Version::Faulty | Version::Good => passed(),
    }
}

/// The original without some lines.
fn without(lab: &Lab<'_>, lines: &[&str]) -> EditSet {
    let mut edits = EditSet::all(lab.unit);
    for line in lines {
        edits.remove(lab.unit, stmt(lab.unit, line));
    }
    edits
}

#[track_caller]
fn check(trial: &Trial, body: impl FnOnce(&mut Lab<'_>), expected: &[&str]) {
    let unit = trial.unit();
    let (oracle, runner) = (trial.oracle(&unit), trial.runner());
    trial.in_lab(&unit, &oracle, &runner, |mut lab| body(&mut lab));
    assert_eq!(tried(&runner), expected);
}

#[test]
fn a_draft_is_run_once_and_its_verdict_remembered() {
    let judge = |lab: &mut Lab<'_>| {
        let edits = without(lab, &["a = 1"]);
        assert!(lab.holds(&edits).unwrap());
        assert!(lab.holds(&edits).unwrap());
        assert_eq!(lab.bench.runs.counts().search, 1);
    };
    check(&Trial::new(SOURCE, run), judge, &["test: | b = 2 | c = 3 | assert b"]);
}

#[test]
fn verdicts_come_in_the_order_of_the_drafts_and_equal_drafts_share_a_run() {
    let judge = |lab: &mut Lab<'_>| {
        let drafts = [without(lab, &["b = 2"]), without(lab, &["c = 3"]), without(lab, &["b = 2"])];
        lab.run_ahead(&drafts).unwrap();
        assert_eq!(lab.bench.runs.counts().search, 2);
        assert_eq!(drafts.map(|draft| lab.holds(&draft).unwrap()), [false, true, false]);
        assert_eq!(lab.bench.runs.counts().search, 2);
    };
    let trial = Trial { n_parallel: 4, ..Trial::new(SOURCE, run) };
    let unit = trial.unit();
    trial.in_lab(&unit, &trial.oracle(&unit), &trial.runner(), |mut lab| judge(&mut lab));
}

#[test]
fn with_a_good_version_what_fails_there_too_has_slipped() {
    let judge = |lab: &mut Lab<'_>| {
        assert_eq!(lab.judge(&without(lab, &["a = 1"])).unwrap(), Verdict::Slipped);
        assert_eq!(lab.judge(&without(lab, &["c = 3"])).unwrap(), Verdict::Same);
    };
    for n_parallel in [1, 4] {
        let trial = Trial { has_good: true, n_parallel, ..Trial::new(SOURCE, run) };
        check(&trial, judge, &["test: | b = 2 | c = 3 | assert b", "test: | a = 1 | b = 2 | assert b"]);
    }
}

#[test]
fn with_several_workers_the_first_that_holds_is_the_same_one() {
    for n_parallel in [1, 2, 4] {
        let trial = Trial { n_parallel, ..Trial::new(SOURCE, run) };
        let unit = trial.unit();
        let first = trial.in_lab(&unit, &trial.oracle(&unit), &trial.runner(), |mut lab| {
            let drafts = [without(&lab, &["b = 2"]), without(&lab, &["a = 1"]), without(&lab, &["c = 3"])];
            lab.first_same(&drafts).unwrap()
        });
        assert_eq!(first, Some(1));
    }
}

#[test]
fn a_budget_that_is_spent_stops_the_next_run() {
    let trial = Trial { budget: Budget { runs: Some(1), time: None }, ..Trial::new(SOURCE, run) };
    let judge = |lab: &mut Lab<'_>| {
        assert!(lab.holds(&without(lab, &["a = 1"])).unwrap());
        assert!(matches!(lab.holds(&without(lab, &["c = 3"])), Err(Stop::Budget)));
        // What is known costs nothing.
        assert!(lab.holds(&without(lab, &["a = 1"])).unwrap());
    };
    check(&trial, judge, &["test: | b = 2 | c = 3 | assert b"]);
}

#[test]
fn a_budget_of_runs_ends_at_the_same_verdict_with_any_number_of_workers() {
    for n_parallel in [1, 2, 4] {
        let trial =
            Trial { n_parallel, budget: Budget { runs: Some(2), time: None }, ..Trial::new(SOURCE, run) };
        let unit = trial.unit();
        trial.in_lab(&unit, &trial.oracle(&unit), &trial.runner(), |mut lab| {
            // Runs ahead of need are free: the first two verdicts are used, whoever ran the third.
            let drafts =
                [without(&lab, &["b = 2"]), without(&lab, &["b = 2", "c = 3"]), without(&lab, &["c = 3"])];
            assert_eq!(lab.first_same(&drafts), Err(Stop::Budget), "{n_parallel} workers");
            assert!(!lab.holds(&drafts[1]).unwrap());
        });
    }
}

#[test]
fn only_a_better_draft_takes_the_place_of_the_best() {
    let accept = |lab: &mut Lab<'_>| {
        let (one, two) = (without(lab, &["a = 1"]), without(lab, &["a = 1", "c = 3"]));
        lab.accept(&two);
        lab.accept(&one);
        assert_eq!(lab.best, Some(two));
    };
    check(&Trial::new(SOURCE, run), accept, &[]);
}

#[test]
fn where_threads_run_what_holds_must_hold_again() {
    let n = AtomicUsize::new(0);
    let runner = FakeRunner::new(move |text| match n.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => asserts(text, "assert b"),
        _ => passed(),
    });
    let trial = Trial { n_again: 2, ..Trial::new(SOURCE, run) };
    let unit = trial.unit();
    trial.in_lab(&unit, &trial.oracle(&unit), &runner, |mut lab| {
        assert!(!lab.holds(&without(&lab, &["a = 1"])).unwrap());
    });
    assert_eq!(runner.n_runs(), 3);
}
