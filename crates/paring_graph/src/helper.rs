//! Functions and classes of the test file that are not part of the sequence: what they touch outside themselves.
//!
//! # Terms
//!
//! A *helper* here is a `Def` or `Class` that holds no routine of the sequence. It is kept or dropped whole, and its
//! body has no place in the control flow. What its body reads and writes beyond its own locals happens where it is
//! called, so a statement that names a helper takes part in all of it, helpers called by helpers included:
//!
//! ```python
//! def fill():            # reads and writes `table`, reads `rows`
//!     table.extend(rows)
//! fill()                 # so this uses `rows`, and changes `table`
//! assert table
//! ```
//!
//! One that *only looks* (`def check(table, n): assert len(table) == n`) leaves its arguments as they are, though what it
//! returns is dropped: calling it is like asserting.

use paring_model::{CallResult, Op, PlaceId, PlaceScope, RoutineId, StmtId, StmtKind, StmtSet, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Places beyond a helper's own locals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    pub(crate) reads: BTreeSet<PlaceId>,
    /// Given a new value, or changed.
    pub(crate) writes: BTreeSet<PlaceId>,
}

pub(crate) struct Helpers {
    all: StmtSet,
    /// The helpers a place names.
    by_place: BTreeMap<PlaceId, Vec<StmtId>>,
    /// What each helper touches itself.
    own: BTreeMap<StmtId, Outside>,
    /// Places that name nothing but helpers that only look.
    looking: BTreeSet<PlaceId>,
}

/// Finds the helpers; `effects` says which places an operation of a statement changes.
pub(crate) fn helpers(unit: &Unit, effects: impl Fn(StmtId, &Op) -> Vec<PlaceId>) -> Helpers {
    let all = find(unit);
    let mut by_place: BTreeMap<PlaceId, Vec<StmtId>> = BTreeMap::new();
    let mut own = BTreeMap::new();
    for helper in all.iter() {
        for op in &unit.stmt(helper).ops {
            if let Op::Define(place) | Op::MayDefine(place) = op {
                by_place.entry(*place).or_default().push(helper);
            }
        }
        own.insert(helper, outside(unit, helper, &effects));
    }
    let looking = looking(unit, &all, &by_place);
    Helpers { all, by_place, own, looking }
}

fn looking(unit: &Unit, all: &StmtSet, by_place: &BTreeMap<PlaceId, Vec<StmtId>>) -> BTreeSet<PlaceId> {
    let mut found: StmtSet = all.iter().filter(|&helper| changes_nothing(unit, helper)).collect();
    let callees = |helper: StmtId| {
        let ops = unit.descendants(helper).into_iter().flat_map(|id| &unit.stmt(id).ops);
        ops.filter_map(|op| match op {
            Op::Call(call) => call.callee,
            Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) => None,
        })
    };
    let names_others = |found: &StmtSet, place: PlaceId| {
        by_place.get(&place).into_iter().flatten().any(|&helper| !found.contains(helper))
    };
    loop {
        let calls_others = |helper: &StmtId| callees(*helper).any(|place| names_others(&found, place));
        let Some(other) = found.iter().find(calls_others) else { break };
        found.remove(other);
    }
    let is_defined_elsewhere = |place: PlaceId| {
        let definers = unit.ids().filter(|&id| !found.contains(id));
        definers.flat_map(|id| &unit.stmt(id).ops).any(|op| match op {
            Op::Define(other) | Op::MayDefine(other) => *other == place,
            Op::Use(_) | Op::Mutate(_) | Op::Call(_) => false,
        })
    };
    let places = by_place.keys().copied().filter(|&place| !names_others(&found, place));
    places.filter(|&place| !is_defined_elsewhere(place)).collect()
}

/// A function whose body reads, computes and asserts.
fn changes_nothing(unit: &Unit, helper: StmtId) -> bool {
    let own = unit.routines.iter().position(|routine| routine.def == Some(helper)).map(RoutineId::from_idx);
    let is_own = |place: PlaceId| match unit.place(place).scope {
        PlaceScope::Local(routine) => Some(routine) == own,
        PlaceScope::Global | PlaceScope::Member | PlaceScope::Hidden => false,
    };
    let looks = |id: StmtId| {
        let kind = unit.stmt(id).kind;
        !matches!(kind, StmtKind::Def | StmtKind::Class)
            && unit.stmt(id).ops.iter().all(|op| match op {
                Op::Use(_) => true,
                Op::Define(place) | Op::MayDefine(place) => is_own(*place),
                Op::Mutate(_) => false,
                Op::Call(call) => kind == StmtKind::Assert || call.result == CallResult::Used,
            })
    };
    unit.stmt(helper).kind == StmtKind::Def && unit.descendants(helper).into_iter().all(looks)
}

/// Defs and classes without a routine of the sequence in them.
fn find(unit: &Unit) -> StmtSet {
    let mut holding = StmtSet::default();
    for &routine in &unit.sequence {
        if let Some(def) = unit.routine(routine).def {
            holding.insert(def);
            holding.extend(unit.ancestors(def));
        }
    }
    unit.ids()
        .filter(|&id| matches!(unit.stmt(id).kind, StmtKind::Def | StmtKind::Class) && !holding.contains(id))
        .collect()
}

fn outside(unit: &Unit, helper: StmtId, effects: &impl Fn(StmtId, &Op) -> Vec<PlaceId>) -> Outside {
    let inner = unit.descendants(helper);
    let inside: StmtSet = inner.iter().copied().chain([helper]).collect();
    let is_outside = |&place: &PlaceId| match unit.place(place).scope {
        PlaceScope::Local(routine) => !unit.routine(routine).def.is_some_and(|def| inside.contains(def)),
        PlaceScope::Global | PlaceScope::Member | PlaceScope::Hidden => true,
    };
    let mut found = Outside::default();
    for id in inner {
        for op in &unit.stmt(id).ops {
            found.reads.extend(reads(op).into_iter().filter(is_outside));
            found.writes.extend(effects(id, op).into_iter().filter(is_outside));
        }
    }
    found
}

/// The places an operation reads, whatever the level.
pub(crate) fn reads(op: &Op) -> Vec<PlaceId> {
    match op {
        Op::Use(place) | Op::Mutate(place) | Op::MayDefine(place) => vec![*place],
        Op::Define(_) => Vec::new(),
        Op::Call(call) => call.receiver.iter().chain(&call.args).chain(&call.callee).copied().collect(),
    }
}

impl Helpers {
    pub(crate) fn contains(&self, id: StmtId) -> bool {
        self.all.contains(id)
    }

    /// Whether calling what the place names changes no argument.
    pub(crate) fn only_looks(&self, place: PlaceId) -> bool {
        self.looking.contains(&place)
    }

    /// What the helper's own body touches.
    pub(crate) fn own(&self, helper: StmtId) -> Option<&Outside> {
        self.own.get(&helper)
    }

    /// What running the helpers of this name touches, through other helpers too. `None` if it names none.
    pub(crate) fn named(&self, place: PlaceId) -> Option<Outside> {
        let mut waiting = self.by_place.get(&place)?.clone();
        let mut seen = StmtSet::default();
        let mut found = Outside::default();
        while let Some(helper) = waiting.pop() {
            if !seen.insert(helper) {
                continue;
            }
            let own = &self.own[&helper];
            found.reads.extend(&own.reads);
            found.writes.extend(&own.writes);
            waiting.extend(own.reads.iter().filter_map(|read| self.by_place.get(read)).flatten());
        }
        Some(found)
    }
}
