//! What the engine tells while it works: the seam between doing and showing.

use crate::candidate::Candidate;
use crate::verdict::Verdict;

#[derive(Clone, Debug)]
pub enum Event {
    /// A stage began: "observing", "tracing", "slicing", "experimenting", "verifying".
    Stage { name: &'static str },
    /// A candidate was run and judged.
    Ran { n_runs: usize, candidate: Candidate, verdict: Verdict },
    /// A smaller test was verified.
    Better { n_statements: usize },
}
