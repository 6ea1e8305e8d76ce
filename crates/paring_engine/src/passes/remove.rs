//! Removal of statements, backwards through them.
//!
//! A statement that defines a name goes together with the statements that would miss it, so that no run is spent on an
//! unbound name. Removals that succeed make the next step larger, one that fails makes it single again: long removable
//! stretches cost few runs, and a slice that is right already costs one run a statement.

use crate::domain::{domain, removal_order};
use crate::lab::Stop;
use crate::search::{Graph, Search};
use crate::users::without;
use paring_graph::slice;
use paring_model::{EditSet, StmtId, StmtSet};

/// The largest number of removals tried at once.
const MAX_STRIDE: usize = 16;

pub fn remove(search: &mut Search<'_>) -> Result<(), Stop> {
    let (unit, graph) = (search.unit, search.graph());
    let order = removal_order(unit, &domain(unit, &search.current().kept, search.rules.has_good));
    let (mut idx, mut stride) = (0, 1);
    while idx < order.len() {
        let (trials, next) = trials(search, &graph, &order[idx..], stride);
        if trials.is_empty() {
            idx += next;
            continue;
        }
        match first_that_holds(search, &graph, &trials, stride)? {
            Some(trial) => {
                idx += trial.end;
                stride = (stride * 2).min(MAX_STRIDE);
            }
            None if stride > 1 => stride = 1,
            None => idx += next,
        }
    }
    Ok(())
}

/// A draft without some statements.
struct Trial {
    draft: EditSet,
    /// The last of the statements that were left out for their own sake.
    last: StmtId,
    /// How much of the order it went through.
    end: usize,
}

/// The next drafts, and how much of the order they go through. Several single removals ahead, each against the same current
/// draft: the lab may run them at once. A longer stride is tried alone, or the order of the search would depend on how many
/// run at once.
fn trials(search: &Search<'_>, graph: &Graph, order: &[StmtId], stride: usize) -> (Vec<Trial>, usize) {
    let n_ahead = if stride == 1 { search.lab.n_ahead() } else { 1 };
    let mut trials = Vec::new();
    let mut next = 0;
    while next < order.len() && trials.len() < n_ahead {
        let (trial, end) = stretch(search, graph, order, next, stride);
        next = end;
        trials.extend(trial);
    }
    (trials, next)
}

/// The draft without up to `stride` removable statements from `from` on, and where it stopped looking.
fn stretch(
    search: &Search<'_>,
    graph: &Graph,
    order: &[StmtId],
    from: usize,
    stride: usize,
) -> (Option<Trial>, usize) {
    let mut draft = search.current().clone();
    let mut last = None;
    let mut n_removed = 0;
    let mut idx = from;
    while idx < order.len() && n_removed < stride {
        let id = order[idx];
        idx += 1;
        if !draft.kept.contains(id) {
            continue;
        }
        if let Some(smaller) = without(search.unit, &draft, &search.rules, &graph.users, id) {
            draft = smaller;
            last = Some(id);
            n_removed += 1;
        }
    }
    (last.map(|last| Trial { draft, last, end: idx }), idx)
}

/// Takes the first trial that holds. Those before it are found needed, unless one of those before them taught the rules that
/// they are.
fn first_that_holds<'t>(
    search: &mut Search<'_>,
    graph: &Graph,
    trials: &'t [Trial],
    stride: usize,
) -> Result<Option<&'t Trial>, Stop> {
    let drafts: Vec<EditSet> = trials.iter().map(|trial| trial.draft.clone()).collect();
    search.lab.run_ahead(&drafts)?;
    for trial in trials {
        let current = search.current();
        let gone: StmtSet = current.kept.iter().filter(|&id| !trial.draft.kept.contains(id)).collect();
        if gone.iter().any(|id| search.rules.frozen.contains(id)) {
            continue;
        }
        if search.take(&trial.draft)? {
            return Ok(Some(trial));
        }
        if stride == 1 {
            search.note_needed(trial.last);
            learn(search, graph, &gone);
        }
    }
    Ok(None)
}

/// Where no name shows all the ways to the asserted value, what is found needed stays with all it is computed from.
fn learn(search: &mut Search<'_>, graph: &Graph, gone: &StmtSet) {
    if search.rules.binding {
        // Its removal took along what comes after it: the first to go is the one that was needed.
        let needed: Vec<StmtId> = gone.iter().take(1).collect();
        search.rules.frozen.union_with(&slice(search.unit, &graph.dependence, &needed).strong);
    }
}
