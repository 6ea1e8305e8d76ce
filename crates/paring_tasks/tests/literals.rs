//! Smaller literals on a toy language and made-up programs: what becomes of each kind, and what stays as it was.

use paring_engine::{Budget, Same, Strategy};
use paring_model::{Heat, Observation, TargetSpec, Version};
use paring_tasks::minimize::{Hints, Request, minimize};
use paring_tasks::{Outcome, Status};
use paring_testkit::{FakeClock, FakeRunner, LineFrontend, MemoryJournal, failed, failed_in_library, passed};

const HINTS: Hints =
    Hints { list_tests: "", must_load: "", fails_to_load: "", no_source: "", member: "", instead: None };

/// What to do beside the usual.
struct Asked<'a> {
    literals: bool,
    strategy: Strategy,
    runs: Option<usize>,
    journal: &'a MemoryJournal,
}

fn pare_as(runner: &FakeRunner, source: &str, asked: &Asked<'_>) -> Outcome {
    minimize(&Request {
        frontend: &LineFrontend,
        runner,
        clock: &FakeClock::default(),
        journal: asked.journal,
        tell: &|_| {},
        versions: None,
        target: TargetSpec::new("test.lines::test"),
        before: Vec::new(),
        seen: None,
        path: "test.lines".into(),
        short_path: "test.lines".to_owned(),
        source: source.to_owned(),
        hints: &HINTS,
        strategy: asked.strategy,
        literals: asked.literals,
        same: Same::default(),
        n_baseline: 2,
        seen_apart: false,
        allow_flaky: false,
        bold: false,
        timeout: None,
        budget: Budget { runs: asked.runs, time: None },
        in_place: false,
        heirs: Vec::new(),
        apart: false,
        holding: false,
        last: Heat::Cold,
    })
}

fn pare(runner: &FakeRunner, source: &str) -> Outcome {
    let journal = MemoryJournal::default();
    pare_as(
        runner,
        source,
        &Asked { literals: true, strategy: Strategy::Auto, runs: None, journal: &journal },
    )
}

#[track_caller]
fn text_of(outcome: &Outcome) -> &str {
    &outcome.pared.as_ref().unwrap_or_else(|| panic!("there is no result: {outcome:?}")).text
}

/// What stands between two marks.
fn between(text: &str, open: char, close: char) -> &str {
    text.split_once(open).and_then(|(_, rest)| rest.split_once(close)).map_or("", |(inside, _)| inside)
}

fn largest_number(text: &str) -> u64 {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).max().unwrap_or(0)
}

/// Where the test fails, with this message.
fn fails(text: &str, message: &str) -> Observation {
    let at = text.lines().position(|line| line.trim().starts_with("assert"));
    at.map_or_else(passed, |at| failed(u32::try_from(at + 1).expect("a short text"), message))
}

const SOURCE: &str =
    "test:\n  a = 'once-upon-a-time' 5000 [1,2,3,4,5,6,7,8]\n  x = 'other'\n  b = a\n  assert b\n";

/// Fails with a `p` in the text, a number over 100 and a 5 in the list.
fn program(text: &str) -> Observation {
    let is_needed = between(text, '\'', '\'').contains('p')
        && largest_number(text) > 100
        && between(text, '[', ']').contains('5');
    if is_needed { fails(text, "no") } else { passed() }
}

#[test]
fn texts_numbers_and_lists_shrink_to_what_the_failure_needs() {
    let outcome = pare(&FakeRunner::new(program), SOURCE);
    assert_eq!(text_of(&outcome), "test:\n  a = 'p' 156 [5,]\n  b = a\n  assert b\n");
    assert_eq!(outcome.status, Status::Minimized);
    assert!(outcome.notes.contains(&"3 literals made smaller".to_owned()), "{:?}", outcome.notes);
    let doubts = &outcome.pared.as_ref().expect("a result").doubts;
    assert!(doubts.iter().any(|doubt| doubt.reason.contains("smaller literals")), "{doubts:?}");
}

#[test]
fn nothing_of_it_happens_unasked() {
    let journal = MemoryJournal::default();
    let asked = Asked { literals: false, strategy: Strategy::Auto, runs: None, journal: &journal };
    let outcome = pare_as(&FakeRunner::new(program), SOURCE, &asked);
    assert_eq!(text_of(&outcome), SOURCE.replace("  x = 'other'\n", ""));
    assert!(outcome.notes.is_empty() && outcome.pared.as_ref().expect("a result").doubts.is_empty());
}

#[test]
fn every_strategy_may_be_followed_by_it() {
    for strategy in Strategy::ALL {
        let journal = MemoryJournal::default();
        let asked = Asked { literals: true, strategy, runs: None, journal: &journal };
        let outcome = pare_as(&FakeRunner::new(program), SOURCE, &asked);
        assert!(text_of(&outcome).contains("a = 'p' 156 [5,]\n"), "{strategy:?}: {outcome:?}");
    }
}

#[test]
fn a_smaller_literal_passes_on_the_good_version_too() {
    // Good code does not mind the `p` as long as there is a `u`.
    let observe = |text: &str, version: Version| match version {
        Version::Good if between(text, '\'', '\'').contains('u') => passed(),
        Version::Good => fails(text, "no"),
        Version::Faulty => program(text),
    };
    for strategy in [Strategy::Auto, Strategy::Ddmin] {
        let journal = MemoryJournal::default();
        let asked = Asked { literals: true, strategy, runs: None, journal: &journal };
        let outcome = pare_as(&FakeRunner::with_good(observe), SOURCE, &asked);
        assert!(text_of(&outcome).contains("a = 'up' 156 [5,]\n"), "{strategy:?}: {outcome:?}");
        let pared = outcome.pared.as_ref().expect("a result");
        assert_eq!((pared.verified.passes_on_good, pared.doubts.len()), (Some(true), 0));
    }
}

#[test]
fn a_list_is_emptied_only_where_a_good_version_passes_with_it() {
    let source = "test:\n  a = [1,2]\n  assert a\n";
    let outcome = pare(&FakeRunner::new(|text| fails(text, "no")), source);
    assert_eq!(text_of(&outcome), "test:\n  a = [0]\n  assert a\n");
    let observe = |text: &str, version: Version| match version {
        Version::Good => passed(),
        Version::Faulty => fails(text, "no"),
    };
    let outcome = pare(&FakeRunner::with_good(observe), "test:\n  a = [1,2]\n  assert a [3,4]\n");
    assert!(text_of(&outcome).contains("assert a []"), "{outcome:?}");
}

#[test]
fn the_failing_statement_is_told_by_its_place() {
    // Two statements look alike but for their literals: the first one fails.
    let source = "test:\n  assert b 'abcdef'\n  assert b 'abcde'\n";
    let crash = |_: &str| failed_in_library(2, "KeyError", "no");
    let outcome = pare(&FakeRunner::new(crash), source);
    assert_eq!(text_of(&outcome), "test:\n  assert b ''\n");
}

#[test]
fn what_a_failed_assertion_expects_stays_without_a_good_version() {
    let source = "test:\n  a = 'abc'\n  assert a 'abc'\n";
    let outcome = pare(&FakeRunner::new(|text| fails(text, "no")), source);
    assert_eq!(text_of(&outcome), "test:\n  a = ''\n  assert a 'abc'\n");
}

#[test]
fn what_the_message_has_in_it_stays_and_costs_one_run() {
    let source = "test:\n  a = 'once-upon-a-time'\n  assert a\n";
    let runner = FakeRunner::new(|text| fails(text, between(text, '\'', '\'')));
    let n_runs = |literals: bool| {
        let journal = MemoryJournal::default();
        let asked = Asked { literals, strategy: Strategy::Auto, runs: None, journal: &journal };
        let outcome = pare_as(&runner, source, &asked);
        assert_eq!((outcome.status, text_of(&outcome)), (Status::Unchanged, source));
        outcome.runs.search
    };
    assert_eq!(n_runs(true), n_runs(false) + 1);
}

#[test]
fn a_protected_statement_keeps_its_literals() {
    let source = "test:\n  a = 'abc' 50 [1,2]  # keep\n  b = a 'def'\n  assert b\n";
    let outcome = pare(&FakeRunner::new(|text| fails(text, "no")), source);
    assert_eq!(text_of(&outcome), source.replace("'def'", "''"));
}

#[test]
fn a_budget_ends_it_with_the_best_so_far_and_resuming_goes_on() {
    let whole = pare(&FakeRunner::new(program), SOURCE);
    let journal = MemoryJournal::default();
    let asked = |runs| Asked { literals: true, strategy: Strategy::Auto, runs, journal: &journal };
    let stopped = pare_as(&FakeRunner::new(program), SOURCE, &asked(Some(whole.runs.search - 6)));
    assert!(stopped.unfinished && stopped.status == Status::Minimized, "{stopped:?}");
    assert_ne!(text_of(&stopped), text_of(&whole));
    assert!(!text_of(&stopped).contains("'other'"), "the usual search was done");
    let resumed = pare_as(&FakeRunner::new(program), SOURCE, &asked(None));
    assert_eq!(text_of(&resumed), text_of(&whole));
    assert!(resumed.runs.search < 10, "what was run is not run again: {:?}", resumed.runs);
}

#[test]
fn the_number_of_workers_does_not_matter() {
    let needed = |text: &str| {
        let inside = between(text, '\'', '\'');
        let is_needed = inside.contains('u') && inside.contains("me") && largest_number(text) % 7 != 1;
        if is_needed { fails(text, "no") } else { passed() }
    };
    let one = pare(&FakeRunner::new(needed), SOURCE);
    assert!(text_of(&one).contains("'ume'"), "{one:?}");
    for n_parallel in [2, 4, 7] {
        assert_eq!(text_of(&pare(&FakeRunner::new(needed).parallel(n_parallel), SOURCE)), text_of(&one));
    }
}
