//! Runs drafts and remembers what came of them.
//!
//! The lab owns everything a strategy needs to experiment: it renders a draft, asks the journal and the cache before it
//! asks the runner, judges, and counts. With several workers it runs ahead: the next drafts of a list are run at once and
//! their verdicts taken in the order of the list, so the answer is the same as with one worker.

use crate::budget::Budget;
use crate::oracle::Oracle;
use crate::order::score;
use paring_model::{
    Candidate, Clock, EditSet, Event, Form, Frontend, Heat, Job, Journal, Observation, Runner, RunnerError,
    Unit, Verdict, Version,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Why a search ends before it is done.
#[derive(Clone, Debug)]
pub enum Stop {
    Budget,
    Interrupted,
    Failed(RunnerError),
}

impl From<RunnerError> for Stop {
    fn from(error: RunnerError) -> Self {
        if error.code == "interrupted" { Stop::Interrupted } else { Stop::Failed(error) }
    }
}

/// Executions of the test so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub search: usize,
    pub good: usize,
}

/// The ports and settings an experiment needs.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    pub frontend: &'a dyn Frontend,
    pub runner: &'a dyn Runner,
    pub clock: &'a dyn Clock,
    pub journal: &'a dyn Journal,
    pub tell: &'a (dyn Fn(Event) + Sync),
    pub budget: Budget,
    pub timeout: Option<Duration>,
    pub heat: Heat,
    /// Whether an accepted draft must pass on the good version.
    pub use_good: bool,
    /// How often a draft that holds must hold again before it is believed: where threads run, once may be luck.
    pub n_again: usize,
}

pub struct Lab<'a> {
    pub bench: Bench<'a>,
    pub unit: &'a Unit,
    pub oracle: &'a Oracle,
    pub counts: Counts,
    /// The best draft accepted so far: what an interruption hands over.
    pub best: Option<EditSet>,
    verdicts: BTreeMap<Candidate, Verdict>,
}

impl<'a> Lab<'a> {
    pub fn new(bench: Bench<'a>, unit: &'a Unit, oracle: &'a Oracle) -> Self {
        Self { bench, unit, oracle, counts: Counts::default(), best: None, verdicts: BTreeMap::new() }
    }

    /// The verdict on one draft.
    pub fn judge(&mut self, edits: &EditSet) -> Result<Verdict, Stop> {
        Ok(self.judge_all(std::slice::from_ref(edits))?.pop().expect("one draft, one verdict"))
    }

    /// Whether a draft is the same failure.
    pub fn holds(&mut self, edits: &EditSet) -> Result<bool, Stop> {
        Ok(self.judge(edits)?.is_same())
    }

    /// The first draft of the list that is the same failure. Later ones may have been run ahead, and count.
    pub fn first_same(&mut self, drafts: &[EditSet]) -> Result<Option<usize>, Stop> {
        let window = self.bench.runner.n_parallel().max(1);
        for (chunk_idx, chunk) in drafts.chunks(window).enumerate() {
            let verdicts = self.judge_all(chunk)?;
            if let Some(idx) = verdicts.iter().position(Verdict::is_same) {
                return Ok(Some(chunk_idx * window + idx));
            }
        }
        Ok(None)
    }

    /// The verdicts on all drafts, in their order.
    pub fn judge_all(&mut self, drafts: &[EditSet]) -> Result<Vec<Verdict>, Stop> {
        let candidates: Vec<Candidate> =
            drafts.iter().map(|edits| self.bench.frontend.render(self.unit, edits, Form::Blanked)).collect();
        let mut open: Vec<Candidate> =
            candidates.iter().filter(|candidate| !self.verdicts.contains_key(*candidate)).cloned().collect();
        open.sort();
        open.dedup();
        let (open, malformed): (Vec<Candidate>, Vec<Candidate>) =
            open.into_iter().partition(|candidate| self.bench.frontend.is_well_formed(self.unit, candidate));
        for candidate in malformed {
            let message = "its syntax is wrong".to_owned();
            self.verdicts.insert(candidate, Verdict::Broken { message, line: None });
        }
        if !open.is_empty() {
            self.may_go_on()?;
            self.run(&open)?;
        }
        Ok(candidates.iter().map(|candidate| self.verdicts[candidate].clone()).collect())
    }

    /// Whether a draft is worth a run at all.
    pub fn is_well_formed(&self, edits: &EditSet) -> bool {
        let frontend = self.bench.frontend;
        frontend.is_well_formed(self.unit, &frontend.render(self.unit, edits, Form::Blanked))
    }

    /// Takes a draft that was judged the same as the result so far, if it is better than the one before.
    pub fn accept(&mut self, edits: &EditSet) {
        let new = score(self.unit, edits);
        if self.best.as_ref().is_none_or(|best| new < score(self.unit, best)) {
            (self.bench.tell)(Event::Better { n_statements: new.n_test });
            self.best = Some(edits.clone());
        }
    }

    /// How many runs the search has made.
    pub fn n_runs(&self) -> usize {
        self.counts.search
    }

    fn run(&mut self, open: &[Candidate]) -> Result<(), Stop> {
        // Where a worker would be idle, the good version runs at the same time, in case the failure is the same.
        let at_once = self.bench.use_good && open.len() < self.bench.runner.n_parallel();
        let versions: &[Version] =
            if at_once { &[Version::Faulty, Version::Good] } else { &[Version::Faulty] };
        let mut seen = self.observe(&pairs(open, versions))?;
        let on_good = seen.split_off(open.len());
        let mut verdicts: Vec<Verdict> = open
            .iter()
            .zip(&seen)
            .map(|(candidate, observation)| {
                self.oracle.judge(self.unit, self.bench.frontend, candidate, observation)
            })
            .collect();
        if self.bench.use_good {
            let same: Vec<usize> = (0..open.len()).filter(|&idx| verdicts[idx].is_same()).collect();
            let on_good: Vec<Observation> = if at_once {
                same.iter().map(|&idx| on_good[idx].clone()).collect()
            } else {
                let texts: Vec<Candidate> = same.iter().map(|&idx| open[idx].clone()).collect();
                self.observe(&pairs(&texts, &[Version::Good]))?
            };
            for (&idx, observation) in same.iter().zip(&on_good) {
                if *observation != Observation::Passed {
                    verdicts[idx] = Verdict::Slipped;
                }
            }
        }
        for (candidate, verdict) in open.iter().zip(&mut verdicts) {
            self.run_again(candidate, verdict)?;
        }
        for (candidate, verdict) in open.iter().zip(verdicts) {
            (self.bench.tell)(Event::Ran {
                n_runs: self.counts.search,
                candidate: candidate.clone(),
                verdict: verdict.clone(),
            });
            self.verdicts.insert(candidate.clone(), verdict);
        }
        Ok(())
    }

    /// Runs what held again, on both versions; the first run that differs has the word.
    fn run_again(&mut self, candidate: &Candidate, verdict: &mut Verdict) -> Result<(), Stop> {
        for _ in 0..self.bench.n_again {
            if !verdict.is_same() {
                break;
            }
            let versions: &[Version] =
                if self.bench.use_good { &[Version::Faulty, Version::Good] } else { &[Version::Faulty] };
            let jobs: Vec<Job> = versions.iter().map(|&version| self.job(candidate, version)).collect();
            self.counts.search += 1;
            self.counts.good += jobs.len() - 1;
            let seen = self.bench.runner.observe(&jobs)?;
            *verdict = self.oracle.judge(self.unit, self.bench.frontend, candidate, &seen[0]);
            if verdict.is_same() && seen.get(1).is_some_and(|observation| *observation != Observation::Passed)
            {
                *verdict = Verdict::Slipped;
            }
        }
        Ok(())
    }

    fn job(&self, candidate: &Candidate, version: Version) -> Job {
        Job { candidate: candidate.clone(), version, heat: self.bench.heat, timeout: self.bench.timeout }
    }

    fn observe(&mut self, wanted: &[(&Candidate, Version)]) -> Result<Vec<Observation>, Stop> {
        let keys: Vec<String> =
            wanted.iter().map(|&(candidate, version)| key(candidate, version, self.bench.heat)).collect();
        let mut known: Vec<Option<Observation>> =
            keys.iter().map(|key| self.bench.journal.lookup(key)).collect();
        let jobs: Vec<Job> = wanted
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
            .map(|(&(candidate, version), _)| self.job(candidate, version))
            .collect();
        let n_good = jobs.iter().filter(|job| job.version == Version::Good).count();
        self.counts.good += n_good;
        self.counts.search += jobs.len() - n_good;
        if !jobs.is_empty() {
            let mut fresh = self.bench.runner.observe(&jobs)?.into_iter();
            for (slot, key) in known.iter_mut().zip(&keys) {
                if slot.is_none() {
                    let observation = fresh.next().expect("a runner answers every job");
                    self.bench.journal.record(key, &observation);
                    *slot = Some(observation);
                }
            }
        }
        Ok(known.into_iter().map(|slot| slot.expect("every slot is filled")).collect())
    }

    fn may_go_on(&self) -> Result<(), Stop> {
        if self.bench.clock.interrupted() {
            return Err(Stop::Interrupted);
        }
        if self.bench.budget.is_spent(self.counts.search, self.bench.clock.elapsed()) {
            return Err(Stop::Budget);
        }
        Ok(())
    }
}

/// Every candidate on the first version, then every candidate on the next.
fn pairs<'c>(candidates: &'c [Candidate], versions: &[Version]) -> Vec<(&'c Candidate, Version)> {
    versions
        .iter()
        .flat_map(|&version| candidates.iter().map(move |candidate| (candidate, version)))
        .collect()
}

/// What a run is filed under: text, test, program version and heat.
pub fn key(candidate: &Candidate, version: Version, heat: Heat) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{version:?}\n{heat:?}\n{}\n", candidate.target));
    for before in &candidate.after {
        hash.update(format!("after {before}\n"));
    }
    hash.update(&candidate.text);
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
