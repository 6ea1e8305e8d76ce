//! Taking a test apart, on a toy language and a made-up program: which assertions give a test, and what stays in each.

mod trial;

use paring_model::{BrokenKind, Exception, Failure, FailureKind, Observation, Phase, Position, Unit};
use paring_tasks::minimize::Request;
use paring_tasks::purify::{Purified, purify};
use paring_tasks::{Outcome, Status};
use paring_testkit::{FakeClock, FakeRunner, LineFrontend, MemoryJournal, passed};
use trial::{ran, request};

fn purified(runner: &FakeRunner, source: &str) -> Purified {
    purified_with(runner, source, &FakeClock::default(), false)
}

fn purified_with(runner: &FakeRunner, source: &str, clock: &FakeClock, in_place: bool) -> Purified {
    let journal = MemoryJournal::default();
    let request = request(&LineFrontend, runner, source, clock, &journal);
    purify(&Request { n_baseline: 2, in_place, apart: in_place, ..request })
}

fn failure(line_idx: usize, kind: FailureKind, message: &str) -> Observation {
    let line = u32::try_from(line_idx + 1).expect("a short text");
    Observation::Failed(Failure {
        phase: Phase::Call,
        kind,
        exceptions: vec![Exception { type_name: "Wrong".to_owned(), message: message.to_owned() }],
        stack: vec![Position { line, column: None }],
        below: Vec::new(),
        notes: Vec::new(),
        left: Vec::new(),
    })
}

/// A program in which the asserts of these names do not hold: the first that counts fails, and `boom` breaks.
fn run(wrong: &[&str], text: &str) -> Observation {
    let mut is_off = false;
    for (line_idx, line) in text.lines().enumerate() {
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["with", "off:"] => {
                is_off = true;
                continue;
            }
            ["assert" | "assert!" | "check", name] if wrong.contains(name) && !is_off => {
                return failure(line_idx, FailureKind::Assertion, &format!("{name} is wrong"));
            }
            ["boom", ..] => return failure(line_idx, FailureKind::Exception, "boom"),
            _ => {}
        }
        is_off = false;
    }
    passed()
}

fn program(wrong: &'static [&'static str]) -> FakeRunner {
    FakeRunner::new(move |text| run(wrong, text)).tracing(ran)
}

fn about(outcome: &Outcome) -> Option<(u32, &str)> {
    outcome.assertion.as_ref().map(|assertion| (assertion.line, assertion.text.as_str()))
}

fn text(outcome: &Outcome) -> &str {
    &outcome.pared.as_ref().expect("there is a result").text
}

#[test]
fn each_failing_assertion_gives_a_test_of_its_own_and_those_that_hold_give_none() {
    let source = "test:\n  a = 1\n  b = 2\n  c = 3\n  assert a\n  assert b\n  assert c\n";
    let found = purified(&program(&["a", "c"]), source).outcomes;
    assert_eq!(found.iter().map(about).collect::<Vec<_>>(), [Some((5, "assert a")), Some((7, "assert c"))]);
    assert_eq!(
        found.iter().map(text).collect::<Vec<_>>(),
        ["test:\n  a = 1\n  assert a\n", "test:\n  c = 3\n  assert c\n"]
    );
    assert!(
        found[0].notes.contains(&"2 of 3 assertions fail by themselves".to_owned()),
        "{:?}",
        found[0].notes
    );
}

#[test]
fn lines_and_sizes_are_those_of_the_users_file() {
    let source = "test:\n  a = 1\n  assert a\n  b = 2\n  x = 1\n  assert b\n";
    let found = purified(&program(&["a", "b"]), source).outcomes;
    let second = found[1].pared.as_ref().unwrap();
    assert_eq!((second.statements.before, second.statements.after), (5, 2));
    assert_eq!(second.kept.iter().map(|kept| kept.line).collect::<Vec<_>>(), [4, 6]);
    let removed: Vec<(u32, &str)> = second.removed.iter().map(|it| (it.line, it.text.as_str())).collect();
    assert_eq!(removed, [(2, "a = 1"), (3, "assert a"), (5, "x = 1")]);
    assert_eq!(second.failing_line, Some(6));
    assert_eq!(found[1].failure.as_ref().unwrap().site().unwrap().line, 6);
    assert_eq!(second.original, source);
}

#[test]
fn an_assertion_whose_arguments_are_needed_stays_turned_off() {
    let source = "test:\n  a = 1\n  assert a\n  assert b\n";
    let changes = |unit: &Unit| {
        let mut facts = ran(unit);
        let place = |name: &str| {
            let at = unit.places.iter().position(|place| place.name == name).expect("it is named");
            paring_model::PlaceId::from_idx(at)
        };
        let at =
            unit.ids().find(|&id| unit.stmt(id).range.of(&unit.source) == "assert a").expect("it is there");
        facts.changed.insert(at, [place("b")].into());
        facts
    };
    let found = purified(&program(&["a", "b"]).tracing(changes), source).outcomes;
    let second = found[1].pared.as_ref().unwrap();
    assert!(second.text.contains("with off:\n    assert a\n  assert b\n"), "{}", second.text);
    assert_eq!(second.statements.after, 3, "what turns it off is no statement\n{}", second.text);
}

#[test]
fn a_test_with_one_assertion_is_only_pared() {
    let runner = program(&["a"]);
    let found = purified(&runner, "test:\n  x = 1\n  a = 2\n  assert a\n").outcomes;
    assert_eq!(found.len(), 1);
    assert_eq!(text(&found[0]), "test:\n  a = 2\n  assert a\n");
    assert_eq!(about(&found[0]), Some((4, "assert a")));
    let last = runner.jobs().pop().unwrap();
    assert!(!last.candidate.text().contains("off"), "nothing is turned off\n{}", last.candidate.text());
}

#[test]
fn a_test_that_breaks_is_cut_there_and_what_failed_before_gives_a_test_too() {
    let source = "test:\n  a = 1\n  b = 1\n  assert a\n  boom b\n  assert b\n";
    let found = purified(&program(&["a", "b"]), source).outcomes;
    assert_eq!(found.iter().map(about).collect::<Vec<_>>(), [Some((4, "assert a")), None]);
    assert_eq!(text(&found[1]), "test:\n  b = 1\n  boom b\n");
    assert_eq!(found[1].failure.as_ref().unwrap().exception().message, "boom");
}

#[test]
fn a_call_that_turns_out_to_assert_is_an_assertion_too() {
    let source = "test:\n  a = 1\n  b = 1\n  check a\n  check b\n";
    let found = purified(&program(&["a", "b"]), source).outcomes;
    assert_eq!(found.iter().map(about).collect::<Vec<_>>(), [Some((4, "check a")), Some((5, "check b"))]);
    assert_eq!(text(&found[1]), "test:\n  b = 1\n  check b\n");
}

#[test]
fn what_cannot_be_turned_off_hides_what_is_behind_it() {
    let source = "test:\n  a = 1\n  b = 1\n  c = 1\n  assert a\n  assert! b\n  assert c\n";
    let found = purified(&program(&["a", "b", "c"]), source).outcomes;
    assert_eq!(found.iter().map(about).collect::<Vec<_>>(), [Some((5, "assert a")), Some((6, "assert! b"))]);
}

#[test]
fn a_text_that_does_not_compile_with_an_assertion_turned_off_is_tried_with_it_on() {
    let runner = FakeRunner::new(|text| {
        let at = text.lines().position(|line| line == "    assert b");
        let line = at.map(|at| u32::try_from(at + 1).expect("a short text"));
        line.map_or_else(
            || run(&["a", "c"], text),
            |line| Observation::Broken {
                message: "no value".to_owned(),
                line: Some(line),
                kind: BrokenKind::NotRunnable,
            },
        )
    })
    .tracing(ran);
    let source = "test:\n  a = 1\n  b = 1\n  c = 1\n  assert a\n  assert b\n  assert c\n";
    let found = purified(&runner, source).outcomes;
    assert_eq!(found.iter().map(about).collect::<Vec<_>>(), [Some((5, "assert a")), Some((7, "assert c"))]);
}

#[test]
fn a_passing_test_has_nothing_to_take_apart() {
    let found = purified(&program(&[]), "test:\n  assert a\n  assert b\n").outcomes;
    assert_eq!(found.iter().map(|outcome| outcome.status).collect::<Vec<_>>(), [Status::Passing]);
}

#[test]
fn an_interruption_ends_it_with_what_there_is() {
    let source = "test:\n  a = 1\n  b = 2\n  assert a\n  assert b\n";
    let clock = FakeClock::default();
    clock.interrupt();
    let found = purified_with(&program(&["a", "b"]), source, &clock, false).outcomes;
    assert_eq!(found.iter().map(|outcome| outcome.status).collect::<Vec<_>>(), [Status::Interrupted]);
}

#[test]
fn all_of_them_are_run_once_more_where_they_stand_together() {
    let source = "test:\n  a = 1\n  b = 2\n  assert a\n  assert b\n";
    // In a file of both the first is what fails, for each of them.
    let found = purified_with(&program(&["a", "b"]), source, &FakeClock::default(), true);
    assert_eq!(found.together, None);
    let said = "the purified tests do not all fail the same way when they stand in the file together";
    assert!(
        found.outcomes[0].notes.iter().any(|note| note.starts_with(said)),
        "{:?}",
        found.outcomes[0].notes
    );
    let found = purified_with(&program(&["a"]), source, &FakeClock::default(), true);
    assert_eq!(found.together.unwrap().targets, ["test.lines::test"]);
}
