//! Several tests in one draft: one that checks too much becomes several that pass, and what they must not lose.

use crate::trial::stmt;
use paring_engine::runs::Purpose;
use paring_engine::{
    Budget, EachOnce, Expectation, Judgement, Keeps, Loss, Oracle, Order, Ports, Runs, Same, Several,
};
use paring_model::{
    Body, Candidate, Composed, Draft, EditSet, Form, Frontend, Heat, Name, Observation, Piece, TestDraft,
    Unit, Verdict, Version,
};
use paring_testkit::{FakeClock, FakeRunner, LineFrontend, MemoryJournal, failed, passed};
use std::time::Duration;

const SOURCE: &str = "test:\n  a = 1\n  b = 2\n  assert a\n  assert b\n";

fn without(unit: &Unit, lines: &[&str]) -> TestDraft {
    let mut edits = EditSet::all(unit);
    for line in lines {
        edits.remove(unit, stmt(unit, line));
    }
    TestDraft::edited(0, edits)
}

/// The test in two, one assertion each.
fn halves(unit: &Unit) -> Draft {
    Draft::of(vec![without(unit, &["b = 2", "assert b"]), without(unit, &["a = 1", "assert a"])])
}

/// The lines of one test of a written file.
fn lines(candidate: &Candidate) -> Vec<&str> {
    let name = candidate.target().rsplit("::").next().unwrap_or_default().to_owned();
    let is_head = |line: &&str| !line.starts_with(' ');
    let all: Vec<&str> = candidate.text().lines().collect();
    let head = all
        .iter()
        .position(|line| is_head(line) && line.trim_end_matches(':').split(' ').any(|word| word == name));
    let body = all[head.map_or(0, |head| head + 1)..].iter();
    body.take_while(|line| !is_head(line)).map(|line| line.trim()).collect()
}

/// A program in which an assertion holds once its name has a value.
fn program(candidate: &Candidate) -> Observation {
    let lines = lines(candidate);
    let has = |name: &str| lines.iter().any(|line| line.starts_with(&format!("{name} =")));
    match lines.iter().find(|line| line.strip_prefix("assert ").is_some_and(|name| !has(name))) {
        Some(_) => failed(1, "no value"),
        None => passed(),
    }
}

fn judge(runner: &FakeRunner, draft: &Draft, expectations: &[Expectation], orders: &[Order]) -> Judgement {
    let unit = LineFrontend::unit(SOURCE);
    let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
    let ports = Ports {
        runner,
        recorder: None,
        clock: &clock,
        journal: &journal,
        tell: &|_| {},
        budget: Budget::default(),
    };
    let asserts = unit.ids().filter(|&id| unit.stmt(id).header.of(&unit.source).starts_with("assert"));
    let each_once = EachOnce { unit: 0, stmts: asserts.collect() };
    let written = LineFrontend.write(&[&unit], draft, Form::Compact).expect("a text");
    let several = Several {
        runs: &Runs::new(ports),
        frontend: &LineFrontend,
        units: &[&unit],
        expectations,
        keeps: &[&each_once as &dyn Keeps],
        orders,
        purpose: Purpose::Search,
        heat: Heat::Warm,
        timeout: Some(Duration::from_secs(1)),
    };
    several.judge(draft, &written.candidate).expect("nobody stops it")
}

fn passing(n: usize) -> Vec<Expectation> {
    vec![Expectation::passes(); n]
}

const ORDERS: [Order; 3] = [Order::Alone, Order::AsWritten, Order::Shuffled(7)];

#[test]
fn several_tests_of_one_hold_where_each_passes_in_every_order() {
    let (unit, runner) = (LineFrontend::unit(SOURCE), FakeRunner::of_candidates(program));
    assert_eq!(judge(&runner, &halves(&unit), &passing(2), &ORDERS), Judgement::Holds);
    assert_eq!(runner.n_runs(), 2 + 1 + 1, "two alone, and all of them in two orders");
}

#[test]
fn a_test_that_misses_something_is_named() {
    let (unit, runner) = (LineFrontend::unit(SOURCE), FakeRunner::of_candidates(program));
    let draft =
        Draft::of(vec![without(&unit, &["b = 2", "assert b"]), without(&unit, &["b = 2", "assert a"])]);
    let judgement = judge(&runner, &draft, &passing(2), &ORDERS);
    let Judgement::Differs { test: 1, order: Order::Alone, verdict: Verdict::Other(_) } = judgement else {
        panic!("{judgement:?}")
    };
}

#[test]
fn a_test_that_needs_another_before_it_holds_in_one_order_alone() {
    let runner = FakeRunner::of_candidates(|candidate| {
        let is_second = lines(candidate).contains(&"assert b");
        if is_second && candidate.after.is_empty() { failed(1, "nothing ran before") } else { passed() }
    });
    let draft = halves(&LineFrontend::unit(SOURCE));
    assert_eq!(judge(&runner, &draft, &passing(2), &[Order::AsWritten]), Judgement::Holds);
    let judgement = judge(&runner, &draft, &passing(2), &[Order::AsWritten, Order::Alone]);
    assert!(matches!(judgement, Judgement::Differs { test: 1, order: Order::Alone, .. }), "{judgement:?}");
}

#[test]
fn an_assertion_that_is_lost_or_repeated_costs_no_run() {
    let (unit, runner) = (LineFrontend::unit(SOURCE), FakeRunner::of_candidates(program));
    let missing = Draft::of(vec![without(&unit, &["b = 2", "assert b"])]);
    let loss = Loss::Missing { unit: 0, stmt: stmt(&unit, "assert b") };
    assert_eq!(judge(&runner, &missing, &passing(1), &ORDERS), Judgement::Lost(loss));
    let piece = |line: &str| Piece::plain(0, stmt(&unit, line));
    let composed = Composed { pieces: vec![piece("a = 1"), piece("assert a")], ..Composed::default() };
    let again = TestDraft { name: Name::New("again".to_owned()), body: Body::Composed(composed) };
    let repeated = Draft::of([halves(&unit).tests, vec![again]].concat());
    let loss = Loss::Repeated { unit: 0, stmt: stmt(&unit, "assert a") };
    assert_eq!(judge(&runner, &repeated, &passing(3), &ORDERS), Judgement::Lost(loss));
    assert_eq!(runner.n_runs(), 0);
}

#[test]
fn a_test_may_be_to_fail_or_to_pass_on_another_program() {
    let unit = LineFrontend::unit(SOURCE);
    let seen = failed(5, "no");
    let Observation::Failed(failure) = &seen else { unreachable!("it is a failure") };
    let fails = Oracle::of_failure(&unit, failure, Same::default()).anywhere();
    let expectations =
        [Expectation::fails(fails), Expectation { on: Version::Good, ..Expectation::passes() }];
    let runner = |b_on_good: Observation| {
        FakeRunner::with_good(move |text, version| match version {
            Version::Faulty if text.contains("assert a") => failed(3, "no"),
            Version::Faulty => passed(),
            Version::Good => b_on_good.clone(),
        })
    };
    let draft = halves(&unit);
    assert_eq!(judge(&runner(passed()), &draft, &expectations, &[Order::Alone]), Judgement::Holds);
    let judgement = judge(&runner(failed(1, "no")), &draft, &expectations, &[Order::Alone]);
    assert!(matches!(judgement, Judgement::Differs { test: 1, .. }), "{judgement:?}");
}
