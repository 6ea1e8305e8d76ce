//! How much a search may cost.

use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Runs of the search, those of the baseline and of the last verification not counted.
    pub runs: Option<usize>,
    pub time: Option<Duration>,
}

impl Budget {
    pub fn is_spent(&self, n_runs: usize, elapsed: Duration) -> bool {
        self.runs.is_some_and(|limit| n_runs >= limit) || self.time.is_some_and(|limit| elapsed >= limit)
    }
}
