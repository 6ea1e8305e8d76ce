//! What a test checks: the statements that fail it by a verdict of their own.
//!
//! ```python
//! with pytest.raises(KeyError):   # a check, with all that is in it
//!     cart.price("milk")
//! assert cart.total() == 12       # a check
//! check_rows(cart, 3)             # a check: a helper of the file that asserts
//! ```
//!
//! An assertion within a check is part of it. One in a loop or a branch is a check of its own, and brings its block along. What
//! a function within the test asserts is checked by whoever calls it.

use paring_model::{Frontend, Op, PlaceScope, RoutineId, RoutineKind, StmtId, StmtKind, StmtSet, Unit};
use std::collections::BTreeSet;

/// One check of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub stmt: StmtId,
    /// The statement with all that is nested in it.
    pub whole: StmtSet,
    pub kind: CheckKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    Assertion,
    /// A call of which nothing is asserted: it checks that nothing is raised.
    Call,
}

impl Check {
    pub fn new(unit: &Unit, stmt: StmtId, kind: CheckKind) -> Self {
        Self { stmt, whole: std::iter::once(stmt).chain(unit.descendants(stmt)).collect(), kind }
    }
}

/// The checks of the unit's test, in source order.
pub fn checks(frontend: &dyn Frontend, unit: &Unit) -> Vec<Check> {
    let body = unit.test_body();
    let asserted = asserted(frontend, unit);
    let asserting = asserting_helpers(unit, &asserted);
    let is_check = |id: StmtId| {
        let is_own = !is_in_function(unit, id);
        is_own
            && (asserted.contains(id)
                || calls_any(unit, id, &asserting)
                || waits_in_vain(unit, id, &asserted))
    };
    let all: StmtSet = body.iter().copied().filter(|&id| is_check(id)).collect();
    let is_outermost = |id: &StmtId| all.contains(*id) && !unit.ancestors(*id).any(|up| all.contains(up));
    let check = |stmt: StmtId| Check::new(unit, stmt, CheckKind::Assertion);
    body.into_iter().filter(is_outermost).map(check).collect()
}

/// The statements that assert: those of the test as its front end finds them, those of helpers by their kind. A lambda that
/// asserts stands for the statement it is written in.
fn asserted(frontend: &dyn Frontend, unit: &Unit) -> StmtSet {
    let holder = |range: paring_model::TextRange| {
        let innermost = unit.ids().rev().find(|&id| unit.stmt(id).range.covers(range))?;
        std::iter::once(innermost).chain(unit.ancestors(innermost)).find(|&id| !is_inline(unit, id))
    };
    let in_test = frontend.assertions(unit).into_iter().filter_map(holder);
    let is_helper = |id: &StmtId| unit.routine(unit.stmt(*id).routine).kind == RoutineKind::Helper;
    let asserts = |id: &StmtId| {
        matches!(unit.stmt(*id).kind, StmtKind::Assert | StmtKind::Raise | StmtKind::With { expects: true })
    };
    in_test.chain(unit.ids().filter(is_helper).filter(asserts)).collect()
}

/// Whether a node stands within the header of another: it is part of an expression.
fn is_inline(unit: &Unit, id: StmtId) -> bool {
    let up = unit.stmt(id).parent;
    up.is_some_and(|up| unit.inline(up).any(|inner| inner == id) || is_inline(unit, up))
}

/// Whether a statement belongs to a function within the test.
fn is_in_function(unit: &Unit, id: StmtId) -> bool {
    let test = unit.test.and_then(|test| unit.routine(test).def);
    let mut around = unit.ancestors(id).take_while(|&up| Some(up) != test);
    around.any(|up| matches!(unit.stmt(up).kind, StmtKind::Def | StmtKind::Class))
}

/// A `try` whose body ends in a `fail()`: it checks that something is thrown.
fn waits_in_vain(unit: &Unit, id: StmtId, asserted: &StmtSet) -> bool {
    let stmt = unit.stmt(id);
    let is_fail = |&child: &StmtId| unit.stmt(child).kind == StmtKind::Raise && asserted.contains(child);
    let has_handler = || stmt.children.iter().any(|&child| unit.stmt(child).kind == StmtKind::Handler);
    stmt.kind == StmtKind::Try && stmt.children.iter().any(is_fail) && has_handler()
}

/// Functions of the file that assert, themselves or through others.
fn asserting_helpers(unit: &Unit, asserted: &StmtSet) -> BTreeSet<RoutineId> {
    let helpers: Vec<RoutineId> = (0..unit.routines.len())
        .map(RoutineId::from_idx)
        .filter(|&id| unit.routine(id).kind == RoutineKind::Helper)
        .collect();
    let body = |id: RoutineId| unit.routine(id).def.map(|def| unit.descendants(def)).unwrap_or_default();
    let mut found: BTreeSet<RoutineId> = BTreeSet::new();
    loop {
        let asserts = |id: &&RoutineId| {
            body(**id).into_iter().any(|inner| asserted.contains(inner) || calls_any(unit, inner, &found))
        };
        let more: Vec<RoutineId> =
            helpers.iter().filter(|id| !found.contains(id)).filter(asserts).copied().collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Whether a statement calls one of these functions by its name.
fn calls_any(unit: &Unit, id: StmtId, helpers: &BTreeSet<RoutineId>) -> bool {
    let stmt = unit.stmt(id);
    let is_one = |place: paring_model::PlaceId| {
        let place = unit.place(place);
        let is_named = |helper: &RoutineId| unit.routine(*helper).name == place.name;
        place.scope != PlaceScope::Hidden && helpers.iter().any(is_named)
    };
    let calls = |op: &Op| matches!(op, Op::Call(call) if call.callee.is_some_and(is_one));
    !matches!(stmt.kind, StmtKind::Def | StmtKind::Class) && stmt.ops.iter().any(calls)
}
