//! What is wanted of runs: verdicts, facts, lines; and what of that is counted, charged, kept and stopped.

use paring_engine::runs::{Ask, Purpose, Trust, job};
use paring_engine::{Budget, Ports, Runs, RunsBy, Stop};
use paring_model::{
    Candidate, Covered, CoveredTest, ErrorCode, Facts, Form, Frontend, Heat, KeptUnit, Known, NoRunner,
    Observation, Spectra, StmtId, TargetSpec, Unit,
};
use paring_testkit::{FakeClock, FakeRecorder, FakeRunner, LineFrontend, MemoryJournal, failed, passed};
use std::time::Duration;

const SOURCE: &str = "test:\n  a = 1\n  assert a\n";

fn candidate(text: &str) -> Candidate {
    Candidate::single("test.lines".into(), text.to_owned(), "test", Form::Blanked)
}

fn unit() -> Unit {
    LineFrontend.parse("test.lines".into(), SOURCE, &TargetSpec::new("test.lines::test")).0
}

fn verdict(text: &str) -> Ask<'static> {
    Ask::once(job(&candidate(text), Heat::Warm, Duration::from_secs(1)))
}

fn runner() -> FakeRunner {
    FakeRunner::new(|text| if text == "bad" { failed(1, "no") } else { passed() }).tracing(|_| Facts {
        observed: true,
        order: vec![StmtId(1)],
        ..Facts::default()
    })
}

fn covered(candidate: &Candidate) -> Covered {
    let test = CoveredTest {
        id: candidate.target().to_owned(),
        file: "test.lines".into(),
        observation: Observation::Passed,
        ran: None,
        kept_at: None,
    };
    Covered { tests: vec![test], ..Covered::default() }
}

struct Trial {
    runner: FakeRunner,
    recorder: FakeRecorder,
    clock: FakeClock,
    journal: MemoryJournal,
}

impl Trial {
    fn new() -> Self {
        Self {
            runner: runner(),
            recorder: FakeRecorder::new(|candidate, _| covered(candidate)),
            clock: FakeClock::default(),
            journal: MemoryJournal::default(),
        }
    }

    fn ports(&self) -> Ports<'_> {
        Ports {
            runner: &self.runner,
            recorder: Some(&self.recorder),
            clock: &self.clock,
            journal: &self.journal,
            tell: &|_| {},
            budget: Budget { runs: Some(1), ..Budget::default() },
        }
    }

    fn runs(&self) -> Runs<'_> {
        Runs::new(self.ports())
    }
}

#[test]
fn answers_come_in_the_order_of_the_questions_whatever_is_wanted() {
    let (trial, unit) = (Trial::new(), unit());
    let asks = [
        Ask::lines(&candidate("bad"), Heat::Cold),
        verdict("bad"),
        Ask::facts(&unit, &candidate(SOURCE)),
        verdict("good"),
    ];
    let runs = trial.runs();
    let seen = runs.ask(Purpose::Search, Trust::Replay, &asks).expect("nobody stops it");
    assert_eq!(seen[0].lines, Some(covered(&candidate("bad"))));
    assert_eq!(seen[1].observation(), &failed(1, "no"));
    assert_eq!(seen[2].facts.as_ref().map(|facts| facts.order.len()), Some(1));
    assert_eq!(seen[3].observation(), &passed());
    assert!(seen[0].tests.is_empty() && seen[2].tests.is_empty() && seen.iter().all(|seen| seen.is_live));
    let expected = RunsBy { baseline: 1, search: 2, recorded: 1, ..RunsBy::default() };
    assert_eq!((runs.counts(), runs.counts().total()), (expected, 4));
    assert_eq!(trial.recorder.heats(), [Heat::Cold]);
}

#[test]
fn lines_and_facts_are_told_by_live_runs_that_nobody_is_charged_for() {
    let (trial, unit) = (Trial::new(), unit());
    let asks = [Ask::lines(&candidate(SOURCE), Heat::Warm), Ask::facts(&unit, &candidate(SOURCE))];
    let runs = trial.runs();
    for n_asked in 1..=2 {
        let seen = runs.ask(Purpose::Search, Trust::Replay, &asks).expect("nobody stops it");
        runs.charge(&seen);
        assert!(seen.iter().all(|seen| seen.is_live));
        assert_eq!((runs.counts().recorded, runs.counts().baseline), (n_asked, n_asked));
    }
    assert!(trial.journal.is_empty(), "a run with a recorder is another run");
    assert_eq!((runs.n_left(), runs.replay(&asks)), (Some(1), None));
    runs.charge(&runs.ask(Purpose::Search, Trust::Replay, &[verdict("bad")]).expect("nobody stops it"));
    assert_eq!((runs.n_left(), trial.journal.len()), (Some(0), 1));
}

#[test]
fn who_asked_to_stop_still_has_what_was_verified_recorded() {
    let trial = Trial::new();
    trial.clock.interrupt();
    let runs = trial.runs();
    let ask = |purpose| runs.ask(purpose, Trust::Live, &[Ask::lines(&candidate(SOURCE), Heat::Warm)]);
    assert_eq!(ask(Purpose::Search).err(), Some(Stop::Interrupted));
    assert!(ask(Purpose::Final).is_ok());
    assert_eq!(runs.counts().recorded, 1);
}

#[test]
fn what_there_is_nobody_to_make_is_an_error() {
    let trial = Trial::new();
    let nobody = Runs::new(Ports { runner: &NoRunner, recorder: None, ..trial.ports() });
    assert!(!nobody.has_good() && !nobody.traces());
    assert_eq!(nobody.n_parallel(), 1);
    for ask in [verdict("bad"), Ask::lines(&candidate(SOURCE), Heat::Warm)] {
        let stop = nobody.ask(Purpose::Final, Trust::Live, &[ask]).expect_err("there is nobody");
        let Stop::Failed(error) = stop else { panic!("{stop:?}") };
        assert_eq!(error.code, ErrorCode::Worker);
    }
}

/// Knows nothing of earlier runs.
struct NoSpectra;

impl Spectra for NoSpectra {
    fn known(&self) -> Vec<Known> {
        Vec::new()
    }

    fn keep(&self, _: &KeptUnit) {}
}

#[test]
fn of_a_suite_the_tests_that_ran_are_counted() {
    let mut suite = covered(&candidate(SOURCE));
    let kept = CoveredTest { kept_at: Some(1), ..suite.tests[0].clone() };
    suite.tests.push(kept);
    let recorder = FakeRecorder::new(|candidate, _| covered(candidate)).with_suite(suite.clone());
    let trial = Trial { recorder, ..Trial::new() };
    let runs = trial.runs();
    assert_eq!(runs.suite(&[], &NoSpectra, &|_| {}), Ok(suite));
    assert_eq!(runs.counts(), RunsBy { recorded: 1, ..RunsBy::default() });
}
