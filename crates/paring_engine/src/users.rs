//! What goes together: a statement, what is in it, and what would be left reading a name that nothing gives a value.
//!
//! ```text
//! n = 2           without it, `m` has no value …
//! m = n           … so this goes too, and the next with it
//! b.put(m)
//! ```

use crate::drafts::{live_uses, static_trims};
use crate::ops::{defines, uses};
use crate::rules::Rules;
use paring_graph::{Dependence, Reason};
use paring_model::{EditSet, PlaceId, StmtId, StmtKind, StmtSet, Unit};
use std::collections::BTreeMap;

/// The draft without one node and without what would miss it; `None` where that takes something frozen.
pub fn without(unit: &Unit, edits: &EditSet, rules: &Rules, users: &Users, id: StmtId) -> Option<EditSet> {
    let gone = users.closure(unit, edits, id);
    if gone.iter().any(|id| rules.frozen.contains(id) || is_missed(unit, &gone, id)) {
        return None;
    }
    let mut smaller = edits.clone();
    for id in gone.iter() {
        smaller.remove(unit, id);
    }
    if rules.is_too_little(&edits.kept, &smaller.kept) {
        return None;
    }
    smaller.trims.union_with(&static_trims(unit, &smaller.written()));
    Some(smaller)
}

/// Whether the function around it stays and does not work without it, as its front end says: `super(name)` of a constructor.
fn is_missed(unit: &Unit, gone: &StmtSet, id: StmtId) -> bool {
    unit.stmt(id).parent.is_some_and(|up| {
        let around = unit.stmt(up);
        around.kind == StmtKind::Def && !gone.contains(up) && around.needs.contains(&id)
    })
}

/// Who would miss a binding. What changes an object passes the binding on: `b.add(1)` binds nothing, and who reads `b` after
/// it still needs the statement that did.
pub struct Users {
    /// For a statement and a place it binds: who reads it from there.
    readers: BTreeMap<(StmtId, PlaceId), Vec<StmtId>>,
    /// For a statement and a place it reads: the statements that may have bound it.
    binders: BTreeMap<(StmtId, PlaceId), Vec<StmtId>>,
}

impl Users {
    pub fn new(unit: &Unit, dependence: &Dependence) -> Self {
        let mut sources: BTreeMap<(StmtId, PlaceId), Vec<StmtId>> = BTreeMap::new();
        for id in unit.ids() {
            for edge in dependence.edges(id) {
                if let Reason::Data { place, .. } = edge.reason {
                    sources.entry((id, place)).or_default().push(edge.on);
                }
            }
        }
        let mut users = Self { readers: BTreeMap::new(), binders: BTreeMap::new() };
        for &(id, place) in sources.keys() {
            let binders = binders(unit, &sources, id, place);
            for &binder in &binders {
                users.readers.entry((binder, place)).or_default().push(id);
            }
            users.binders.insert((id, place), binders);
        }
        users
    }

    /// The node, all below it, and every kept statement left without a binding for a name it reads.
    fn closure(&self, unit: &Unit, edits: &EditSet, id: StmtId) -> StmtSet {
        let mut gone = StmtSet::default();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if !edits.kept.contains(next) || !gone.insert(next) {
                continue;
            }
            open.extend(unit.stmt(next).children.iter().copied());
            for place in defines(unit, next) {
                for &reader in self.readers.get(&(next, place)).into_iter().flatten() {
                    let is_bound = self.is_bound(unit, edits, &gone, reader, place);
                    let is_there = !edits.unwrapped.contains(reader);
                    if is_there && !is_bound && live_uses(unit, &edits.kept, reader).contains(&place) {
                        open.push(reader);
                    }
                }
            }
        }
        gone
    }

    /// Whether something is left that binds the place for a reader: a kept statement, or what one that goes had read itself, as
    /// `name = parse(name)` does.
    fn is_bound(&self, unit: &Unit, edits: &EditSet, gone: &StmtSet, reader: StmtId, place: PlaceId) -> bool {
        let mut seen = StmtSet::default();
        let mut open = vec![reader];
        while let Some(next) = open.pop() {
            for &binder in self.binders.get(&(next, place)).into_iter().flatten() {
                if edits.kept.contains(binder) && !gone.contains(binder) {
                    return true;
                }
                let reads_it = uses(unit, binder).contains(&place);
                if reads_it && unit.routine(unit.stmt(binder).routine).params.contains(&place) {
                    return true;
                }
                if reads_it && seen.insert(binder) {
                    open.push(binder);
                }
            }
        }
        false
    }
}

/// The statements that bind `place` for `id`, found through those that only change it.
fn binders(
    unit: &Unit,
    sources: &BTreeMap<(StmtId, PlaceId), Vec<StmtId>>,
    id: StmtId,
    place: PlaceId,
) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut seen = StmtSet::default();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        for &source in sources.get(&(next, place)).into_iter().flatten() {
            if seen.insert(source) {
                if defines(unit, source).contains(&place) {
                    found.push(source);
                } else {
                    open.push(source);
                }
            }
        }
    }
    found
}
