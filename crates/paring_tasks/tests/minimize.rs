//! The whole job on a toy language and a made-up program: what is kept, what is never removed, what is reported.

use camino::Utf8Path;
mod trial;

use paring_engine::Strategy;
use paring_model::{
    Draft, Facts, Failure, Form, Frontend, Observation, Pinned, Problem, TargetSpec, TextRange, Token, Unit,
    Unwritable, Version, WorkingText, Written,
};
use paring_tasks::minimize::{Request, minimize};
use paring_tasks::{Outcome, Status};
use paring_testkit::{FakeClock, FakeRunner, LineFrontend, MemoryJournal, failed, failed_in_library, passed};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use trial::{ran, request};

fn pare_with(runner: &FakeRunner, source: &str, strategy: Strategy) -> Outcome {
    pare_after(runner, source, strategy, &[], &[])
}

fn pare_after(
    runner: &FakeRunner,
    source: &str,
    strategy: Strategy,
    after: &[&str],
    before: &[&str],
) -> Outcome {
    let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    minimize(&Request {
        target: TargetSpec { id: "test.lines::test".to_owned(), after: owned(after) },
        before: owned(before),
        strategy,
        ..request(&LineFrontend, runner, source, &FakeClock::default(), &MemoryJournal::default())
    })
}

fn pare(runner: &FakeRunner, source: &str) -> Outcome {
    pare_with(runner, source, Strategy::Auto)
}

/// A program that fails at the line of `text` that reads `failing`, as long as all of `needed` are there.
fn fails_while(failing: &'static str, needed: Vec<String>) -> impl Fn(&str) -> Observation + Sync + 'static {
    move |text: &str| {
        let has = |line: &str| text.lines().any(|found| found.trim() == line);
        let at = text.lines().position(|found| found.trim() == failing);
        match at {
            Some(idx) if needed.iter().all(|line| has(line)) => {
                failed(u32::try_from(idx + 1).expect("a short text"), "assert b")
            }
            _ => passed(),
        }
    }
}

fn text_of(outcome: &Outcome) -> &str {
    &outcome.pared.as_ref().expect("there is a result").text
}

const STORY: &str = "test:\n  a = 1\n  x = 2\n  b = a\n  x ! x\n  b ! a\n  assert x\n  assert b\n  y = x\n";

#[test]
fn what_the_failing_statement_does_not_depend_on_goes() {
    let runner = FakeRunner::new(fails_while("assert b", vec!["b = a".to_owned()])).tracing(ran);
    let outcome = pare(&runner, STORY);
    assert_eq!(outcome.status, Status::Minimized);
    assert_eq!(text_of(&outcome), "test:\n  a = 1\n  b = a\n  b ! a\n  assert b\n");
    assert_eq!(outcome.level, "O");
}

#[test]
fn a_call_for_its_effect_stays_and_is_a_suspect_where_the_failure_is_the_same_without_it() {
    let runner = FakeRunner::new(fails_while("assert b", vec!["b = a".to_owned()])).tracing(ran);
    let outcome = pare(&runner, STORY);
    let suspects = &outcome.pared.as_ref().unwrap().suspects;
    assert_eq!(suspects.iter().map(|suspect| suspect.text.trim()).collect::<Vec<_>>(), ["b ! a"]);
}

#[test]
fn a_good_version_lets_go_what_it_does_not_need_and_keeps_what_it_does() {
    let observe = |good_needs: &'static str| {
        let on_faulty = fails_while("assert b", vec!["b = a".to_owned()]);
        FakeRunner::with_good(move |text, version| match version {
            Version::Faulty => on_faulty(text),
            Version::Good if text.contains(good_needs) => passed(),
            Version::Good => failed(1, "assert b"),
        })
        .tracing(ran)
    };
    let free = pare(&observe("b = a"), STORY);
    assert_eq!(text_of(&free), "test:\n  a = 1\n  b = a\n  assert b\n");
    let bound = pare(&observe("b ! a"), STORY);
    assert_eq!(text_of(&bound), "test:\n  a = 1\n  b = a\n  b ! a\n  assert b\n");
    assert_eq!(bound.pared.unwrap().verified.passes_on_good, Some(true));
}

#[test]
fn a_crash_lets_experiments_remove_more_and_says_what_it_could_not_rule_out() {
    let runner =
        FakeRunner::new(|text: &str| match text.lines().position(|line| line.trim() == "c ? b = a") {
            Some(idx) if text.contains("b ! b") => {
                failed_in_library(u32::try_from(idx + 1).unwrap(), "KeyError", "'k'")
            }
            Some(_) | None => passed(),
        })
        .tracing(ran);
    let outcome = pare(&runner, "test:\n  a = 1\n  b = a\n  b ! b\n  b ! a\n  c ? b = a\n");
    assert_eq!(text_of(&outcome), "test:\n  a = 1\n  b = a\n  b ! b\n  c ? b = a\n");
    let doubts = &outcome.pared.as_ref().unwrap().doubts;
    assert_eq!(doubts.iter().map(|doubt| doubt.line).collect::<Vec<_>>(), [Some(5)]);
}

#[test]
fn a_protected_line_stays() {
    let runner = FakeRunner::new(fails_while("assert b", vec![])).tracing(ran);
    let outcome = pare(&runner, "test:\n  b = 1\n  x = 2 # keep\n  assert b\n");
    assert!(text_of(&outcome).contains("x = 2 # keep"));
}

#[test]
fn a_slice_that_misses_something_falls_back_until_it_holds() {
    // `x ! x` matters although nothing shows it.
    let needed = vec!["x ! x".to_owned(), "b = a".to_owned()];
    let runner = FakeRunner::new(fails_while("assert b", needed)).tracing(ran);
    let outcome = pare(&runner, STORY);
    assert_eq!(outcome.status, Status::Minimized);
    assert_eq!(outcome.level, "none");
    assert!(text_of(&outcome).contains("x ! x"));
}

#[test]
fn a_passing_and_a_flaky_original_are_told_apart() {
    assert_eq!(pare(&FakeRunner::new(|_| passed()), STORY).status, Status::Passing);
    let count = AtomicUsize::new(0);
    let flaky = FakeRunner::new(move |_| match count.fetch_add(1, Ordering::Relaxed) % 2 {
        0 => failed(8, "assert b"),
        _ => passed(),
    });
    let outcome = pare(&flaky, STORY);
    assert_eq!(outcome.status, Status::Flaky);
    assert!(outcome.notes[0].contains("passed (1 of 3)"), "{:?}", outcome.notes);
}

/// A program that fails once these tests ran before it.
fn fails_after(needed: &'static [&'static str]) -> FakeRunner {
    let alone = fails_while("assert b", vec![]);
    FakeRunner::of_candidates(move |candidate| {
        let ran = needed.iter().all(|id| candidate.after.iter().any(|before| before == id));
        if ran { alone(candidate.text()) } else { passed() }
    })
    .tracing(ran)
}

#[test]
fn of_the_tests_before_it_the_needed_ones_are_told() {
    let runner = fails_after(&["t::b", "t::d"]);
    let outcome = pare_after(&runner, STORY, Strategy::Auto, &["t::a", "t::b", "t::c", "t::d"], &[]);
    assert_eq!(
        (outcome.status, outcome.after.as_slice()),
        (Status::Minimized, &["t::b".to_owned(), "t::d".to_owned()][..])
    );
    assert_eq!(outcome.notes, ["needs t::b, t::d before it; 2 others are not needed"]);
    assert!(runner.jobs().last().is_some_and(|job| job.candidate.after == outcome.after));
}

#[test]
fn a_test_that_fails_alone_too_needs_none_before_it() {
    let outcome = pare_after(&fails_after(&[]), STORY, Strategy::Auto, &["t::a"], &[]);
    assert_eq!(outcome.after, Vec::<String>::new());
    assert_eq!(outcome.notes, ["fails alone too, without the test named to run before it"]);
}

#[test]
fn a_test_that_passes_alone_is_tried_after_those_of_its_suite() {
    let outcome = pare_after(&fails_after(&["t::b"]), STORY, Strategy::Auto, &[], &["t::a", "t::b", "t::c"]);
    assert_eq!((outcome.status, outcome.after.as_slice()), (Status::Minimized, &["t::b".to_owned()][..]));
    assert_eq!(outcome.notes[0], "fails in the suite and passes alone");
    let other = pare_after(&fails_after(&["t::x"]), STORY, Strategy::Auto, &[], &["t::a"]);
    assert_eq!(other.status, Status::Passing);
    assert!(other.notes[0].contains("after what ran before it there too (1)"), "{:?}", other.notes);
}

#[test]
fn the_file_with_only_the_test_rewritten_is_given_where_it_was_asked_for_and_holds() {
    let pare = |runner: &FakeRunner, in_place| {
        let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
        minimize(&Request { in_place, ..request(&LineFrontend, runner, STORY, &clock, &journal) })
    };
    let runner = FakeRunner::new(fails_while("assert b", vec!["b = a".to_owned()])).tracing(ran);
    assert_eq!(pare(&runner, false).pared.unwrap().in_place, None);
    let pared = pare(&runner, true).pared.unwrap();
    assert_eq!(pared.in_place.as_ref(), Some(&pared.text));
    // The second cold run is that of the rewritten file.
    let (n_cold, alone) = (AtomicUsize::new(0), fails_while("assert b", vec![]));
    let runner = FakeRunner::of_candidates(move |candidate| match candidate.form {
        Form::Compact if n_cold.fetch_add(1, Ordering::Relaxed) == 1 => passed(),
        Form::Compact | Form::Blanked => alone(candidate.text()),
    })
    .tracing(ran);
    let outcome = pare(&runner, true);
    assert_eq!((outcome.status, outcome.pared.unwrap().in_place), (Status::Minimized, None));
    assert!(outcome.notes[0].contains("the file stays as it is"), "{:?}", outcome.notes);
}

/// The toy language with a line `given`, which another text can do without.
struct Given;

impl Frontend for Given {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        LineFrontend.parse(path, source, target)
    }

    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable> {
        LineFrontend.write(units, draft, form)
    }

    fn pin(&self, source: &str, _: &TargetSpec, _: &Failure) -> Vec<Pinned> {
        let at = |text: &str| {
            let start = source.find(text).expect("the line is there");
            let offset = |at: usize| u32::try_from(at).expect("a test's text is short");
            TextRange::new(offset(start), offset(start + text.len()))
        };
        let pinned = |range: TextRange, text: &str, label: &str| Pinned {
            working: WorkingText::spliced(source, vec![(range, text.to_owned())]),
            label: label.to_owned(),
        };
        vec![pinned(at("given"), "none", "none"), pinned(at("  given\n"), "", "b=3")]
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        LineFrontend.tokens(text)
    }
}

#[test]
fn what_is_made_up_for_each_run_is_pinned_and_lines_stay_those_of_the_file() {
    let count = AtomicUsize::new(0);
    let alone = fails_while("assert b", vec![]);
    let runner = FakeRunner::new(move |text: &str| match alone(text) {
        _ if text.contains("none") => passed(),
        // A property whose other failures have other messages: flaky without its example.
        _ if text.contains("given") => match count.fetch_add(1, Ordering::Relaxed) {
            0 => failed(4, "assert b"),
            _ => failed(4, "assert c"),
        },
        seen => seen,
    })
    .tracing(ran);
    let source = "test:\n  given\n  y = 1\n  assert b\n";
    let outcome =
        minimize(&request(&Given, &runner, source, &FakeClock::default(), &MemoryJournal::default()));
    assert_eq!(outcome.notes, ["pinned the failing example b=3"]);
    let pared = outcome.pared.unwrap();
    assert_eq!((outcome.status, pared.text.as_str()), (Status::Minimized, "test:\n  assert b\n"));
    assert_eq!((pared.failing_line, pared.kept[0].line, pared.removed[0].line), (Some(4), 4, 3));
    assert_eq!(pared.original, source);
}

#[test]
fn a_job_that_is_interrupted_before_its_first_run_runs_nothing() {
    let clock = FakeClock::default();
    clock.interrupt();
    let runner = FakeRunner::new(fails_while("assert b", vec![])).tracing(ran);
    let outcome = minimize(&request(&LineFrontend, &runner, STORY, &clock, &MemoryJournal::default()));
    assert_eq!((outcome.status, outcome.unfinished, runner.n_runs()), (Status::Interrupted, true, 0));
    assert!(outcome.pared.is_none());
}

/// Straight lines `vN = vI vJ` and `vN ! vI`, ending in an assertion.
fn program() -> impl proptest::strategy::Strategy<Value = Vec<(usize, usize, usize)>> {
    proptest::collection::vec((0usize..4, 0usize..8, 0usize..8), 1..14)
}

fn source_of(lines: &[(usize, usize, usize)]) -> String {
    let mut text = "test:\n".to_owned();
    for (idx, (kind, a, b)) in lines.iter().enumerate() {
        let (a, b) = (a % (idx + 1), b % (idx + 1));
        let line = match kind {
            0 => format!("  v{idx} = {idx}\n"),
            1 => format!("  v{idx} = v{a} v{b}\n"),
            _ => format!("  v{a} ! v{b} {idx}\n"),
        };
        text.push_str(&line);
    }
    text + "  assert b v0\n"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_result_is_worse_than_its_input_and_workers_do_not_matter(lines in program(), needed in proptest::collection::vec(0usize..14, 0..3)) {
        let source = source_of(&lines);
        let all: Vec<String> = source.lines().skip(1).map(|line| line.trim().to_owned()).collect();
        let needed: Vec<String> = needed.into_iter().map(|idx| all[idx % all.len()].clone()).collect();
        let mut texts = Vec::new();
        for strategy in Strategy::ALL {
            for n_parallel in [1, 4] {
                let runner = FakeRunner::new(fails_while("assert b v0", needed.clone())).tracing(ran).parallel(n_parallel);
                let outcome = pare_with(&runner, &source, strategy);
                prop_assert!(matches!(outcome.status, Status::Minimized | Status::Unchanged), "{:?}", outcome.error);
                let pared = outcome.pared.unwrap();
                prop_assert!(pared.statements.after <= pared.statements.before);
                for line in &needed {
                    prop_assert!(pared.text.contains(line.as_str()), "{strategy:?} lost {line}");
                }
                texts.push(pared.text);
            }
            let (one, four) = (&texts[texts.len() - 2], &texts[texts.len() - 1]);
            prop_assert_eq!(one, four);
        }
    }
}

/// Without `wait = 2` every second run passes, as where another thread comes first.
fn races(text: &str, n_unwaiting: &AtomicUsize) -> Observation {
    let comes_first = !text.contains("wait = 2") && n_unwaiting.fetch_add(1, Ordering::Relaxed) % 2 == 1;
    if comes_first { passed() } else { fails_while("assert a", Vec::new())(text) }
}

#[test]
fn where_threads_run_a_draft_that_holds_once_is_not_believed() {
    let source = "test:\n  a = 1\n  wait = 2\n  note = 3\n  assert a\n";
    let n_unwaiting = AtomicUsize::new(0);
    let runner = FakeRunner::new(move |text: &str| races(text, &n_unwaiting))
        .tracing(|unit| Facts { threads: true, ..ran(unit) });
    let outcome = pare(&runner, source);
    assert!(text_of(&outcome).contains("wait = 2"), "{}", text_of(&outcome));
    // As often as the original.
    assert_eq!(outcome.runs.final_, 1 + 10);
}
