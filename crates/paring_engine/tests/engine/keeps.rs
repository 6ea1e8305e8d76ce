//! What only runs tell about new tests: whether they run the same lines, and catch the same faults.

use paring_engine::{Budget, Faults, Keeps, Loss, LostLine, Plan, Ports, Runs, SameLines};
use paring_model::{
    Candidate, CodeLine, CodeText, Covered, CoveredTest, Form, Observation, Operator, RanIn, SourceFile,
    Taken,
};
use paring_testkit::{FakeClock, FakeRecorder, FakeRunner, LineFrontend, MemoryJournal, failed, passed};
use std::time::Duration;

const CODE: &str = "one\ntwo\nthree\n";

/// A test runs the lines of the code that it names, and checks those that it asserts.
fn test(text: &str) -> Candidate {
    Candidate::single("test.lines".into(), text.to_owned(), "test", Form::Blanked)
}

fn covered(candidate: &Candidate) -> Covered {
    let lines: Vec<u32> = (1..)
        .zip(CODE.lines())
        .filter(|(_, word)| candidate.text().contains(word))
        .map(|(line, _)| line)
        .collect();
    let statements = (1..=3).map(|line| CodeLine { line, last_line: line, function: None, n_tokens: 1 });
    let file = SourceFile {
        path: "code.lines".into(),
        text: CODE.to_owned(),
        holds_tests: false,
        statements: statements.collect(),
        functions: Vec::new(),
        constants: Vec::new(),
        taken: Taken::default(),
    };
    let test = CoveredTest {
        id: "test".to_owned(),
        file: "test.lines".into(),
        observation: Observation::Passed,
        ran: Some(vec![RanIn { file_idx: 0, lines }]),
        kept_at: None,
    };
    Covered { files: vec![file], tests: vec![test], ..Covered::default() }
}

/// A line that is gone is noticed by who asserts it; without the last, nothing comes to its end.
fn on_mutant(candidate: &Candidate, code: &CodeText) -> Observation {
    let is_gone = |word: &str| !code.text.contains(word);
    if is_gone("three") {
        return Observation::Hung { stack: Vec::new(), below: Vec::new() };
    }
    let lines = (1..).zip(candidate.text().lines());
    let mut asserts = lines.filter_map(|(line, text)| Some((line, text.strip_prefix("assert ")?)));
    asserts.find(|(_, word)| is_gone(word)).map_or_else(passed, |(line, _)| failed(line, "gone"))
}

#[track_caller]
fn check(original: &str, written: &str, job: impl FnOnce(&Runs<'_>, &SameLines, &Candidate, &Candidate)) {
    check_on(&FakeRunner::new(|_| passed()).on_mutants(on_mutant), original, written, job);
}

#[track_caller]
fn check_on(
    runner: &FakeRunner,
    original: &str,
    written: &str,
    job: impl FnOnce(&Runs<'_>, &SameLines, &Candidate, &Candidate),
) {
    let recorder = FakeRecorder::new(|candidate, _| covered(candidate));
    let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
    let runs = Runs::new(Ports {
        runner,
        recorder: Some(&recorder),
        clock: &clock,
        journal: &journal,
        tell: &|_| {},
        budget: Budget::default(),
    });
    let (original, written) = (test(original), test(written));
    let lines = SameLines::of(&runs, vec![original.clone()]).expect("nobody stops it").expect("a recorder");
    job(&runs, &lines, &original, &written);
}

#[test]
fn a_line_that_no_new_test_runs_is_lost() {
    check("one\ntwo\n", "one\n", |runs, lines, _, written| {
        let lost = vec![LostLine { path: "code.lines".into(), line: 2 }];
        assert_eq!(lines.by_runs(runs, written).unwrap(), Some(Loss::Lines(lost)));
    });
    check("one\n", "one\ntwo\n", |runs, lines, _, written| {
        assert_eq!(lines.by_runs(runs, written).unwrap(), None, "more is no loss");
    });
}

fn drawn(runs: &Runs<'_>, lines: &SameLines, original: &Candidate, n: usize) -> Faults {
    let plan = Plan { n, limit: Duration::from_secs(30), timeout: Duration::from_secs(1), seed: 7 };
    Faults::drawn(runs, &LineFrontend, lines, vec![original.clone()], plan).expect("nobody stops it")
}

#[test]
fn a_fault_that_only_the_original_catches_is_lost_and_said_where() {
    check("one\nassert two\nthree\n", "one\ntwo\nthree\n", |runs, lines, original, written| {
        let faults = drawn(runs, lines, original, 10);
        assert_eq!((faults.n_possible, faults.n_not_noticed, faults.n_timed_out), (3, 1, 1));
        let Some(Loss::Fault { mutant, failed_at: Some(2) }) = faults.by_runs(runs, written).unwrap() else {
            panic!("a fault is lost")
        };
        assert_eq!((mutant.line, mutant.operator, mutant.from.as_str()), (2, Operator::Statement, "two"));
    });
}

#[test]
fn a_fault_that_some_new_test_catches_is_kept() {
    check("assert one\nassert two\n", "assert two\nassert one\n", |runs, lines, original, written| {
        let faults = drawn(runs, lines, original, 10);
        assert_eq!(faults.by_runs(runs, written).unwrap(), None);
        assert_eq!((faults.caught.len(), faults.n_checked()), (2, 2));
        assert_eq!(drawn(runs, lines, original, 1).caught.len(), 1, "no more than are wanted");
        assert_eq!(runs.counts().search, 0, "runs on mutants are counted apart");
    });
}

#[test]
fn what_a_compiler_refuses_is_neither_caught_nor_missed() {
    let runner = FakeRunner::new(|_| passed())
        .on_mutants(on_mutant)
        .refusing(|code| (!code.text.contains("two")).then(|| "line 2: no".to_owned()));
    check_on(&runner, "assert one\nassert two\n", "two\n", |runs, lines, original, _| {
        let faults = drawn(runs, lines, original, 10);
        assert_eq!((faults.n_possible, faults.n_refused, faults.caught.len()), (2, 1, 1));
        assert_eq!(faults.refusal, None);
    });
    let nothing =
        FakeRunner::new(|_| passed()).on_mutants(on_mutant).refusing(|_| Some("line 1: what".to_owned()));
    check_on(&nothing, "assert one\nassert two\n", "two\n", |runs, lines, original, _| {
        let faults = drawn(runs, lines, original, 10);
        assert_eq!((faults.n_refused, faults.caught.len()), (1, 0), "the file is not asked about again");
        assert_eq!(faults.refusal.as_deref(), Some("code.lines does not compile by itself: line 1: what"));
    });
}
