//! A job that is stopped after its k-th run, for every k: the best verified result is there, and resuming ends as if nothing had
//! happened.

mod trial;

use paring_model::{Candidate, Event, Facts, Heat, Job, Observation, Runner, TargetSpec, Unit, Version};
use paring_tasks::minimize::{Request, minimize};
use paring_tasks::purify::purify;
use paring_tasks::{Outcome, Status};
use paring_testkit::{
    FakeClock, FakeRunner, LineFrontend, MemoryJournal, Trip, TrippingRunner, failed, passed,
};
use std::cell::Cell;
use std::sync::Mutex;
use trial::{ran, request};

/// Fails at its first `assert` that counts while `b = a` is there, and on the faulty program alone.
const SOURCE: &str =
    "test:\n  a = 'abc' 12\n  x = 2\n  b = a\n  x ! x\n  y = x\n  b ! a\n  y += x\n  assert b\n  z = y\n";
/// Two of its assertions fail by themselves.
const SEVERAL: &str = "test:\n  a = 1\n  x = 2\n  b = a\n  c = a\n  x ! b\n  assert b\n  y = x\n  assert x\n  c ! a\n  assert c\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Minimize,
    Purify,
}

/// What the job has to cope with.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches: each may be on or off")]
struct Scenario {
    work: Work,
    has_good: bool,
    threads: bool,
    after: bool,
    literals: bool,
    n_parallel: usize,
}

/// The program: `b` and `c` are wrong, `x` is not. What needs tests before it fails only after `t::b`.
fn program(scenario: Scenario, candidate: &Candidate, version: Version) -> Observation {
    if scenario.after && !candidate.after.iter().any(|id| id == "t::b") {
        return passed();
    }
    // The good program fails a test that lost what it works on.
    let makes_sense = candidate.text().contains("b = a") || candidate.text().contains("c = a");
    if version == Version::Good && makes_sense {
        return passed();
    }
    let mut is_off = false;
    for (idx, line) in candidate.text().lines().enumerate() {
        match line.trim() {
            "with off:" => {
                is_off = true;
                continue;
            }
            wrong @ ("assert b" | "assert c") if !is_off => {
                return failed(u32::try_from(idx + 1).expect("a short text"), wrong);
            }
            _ => {}
        }
        is_off = false;
    }
    passed()
}

/// Answers as the program of a scenario does.
struct Programmed(Scenario, FakeRunner);

impl Programmed {
    fn new(scenario: Scenario) -> Self {
        let threads = scenario.threads;
        let fake = FakeRunner::new(|_| passed()).tracing(move |unit| Facts { threads, ..ran(unit) });
        Self(scenario, fake)
    }
}

impl Runner for Programmed {
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, paring_model::RunnerError> {
        Ok(jobs.iter().map(|job| vec![program(self.0, &job.candidate, job.version)]).collect())
    }

    fn facts(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, paring_model::RunnerError> {
        self.1.facts(unit, candidate)
    }

    fn has_good(&self) -> bool {
        self.0.has_good
    }

    fn n_parallel(&self) -> usize {
        self.0.n_parallel
    }
}

struct Done {
    outcomes: Vec<Outcome>,
    together: Option<String>,
    /// Statements of the best draft that was told while it ran.
    best: Option<usize>,
}

fn work(scenario: Scenario, runner: &dyn Runner, clock: &FakeClock, journal: &MemoryJournal) -> Done {
    let best: Mutex<Option<usize>> = Mutex::default();
    let tell = |event: Event| {
        if let Event::Better { n_statements } = event {
            *best.lock().expect("no test panics while it tells") = Some(n_statements);
        }
    };
    let source = if scenario.work == Work::Purify { SEVERAL } else { SOURCE };
    let after: &[&str] = if scenario.after { &["t::a", "t::b", "t::c"] } else { &[] };
    let request = Request {
        tell: &tell,
        versions: None,
        target: TargetSpec {
            id: "test.lines::test".to_owned(),
            after: after.iter().map(|id| (*id).to_owned()).collect(),
        },
        literals: scenario.literals,
        n_baseline: 3,
        in_place: true,
        last: Heat::Cold,
        ..request(&LineFrontend, runner, source, clock, journal)
    };
    let (outcomes, together) = match scenario.work {
        Work::Minimize => (vec![minimize(&request)], None),
        Work::Purify => {
            let done = purify(&request);
            (done.outcomes, done.together.map(|together| together.text))
        }
    };
    let best = best.into_inner().expect("no test panics while it tells");
    Done { outcomes, together, best }
}

fn texts(done: &Done) -> Vec<&str> {
    done.outcomes
        .iter()
        .filter_map(|outcome| outcome.pared.as_ref())
        .map(|pared| pared.text.as_str())
        .collect()
}

fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    for work in [Work::Minimize, Work::Purify] {
        for n_parallel in [1, 4] {
            let plain =
                Scenario { work, has_good: false, threads: false, after: false, literals: false, n_parallel };
            all.extend([
                plain,
                Scenario { has_good: true, ..plain },
                Scenario { threads: true, ..plain },
                Scenario { after: true, ..plain },
                Scenario { literals: true, ..plain },
                Scenario { has_good: true, threads: true, after: true, literals: true, ..plain },
            ]);
        }
    }
    all
}

/// The whole job, and how many runs it takes.
fn whole(scenario: Scenario) -> (Done, usize) {
    let programmed = Programmed::new(scenario);
    let runner = TrippingRunner::new(&programmed, 0, Trip::Nothing);
    let done = work(scenario, &runner, &FakeClock::default(), &MemoryJournal::default());
    let n_runs = runner.n_runs();
    (done, n_runs)
}

/// What is shown after a stop holds, and is no larger than the best that was found before it.
fn check_shown(scenario: Scenario, k: usize, done: &Done) {
    for outcome in &done.outcomes {
        let Some(pared) = &outcome.pared else { continue };
        assert!(pared.verified.same_failure, "{scenario:?}, run {k}");
        assert!(pared.statements.after <= pared.statements.before, "{scenario:?}, run {k}");
        let form = paring_model::Form::Compact;
        let candidate = Candidate::single("t".into(), pared.text.clone(), pared.target.clone(), form)
            .with_after(&outcome.after);
        let seen = program(scenario, &candidate, Version::Faulty);
        assert!(matches!(seen, Observation::Failed(_)), "{scenario:?}, run {k}: {}", pared.text);
    }
    if scenario.work == Work::Minimize
        && let Some(best) = done.best
    {
        let pared = done.outcomes[0].pared.as_ref();
        let pared = pared.unwrap_or_else(|| panic!("{scenario:?}, run {k}: the best draft is lost"));
        assert!(pared.statements.after <= best, "{scenario:?}, run {k}: {} > {best}", pared.statements.after);
    }
}

fn check_resumed(scenario: Scenario, k: usize, whole: &Done, journal: &MemoryJournal) {
    let programmed = Programmed::new(scenario);
    let resumed = work(scenario, &programmed, &FakeClock::default(), journal);
    assert_eq!(texts(&resumed), texts(whole), "{scenario:?}, resumed after run {k}");
    assert_eq!(resumed.together, whole.together, "{scenario:?}, resumed after run {k}");
    for (resumed, whole) in resumed.outcomes.iter().zip(&whole.outcomes) {
        assert_eq!((resumed.status, &resumed.after), (whole.status, &whole.after), "{scenario:?}, run {k}");
        assert_eq!(
            resumed.pared.as_ref().map(|pared| &pared.kept),
            whole.pared.as_ref().map(|pared| &pared.kept)
        );
        assert!(resumed.runs.search <= whole.runs.search, "{scenario:?}, run {k}");
    }
}

#[test]
fn an_interruption_after_any_run_shows_the_best_and_resuming_ends_the_same() {
    for scenario in scenarios() {
        let (whole, n_runs) = whole(scenario);
        assert!(whole.outcomes.iter().all(|outcome| outcome.status == Status::Minimized), "{scenario:?}");
        let n_stopped = Cell::new(0);
        for k in 1..=n_runs {
            let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
            let programmed = Programmed::new(scenario);
            let runner = TrippingRunner::new(&programmed, k, Trip::Interrupt(&clock));
            let done = work(scenario, &runner, &clock, &journal);
            if done.outcomes.iter().any(|outcome| outcome.status == Status::Interrupted) {
                n_stopped.set(n_stopped.get() + 1);
            }
            check_shown(scenario, k, &done);
            check_resumed(scenario, k, &whole, &journal);
        }
        assert!(n_stopped.get() > n_runs / 3, "{scenario:?}: hardly anything was stopped");
    }
}

#[test]
fn a_runner_that_fails_once_is_reported_and_loses_nothing() {
    // A failure is handled alike wherever the program is: nothing to cope with, and all at once.
    let is_one_of =
        |scenario: &Scenario| scenario.threads == scenario.literals && scenario.after == scenario.has_good;
    for scenario in scenarios().into_iter().filter(is_one_of) {
        let (whole, n_runs) = whole(scenario);
        for k in 1..=n_runs {
            let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
            let programmed = Programmed::new(scenario);
            let runner = TrippingRunner::new(&programmed, k, Trip::Fail);
            let done = work(scenario, &runner, &clock, &journal);
            check_shown(scenario, k, &done);
            let is_told = |outcome: &Outcome| {
                let in_error =
                    outcome.error.as_ref().is_some_and(|error| error.message.contains("worker is gone"));
                in_error || outcome.notes.iter().any(|note| note.contains("worker is gone"))
            };
            assert!(
                done.outcomes.iter().any(is_told),
                "{scenario:?}, run {k}: nobody says that the worker is gone"
            );
            check_resumed(scenario, k, &whole, &journal);
        }
    }
}
