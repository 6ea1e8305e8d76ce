//! Objects that others hand out: what is done to them may come back to whoever handed them out.
//!
//! ```python
//! with client.session() as session:   # `client` hands out `session`
//!     session["user"] = 1             # changes `client`, when the block ends
//! client.get("/")
//! ```
//!
//! The traced run need not have seen anything come back: that it did not may be the very fault. So it counts by the text alone, for
//! blocks that hand out what they are about, and for plain names that a call on an object was asked for
//! (`cursor = connection.cursor()`).

use paring_model::{Op, PlaceId, StmtKind, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// For each place that was handed out: the places it came from, through others too.
pub(crate) fn handed(unit: &Unit, is_code: &BTreeSet<PlaceId>) -> BTreeMap<PlaceId, Vec<PlaceId>> {
    let mut from: BTreeMap<PlaceId, BTreeSet<PlaceId>> = BTreeMap::new();
    for stmt in &unit.stmts {
        let mut givers: BTreeSet<PlaceId> = BTreeSet::new();
        for op in &stmt.ops {
            match (stmt.kind, op) {
                (StmtKind::With { expects: false } | StmtKind::Try, Op::Call(call)) => {
                    givers.extend(call.receiver.iter().chain(&call.args));
                }
                (StmtKind::Simple, Op::Call(call)) if !call.constructs => givers.extend(call.receiver),
                (_, Op::Define(place)) => {
                    let givers = std::mem::take(&mut givers);
                    let owners =
                        givers.into_iter().filter(|giver| giver != place && !is_code.contains(giver));
                    from.entry(*place).or_default().extend(owners);
                }
                (_, Op::Call(_) | Op::Use(_) | Op::MayDefine(_) | Op::Mutate(_)) => {}
            }
        }
    }
    from.keys().map(|&place| (place, owners(&from, place))).filter(|(_, owners)| !owners.is_empty()).collect()
}

fn owners(from: &BTreeMap<PlaceId, BTreeSet<PlaceId>>, place: PlaceId) -> Vec<PlaceId> {
    let mut found = BTreeSet::new();
    let mut open = vec![place];
    while let Some(next) = open.pop() {
        for &owner in from.get(&next).into_iter().flatten() {
            if owner != place && found.insert(owner) {
                open.push(owner);
            }
        }
    }
    found.into_iter().collect()
}
