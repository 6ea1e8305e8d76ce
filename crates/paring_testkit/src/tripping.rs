//! A runner in front of another one: at a given run the user presses Ctrl-C, or the runner itself fails.

use crate::journal::FakeClock;
use paring_model::{Candidate, ErrorCode, Facts, Job, Observation, Runner, RunnerError, Unit};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What happens at the run.
#[derive(Clone, Copy)]
pub enum Trip<'a> {
    Nothing,
    /// The clock says from the end of the run on that the user asked to stop.
    Interrupt(&'a FakeClock),
    /// The run has no observation: the worker is gone. Later runs work again.
    Fail,
}

pub struct TrippingRunner<'a> {
    inner: &'a dyn Runner,
    trip: Trip<'a>,
    /// From 1, traced runs included.
    at: usize,
    n_runs: AtomicUsize,
}

impl<'a> TrippingRunner<'a> {
    pub fn new(inner: &'a dyn Runner, at: usize, trip: Trip<'a>) -> Self {
        Self { inner, trip, at, n_runs: AtomicUsize::new(0) }
    }

    pub fn n_runs(&self) -> usize {
        self.n_runs.load(Ordering::Relaxed)
    }

    /// Counts so many runs, which are made at once.
    fn count(&self, n: usize) -> Result<(), RunnerError> {
        let before = self.n_runs.fetch_add(n, Ordering::Relaxed);
        if !(before + 1..=before + n).contains(&self.at) {
            return Ok(());
        }
        match self.trip {
            Trip::Nothing => Ok(()),
            Trip::Interrupt(clock) => {
                clock.interrupt();
                Ok(())
            }
            Trip::Fail => Err(RunnerError {
                code: ErrorCode::Worker,
                message: "the worker is gone".to_owned(),
                help: "run it again".to_owned(),
            }),
        }
    }
}

impl Runner for TrippingRunner<'_> {
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError> {
        self.count(jobs.len())?;
        self.inner.observe(jobs)
    }

    fn facts(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, RunnerError> {
        self.count(1)?;
        self.inner.facts(unit, candidate)
    }

    fn has_good(&self) -> bool {
        self.inner.has_good()
    }

    fn n_parallel(&self) -> usize {
        self.inner.n_parallel()
    }
}
