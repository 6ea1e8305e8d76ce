//! Failing tests of the suite pared, one for each assertion that fails, and the lines that the pared ones run.

use super::{Origin, PureTest, choose, dependence, n_parable};
use crate::OutcomeError;
use crate::purify::Purified;
use camino::Utf8Path;
use paring_engine::Runs;
use paring_model::Covered;
use std::time::Duration;

/// Pares a failing test of the suite: with workers and a journal of its own, as `paring purify` does.
pub trait Parer {
    fn pare(&mut self, failing: Failing<'_>) -> Result<Purified, OutcomeError>;

    /// The text of a test file.
    fn text(&self, file: &Utf8Path) -> Option<String>;
}

/// A failing test of the suite.
#[derive(Clone, Copy, Debug)]
pub struct Failing<'a> {
    pub covered: &'a Covered,
    pub idx: usize,
    /// How many are pared in all.
    pub n_chosen: usize,
}

/// The tests that the failing ones were pared to.
#[derive(Debug, Default)]
pub struct Pure {
    pub tests: Vec<PureTest>,
    pub notes: Vec<String>,
    pub spent: Spent,
}

/// What the parts of a localization took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// The suite, with its lines recorded.
    pub suite: Duration,
    /// Making smaller tests of the failing ones.
    pub paring: Duration,
    /// Running those with their lines recorded.
    pub recording: Duration,
    /// How many runs that were.
    pub n_recorded: usize,
}

/// Pares at most so many failing tests. One that cannot be pared gets a note, and counts as it is.
pub fn pare(parer: &mut dyn Parer, runs: &Runs<'_>, covered: &Covered, n_most: usize) -> Pure {
    let mut pure = Pure::default();
    let n_failing = n_parable(covered);
    let n_suite = runs.counts().recorded;
    let chosen = choose(covered, n_most);
    let n_chosen = chosen.len();
    if n_chosen < n_failing {
        pure.notes.push(format!(
            "{n_chosen} of {n_failing} failing tests were pared, of every failure those that run the fewest lines; the others count as they \
             are (--pare {n_failing} pares all)"
        ));
    }
    for idx in chosen {
        if runs.not_interrupted().is_err() {
            break;
        }
        let began = runs.elapsed();
        let purified = parer.pare(Failing { covered, idx, n_chosen });
        let ended = runs.elapsed();
        pure.spent.paring += ended.saturating_sub(began);
        match purified {
            Ok(purified) => pure.record(Origin { runs, covered, idx }, &purified, &*parer),
            Err(error) => {
                pure.notes.push(format!("{} was not pared: {}", covered.tests[idx].id, error.message));
            }
        }
        pure.spent.recording += runs.elapsed().saturating_sub(ended);
    }
    pure.spent.n_recorded = runs.counts().recorded - n_suite;
    pure
}

impl Pure {
    /// Runs what a failing test was pared to with the recorder.
    fn record(&mut self, origin: Origin<'_>, purified: &Purified, parer: &dyn Parer) {
        let test = &origin.covered.tests[origin.idx];
        let first = self.tests.len();
        for outcome in &purified.outcomes {
            self.notes.extend(dependence(outcome));
            match origin.record(outcome) {
                Ok(made) => self.tests.extend(made),
                Err(why) => self.notes.push(format!("{} counts as it is: {why}", test.id)),
            }
        }
        self.tests.extend(purified.holding.iter().filter_map(|candidate| origin.record_holding(candidate)));
        if self.tests.len() > first
            && let Some(text) = parer.text(&test.file)
        {
            let once = origin.run_once(&text);
            self.tests[first..].iter_mut().for_each(|made| once.set_apart(made));
        }
    }
}
