//! Calls on which no check depends. That they raise nothing is what the test says about them, so they stand in some new test.
//!
//! ```python
//! document = Document("a short line")
//! assert document.words() == 3
//! document.validate()                  # goes where `document` is used
//! ```
//!
//! Such a call goes to the scenario that uses the same objects or resources; of several, to the one that speaks of the same
//! things, or else to the one with a use nearest before it. What ends an object that several have (`server.stop()`) goes to all of them. What
//! no scenario knows of is a test of its own.

use super::depth::Sources;
use paring_engine::ops::{calls, defines, uses};
use paring_model::{Op, PlaceId, PlaceScope, ResourceId, RoutineKind, StmtId, StmtKind, StmtSet, Unit};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The statements of the test that ran, do something, and are in none of some sets.
pub fn left_out<'s>(sources: &Sources<'_>, sets: impl IntoIterator<Item = &'s StmtSet>) -> Vec<StmtId> {
    let mut placed = StmtSet::default();
    sets.into_iter().for_each(|set| placed.union_with(set));
    doings(sources).into_iter().filter(|&id| !placed.contains(id)).collect()
}

/// The statements of the test that ran and do something.
pub fn doings(sources: &Sources<'_>) -> Vec<StmtId> {
    let (unit, facts) = (sources.unit, sources.facts);
    let ran = |id: StmtId| !facts.observed || facts.hits.contains_key(&id);
    let does = |id: &StmtId| ran(*id) && does_something(unit, *id);
    unit.test_body().into_iter().filter(does).collect()
}

/// Whether a statement calls or changes something: none that only names a value, or a part of the test.
fn does_something(unit: &Unit, id: StmtId) -> bool {
    let stmt = unit.stmt(id);
    let is_code =
        matches!(stmt.kind, StmtKind::Def | StmtKind::Class | StmtKind::Docstring | StmtKind::Block);
    let changes = stmt.ops.iter().any(|op| matches!(op, Op::Mutate(_)));
    !is_code && (changes || calls(unit, id).next().is_some())
}

/// How near a call is to a scenario that uses the same things. The greatest is the nearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    /// They speak of one thing.
    speaks: bool,
    /// The last use before the call.
    before: Option<StmtId>,
    first: Reverse<StmtId>,
}

/// The scenarios a call belongs to, by what they need at least: one, or several that it ends an object of.
pub fn homes(sources: &Sources<'_>, cores: &[StmtSet], id: StmtId) -> Vec<usize> {
    let own = things(sources, id);
    let shares = |other: &StmtId| !own.is_disjoint(&things(sources, *other));
    let near = |core: &StmtSet| -> Option<Near> {
        let known: Vec<StmtId> = in_test(sources.unit, core).filter(shares).collect();
        let before = known.iter().copied().filter(|&other| other < id).max();
        let first = Reverse(*known.first()?);
        Some(Near { speaks: sources.words.share(sources.unit, id, core), before, first })
    };
    let known: Vec<(usize, Near)> =
        cores.iter().enumerate().filter_map(|(idx, core)| Some((idx, near(core)?))).collect();
    let speaks = known.iter().any(|(_, near)| near.speaks);
    if !speaks && ends_object(sources.unit, cores, id) {
        return known.iter().map(|(idx, _)| *idx).collect();
    }
    let best = known.iter().max_by_key(|(idx, near)| (*near, Reverse(*idx)));
    best.map(|(idx, _)| *idx).into_iter().collect()
}

/// Whether a call is the last on its object, and comes after all that is checked: it puts the object away.
fn ends_object(unit: &Unit, cores: &[StmtSet], id: StmtId) -> bool {
    let is_last = |place: PlaceId| {
        unit.test_body()
            .into_iter()
            .filter(|&other| other > id)
            .all(|other| !uses(unit, other).contains(&place))
    };
    let receiver = calls(unit, id).find_map(|call| call.receiver);
    let after_all = || cores.iter().all(|core| in_test(unit, core).all(|other| other < id));
    receiver.is_some_and(is_last) && after_all()
}

/// Those in the test's own body.
pub fn in_test<'a>(unit: &'a Unit, stmts: &'a StmtSet) -> impl Iterator<Item = StmtId> + 'a {
    stmts.iter().filter(|&id| unit.routine(unit.stmt(id).routine).kind == RoutineKind::Test)
}

/// An object or resource that a statement has to do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Place(PlaceId),
    Resource(ResourceId),
}

/// Variables and members that a statement reads, changes or gives a value, and the resources it touched.
fn things(sources: &Sources<'_>, id: StmtId) -> BTreeSet<Thing> {
    let unit = sources.unit;
    let is_object = |place: &PlaceId| {
        let place = unit.place(*place);
        let is_code = || unit.routines.iter().any(|routine| routine.name == place.name);
        match place.scope {
            PlaceScope::Local(_) => true,
            PlaceScope::Member => !is_code(),
            PlaceScope::Global | PlaceScope::Hidden => false,
        }
    };
    let places = uses(unit, id).into_iter().chain(defines(unit, id)).filter(is_object).map(Thing::Place);
    let touches = sources.facts.resources.touches().filter(|(touch, _)| touch.stmt == id);
    places.chain(touches.map(|(touch, _)| Thing::Resource(touch.resource))).collect()
}
