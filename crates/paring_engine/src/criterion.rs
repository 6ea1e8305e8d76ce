//! The statements a slice starts from: where the test failed, how control came there, and what was expected to raise.
//!
//! For a failure of omission the failing statement says little: in
//!
//! ```python
//! with pytest.raises(Frozen):     # fails here: nothing was raised
//!     account.withdraw(10)        # this should have
//! ```
//!
//! an empty block "fails" alike. So the statement that was to raise belongs to the criterion; likewise the last
//! statement before a `fail()` in a `try`.
//!
//! What a fixture does behind its `yield` runs after the test, and the flow has it before. Where that part fails, all that the
//! test did to what the fixture gave belongs to the criterion.

use crate::ops::{defines, is_for_effect, uses};
use crate::oracle::stmt_of;
use paring_model::{
    Facts, Failure, FailureKind, Phase, PlaceId, Position, RoutineKind, StmtId, StmtKind, Unit,
};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criterion {
    /// The innermost statement of the test file on the failure's stack.
    pub failing: Option<StmtId>,
    /// All statements to slice from, the failing one first.
    pub stmts: Vec<StmtId>,
    /// Those among them that were expected to raise.
    pub expected: Vec<StmtId>,
    /// Where a decorator failed no statement has begun: the place is told by the header of the block around, which stays as it
    /// is, and by the docstring at its head.
    pub intact: Option<StmtId>,
    /// Those among them that may have failed to change what the failing one looks at.
    pub untouched: Vec<StmtId>,
    pub anchor: Option<StmtId>,
}

impl Criterion {
    /// The statements of which the failure itself tells.
    pub fn seen(&self) -> impl Iterator<Item = StmtId> + '_ {
        self.stmts.iter().copied().filter(|id| !self.untouched.contains(id))
    }
}

pub fn criterion(unit: &Unit, facts: &Facts, failure: &Failure) -> Criterion {
    let mut stmts: Vec<StmtId> =
        failure.stack.iter().rev().filter_map(|position| stmt_of(unit, *position)).collect();
    let failing = stmts.first().copied();
    stmts.extend(failure.stack.iter().flat_map(|position| along(unit, *position)).collect::<Vec<_>>());
    let mut expected = match failing {
        Some(failing) => expected_to_raise(unit, failing, failure.kind),
        // The framework waited for an exception that the whole test was to raise.
        None if failure.kind == FailureKind::Omission => last_of_test(unit).into_iter().collect(),
        None => Vec::new(),
    };
    // A block around that expects something: on good code control goes on to the statement that is to raise it.
    let around: Vec<StmtId> = stmts.iter().flat_map(|&id| unit.ancestors(id)).collect();
    for up in around.into_iter().filter(|&up| unit.stmt(up).kind == (StmtKind::With { expects: true })) {
        expected.extend(last_of_body(unit, up).filter(|last| !stmts.contains(last)));
    }
    for &id in &expected {
        if !stmts.contains(&id) {
            stmts.push(id);
        }
    }
    stmts.extend(before_tear_down(unit, facts, failure, &stmts));
    let mut seen = Vec::new();
    stmts.retain(|id| {
        !seen.contains(id) && {
            seen.push(*id);
            true
        }
    });
    let is_definition = |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Def | StmtKind::Class);
    let intact = failing.filter(is_definition).and_then(|failing| unit.stmt(failing).parent);
    let anchor = intact.and_then(|around| unit.stmt(around).children.first().copied());
    let anchor = anchor.filter(|&first| unit.stmt(first).kind == StmtKind::Docstring);
    Criterion { failing, stmts, expected, intact, anchor, untouched: Vec::new() }
}

/// What the test did to whatever a fixture finds when it goes on; of a fixture of another file all that was done for an effect.
fn before_tear_down(unit: &Unit, facts: &Facts, failure: &Failure, stmts: &[StmtId]) -> Vec<StmtId> {
    let routines = || stmts.iter().map(|&id| unit.routine(unit.stmt(id).routine));
    if failure.phase != Phase::TearDown || routines().any(|routine| routine.kind == RoutineKind::TearDown) {
        return Vec::new();
    }
    let fixture = routines().find(|routine| routine.kind == RoutineKind::Fixture);
    let given = fixture.filter(|fixture| !fixture.returns.is_empty());
    let given = given.map(|fixture| derived(unit, fixture.returns.iter().copied().collect()));
    let touches =
        |id: StmtId| given.as_ref().is_none_or(|given| uses(unit, id).iter().any(|p| given.contains(p)));
    let changes = |id: StmtId| {
        let changed = || facts.changed.get(&id).into_iter().flatten();
        match &given {
            Some(given) => changed().any(|place| given.contains(place)),
            None => changed().next().is_some() || facts.resources.changes(id),
        }
    };
    let is_done = |id: StmtId| is_for_effect(unit, id) || matches!(unit.stmt(id).kind, StmtKind::With { .. });
    unit.test_body().into_iter().filter(|&id| is_done(id) && touches(id) || changes(id)).collect()
}

/// These places and all that other fixtures and the test make from them.
fn derived(unit: &Unit, mut places: BTreeSet<PlaceId>) -> BTreeSet<PlaceId> {
    let body = unit.test_body();
    loop {
        let n_before = places.len();
        for routine in unit.sequence.iter().map(|&id| unit.routine(id)) {
            if routine.params.iter().any(|place| places.contains(place)) {
                places.extend(&routine.returns);
            }
        }
        for &id in &body {
            if uses(unit, id).iter().any(|place| places.contains(place)) {
                places.extend(defines(unit, id));
            }
        }
        if places.len() == n_before {
            return places;
        }
    }
}

/// Where only a line is known: what else begins in that line, or is part of the statement there, may be what failed.
fn along(unit: &Unit, position: Position) -> Vec<StmtId> {
    let Some(stmt) = stmt_of(unit, position).filter(|_| position.column.is_none()) else { return Vec::new() };
    let is_here = |id: &StmtId| unit.line_of(unit.stmt(*id).range.start) == position.line;
    let below = unit.descendants(stmt);
    unit.inline(stmt).chain(below.into_iter().filter(is_here)).collect()
}

/// The last statement of the test's own body.
fn last_of_test(unit: &Unit) -> Option<StmtId> {
    last_of_body(unit, unit.routine(unit.test?).def?)
}

fn expected_to_raise(unit: &Unit, failing: StmtId, kind: FailureKind) -> Vec<StmtId> {
    match unit.stmt(failing).kind {
        StmtKind::With { expects: true } => attempted(unit, failing),
        // A plain `with` may still wrap the framework's own check; a failure of omission says so.
        StmtKind::With { expects: false } if kind == FailureKind::Omission => attempted(unit, failing),
        StmtKind::Raise => before_in_try(unit, failing).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// What a block that expects an exception ends with. A check in there that the exception did not come stands after what was to throw it.
fn attempted(unit: &Unit, expecting: StmtId) -> Vec<StmtId> {
    let kind = |id: StmtId| unit.stmt(id).kind;
    let is_leaf = |id: &StmtId| !kind(*id).can_unwrap() && !kind(*id).is_clause();
    let below: Vec<StmtId> = unit.descendants(expecting).into_iter().filter(is_leaf).collect();
    let is_check = |id: StmtId| matches!(kind(id), StmtKind::Assert | StmtKind::Raise);
    let Some(last) = below.iter().rposition(|&id| !is_check(id)) else {
        return last_of_body(unit, expecting).into_iter().collect();
    };
    below[last..].iter().copied().filter(|&id| kind(id) != StmtKind::Raise).collect()
}

/// The last statement of the body, that of a nested block included.
fn last_of_body(unit: &Unit, id: StmtId) -> Option<StmtId> {
    let mut body = unit.stmt(id).children.iter().copied().filter(|&child| !unit.stmt(child).kind.is_clause());
    let last = body.next_back()?;
    Some(if unit.stmt(last).kind.can_unwrap() { last_of_body(unit, last).unwrap_or(last) } else { last })
}

/// The statement that should have left the `try`, or the block that expects an exception, before control came to `failing`: the one before it
/// in the block, or the last of the body where `failing` stands in the `else`.
fn before_in_try(unit: &Unit, failing: StmtId) -> Option<StmtId> {
    let mut inner = failing;
    for up in unit.ancestors(failing) {
        match unit.stmt(up).kind {
            StmtKind::Try | StmtKind::With { expects: true } => {
                let before = unit.stmt(up).children.iter().copied().take_while(|&child| child != inner);
                if unit.stmt(inner).kind == StmtKind::Handler || unit.stmt(inner).kind == StmtKind::Finally {
                    return None;
                }
                return before.filter(|&child| !unit.stmt(child).kind.is_clause()).last();
            }
            // A verdict that nothing decides makes sense where the test itself is to throw: `@Test(expected = …)`.
            StmtKind::Def
                if inner == failing && unit.test.and_then(|test| unit.routine(test).def) == Some(up) =>
            {
                let before = unit.stmt(up).children.iter().copied().take_while(|&child| child != failing);
                return before.last().filter(|&before| is_for_effect(unit, before));
            }
            StmtKind::Def | StmtKind::Class | StmtKind::Loop { .. } => return None,
            _ => inner = up,
        }
    }
    None
}
