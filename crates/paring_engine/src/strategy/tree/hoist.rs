//! Nodes that give way to a part of them: a block to what is in it, a call to one of its arguments.

use super::memo::{Memo, Trial, look};
use super::names::Names;
use super::parts::{heaviest, parts, spares_protected, weights};
use crate::lab::Stop;
use crate::search::Search;
use paring_model::{EditSet, Op, PlaceScope, StmtId, StmtKind, StmtSet, Unit};

/// Tries to put parts in the place of every node, the heaviest node first.
pub fn hoist(search: &mut Search<'_>, names: Option<&Names>, memo: &mut Memo) -> Result<(), Stop> {
    each(search, names, memo, |unit, current, id| {
        let mut places = inner_blocks(unit, current, id);
        places.extend(inner_parts(unit, current, id));
        places
    })
}

/// Tries to put what is in their blocks in the place of statements.
pub fn blocks(search: &mut Search<'_>, names: &Names, memo: &mut Memo) -> Result<(), Stop> {
    each(search, Some(names), memo, inner_blocks)
}

/// A part that may take the place of a node.
struct Part {
    id: StmtId,
    whole: Whole,
}

/// What becomes of the part that takes a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Kept,
    Unwrapped,
}

fn each(
    search: &mut Search<'_>,
    names: Option<&Names>,
    memo: &mut Memo,
    places: impl Fn(&Unit, &EditSet, StmtId) -> Vec<Part>,
) -> Result<(), Stop> {
    let unit = search.unit;
    let mut seen: StmtSet = unit.ids().take(1).collect();
    while let Some(id) = heaviest(unit, search.current(), &seen) {
        seen.insert(id);
        let current = search.current();
        let looks = look(unit, current, None, id);
        let mut drafts = Vec::new();
        for part in places(unit, current, id) {
            let trial = Trial::Hoist(id, part.id);
            if memo.is_vain(trial, looks) {
                continue;
            }
            memo.failed(trial, looks);
            let edits = in_place_of(unit, current, id, &part);
            let edits = match names {
                Some(names) => names.settle(unit, current, edits),
                None => spares_protected(unit, &edits).then_some(edits),
            };
            drafts.extend(
                edits.filter(|edits| edits.kept.contains(part.id) && search.lab.is_well_formed(edits)),
            );
        }
        if let Some(idx) = search.lab.first_same(&drafts)? {
            search.take(&drafts[idx])?;
        }
    }
    Ok(())
}

/// The blocks of a statement, those of its clauses too, that have something in them.
fn inner_blocks(unit: &Unit, current: &EditSet, id: StmtId) -> Vec<Part> {
    let is_block = |id: &StmtId| unit.stmt(*id).kind == StmtKind::Block;
    let direct = parts(unit, current, id);
    let below = direct.iter().filter(|id| !is_block(id)).flat_map(|&part| parts(unit, current, part));
    let all: Vec<StmtId> = direct.iter().copied().chain(below).filter(is_block).collect();
    all.into_iter()
        .filter(|&block| unit.stmt(id).counts && !parts(unit, current, block).is_empty())
        .map(|id| Part { id, whole: Whole::Unwrapped })
        .collect()
}

/// What can stand for all of a node, the smallest first: its parts and theirs. Of `a.b(x)` that is `a`, `x` and `a.b`, but
/// not `(x)`, nor the member's name alone.
fn inner_parts(unit: &Unit, current: &EditSet, id: StmtId) -> Vec<Part> {
    let is_list = |id: StmtId| unit.stmt(id).range.of(&unit.source).starts_with('(');
    let is_block = |id: StmtId| unit.stmt(id).kind == StmtKind::Block;
    let direct = parts(unit, current, id);
    let below = direct.iter().filter(|&&part| !is_block(part)).flat_map(|&part| parts(unit, current, part));
    // A block with one statement in it: what that is made of may do without both.
    let blocks = direct.iter().filter(|&&part| is_block(part)).map(|&block| parts(unit, current, block));
    let single = blocks.filter(|inner| inner.len() == 1).flat_map(|inner| parts(unit, current, inner[0]));
    let mut all: Vec<StmtId> = direct.iter().copied().chain(below).chain(single).collect();
    all.retain(|&part| {
        // A name alone is no statement worth having.
        let is_bare = unit.stmt(id).counts && parts(unit, current, part).is_empty();
        !(is_list(part) || is_block(part) || is_bare || names_member(unit, part))
    });
    let weights = weights(unit, current);
    all.sort_by_key(|part| weights[part.idx()]);
    all.into_iter().map(|id| Part { id, whole: Whole::Kept }).collect()
}

fn names_member(unit: &Unit, id: StmtId) -> bool {
    unit.stmt(id).ops.iter().any(|op| match op {
        Op::Use(place) | Op::Define(place) | Op::MayDefine(place) | Op::Mutate(place) => {
            unit.place(*place).scope == PlaceScope::Member
        }
        Op::Call(_) => false,
    })
}

/// The draft in which all of a node is gone but one part of it.
fn in_place_of(unit: &Unit, current: &EditSet, id: StmtId, part: &Part) -> EditSet {
    let mut edits = current.clone();
    let mut inner = part.id;
    for up in unit.ancestors(part.id) {
        for &child in unit.stmt(up).children.iter().filter(|&&child| child != inner) {
            edits.remove(unit, child);
        }
        edits.unwrapped.insert(up);
        inner = up;
        if up == id {
            break;
        }
    }
    if part.whole == Whole::Unwrapped {
        edits.unwrapped.insert(part.id);
    }
    edits
}
