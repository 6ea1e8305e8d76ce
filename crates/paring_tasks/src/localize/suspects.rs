//! From a ranking of lines to the list of [`Suspect`]s: statements, functions or files.

use super::evidence::Evidence;
use super::lines::Lines;
use super::{By, Suspect};
use paring_model::Covered;
use paring_spectrum::ranking::Place;
use paring_spectrum::{LineId, Ranking, Tally, gather};
use std::collections::BTreeMap;

/// All suspects, best first, and how many places there were to rank.
pub fn suspects(
    covered: &Covered,
    lines: &Lines<'_>,
    tally: &Tally,
    ranking: &Ranking,
    evidence: &Evidence,
    by: By,
) -> (Vec<Suspect>, usize) {
    let groups = groups(lines, by);
    let n_groups = groups.iter().flatten().max().map_or(0, |&last| last as usize + 1);
    let grouped = match by {
        By::Statement => None,
        By::Function | By::File => Some(gather(ranking, &groups, n_groups)),
    };
    let mut is_taken = vec![false; n_groups];
    let mut found = Vec::new();
    for line in ranking.best() {
        let Some(group) = groups[line.idx()] else { continue };
        if tally.counts(line).ef == 0 || std::mem::replace(&mut is_taken[group as usize], true) {
            continue;
        }
        let place =
            grouped.as_ref().map_or_else(|| ranking.place(line), |grouped| grouped.place(LineId(group)));
        found.push(suspect(covered, lines, tally, evidence, line, place));
    }
    let n_ranked = match by {
        By::Statement => lines.n_lines(),
        By::Function | By::File => n_groups,
    };
    (found, n_ranked)
}

/// The group of each line: its own, its function, or its file. Lines outside of functions are in no function.
fn groups(lines: &Lines<'_>, by: By) -> Vec<Option<u32>> {
    let mut numbers: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut number = |key: (usize, usize)| {
        let next = u32::try_from(numbers.len()).expect("groups are no more than lines");
        *numbers.entry(key).or_insert(next)
    };
    (0..)
        .map(LineId)
        .take(lines.n_lines())
        .map(|line| match by {
            By::Statement => Some(line.0),
            By::Function => Some(number((lines.file_of[line.idx()], lines.code(line).function?))),
            By::File => Some(number((lines.file_of[line.idx()], 0))),
        })
        .collect()
}

fn suspect(
    covered: &Covered,
    lines: &Lines<'_>,
    tally: &Tally,
    evidence: &Evidence,
    line: LineId,
    place: Place,
) -> Suspect {
    let file_idx = lines.file_of[line.idx()];
    let code = lines.code(line);
    let functions = &covered.files[file_idx].functions;
    let ran = evidence.ran_by.iter().enumerate().filter(|(_, ran)| ran.contains(line));
    Suspect {
        file_idx,
        first_line: code.line,
        last_line: code.last_line,
        function: code.function.map(|function| functions[function].name.clone()),
        score: place.score,
        rank: place.rank,
        n_ties: place.n_members as usize,
        counts: tally.counts(line),
        tests: ran.map(|(test, _)| test).collect(),
    }
}
