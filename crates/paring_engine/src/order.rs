//! The one order on drafts: which of two is better.
//!
//! Fewer statements of the test come first, then fewer around it (fixtures, helpers), then fewer headers and offered
//! trims left untaken, then the earlier positions. It is total, so a result never depends on who finished first.

use paring_model::{EditSet, Unit};

/// Smaller is better.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    pub n_test: usize,
    pub n_around: usize,
    pub n_clauses: usize,
    pub n_untrimmed: usize,
    edits: EditSet,
}

/// Scores a draft of a unit.
pub fn score(unit: &Unit, edits: &EditSet) -> Score {
    let test_def = unit.test.and_then(|test| unit.routine(test).def);
    let (mut n_test, mut n_around, mut n_clauses) = (0, 0, 0);
    for id in edits.kept.iter() {
        if edits.unwrapped.contains(id) {
            continue;
        }
        if !unit.stmt(id).counts {
            n_clauses += 1;
        } else if unit.ancestors(id).any(|up| Some(up) == test_def) {
            n_test += 1;
        } else {
            n_around += 1;
        }
    }
    let n_untrimmed = unit.trims.len() - edits.trims.len();
    Score { n_test, n_around, n_clauses, n_untrimmed, edits: edits.clone() }
}
