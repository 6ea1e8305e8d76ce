//! The one place that makes runs, whatever they are for (baseline, search, verification), and whatever is wanted of them:
//! verdicts, facts, lines.
//!
//! It owns what all of them share: the journal and the memory of this process, the counts by purpose, the budget, and the
//! answer to "may this go on?". A run is either live or may be answered from memory ([`Trust`]): the baseline and the last
//! verification are always live, and so are runs with a tracer or a recorder. What a run means is for others to say (the
//! [oracle](crate::oracle), the [lab](crate::lab)).
//!
//! A budget of runs is charged by who uses a verdict, not by who makes a run: runs made ahead of need and replayed ones are
//! free, so the same budget ends a search at the same place whatever the number of workers.

mod filing;

use crate::budget::Budget;
use filing::{key, of_test};
use paring_model::{
    Candidate, Clock, CodeText, Coverage, Covered, ErrorCode, Event, Facts, Heard, Heat, Job, Journal,
    Observation, Runner, RunnerError, Spectra, Unit, Version,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// Why a search ends before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Budget,
    Interrupted,
    Failed(RunnerError),
}

impl From<RunnerError> for Stop {
    fn from(error: RunnerError) -> Self {
        if error.code == ErrorCode::Interrupted { Stop::Interrupted } else { Stop::Failed(error) }
    }
}

/// Executions of the test, by what they were for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunsBy {
    pub baseline: usize,
    pub search: usize,
    /// On the good version, whatever for.
    pub good: usize,
    pub final_: usize,
    /// With a recorder of lines, whatever for.
    pub recorded: usize,
    /// On a mutant.
    pub mutants: usize,
}

impl RunsBy {
    pub fn total(self) -> usize {
        self.baseline + self.search + self.good + self.final_ + self.recorded + self.mutants
    }

    pub fn add(&mut self, other: Self) {
        self.baseline += other.baseline;
        self.search += other.search;
        self.good += other.good;
        self.final_ += other.final_;
        self.recorded += other.recorded;
        self.mutants += other.mutants;
    }
}

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Baseline,
    Search,
    Final,
}

/// Whether an observation of an earlier run will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    Replay,
    Live,
}

/// What a run is to tell.
#[derive(Clone, Copy, Debug)]
pub enum Want<'a> {
    Verdicts,
    /// What the statements of the unit did, under a tracer; no verdict.
    Facts(&'a Unit),
    /// The lines that each test ran, with a recorder.
    Lines,
}

/// One run that is wanted: the `nth` of its kind, where one candidate runs several times.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    pub job: Job,
    pub nth: u32,
    pub want: Want<'a>,
}

impl<'a> Ask<'a> {
    pub fn once(job: Job) -> Self {
        Self { job, nth: 0, want: Want::Verdicts }
    }

    /// The same run, several times.
    pub fn times(job: &Job, n: usize) -> Vec<Self> {
        (0..).take(n).map(|nth| Self { nth, ..Self::once(job.clone()) }).collect()
    }

    /// Of the unit's own text.
    pub fn facts(unit: &'a Unit, candidate: &Candidate) -> Self {
        Self { want: Want::Facts(unit), ..Self::told(candidate, Heat::Warm) }
    }

    pub fn lines(candidate: &Candidate, heat: Heat) -> Self {
        Self { want: Want::Lines, ..Self::told(candidate, heat) }
    }

    /// Tracers and recorders have time limits of their own.
    fn told(candidate: &Candidate, heat: Heat) -> Self {
        Self::once(Job::new(candidate.clone(), heat, None))
    }
}

/// What a run showed.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Of each target of the candidate, in the order in which they ran; none where facts or lines were wanted.
    pub tests: Vec<Observation>,
    pub facts: Option<Facts>,
    /// Of the tests that ran, with what was observed of each.
    pub lines: Option<Covered>,
    /// Whether it was run for this question, and not answered from memory.
    pub is_live: bool,
    /// Whether it ran on the current program.
    is_on_current: bool,
    /// What its verdicts are filed under.
    key: Option<String>,
}

impl Seen {
    /// Of the only target.
    pub fn observation(&self) -> &Observation {
        self.tests.first().expect("a candidate has a target")
    }

    pub fn into_observation(mut self) -> Observation {
        self.tests.pop().expect("a candidate has a target")
    }
}

/// Who makes runs, and what limits them.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    pub runner: &'a dyn Runner,
    /// Who tells lines, where they are wanted.
    pub recorder: Option<&'a dyn Coverage>,
    pub clock: &'a dyn Clock,
    pub journal: &'a dyn Journal,
    pub tell: &'a (dyn Fn(Event) + Sync),
    pub budget: Budget,
}

pub struct Runs<'a> {
    ports: Ports<'a>,
    counts: Cell<RunsBy>,
    /// Runs whose verdicts were used.
    n_charged: Cell<usize>,
    /// What this process saw.
    memory: RefCell<BTreeMap<String, Vec<Observation>>>,
    /// The name of the good version, where there are several: what was seen on one says nothing of another.
    good: RefCell<String>,
}

impl<'a> Runs<'a> {
    pub fn new(ports: Ports<'a>) -> Self {
        Self {
            ports,
            counts: Cell::default(),
            n_charged: Cell::default(),
            memory: RefCell::default(),
            good: RefCell::default(),
        }
    }

    /// From here on the good version is this one.
    pub fn note_good(&self, name: &str) {
        name.clone_into(&mut self.good.borrow_mut());
    }

    pub fn tell(&self, event: Event) {
        (self.ports.tell)(event);
    }

    pub fn has_good(&self) -> bool {
        self.ports.runner.has_good()
    }

    pub fn n_parallel(&self) -> usize {
        self.ports.runner.n_parallel().max(1)
    }

    /// Whether a run can have a mutant in the place of a file of the code under test.
    pub fn replaces_code(&self) -> bool {
        self.ports.runner.replaces_code()
    }

    /// Why a program cannot have some texts at all, for each of them.
    pub fn refused_code(&self, codes: &[CodeText]) -> Result<Vec<Option<String>>, Stop> {
        self.not_interrupted()?;
        Ok(self.ports.runner.refused_code(codes)?)
    }

    /// Whether there is a recorder of lines.
    pub fn records(&self) -> bool {
        self.ports.recorder.is_some()
    }

    pub fn traces(&self) -> bool {
        self.ports.runner.traces()
    }

    pub fn elapsed(&self) -> Duration {
        self.ports.clock.elapsed()
    }

    /// Live runs so far.
    pub fn counts(&self) -> RunsBy {
        self.counts.get()
    }

    /// Charges the budget with a verdict that is used: with the runs on the current program that were made for it.
    pub fn charge(&self, seen: &[Seen]) {
        let n_runs = seen.iter().filter(|seen| seen.is_live && seen.is_on_current).count();
        self.n_charged.set(self.n_charged.get() + n_runs);
    }

    /// How many more runs the budget allows; `None` where it does not say.
    pub fn n_left(&self) -> Option<usize> {
        self.ports.budget.runs.map(|limit| limit.saturating_sub(self.n_charged.get()))
    }

    /// Whether the user has not asked to stop.
    pub fn not_interrupted(&self) -> Result<(), Stop> {
        if self.ports.clock.interrupted() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// Whether a search may go on.
    pub fn may_go_on(&self) -> Result<(), Stop> {
        self.not_interrupted()?;
        if self.ports.budget.is_spent(self.n_charged.get(), self.ports.clock.elapsed()) {
            return Err(Stop::Budget);
        }
        Ok(())
    }

    /// What these runs show, in their order. What is made live is made at once, as far as the runner can, and its verdicts go
    /// into the journal, but for the baseline, which every process observes anew.
    pub fn ask(&self, purpose: Purpose, trust: Trust, asks: &[Ask<'_>]) -> Result<Vec<Seen>, Stop> {
        let seen = self.ask_ahead(purpose, trust, asks)?;
        match purpose {
            Purpose::Search | Purpose::Final => self.keep(&seen),
            Purpose::Baseline => {}
        }
        Ok(seen)
    }

    /// Puts into the journal what was live. What was made ahead of need belongs there when it is used, or a resumed search would
    /// get for nothing what the number of workers happened to make.
    pub fn keep(&self, seen: &[Seen]) {
        for seen in seen.iter().filter(|seen| seen.is_live) {
            let Some(key) = &seen.key else { continue };
            for (idx, observation) in seen.tests.iter().enumerate() {
                self.ports.journal.record(&of_test(key, idx), observation);
            }
        }
    }

    /// As [`Runs::ask`], and leaves it to [`Runs::keep`] to journal.
    pub fn ask_ahead(&self, purpose: Purpose, trust: Trust, asks: &[Ask<'_>]) -> Result<Vec<Seen>, Stop> {
        match purpose {
            Purpose::Baseline | Purpose::Search => self.not_interrupted()?,
            // Without it, an interrupted search has nothing to show.
            Purpose::Final => {}
        }
        let known = asks.iter().map(|ask| match trust {
            Trust::Replay => self.remembered(ask),
            Trust::Live => None,
        });
        let known: Vec<Option<Seen>> = known.collect();
        let open: Vec<&Ask<'_>> =
            asks.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(ask, _)| ask).collect();
        let mut fresh = self.make(purpose, &open)?.into_iter();
        let seen = known.into_iter().map(|known| known.or_else(|| fresh.next()));
        Ok(seen.map(|seen| seen.expect("every run that is not known was made")).collect())
    }

    /// What earlier runs showed, where all of these were made before: nothing is run.
    pub fn replay(&self, asks: &[Ask<'_>]) -> Option<Vec<Vec<Observation>>> {
        asks.iter().map(|ask| Some(self.remembered(ask)?.tests)).collect()
    }

    /// What the statements of a unit did in a run of its own text.
    pub fn trace(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, Stop> {
        Ok(self.ask_and_trace(&[], unit, candidate)?.1)
    }

    /// Live baseline runs, and at the same time one under a tracer.
    pub fn ask_and_trace(
        &self,
        asks: &[Ask<'_>],
        unit: &Unit,
        candidate: &Candidate,
    ) -> Result<(Vec<Seen>, Facts), Stop> {
        let asks: Vec<Ask<'_>> = asks.iter().cloned().chain([Ask::facts(unit, candidate)]).collect();
        let mut seen = self.ask(Purpose::Baseline, Trust::Live, &asks)?;
        let facts = seen.pop().and_then(|traced| traced.facts);
        Ok((seen, facts.expect("facts were asked for")))
    }

    /// Runs a suite with a recorder, but for the tests that what is known of earlier runs stands in for.
    pub fn suite(
        &self,
        paths: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError> {
        let covered = self.recorder()?.suite(paths, spectra, tell)?;
        self.count(|counts| counts.recorded += covered.tests.len() - covered.n_kept());
        Ok(covered)
    }

    /// Makes runs: under a tracer beside the others, with a recorder one after the other.
    fn make(&self, purpose: Purpose, asks: &[&Ask<'_>]) -> Result<Vec<Seen>, Stop> {
        self.count(|counts| {
            for ask in asks {
                *counter(counts, purpose, ask) += 1;
            }
        });
        thread::scope(|scope| {
            let mut tracing = Vec::new();
            for ask in asks {
                if let Want::Facts(unit) = ask.want {
                    let runner = self.ports.runner;
                    tracing.push(scope.spawn(move || runner.facts(unit, &ask.job.candidate)));
                }
            }
            let mut tests = self.observe(asks)?.into_iter();
            let mut tracing = tracing.into_iter();
            asks.iter().map(|ask| self.seen(ask, &mut tests, &mut tracing)).collect()
        })
    }

    /// The verdicts of those runs that are made for them, at once.
    fn observe(&self, asks: &[&Ask<'_>]) -> Result<Vec<Vec<Observation>>, Stop> {
        let asks = asks.iter().filter(|ask| matches!(ask.want, Want::Verdicts));
        let jobs: Vec<Job> = asks.map(|ask| ask.job.clone()).collect();
        if jobs.is_empty() { Ok(Vec::new()) } else { Ok(self.ports.runner.observe(&jobs)?) }
    }

    /// What one live run showed, which is the next of its kind.
    fn seen<'s>(
        &self,
        ask: &Ask<'_>,
        tests: &mut impl Iterator<Item = Vec<Observation>>,
        tracing: &mut impl Iterator<Item = thread::ScopedJoinHandle<'s, Result<Facts, RunnerError>>>,
    ) -> Result<Seen, Stop> {
        let seen = Seen { is_live: true, ..Seen::default() };
        Ok(match ask.want {
            Want::Verdicts => {
                let (key, tests) = (self.key(ask), tests.next().expect("a runner answers every job"));
                self.memory.borrow_mut().entry(key.clone()).or_insert_with(|| tests.clone());
                Seen { tests, is_on_current: is_on_current(ask), key: Some(key), ..seen }
            }
            Want::Facts(_) => {
                let tracing = tracing.next().expect("every unit is traced");
                let facts = tracing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                Seen { facts: Some(facts?), ..seen }
            }
            Want::Lines => {
                Seen { lines: Some(self.recorder()?.candidate(&ask.job.candidate, ask.job.heat)?), ..seen }
            }
        })
    }

    fn recorder(&self) -> Result<&'a dyn Coverage, RunnerError> {
        self.ports.recorder.ok_or_else(|| RunnerError::nobody("to record lines"))
    }

    fn count(&self, add: impl FnOnce(&mut RunsBy)) {
        let mut counts = self.counts.get();
        add(&mut counts);
        self.counts.set(counts);
    }

    fn key(&self, ask: &Ask<'_>) -> String {
        key(ask, &self.good.borrow())
    }

    /// What an earlier run showed. Facts and lines are not kept.
    fn remembered(&self, ask: &Ask<'_>) -> Option<Seen> {
        match ask.want {
            Want::Verdicts => {}
            Want::Facts(_) | Want::Lines => return None,
        }
        let key = self.key(ask);
        let here = self.memory.borrow().get(&key).cloned();
        let on_disk = |idx| self.ports.journal.lookup(&of_test(&key, idx));
        let tests = here.or_else(|| (0..ask.job.candidate.targets.len()).map(on_disk).collect())?;
        Some(Seen { tests, is_on_current: is_on_current(ask), key: Some(key), ..Seen::default() })
    }
}

/// Where a run is counted.
fn counter<'c>(counts: &'c mut RunsBy, purpose: Purpose, ask: &Ask<'_>) -> &'c mut usize {
    if ask.job.code.is_some() {
        return &mut counts.mutants;
    }
    match (ask.want, ask.job.version, purpose) {
        (Want::Lines, _, _) => &mut counts.recorded,
        (Want::Verdicts, Version::Good, _) => &mut counts.good,
        (Want::Facts(_), _, _) | (Want::Verdicts, _, Purpose::Baseline) => &mut counts.baseline,
        (Want::Verdicts, _, Purpose::Search) => &mut counts.search,
        (Want::Verdicts, _, Purpose::Final) => &mut counts.final_,
    }
}

fn is_on_current(ask: &Ask<'_>) -> bool {
    ask.job.version == Version::Faulty && ask.job.code.is_none()
}

/// A run of a candidate on the current program.
pub fn job(candidate: &Candidate, heat: Heat, timeout: Duration) -> Job {
    Job::new(candidate.clone(), heat, Some(timeout))
}
