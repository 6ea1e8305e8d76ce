//! Which places each statement reads and writes, at each level of trust in calls.
//!
//! # Terms
//!
//! A statement *uses* the places it reads before it writes them, and *defines* those it writes. A definition is
//! strong (`t = …`: nothing earlier matters) or weak (`u.add(1)`: the object is the earlier one, changed). A weak
//! definition also uses its place, so it may stand for all earlier ones: whoever needs the object depends on the last
//! change, that on the one before, and so on. This *chain* gives the slices that keeping every earlier change in sight
//! would give, with as many edges as there are changes.
//!
//! # Example
//!
//! ```python
//! xs = []         # defines xs
//! n = len(xs)     # uses xs, defines n; changes xs at level One only
//! xs.append(n)    # uses xs, n; changes xs (its result is dropped)
//! ys = xs.pop()   # uses xs, defines ys; changes xs at level One, and at Observed if the run saw it
//! ```
//!
//! The assertion call of an assertion statement (`self.assertEqual(a, b)`) is not there for an effect: at levels Zero
//! and Observed it changes nothing, though its result is dropped.

use crate::cfg::Cfg;
use crate::handed::handed;
use crate::helper::{self, Helpers, Outside, helpers};
use crate::resources::are_folded;
use paring_model::{
    Call, CallResult, Facts, Op, PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, StmtSet, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// What calls are taken to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// As `Zero`, and all that the traced run saw change.
    Observed,
    /// As `Observed`, of a test that passes: what a call was not seen to use or change of state without a name, it does not. In
    /// a test that fails, just that may be the fault.
    Passing,
    /// What returns a value changes nothing; what does not changes its receiver and arguments.
    Zero,
    /// Every call changes its receiver and arguments, and all that the traced run saw change.
    One,
    /// As ssmin has it: every call changes its receiver, and none of its arguments. Uses no facts about objects.
    Leitner,
}

impl Level {
    /// What was seen only adds: the most conservative level has it too, if it is there.
    pub(crate) fn uses_observations(self) -> bool {
        match self {
            Level::Observed | Level::Passing | Level::One => true,
            Level::Zero | Level::Leitner => false,
        }
    }

    /// Whether what was not seen to change may be what the fault left undone.
    pub(crate) fn distrusts_the_run(self) -> bool {
        match self {
            Level::Observed | Level::One => true,
            Level::Passing | Level::Zero | Level::Leitner => false,
        }
    }

    /// Whether what did not run, and what was named, is taken from the run.
    pub(crate) fn follows_the_run(self) -> bool {
        match self {
            Level::Observed | Level::Passing => true,
            Level::Zero | Level::One | Level::Leitner => false,
        }
    }
}

/// How well a data dependence is founded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// By the text and the conventions of level Zero (or by the level asked for).
    Convention,
    /// Only because the traced run saw the change.
    Observed,
    /// Through state that no name shows.
    Hidden,
}

/// The place that stands for state which nothing names, neither the test nor a resource: the unit's own where it has one, else one past its last place,
/// which is not to be looked up in the unit.
pub fn hidden_place(unit: &Unit) -> PlaceId {
    let own = unit.places.iter().position(|place| place.scope == PlaceScope::Hidden);
    PlaceId::from_idx(own.unwrap_or(unit.places.len()))
}

/// What one statement reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DefUse {
    /// Read before written here.
    pub(crate) uses: BTreeSet<PlaceId>,
    pub(crate) defs: BTreeMap<PlaceId, Def>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Def {
    pub(crate) strength: Strength,
    /// It gives the name a value, rather than changing the object.
    pub(crate) binds: bool,
    /// It never ran in the traced run: nothing was computed from it, and on good code something may be.
    pub(crate) potential: bool,
}

/// Def/use of every statement of the graph, by node, and the helpers they were computed with.
pub(crate) fn def_use(unit: &Unit, facts: &Facts, cfg: &Cfg, level: Level) -> (Vec<DefUse>, Helpers) {
    let table = Table { unit, facts, level, code: names_of_code(unit) };
    let helpers = helpers(unit, |stmt, op| table.changes(stmt, op));
    let handed = if level.distrusts_the_run() { handed(unit, &table.code) } else { BTreeMap::new() };
    let mut context = Context {
        table,
        helpers: &helpers,
        named: BTreeMap::new(),
        spread: spread(facts, level),
        handed,
        hidden: hidden_place(unit),
        is_folded: are_folded(unit, facts, level),
        unexecuted: unexecuted(unit, facts, level),
        other_tests: other_tests(unit),
    };
    let per_node =
        cfg.node_ids().map(|node| cfg.stmt(node).map_or_else(DefUse::default, |id| context.stmt(id)));
    let per_node = per_node.collect();
    (per_node, helpers)
}

/// The table of design §4: what an operation writes.
struct Table<'a> {
    unit: &'a Unit,
    facts: &'a Facts,
    level: Level,
    /// No objects that a call could have as its target in the paper's sense.
    code: BTreeSet<PlaceId>,
}

impl Table<'_> {
    /// Places the call changes.
    fn effects(&self, stmt: StmtId, call: &Call) -> Vec<PlaceId> {
        let is_void = call.result == CallResult::Dropped || self.facts.void_like.contains(&stmt);
        let is_assertion =
            self.unit.stmt(stmt).kind == StmtKind::Assert && call.result == CallResult::Dropped;
        let (on_receiver, on_args) = match self.level {
            Level::Observed | Level::Passing | Level::Zero if is_assertion => (false, false),
            Level::Observed | Level::Passing | Level::Zero => (is_void, is_void || call.constructs),
            Level::One => (is_void || !call.constructs, true),
            Level::Leitner => (!call.constructs, false),
        };
        let is_object = |place: &&PlaceId| !self.knows_code(stmt) || !self.code.contains(*place);
        let receiver = call.receiver.iter().filter(|_| on_receiver).filter(is_object);
        let args = call.args.iter().filter(|_| on_args);
        receiver.chain(args).copied().filter(|place| self.is_reference(*place)).collect()
    }

    /// Whether a call on a module or class changes none of that for it: in the paper's sense there is no target, and a run that saw
    /// all names the attributes that were changed.
    fn knows_code(&self, stmt: StmtId) -> bool {
        match self.level {
            Level::Leitner => true,
            Level::Passing => self.facts.resources.is_complete(stmt),
            Level::Observed | Level::Zero | Level::One => false,
        }
    }

    fn is_reference(&self, place: PlaceId) -> bool {
        self.level == Level::Leitner || !self.facts.immutable.contains(&place)
    }

    /// Places the operation writes in any way.
    fn changes(&self, stmt: StmtId, op: &Op) -> Vec<PlaceId> {
        match op {
            Op::Use(_) => Vec::new(),
            Op::Define(place) | Op::MayDefine(place) | Op::Mutate(place) => vec![*place],
            Op::Call(call) => self.effects(stmt, call),
        }
    }
}

/// Names of the file's top level that no statement gives a value: those of modules, packages, classes and functions.
fn names_of_code(unit: &Unit) -> BTreeSet<PlaceId> {
    let is_code = |kind: StmtKind| matches!(kind, StmtKind::Import | StmtKind::Def | StmtKind::Class);
    let values = unit.ids().map(|id| unit.stmt(id)).filter(|stmt| !is_code(stmt.kind));
    let bound = values.flat_map(|stmt| &stmt.ops).filter_map(|op| match op {
        Op::Define(place) | Op::MayDefine(place) => Some(*place),
        Op::Use(_) | Op::Mutate(_) | Op::Call(_) => None,
    });
    let bound: BTreeSet<PlaceId> = bound.collect();
    let globals = (0..unit.places.len()).map(PlaceId::from_idx);
    globals
        .filter(|&place| unit.place(place).scope == PlaceScope::Global && !bound.contains(&place))
        .collect()
}

/// Where a change of a place shows too: its owners, and the opaque objects it holds.
fn spread(facts: &Facts, level: Level) -> BTreeMap<PlaceId, Vec<PlaceId>> {
    let mut spread: BTreeMap<PlaceId, Vec<PlaceId>> = BTreeMap::new();
    if !level.uses_observations() {
        return spread;
    }
    for &(inner, outer) in &facts.reaches {
        spread.entry(inner).or_default().push(outer);
        if facts.opaque.contains(&inner) {
            spread.entry(outer).or_default().push(inner);
        }
    }
    spread
}

/// Statements of traced routines that never ran. A compound statement ran if anything in it did; a routine none of
/// whose statements ran was not traced.
fn unexecuted(unit: &Unit, facts: &Facts, level: Level) -> StmtSet {
    if !level.follows_the_run() || !facts.observed {
        return StmtSet::default();
    }
    let mut ran = StmtSet::default();
    for &hit in facts.hits.keys() {
        ran.insert(hit);
        ran.extend(unit.ancestors(hit));
    }
    let mut traced: BTreeSet<_> = facts.hits.keys().map(|&hit| unit.stmt(hit).routine).collect();
    traced.retain(|&routine| {
        unit.sequence.contains(&routine) && unit.routine(routine).kind != RoutineKind::Module
    });
    unit.ids().filter(|&id| traced.contains(&unit.stmt(id).routine) && !ran.contains(id)).collect()
}

/// Definitions of tests that do not run for the target. What their decorators name (a helper to be called for each case)
/// does not run either.
fn other_tests(unit: &Unit) -> StmtSet {
    let others = unit.routines.iter().filter(|routine| routine.kind == RoutineKind::OtherTest);
    others.filter_map(|routine| routine.def).collect()
}

struct Context<'a> {
    table: Table<'a>,
    helpers: &'a Helpers,
    /// What the helpers of a place touch, as asked for so far.
    named: BTreeMap<PlaceId, Option<Outside>>,
    spread: BTreeMap<PlaceId, Vec<PlaceId>>,
    /// Who handed out what a place stands for.
    handed: BTreeMap<PlaceId, Vec<PlaceId>>,
    hidden: PlaceId,
    /// Named resources are taken for hidden state like any other.
    is_folded: bool,
    unexecuted: StmtSet,
    other_tests: StmtSet,
}

impl Context<'_> {
    fn stmt(&mut self, id: StmtId) -> DefUse {
        let stmt = self.table.unit.stmt(id);
        let mut found = Collected::default();
        let only_names = self.other_tests.contains(id);
        for op in stmt.ops.iter().filter(|op| !only_names || matches!(op, Op::Define(_))) {
            self.op(id, op, &mut found);
        }
        if stmt.kind == StmtKind::Return {
            for &place in &self.table.unit.routine(stmt.routine).returns {
                // Where the front end says that it only may define it, others do too.
                if !stmt.ops.contains(&Op::MayDefine(place)) {
                    found.define(place);
                }
            }
        }
        if self.table.level.uses_observations() {
            self.observed(id, &mut found);
        }
        let mut def_use = found.def_use;
        if self.unexecuted.contains(id) {
            def_use.defs.remove(&self.hidden);
            def_use.defs.values_mut().for_each(|def| def.potential = true);
        }
        def_use
    }

    fn op(&mut self, id: StmtId, op: &Op, found: &mut Collected) {
        for place in helper::reads(op) {
            found.read(place);
            self.run_helpers(place, found);
        }
        match op {
            Op::Use(_) => {}
            Op::Define(place) => found.define(*place),
            Op::MayDefine(place) => found.may_define(*place),
            Op::Mutate(place) if *place == self.hidden && self.has_named_all(id) => {}
            Op::Mutate(place) => self.change(*place, found),
            // The most conservative level trusts nobody.
            Op::Call(Call { callee: Some(callee), .. })
                if self.table.level < Level::One && self.helpers.only_looks(*callee) => {}
            Op::Call(call) => {
                for place in self.table.effects(id, call) {
                    self.change(place, found);
                    let is_acted_through = self.table.level.uses_observations()
                        && self.table.facts.hits.contains_key(&id)
                        && call.result == CallResult::Dropped
                        && call.receiver == Some(place);
                    if is_acted_through || self.was_without_effect(id) {
                        self.change_inside(place, found);
                    }
                }
            }
        }
    }

    /// Whether the run named what the text says only is hidden.
    fn has_named_all(&self, id: StmtId) -> bool {
        let resources = &self.table.facts.resources;
        self.table.level.follows_the_run()
            && !self.is_folded
            && resources.is_complete(id)
            && resources.changes(id)
            && !resources.changes_unknown(id)
    }

    /// Whether the traced run saw the statement change nothing.
    fn was_without_effect(&self, id: StmtId) -> bool {
        let facts = self.table.facts;
        self.table.level.uses_observations()
            && facts.hits.contains_key(&id)
            && facts.changed.get(&id).is_none_or(BTreeSet::is_empty)
    }

    /// A call made for its effect that was seen to have none, or none but on its receiver: what it should have changed is not
    /// known, and may be any object it could reach (`iterator.remove()` the list behind it). That may be the very bug.
    fn change_inside(&self, place: PlaceId, found: &mut Collected) {
        for &(inner, outer) in &self.table.facts.reaches {
            if outer == place && self.table.is_reference(inner) {
                found.weaken(inner, Strength::Convention);
            }
        }
    }

    /// A statement that names a helper may run it.
    fn run_helpers(&mut self, place: PlaceId, found: &mut Collected) {
        let outside = self.named.entry(place).or_insert_with(|| self.helpers.named(place));
        if let Some(outside) = outside {
            outside.reads.iter().for_each(|&read| found.read(read));
            outside.writes.iter().for_each(|&written| found.weaken(written, Strength::Convention));
        }
    }

    fn change(&self, place: PlaceId, found: &mut Collected) {
        found.weaken(place, Strength::Convention);
        for &other in self.spread.get(&place).into_iter().flatten() {
            if self.table.is_reference(other) {
                found.weaken(other, Strength::Observed);
            }
        }
        self.hand_back(place, found);
    }

    /// What is done to an object may be meant for who handed it out.
    fn hand_back(&self, place: PlaceId, found: &mut Collected) {
        for &owner in self.handed.get(&place).into_iter().flatten() {
            if self.table.is_reference(owner) {
                found.weaken(owner, Strength::Convention);
            }
        }
    }

    fn observed(&self, id: StmtId, found: &mut Collected) {
        for &place in self.table.facts.changed.get(&id).into_iter().flatten() {
            if place == self.hidden {
                found.weaken(place, Strength::Hidden);
            } else if self.table.is_reference(place) {
                found.weaken(place, Strength::Observed);
            }
        }
        if self.table.unit.stmt(id).ops.iter().any(|op| matches!(op, Op::Call(_))) {
            found.read(self.hidden);
        }
        let resources = &self.table.facts.resources;
        if resources.changes_unknown(id) || self.is_folded && resources.changes(id) {
            found.weaken(self.hidden, Strength::Hidden);
        }
    }
}

/// A statement's operations so far, in evaluation order.
#[derive(Default)]
struct Collected {
    def_use: DefUse,
    /// Given a new value here: later reads in the same statement see that one.
    fresh: BTreeSet<PlaceId>,
}

impl Collected {
    fn read(&mut self, place: PlaceId) {
        if !self.fresh.contains(&place) {
            self.def_use.uses.insert(place);
        }
    }

    fn define(&mut self, place: PlaceId) {
        self.fresh.insert(place);
        self.def_use
            .defs
            .insert(place, Def { strength: Strength::Convention, binds: true, potential: false });
    }

    fn may_define(&mut self, place: PlaceId) {
        self.weaken(place, Strength::Convention);
        self.def_use.defs.entry(place).and_modify(|def| def.binds = true);
    }

    fn weaken(&mut self, place: PlaceId, strength: Strength) {
        self.read(place);
        let def = self.def_use.defs.entry(place).or_insert(Def { strength, binds: false, potential: false });
        def.strength = def.strength.min(strength);
    }
}
