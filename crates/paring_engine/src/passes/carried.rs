//! Whether a round of a loop leaves something behind for the next one.
//!
//! ```text
//! for n, wanted in cases:          for n, wanted in cases:
//!   got = double(n)                  cart.add(n)
//!   assert got == wanted             assert cart.total() == wanted
//! ```
//!
//! On the left a failing round fails alone. On the right it would fail alone on correct code too.

use crate::ops::{defines, uses};
use paring_model::{Facts, Op, PlaceId, StmtId, StmtKind, Unit};
use std::collections::BTreeSet;

/// Where nobody has watched a run, a call may change whatever it gets: then it does.
pub fn carries_state(unit: &Unit, facts: &Facts, up: StmtId) -> bool {
    if is_parts(unit, up) {
        return false;
    }
    let body = unit.descendants(up);
    let given: BTreeSet<PlaceId> = defines(unit, up).into_iter().collect();
    let defined: BTreeSet<PlaceId> = body.iter().flat_map(|&id| may_define(unit, id)).collect();
    // Names that every round gives a value before it reads them.
    let mut own = given;
    for &id in &body {
        let reads_earlier =
            uses(unit, id).iter().any(|place| defined.contains(place) && !own.contains(place));
        let changes_outer = changed(unit, facts, id).iter().any(|place| !own.contains(place));
        if reads_earlier || changes_outer || facts.resources.changes(id) {
            return true;
        }
        if unit.stmt(id).parent == Some(up) {
            own.extend(defines(unit, id));
        }
    }
    false
}

/// Whether each round is a part of the test of its own, by the author's word.
fn is_parts(unit: &Unit, up: StmtId) -> bool {
    matches!(unit.stmt(up).children[..], [only] if unit.stmt(only).kind == StmtKind::Block)
}

fn may_define(unit: &Unit, id: StmtId) -> impl Iterator<Item = PlaceId> {
    unit.stmt(id).ops.iter().filter_map(|op| match op {
        Op::Define(place) | Op::MayDefine(place) => Some(*place),
        Op::Use(_) | Op::Mutate(_) | Op::Call(_) => None,
    })
}

/// What a statement changed, or what it may change where no run tells.
fn changed(unit: &Unit, facts: &Facts, id: StmtId) -> BTreeSet<PlaceId> {
    let mut places: BTreeSet<PlaceId> = facts.changed.get(&id).into_iter().flatten().copied().collect();
    for op in &unit.stmt(id).ops {
        match op {
            Op::Mutate(place) => places.extend([*place]),
            Op::Call(call) if !facts.observed => {
                places.extend(call.receiver.into_iter().chain(call.args.iter().copied()));
            }
            Op::Call(_) | Op::Use(_) | Op::Define(_) | Op::MayDefine(_) => {}
        }
    }
    places
}
