//! Headers give way to their bodies: an `if` to the branch that ran, a loop to one round, a `try` or a block to what is in
//! it.
//!
//! ```text
//! if ready:
//!   go()          →   go()
//! else:
//!   wait()
//! ```

use crate::domain::{domain, ids_below};
use crate::drafts::static_trims;
use crate::lab::Stop;
use crate::ops::{defines, uses};
use crate::search::Search;
use paring_model::{EditSet, Facts, StmtId, StmtKind, Unit};

/// Tries to do without each header in turn.
pub fn unwrap(search: &mut Search<'_>) -> Result<(), Stop> {
    let unit = search.unit;
    for id in domain(unit, &search.current().kept, search.rules.has_good) {
        let is_open = unit.stmt(id).kind.can_unwrap() && !search.current().unwrapped.contains(id);
        if !is_open || search.rules.sealed.contains(id) {
            continue;
        }
        if let Some(draft) = unwrapped(search, id) {
            search.take_without(id, &draft)?;
        }
    }
    Ok(())
}

/// The draft with a header gone and the branch that ran in its place; `None` where no one branch did, or where something in
/// it needs the header.
fn unwrapped(search: &Search<'_>, id: StmtId) -> Option<EditSet> {
    let (unit, current) = (search.unit, search.current());
    let gone = gone_with(unit, search.facts, current, id)?;
    let is_frozen = |below: StmtId| search.rules.frozen.contains(below);
    if gone.iter().any(|&gone| ids_below(unit, gone).any(is_frozen)) {
        return None;
    }
    let mut draft = current.clone();
    for gone in gone {
        draft.remove(unit, gone);
    }
    if needs_header(unit, &draft, id) {
        return None;
    }
    draft.unwrapped.insert(id);
    draft.trims.union_with(&static_trims(unit, &draft.written()));
    Some(draft)
}

/// The parts of a statement that go with its header: the branches that did not run, and handlers. `None` where several ran.
fn gone_with(unit: &Unit, facts: &Facts, current: &EditSet, id: StmtId) -> Option<Vec<StmtId>> {
    let children: Vec<StmtId> =
        unit.stmt(id).children.iter().copied().filter(|&child| current.kept.contains(child)).collect();
    let (clauses, body): (Vec<StmtId>, Vec<StmtId>) =
        children.into_iter().partition(|&child| unit.stmt(child).kind.is_clause());
    let ran = |ids: &[StmtId]| {
        ids.iter()
            .any(|&id| !facts.observed || ids_below(unit, id).any(|below| facts.hits.contains_key(&below)))
    };
    Some(match unit.stmt(id).kind {
        StmtKind::If => {
            let live: Vec<StmtId> = clauses.iter().copied().filter(|&clause| ran(&[clause])).collect();
            match (ran(&body), live.as_slice()) {
                (true, []) => clauses,
                (false, [one]) if unit.stmt(*one).kind == StmtKind::Else => {
                    body.iter().chain(clauses.iter().filter(|clause| *clause != one)).copied().collect()
                }
                _ => return None,
            }
        }
        StmtKind::Loop { .. } => clauses,
        StmtKind::Try => clauses.into_iter().filter(|&id| unit.stmt(id).kind == StmtKind::Handler).collect(),
        _ => Vec::new(),
    })
}

/// Whether what is left of the body reads a name that the header gives a value, jumps out of the loop, or is nothing.
fn needs_header(unit: &Unit, draft: &EditSet, id: StmtId) -> bool {
    let bound = defines(unit, id);
    let below: Vec<StmtId> =
        unit.descendants(id).into_iter().filter(|&below| draft.kept.contains(below)).collect();
    let reads = |below: &StmtId| uses(unit, *below).iter().any(|place| bound.contains(place));
    let jumps =
        |below: &StmtId| matches!(unit.stmt(*below).kind, StmtKind::Break { .. } | StmtKind::Continue { .. });
    let is_loop = matches!(unit.stmt(id).kind, StmtKind::Loop { .. });
    below.is_empty() || below.iter().any(reads) || is_loop && below.iter().any(jumps)
}
