//! What written tests must keep of the tests that they take the place of, as far as only runs tell: lines and faults.
//!
//! For every job that writes several tests, or one of several. The lines come first, since mutants are made of them; mutants come
//! when there is something to check, since they cost most.

use paring_engine::{Faults, Keeps, Loss, Plan, Recorded, Runs, SameLines, Stop, Times};
use paring_model::{Candidate, Frontend};
use std::time::Duration;

/// The longest that mutants may take for one result.
const MUTANTS_LIMIT: Duration = Duration::from_secs(30);
/// How long one run on a mutant may take: so many times as long as the original, within these bounds.
const FACTOR: u32 = 10;
const AT_LEAST: Duration = Duration::from_secs(2);
const AT_MOST: Duration = Duration::from_secs(20);

/// What the originals ran and caught.
pub struct Keeping {
    originals: Vec<Candidate>,
    lines: Option<SameLines>,
    /// For one run on a mutant.
    timeout: Duration,
    faults: Option<Faults>,
}

/// How far it was shown that no fault is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantReport {
    /// How many could have been drawn.
    pub n_possible: usize,
    /// How many the originals caught.
    pub n_caught: usize,
    /// How many of those the written tests were run on: they caught all of them.
    pub n_checked: usize,
    pub n_not_noticed: usize,
    pub n_timed_out: usize,
    /// How many a compiler refused.
    pub n_refused: usize,
}

impl Keeping {
    /// Has the originals run with the recorder, where there is one.
    pub fn of(runs: &Runs<'_>, originals: Vec<Candidate>, timeout: Option<Duration>) -> Result<Self, Stop> {
        let began = runs.elapsed();
        let lines = SameLines::of(runs, originals.clone())?;
        let took = runs.elapsed().saturating_sub(began).saturating_mul(FACTOR).clamp(AT_LEAST, AT_MOST);
        let timeout = timeout.map_or(took, |limit| limit.min(took));
        Ok(Self { originals, lines, timeout, faults: None })
    }

    /// Whether the originals passed where they were recorded; `None` where they were not.
    pub fn all_pass(&self) -> Option<bool> {
        self.lines.as_ref().map(SameLines::all_pass)
    }

    /// How many lines of the code under test the originals run.
    pub fn n_lines(&self) -> Option<usize> {
        self.lines.as_ref().map(|lines| lines.lines().values().map(std::collections::BTreeSet::len).sum())
    }

    /// How long the originals took together, where a recorder tells.
    pub fn took(&self) -> Option<Duration> {
        self.lines.as_ref().and_then(SameLines::took)
    }

    /// How long the originals and the written tests take in another run; `None` where nobody can tell.
    pub fn take_again(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Option<Times>, Stop> {
        self.lines.as_ref().map(|lines| lines.take_again(runs, candidate)).transpose()
    }

    /// Has written tests run with the recorder, in the order of their targets.
    pub fn check_lines(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Option<Recorded>, Stop> {
        self.lines.as_ref().map(|lines| lines.check(runs, candidate)).transpose()
    }

    /// What faults the written tests no longer catch. Mutants are drawn the first time.
    pub fn check_faults(
        &mut self,
        runs: &Runs<'_>,
        frontend: &dyn Frontend,
        candidate: &Candidate,
        n: usize,
        seed: u64,
    ) -> Result<Option<Loss>, Stop> {
        let Some(lines) = self.lines.as_ref().filter(|_| n > 0 && runs.replaces_code()) else {
            return Ok(None);
        };
        if self.faults.is_none() {
            let plan = Plan { n, limit: MUTANTS_LIMIT, timeout: self.timeout, seed };
            self.faults = Some(Faults::drawn(runs, frontend, lines, self.originals.clone(), plan)?);
        }
        self.faults.as_ref().map_or(Ok(None), |faults| faults.by_runs(runs, candidate))
    }

    /// What was found of faults; `None` where nobody looked.
    pub fn mutants(&self) -> Option<MutantReport> {
        self.faults.as_ref().map(|faults| MutantReport {
            n_possible: faults.n_possible,
            n_caught: faults.caught.len(),
            n_checked: faults.n_checked(),
            n_not_noticed: faults.n_not_noticed,
            n_timed_out: faults.n_timed_out,
            n_refused: faults.n_refused,
        })
    }

    /// Why nobody could look at faults, or there were none to look at.
    pub fn no_mutants(&self, runs: &Runs<'_>) -> Option<String> {
        let why = match (&self.lines, &self.faults) {
            _ if !runs.replaces_code() => "the code under test of this language cannot be replaced for a run",
            (None, _) => "nobody can tell which lines of the code under test run",
            (Some(lines), _) if lines.lines().is_empty() => {
                "the tests run no line of the code under test whose source is at hand (for Java, --sources names folders of such)"
            }
            (Some(_), Some(faults)) => match &faults.refusal {
                Some(refusal) if faults.caught.is_empty() => refusal,
                _ if faults.n_possible == 0 => "nothing in the lines that the tests run can be changed",
                _ => return None,
            },
            (Some(_), None) => return None,
        };
        Some(why.to_owned())
    }
}
