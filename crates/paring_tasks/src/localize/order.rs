//! From scores to the order of all lines.
//!
//! Spectra cannot tell the statements of one block apart: whoever runs one runs all. Where scores are equal, three things that no spectrum shows
//! still can. A call of a pared test that changes nothing is often the broken one: what would not have run without it comes first. Lines that no
//! test tells apart from others stand in functions that tests do: those around the most suspicious lines come next, which is so for lines, too,
//! that no failing test ran, and should have run. And a fault is somewhere in the text, so the statement with more text is the more likely place.

use super::Combine;
use super::lines::Lines;
use paring_spectrum::{LineId, LineSet, Ranking, Tally, refine};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Ranks lines by the scores of their classes. `ran_without_effect` is what only calls without effect ran.
pub fn order(
    lines: &Lines<'_>,
    tally: &Tally,
    scores: &[f64],
    combine: Combine,
    ran_without_effect: &LineSet,
) -> Ranking {
    let ranking = tally.rank(&refine(tally, scores));
    match combine {
        Combine::Settle => settled(lines, &ranking, ran_without_effect),
        Combine::Replace | Combine::Refine | Combine::Both | Combine::Clear => ranking,
    }
}

fn settled(lines: &Lines<'_>, ranking: &Ranking, ran_without_effect: &LineSet) -> Ranking {
    let function = |line: LineId| Some((lines.file_of[line.idx()], lines.code(line).function?));
    let mut best_of: HashMap<(usize, usize), usize> = HashMap::new();
    for line in ranking.best() {
        if let Some(function) = function(line) {
            best_of.entry(function).or_insert(ranking.place_idx(line));
        }
    }
    // What stands in no function comes last.
    let best = |line: LineId| function(line).map_or(usize::MAX, |function| best_of[&function]);
    ranking
        .settled(|line| (ran_without_effect.contains(line), Reverse(best(line)), lines.code(line).n_tokens))
}
