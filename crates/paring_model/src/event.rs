//! What the engine tells while it works: the seam between doing and showing.

use crate::verdict::Verdict;

#[derive(Clone, Debug)]
pub enum Event {
    /// A stage began: "observing", "tracing", "slicing", "experimenting", "verifying".
    Stage { name: &'static str },
    /// A run ended.
    Ran { n_runs: usize, verdict: Verdict },
    /// A smaller test was verified.
    Better { n_statements: usize },
}
