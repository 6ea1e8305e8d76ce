//! The one place that makes runs, whatever they are for: baseline, search, verification.
//!
//! It owns what all of them share: the journal and the memory of this process, the counts by purpose, the budget, and the
//! answer to "may this go on?". A run is either live or may be answered from memory ([`Trust`]): the baseline and the last
//! verification are always live. What a run means is for others to say (the [oracle](crate::oracle), the [lab](crate::lab)).
//!
//! A budget of runs is charged by who uses a verdict, not by who makes a run: runs made ahead of need and replayed ones are
//! free, so the same budget ends a search at the same place whatever the number of workers.

use crate::budget::Budget;
use paring_model::{
    Candidate, Clock, ErrorCode, Event, Facts, Heat, Job, Journal, Observation, Runner, RunnerError, Unit,
    Version,
};
use sha2::{Digest, Sha256};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write as _;
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
}

impl RunsBy {
    pub fn total(self) -> usize {
        self.baseline + self.search + self.good + self.final_
    }

    pub fn add(&mut self, other: Self) {
        self.baseline += other.baseline;
        self.search += other.search;
        self.good += other.good;
        self.final_ += other.final_;
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

/// One run that is wanted: the `nth` of its kind, where one candidate runs several times.
#[derive(Clone, Debug)]
pub struct Ask {
    pub job: Job,
    pub nth: u32,
}

impl Ask {
    pub fn once(job: Job) -> Self {
        Self { job, nth: 0 }
    }

    /// The same run, several times.
    pub fn times(job: &Job, n: usize) -> Vec<Self> {
        (0..).take(n).map(|nth| Self { job: job.clone(), nth }).collect()
    }
}

/// What a run showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Of each target of the candidate, in the order in which they ran.
    pub tests: Vec<Observation>,
    /// Whether it was run for this question, and not answered from memory.
    pub is_live: bool,
    version: Version,
    key: String,
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
}

impl<'a> Runs<'a> {
    pub fn new(ports: Ports<'a>) -> Self {
        Self { ports, counts: Cell::default(), n_charged: Cell::default(), memory: RefCell::default() }
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
        let n_runs = seen.iter().filter(|seen| seen.is_live && seen.version == Version::Faulty).count();
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

    /// The observations of these runs, in their order. What is made live is made at once, as far as the runner can, and goes
    /// into the journal, but for the baseline, which every process observes anew.
    pub fn ask(&self, purpose: Purpose, trust: Trust, asks: &[Ask]) -> Result<Vec<Seen>, Stop> {
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
            for (idx, observation) in seen.tests.iter().enumerate() {
                self.ports.journal.record(&of_test(&seen.key, idx), observation);
            }
        }
    }

    /// As [`Runs::ask`], and leaves it to [`Runs::keep`] to journal.
    pub fn ask_ahead(&self, purpose: Purpose, trust: Trust, asks: &[Ask]) -> Result<Vec<Seen>, Stop> {
        match purpose {
            Purpose::Baseline | Purpose::Search => self.not_interrupted()?,
            // Without it, an interrupted search has nothing to show.
            Purpose::Final => {}
        }
        let keys: Vec<String> = asks.iter().map(key).collect();
        let mut known: Vec<Option<Vec<Observation>>> = match trust {
            Trust::Replay => asks.iter().zip(&keys).map(|(ask, key)| self.remembered(ask, key)).collect(),
            Trust::Live => vec![None; asks.len()],
        };
        let is_live: Vec<bool> = known.iter().map(Option::is_none).collect();
        let jobs: Vec<Job> =
            asks.iter().zip(&is_live).filter(|(_, live)| **live).map(|(ask, _)| ask.job.clone()).collect();
        if !jobs.is_empty() {
            let mut fresh = self.observe(purpose, &jobs)?.into_iter();
            for (slot, key) in known.iter_mut().zip(&keys).filter(|(slot, _)| slot.is_none()) {
                let tests = fresh.next().expect("a runner answers every job");
                self.memory.borrow_mut().entry(key.clone()).or_insert_with(|| tests.clone());
                *slot = Some(tests);
            }
        }
        let seen = asks.iter().zip(known).zip(is_live).zip(keys).map(|(((ask, slot), is_live), key)| {
            let tests = slot.expect("every slot is filled");
            Seen { tests, is_live, version: ask.job.version, key }
        });
        Ok(seen.collect())
    }

    /// What earlier runs showed, where all of these were made before: nothing is run.
    pub fn replay(&self, asks: &[Ask]) -> Option<Vec<Vec<Observation>>> {
        asks.iter().map(|ask| self.remembered(ask, &key(ask))).collect()
    }

    /// Runs the unit's own text under a tracer.
    pub fn trace(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, Stop> {
        self.not_interrupted()?;
        self.count(|counts| counts.baseline += 1);
        Ok(self.ports.runner.facts(unit, candidate)?)
    }

    /// Live baseline runs, and at the same time one under a tracer.
    pub fn ask_and_trace(
        &self,
        asks: &[Ask],
        unit: &Unit,
        candidate: &Candidate,
    ) -> Result<(Vec<Seen>, Facts), Stop> {
        self.count(|counts| counts.baseline += 1);
        let runner = self.ports.runner;
        let (seen, facts) = thread::scope(|scope| {
            let tracing = scope.spawn(|| runner.facts(unit, candidate));
            let seen = self.ask(Purpose::Baseline, Trust::Live, asks);
            (seen, tracing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        Ok((seen?, facts?))
    }

    fn observe(&self, purpose: Purpose, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, Stop> {
        let n_good = jobs.iter().filter(|job| job.version == Version::Good).count();
        let n_current = jobs.len() - n_good;
        self.count(|counts| {
            counts.good += n_good;
            match purpose {
                Purpose::Baseline => counts.baseline += n_current,
                Purpose::Search => counts.search += n_current,
                Purpose::Final => counts.final_ += n_current,
            }
        });
        Ok(self.ports.runner.observe(jobs)?)
    }

    fn count(&self, add: impl FnOnce(&mut RunsBy)) {
        let mut counts = self.counts.get();
        add(&mut counts);
        self.counts.set(counts);
    }

    fn remembered(&self, ask: &Ask, key: &str) -> Option<Vec<Observation>> {
        let here = self.memory.borrow().get(key).cloned();
        let journal = self.ports.journal;
        let on_disk =
            || (0..ask.job.candidate.targets.len()).map(|idx| journal.lookup(&of_test(key, idx))).collect();
        here.or_else(on_disk)
    }
}

/// What the observation of one target is filed under.
fn of_test(key: &str, idx: usize) -> String {
    format!("{key}.{idx}")
}

/// What a run is filed under: texts, tests, program version, heat, and which of several it is.
fn key(ask: &Ask) -> String {
    let Job { candidate, version, heat, timeout: _ } = &ask.job;
    let mut hash = Sha256::new();
    hash.update(format!("{}\n{version:?}\n{heat:?}\n{}\n", ask.nth, candidate.target_ids().join(" ")));
    for before in &candidate.after {
        hash.update(format!("after {before}\n"));
    }
    for (path, text) in &candidate.files {
        hash.update(format!("file {path}\n"));
        hash.update(text);
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A run of a candidate on the current program.
pub fn job(candidate: &Candidate, heat: Heat, timeout: Duration) -> Job {
    Job { candidate: candidate.clone(), version: Version::Faulty, heat, timeout: Some(timeout) }
}
