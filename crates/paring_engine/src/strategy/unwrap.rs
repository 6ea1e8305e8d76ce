//! Headers that give way to their bodies: an `if` to the branch that ran, a loop to one round, a `try` or a block to what is in
//! it.

use crate::lab::{Lab, Stop};
use crate::ops::{defines, uses};
use crate::rules::{Rules, domain};
use crate::strategy::leveled::static_trims;
use paring_model::{EditSet, Facts, StmtId, StmtKind, Unit};

/// Tries to do without each header in turn.
pub fn unwrap(lab: &mut Lab<'_>, facts: &Facts, current: &mut EditSet, rules: &Rules) -> Result<(), Stop> {
    let unit = lab.unit;
    for id in domain(unit, &current.kept, rules.has_good) {
        if !unit.stmt(id).kind.can_unwrap() || current.unwrapped.contains(id) || rules.sealed.contains(id) {
            continue;
        }
        let Some(edits) = unwrapped(unit, facts, current, rules, id) else { continue };
        if lab.holds(&edits)? {
            lab.accept(&edits);
            *current = edits;
        }
    }
    Ok(())
}

/// The draft with a header gone and the branch that ran in its place; `None` where no one branch did.
fn unwrapped(unit: &Unit, facts: &Facts, current: &EditSet, rules: &Rules, id: StmtId) -> Option<EditSet> {
    let mut edits = current.clone();
    let children: Vec<StmtId> =
        unit.stmt(id).children.iter().copied().filter(|&child| current.kept.contains(child)).collect();
    let (clauses, body): (Vec<StmtId>, Vec<StmtId>) =
        children.into_iter().partition(|&child| unit.stmt(child).kind.is_clause());
    let ran = |ids: &[StmtId]| {
        ids.iter()
            .any(|&id| !facts.observed || ids_below(unit, id).any(|below| facts.hits.contains_key(&below)))
    };
    let drop: Vec<StmtId> = match unit.stmt(id).kind {
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
    };
    if drop.iter().any(|&gone| ids_below(unit, gone).any(|below| rules.frozen.contains(below))) {
        return None;
    }
    for gone in drop {
        edits.remove(unit, gone);
    }
    let bound = defines(unit, id);
    let read_below = unit.descendants(id).into_iter().any(|below| {
        edits.kept.contains(below) && uses(unit, below).iter().any(|place| bound.contains(place))
    });
    let has_body = unit.descendants(id).into_iter().any(|below| edits.kept.contains(below));
    let jumps = matches!(unit.stmt(id).kind, StmtKind::Loop { .. })
        && unit.descendants(id).into_iter().any(|below| {
            edits.kept.contains(below)
                && matches!(unit.stmt(below).kind, StmtKind::Break { .. } | StmtKind::Continue { .. })
        });
    if read_below || !has_body || jumps {
        return None;
    }
    edits.unwrapped.insert(id);
    edits.trims.union_with(&static_trims(unit, &edits.written()));
    Some(edits)
}

/// A node and all below it.
pub fn ids_below(unit: &Unit, id: StmtId) -> impl Iterator<Item = StmtId> {
    std::iter::once(id).chain(unit.descendants(id))
}
