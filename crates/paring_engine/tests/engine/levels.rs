//! Slices level by level: which drafts are tried, what repairs them, and where they fall back to.

use crate::trial::{Done, Saw, Trial, asserts, has};
use paring_engine::passes::auto;
use paring_engine::{Level, Search};
use paring_model::{BrokenKind, EditSet, Failure, Observation, Phase};
use paring_testkit::passed;

/// The level at which a search settled, and the drafts it tried until then.
#[track_caller]
fn check(trial: &Trial, level: Level, first: &[&str]) -> Done {
    let done = trial.search();
    assert_eq!(done.result.level, Some(level), "{:?}", done.tried);
    assert_eq!(done.tried[..first.len().min(done.tried.len())], *first, "{:?}", done.tried);
    done
}

const STORY: &str = "test:\n  a = 1\n  x = 2\n  b = a.get(x)\n  assert b\n";

#[test]
fn a_slice_that_holds_costs_one_run() {
    let done = check(
        &Trial::new("test:\n  a = 1\n  x = 2\n  b = a\n  assert b\n", |text, _| asserts(text, "assert b")),
        Level::Observed,
        &["test: | a = 1 | b = a | assert b"],
    );
    assert_eq!(done.tried.len(), 1, "{:?}", done.tried);
}

#[test]
fn without_a_trace_the_first_level_is_that_of_convention() {
    check(
        &Trial { untraced: true, ..Trial::new(STORY, |text, _| asserts(text, "assert b")) },
        Level::Zero,
        &["test: | a = 1 | x = 2 | b = a.get(x) | assert b"],
    );
}

/// Needs `x.fill(a)`, and says nothing where it is missing.
fn needs_fill(text: &str) -> Observation {
    if has(text, "c = x.fill(a)") { asserts(text, "assert x") } else { passed() }
}

const FILL: &str = "test:\n  a = 1\n  x = 2\n  c = x.fill(a)\n  y = 3\n  assert x\n";

#[test]
fn a_call_for_a_value_may_change_its_object_at_the_level_that_trusts_nobody() {
    check(
        &Trial { untraced: true, ..Trial::new(FILL, |text, _| needs_fill(text)) },
        Level::One,
        &["test: | x = 2 | assert x", "test: | a = 1 | x = 2 | c = x.fill(a) | assert x"],
    );
}

#[test]
fn what_the_run_saw_change_is_in_the_first_slice() {
    let trial =
        Trial { saw: &[Saw::Change("c = x.fill(a)", "x")], ..Trial::new(FILL, |text, _| needs_fill(text)) };
    check(&trial, Level::Observed, &["test: | a = 1 | x = 2 | c = x.fill(a) | assert x"]);
}

/// Needs `y = 3`, which nothing shows.
fn needs_y(text: &str) -> Observation {
    if has(text, "y = 3") { asserts(text, "assert x") } else { passed() }
}

#[test]
fn where_no_slice_holds_all_that_ran_is_tried_and_then_all() {
    let source = "test:\n  x = 2\n  y = 3\n  if x:\n    z = 4\n  assert x\n";
    let trial = Trial { saw: &[Saw::Skip("if x:")], ..Trial::new(source, |text, _| needs_y(text)) };
    let done = check(&trial, Level::None, &["test: | x = 2 | assert x", "test: | x = 2 | y = 3 | assert x"]);
    assert_eq!(done.text, "test:\n  x = 2\n  y = 3\n  assert x\n");
    let unseen = Trial { saw: &[Saw::Skip("y = 3")], ..trial };
    let done = check(
        &unseen,
        Level::None,
        &["test: | x = 2 | assert x", "test: | x = 2 | if x: | z = 4 | assert x"],
    );
    assert!(done.text.contains("y = 3"));
}

#[test]
fn where_nothing_holds_there_is_no_result() {
    // An original that does not fail again, as if its first run had been luck.
    let source = "test:\n  a = 1\n  assert a\n";
    let trial = Trial::new(source, |text, _| asserts(text, "assert a"));
    let unit = trial.unit();
    let (oracle, facts) = (trial.oracle(&unit), trial.facts(&unit));
    let never = paring_testkit::FakeRunner::new(|_| passed());
    let result = trial.in_lab(&unit, &oracle, &never, |lab| {
        let mut search = Search::new(lab, &facts, trial.criterion(&unit));
        auto(&mut search).expect("nobody stops it");
        search.finish()
    });
    assert_eq!((result.level, result.edits), (None, EditSet::all(&unit)));
}

/// Fails to compile at `n = 0` where `m = 1` is missing, and without `n = 0` it does not fail at all.
fn misses_a_line(text: &str) -> Observation {
    match (has(text, "n = 0"), has(text, "m = 1")) {
        (true, true) => asserts(text, "assert x"),
        (true, false) => {
            Observation::Broken { message: "no m".to_owned(), line: Some(4), kind: BrokenKind::NotRunnable }
        }
        (false, _) => {
            Observation::Broken { message: "no n".to_owned(), line: Some(3), kind: BrokenKind::NotRunnable }
        }
    }
}

#[test]
fn a_text_that_does_not_compile_is_repaired_by_the_line_it_names() {
    let source = "test:\n  x = 1\n  n = 0\n  m = 1\n  y = 2\n  assert x\n";
    check(
        &Trial::new(source, |text, _| misses_a_line(text)),
        Level::Observed,
        &[
            "test: | x = 1 | assert x",
            "test: | x = 1 | n = 0 | assert x",
            "test: | x = 1 | n = 0 | m = 1 | assert x",
        ],
    );
}

#[test]
fn a_draft_that_fails_before_the_test_gets_all_that_runs_there() {
    fn run(text: &str) -> Observation {
        match asserts(text, "assert x") {
            Observation::Failed(failure) if !has(text, "@c = 1") => {
                Observation::Failed(Failure { phase: Phase::SetUp, ..failure })
            }
            other => other,
        }
    }
    let source = "setup:\n  @c = 1\n  @d = 2\ntest:\n  x = 1\n  assert x\n";
    let done = check(
        &Trial::new(source, |text, _| run(text)),
        Level::Observed,
        &["test: | x = 1 | assert x", "setup: | @c = 1 | @d = 2 | test: | x = 1 | assert x"],
    );
    assert_eq!(done.text, "setup:\n  @c = 1\ntest:\n  x = 1\n  assert x\n");
}

#[test]
fn a_draft_that_leaves_something_changed_gets_what_puts_it_back() {
    fn run(text: &str) -> Observation {
        match asserts(text, "assert x") {
            Observation::Failed(failure) if !has(text, "k.reset()") => {
                Observation::Failed(Failure { left: vec!["cwd".to_owned()], ..failure })
            }
            other => other,
        }
    }
    let source = "test:\n  x = 1\n  try:\n    assert x\n  finally:\n    k.reset()\n";
    check(
        &Trial::new(source, |text, _| run(text)),
        Level::Observed,
        &["test: | x = 1 | try: | assert x", "test: | x = 1 | try: | assert x | finally: | k.reset()"],
    );
}

#[test]
fn a_parameter_goes_with_the_statements_that_read_it_unless_the_test_needs_it() {
    let source = "fixture f:\n  return 1\ntest f:\n  y = f\n  x = 2\n  assert x\n";
    let done = check(
        &Trial::new(source, |text, _| asserts(text, "assert x")),
        Level::Observed,
        &["fixture f: | test  : | x = 2 | assert x"],
    );
    assert_eq!(done.text, "fixture f:\ntest:\n  x = 2\n  assert x\n");
    let needs_it =
        |text: &str, _| if text.contains("test f:") { asserts(text, "assert x") } else { passed() };
    let done = Trial::new(source, needs_it).search();
    assert_eq!(done.text, "fixture f:\ntest f:\n  x = 2\n  assert x\n");
}

#[test]
fn at_the_first_level_a_call_on_an_object_that_was_made_for_hidden_state_is_in_the_slice() {
    let source = "test:\n  t = k.register()\n  t.cancel()\n  x = k.count()\n  assert x\n";
    let done = check(
        &Trial {
            saw: &[Saw::Hidden("t = k.register()")],
            ..Trial::new(source, |text, _| asserts(text, "assert x"))
        },
        Level::Observed,
        &["test: | t = k.register() | t.cancel() | x = k.count() | assert x"],
    );
    assert_eq!(done.text, source);
}
