//! What a result says comes from the record of what ran: after any stop, and with any number of workers.

mod trial;

use paring_engine::Budget;
use paring_model::{Facts, Observation, TargetSpec};
use paring_tasks::minimize::{Request, minimize};
use paring_tasks::purify::purify;
use paring_tasks::{Outcome, Pared};
use paring_testkit::{
    FakeClock, FakeRunner, LineFrontend, MemoryJournal, Trip, TrippingRunner, failed, failed_in_library,
    passed,
};
use trial::{ran, request};

/// `x ! x` matters although nothing shows it: what is sliced falls back, and experiments find it needed.
const HIDDEN: &str = "test:\n  a = 1\n  x = 2\n  b = a\n  c = 3\n  x ! x\n  b ! a\n  d = c\n  d ! c\n  y = x\n  y ! d\n  assert b\n  z = y\n";

fn has(text: &str, line: &str) -> bool {
    text.lines().any(|found| found.trim() == line)
}

fn line_of(text: &str, line: &str) -> Option<u32> {
    let idx = text.lines().position(|found| found.trim() == line)?;
    Some(u32::try_from(idx + 1).expect("a short text"))
}

fn fails_at(text: &str, line: &str) -> Observation {
    line_of(text, line).map_or_else(passed, |at| failed(at, line))
}

fn needs_hidden(text: &str) -> Observation {
    if has(text, "x ! x") && has(text, "b = a") { fails_at(text, "assert b") } else { passed() }
}

/// A crash in the library, which leaves the rules less to keep.
fn crashes(text: &str) -> Observation {
    match line_of(text, "c ? b = a") {
        Some(at) if has(text, "w ! t") => failed_in_library(at, "KeyError", "'k'"),
        Some(_) | None => passed(),
    }
}

const CRASH: &str = "test:\n  t = 1\n  a = 1\n  w = 3\n  x = 4\n  w ! t\n  b = a\n  b ! x\n  c ? b = a\n";

/// A statement is said to be checked only if a run without it had another result.
#[track_caller]
fn check_ticks(outcome: &Outcome, runner: &FakeRunner, program: fn(&str) -> Observation, about: &str) {
    let tried: Vec<String> = runner.jobs().iter().map(|job| job.candidate.text().to_owned()).collect();
    for kept in outcome.pared.iter().flat_map(|pared| &pared.kept) {
        let is_ticked = kept.reasons.iter().any(|reason| reason.checked);
        let was_tried = tried.iter().any(|text| !has(text, &kept.text) && program(text) == passed());
        assert!(!is_ticked || was_tried, "{about}: `{}` is ticked, and was never left out", kept.text);
    }
}

#[expect(clippy::type_complexity, reason = "a list of pairs")]
fn cases() -> [(&'static str, fn(&str) -> Observation); 2] {
    [(HIDDEN, needs_hidden), (CRASH, crashes)]
}

#[test]
fn a_tick_means_a_run_without_the_statement_after_any_budget() {
    for (source, program) in cases() {
        for n_runs in 1..30 {
            check_budget(source, program, Some(n_runs));
        }
    }
}

#[test]
fn what_experiments_find_needed_is_not_said_to_be_tried_without() {
    for (source, program) in cases() {
        check_budget(source, program, None);
    }
}

#[track_caller]
fn check_budget(source: &str, program: fn(&str) -> Observation, n_runs: Option<usize>) {
    let runner = FakeRunner::new(program).tracing(ran);
    let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
    let request = request(&LineFrontend, &runner, source, &clock, &journal);
    let outcome = minimize(&Request { budget: Budget { runs: n_runs, time: None }, ..request });
    check_ticks(&outcome, &runner, program, &format!("budget {n_runs:?}"));
}

#[test]
fn a_tick_means_a_run_without_the_statement_after_an_interruption_at_any_run() {
    for (source, program) in cases() {
        for k in 1..40 {
            let fake = FakeRunner::new(program).tracing(ran);
            let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
            let runner = TrippingRunner::new(&fake, k, Trip::Interrupt(&clock));
            let outcome = minimize(&request(&LineFrontend, &runner, source, &clock, &journal));
            check_ticks(&outcome, &fake, program, &format!("interrupted at {k}"));
        }
    }
}

/// What is seen of a result: its text, and what is said of its statements.
fn shown(outcome: &Outcome) -> String {
    let said = |pared: &Pared| format!("{}{:?}{:?}", pared.text, pared.kept, pared.doubts);
    format!("{:?} {}", outcome.status, outcome.pared.as_ref().map(said).unwrap_or_default())
}

#[test]
fn a_budget_of_runs_gives_the_same_result_with_any_number_of_workers() {
    for (source, program) in cases() {
        for n_runs in 1..30 {
            let with = |n_parallel| {
                let runner = FakeRunner::new(program).tracing(ran).parallel(n_parallel);
                let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
                let request = request(&LineFrontend, &runner, source, &clock, &journal);
                let budget = Budget { runs: Some(n_runs), time: None };
                shown(&minimize(&Request { budget, ..request }))
            };
            let one = with(1);
            for n_parallel in [2, 4] {
                assert_eq!(one, with(n_parallel), "{n_runs} runs, {n_parallel} workers");
            }
        }
    }
}

#[test]
fn a_failure_of_the_runner_while_results_stand_together_is_called_so() {
    let program = |text: &str| {
        let mut is_off = false;
        for line in text.lines().map(str::trim) {
            if !is_off && matches!(line, "assert a" | "assert c") {
                return fails_at(text, line);
            }
            is_off = line == "with off:";
        }
        passed()
    };
    let source = "test:\n  a = 1\n  b = 2\n  c = 3\n  assert a\n  assert b\n  assert c\n";
    let notes = |at: usize| {
        let fake = FakeRunner::new(program).tracing(ran);
        let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
        let runner = TrippingRunner::new(&fake, at, Trip::Fail);
        let request = request(&LineFrontend, &runner, source, &clock, &journal);
        let done = purify(&Request { in_place: true, apart: true, ..request });
        let notes: Vec<String> = done.outcomes.iter().flat_map(|outcome| outcome.notes.clone()).collect();
        (notes.join("\n"), runner.n_runs())
    };
    // The last run is that of all results in one file.
    let (_, n_runs) = notes(0);
    let (said, _) = notes(n_runs);
    assert!(said.contains("the worker is gone"), "{said}");
    assert!(!said.contains("fail the same way"), "{said}");
}

#[test]
fn an_interruption_keeps_what_was_removed_of_the_tests_before_it() {
    let source = "earlier one:\n  x = 1\n  r ! leave\n  y = 2\n  z = 3\n  v = 4\n  w = 5\ntest:\n  b = 1\n  assert b\n";
    let program = |text: &str| if has(text, "r ! leave") { fails_at(text, "assert b") } else { passed() };
    let size = |k: usize| {
        let fake = FakeRunner::new(program).tracing(ran);
        let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
        let runner = TrippingRunner::new(&fake, k, Trip::Interrupt(&clock));
        let target =
            TargetSpec { id: "test.lines::test".to_owned(), after: vec!["test.lines::one".to_owned()] };
        let request = request(&LineFrontend, &runner, source, &clock, &journal);
        let outcome = minimize(&Request { target, ..request });
        let tried = fake.jobs();
        let held = tried.iter().map(|job| job.candidate.text()).filter(|text| program(text) != passed());
        let n_lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
        let smallest = held.map(n_lines).min().expect("the original is run");
        (outcome.pared.map(|pared| n_lines(&pared.text)), smallest)
    };
    for k in 1..40 {
        if let (Some(shown), smallest) = size(k) {
            assert!(shown <= smallest, "interrupted at {k}: {shown} lines, and {smallest} were seen to fail");
        }
    }
}

#[test]
fn what_was_run_again_where_threads_run_is_not_run_once_more_when_resumed() {
    let source = "test:\n  a = 1\n  note = 3\n  b = a\n  wait = 2\n  assert b\n";
    let program = |text: &str| if has(text, "b = a") { fails_at(text, "assert b") } else { passed() };
    let runner = FakeRunner::new(program).tracing(|unit| Facts { threads: true, ..ran(unit) });
    let journal = MemoryJournal::default();
    let pare = || minimize(&request(&LineFrontend, &runner, source, &FakeClock::default(), &journal));
    let (whole, resumed) = (pare(), pare());
    assert!(whole.runs.search > 0);
    assert_eq!(resumed.runs.search, 0, "all that the search asked was in the journal");
    assert_eq!(resumed.pared.map(|pared| pared.text), whole.pared.map(|pared| pared.text));
}
