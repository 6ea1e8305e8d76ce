//! What of the result is only there by caution: the failure is the same without it, and the rules keep it all the same.
//!
//! ```text
//! b = Box()        needed: the last line reads it
//! b.put(1)         by caution …
//! b.put(2)         … as one run without both shows
//! assert b.empty
//! ```
//!
//! One run without all that nobody has tried to do without; where that is another failure, halves, and their halves. How many runs
//! that may take is bounded: of what is left then nothing is known. Nothing is removed.

use crate::lab::Stop;
use crate::rules::Rules;
use crate::search::Search;
use crate::users::without;
use paring_model::{EditSet, StmtId, StmtSet};

/// Runs beyond those that a single needed statement takes.
const N_SPARE: usize = 4;

pub fn caution(search: &mut Search<'_>) -> Result<(), Stop> {
    if search.rules.has_good {
        return Ok(());
    }
    let open: Vec<StmtId> = untried(search);
    let mut n_left = N_SPARE + 2 * open.len().next_power_of_two().ilog2() as usize;
    let mut lists = vec![open];
    while let Some(list) = lists.pop() {
        if list.is_empty() || n_left == 0 {
            continue;
        }
        n_left -= 1;
        match look(search, &list)? {
            Some(gone) => search.note_caution(&gone),
            None if list.len() > 1 => {
                let (first, second) = list.split_at(list.len() / 2);
                lists.extend([second.to_vec(), first.to_vec()]);
            }
            None => search.note_needed(list[0]),
        }
    }
    Ok(())
}

/// Statements of the test that could be left out, and that no draft has been without.
fn untried(search: &mut Search<'_>) -> Vec<StmtId> {
    let unit = search.unit;
    let current = search.current();
    let is_open = |id: &StmtId| {
        current.kept.contains(*id)
            && !current.unwrapped.contains(*id)
            && !search.tried_without().contains(*id)
            && !unit.stmt(*id).protected
    };
    let body = unit.test_body().into_iter().filter(is_open);
    let (open, bound): (Vec<StmtId>, Vec<StmtId>) = body.partition(|&id| lacking(search, &[id]).is_some());
    search.note_bound(bound.into_iter().collect());
    open
}

/// The current draft without some statements; `None` where one of them takes the failing one along.
fn lacking(search: &Search<'_>, list: &[StmtId]) -> Option<EditSet> {
    let free = Rules {
        frozen: search.criterion.failing.into_iter().chain(search.criterion.anchor).collect(),
        ..Rules::default()
    };
    let graph = search.graph();
    let mut draft = search.current().clone();
    for &id in list.iter().rev().filter(|&&id| search.current().kept.contains(id)) {
        if draft.kept.contains(id) {
            draft = without(search.unit, &draft, &free, &graph.users, id)?;
        }
    }
    Some(draft)
}

/// What went without a change of the failure; `None` where it is another.
fn look(search: &mut Search<'_>, list: &[StmtId]) -> Result<Option<StmtSet>, Stop> {
    let Some(draft) = lacking(search, list) else { return Ok(None) };
    if !search.judge(&draft)?.is_same() {
        return Ok(None);
    }
    let kept = &search.current().kept;
    Ok(Some(kept.iter().filter(|&id| !draft.kept.contains(id)).collect()))
}
