//! Nodes that give way to a part of them: a block to what is in it, a call to one of its arguments.

use super::names::Names;
use super::parts::{heaviest, parts, spares_protected};
use crate::lab::{Lab, Stop};
use paring_model::{EditSet, StmtId, StmtKind, StmtSet, Unit};

/// Tries to put parts in the place of every node, the heaviest node first.
pub fn hoist(lab: &mut Lab<'_>, current: &mut EditSet, names: &Names) -> Result<(), Stop> {
    let unit = lab.unit;
    let mut seen: StmtSet = unit.ids().take(1).collect();
    while let Some(id) = heaviest(unit, current, &seen) {
        seen.insert(id);
        let mut drafts: Vec<EditSet> = drafts(unit, current, id)
            .into_iter()
            .filter_map(|edits| names.settle(unit, current, edits))
            .filter(|edits| spares_protected(unit, edits) && edits.kept.contains(id))
            .collect();
        drafts.retain(|edits| lab.is_well_formed(edits));
        if let Some(idx) = lab.first_same(&drafts)? {
            let edits = drafts.swap_remove(idx);
            lab.accept(&edits);
            *current = edits;
        }
    }
    Ok(())
}

/// The drafts with one part in the place of the node, the one that saves most first.
fn drafts(unit: &Unit, current: &EditSet, id: StmtId) -> Vec<EditSet> {
    let is_statement = unit.stmt(id).counts;
    let mut found = Vec::new();
    for part in parts(unit, current, id) {
        let below = parts(unit, current, part);
        if unit.stmt(part).kind == StmtKind::Block {
            if !below.is_empty() {
                found.push(in_place_of(unit, current, id, part, Whole::Unwrapped));
            }
        // A name alone is no statement worth having.
        } else if !is_statement || !below.is_empty() {
            found.push(in_place_of(unit, current, id, part, Whole::Kept));
        }
        // An `else`, a `catch`: its block stands one further down.
        let blocks =
            below.into_iter().filter(|&inner| is_statement && unit.stmt(inner).kind == StmtKind::Block);
        for block in blocks.filter(|&block| !parts(unit, current, block).is_empty()) {
            found.push(in_place_of(unit, current, id, block, Whole::Unwrapped));
        }
    }
    found
}

/// What becomes of the part that takes a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Kept,
    Unwrapped,
}

/// The draft in which all of a node is gone but one part of it.
fn in_place_of(unit: &Unit, current: &EditSet, id: StmtId, part: StmtId, whole: Whole) -> EditSet {
    let mut edits = current.clone();
    let mut inner = part;
    for up in unit.ancestors(part) {
        for &child in unit.stmt(up).children.iter().filter(|&&child| child != inner) {
            edits.remove(unit, child);
        }
        edits.unwrapped.insert(up);
        inner = up;
        if up == id {
            break;
        }
    }
    if whole == Whole::Unwrapped {
        edits.unwrapped.insert(part);
    }
    edits
}
