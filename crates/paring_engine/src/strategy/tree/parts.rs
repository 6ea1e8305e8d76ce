//! The tree as the edits leave it: an unwrapped node is not there, and its parts are its parent's.

use paring_model::{EditSet, StmtId, StmtSet, Unit};

/// The kept nodes directly below one, those of unwrapped nodes among them, in order.
pub fn parts(unit: &Unit, edits: &EditSet, id: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    for &child in unit.stmt(id).children.iter().filter(|&&child| edits.kept.contains(child)) {
        if edits.unwrapped.contains(child) {
            found.extend(parts(unit, edits, child));
        } else {
            found.push(child);
        }
    }
    found
}

/// Bytes that are left of every node with all below it.
pub fn weights(unit: &Unit, edits: &EditSet) -> Vec<u32> {
    let length = |id: StmtId| unit.stmt(id).range.end - unit.stmt(id).range.start;
    let mut weights = vec![0; unit.stmts.len()];
    for id in unit.ids().rev().filter(|&id| edits.kept.contains(id)) {
        let children = &unit.stmt(id).children;
        let below: u32 = children.iter().map(|child| weights[child.idx()]).sum();
        let covered: u32 = children.iter().map(|&child| length(child)).sum();
        let own = if edits.unwrapped.contains(id) { 0 } else { length(id) - covered };
        weights[id.idx()] = own + below;
    }
    weights
}

/// The heaviest node that is there and was not looked at yet; of several the first.
pub fn heaviest(unit: &Unit, edits: &EditSet, seen: &StmtSet) -> Option<StmtId> {
    let weights = weights(unit, edits);
    let is_open = |id: &StmtId| !edits.unwrapped.contains(*id) && !seen.contains(*id);
    edits.kept.iter().filter(is_open).max_by_key(|id| (weights[id.idx()], std::cmp::Reverse(*id)))
}

/// Whether the edits take nothing that a comment protects.
pub fn spares_protected(unit: &Unit, edits: &EditSet) -> bool {
    let is_gone = |id: StmtId| !edits.kept.contains(id) || edits.unwrapped.contains(id);
    !unit.ids().any(|id| unit.stmt(id).protected && is_gone(id))
}
