//! Which failing tests of a suite are pared: each failure has its most telling tests pared first.

use paring_model::{Covered, CoveredTest, Observation};
use std::collections::HashMap;

/// How many failing tests could be pared.
pub fn n_parable(covered: &Covered) -> usize {
    covered.tests.iter().filter(|test| is_parable(test)).count()
}

/// At most so many of the failing tests, by their indices, in the order in which they ran. Of each failure the test that runs the fewest
/// lines comes first, then the next of each.
pub fn choose(covered: &Covered, n_most: usize) -> Vec<usize> {
    let mut failing: Vec<(usize, usize, String)> = Vec::new();
    for (idx, test) in covered.tests.iter().enumerate().filter(|(_, test)| is_parable(test)) {
        let n_lines = test.ran.iter().flatten().map(|ran| ran.lines.len()).sum();
        failing.push((n_lines, idx, kind(test)));
    }
    failing.sort();
    let mut n_of_kind: HashMap<String, usize> = HashMap::new();
    let mut order: Vec<(usize, usize, usize)> = Vec::new();
    for (n_lines, idx, kind) in failing {
        let nth = n_of_kind.entry(kind).or_default();
        order.push((*nth, n_lines, idx));
        *nth += 1;
    }
    order.sort_unstable();
    let mut chosen: Vec<usize> = order.into_iter().take(n_most).map(|(_, _, idx)| idx).collect();
    chosen.sort_unstable();
    chosen
}

/// What tells one failure from another without looking further.
fn kind(test: &CoveredTest) -> String {
    match &test.observation {
        Observation::Failed(failure) => {
            let exception = failure.exception();
            format!("{}: {}", exception.type_name, exception.message)
        }
        other => format!("{other:?}"),
    }
}

/// What ended its process, or was never collected, left no lines to improve on.
fn is_parable(test: &CoveredTest) -> bool {
    matches!(test.observation, Observation::Failed(_)) && test.ran.is_some()
}
