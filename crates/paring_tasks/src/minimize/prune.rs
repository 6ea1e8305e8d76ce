//! What nothing asks for any more: a fixture whose every parameter was trimmed, and what only it needed.
//!
//! ```python
//! import logging           # 2nd: only `log` needed it
//! @pytest.fixture
//! def log():               # 1st: no kept routine asks for it
//!     return logging.getLogger()
//! def test_rows(db): …     # was `test_rows(db, log)`
//! ```

use paring_graph::{Level, Reason, dependence};
use paring_model::{EditSet, Facts, PlaceId, RoutineKind, StmtId, StmtSet, TrimKind, Unit};
use std::collections::BTreeSet;

/// The same edits without what they leave unasked for.
pub fn prune(unit: &Unit, facts: &Facts, edits: &EditSet) -> EditSet {
    let trimmed: BTreeSet<PlaceId> = edits
        .trims
        .iter()
        .map(|id| unit.trim(id))
        .filter(|trim| trim.kind == TrimKind::Parameter)
        .flat_map(|trim| trim.unused.iter().copied())
        .collect();
    if trimmed.is_empty() {
        return edits.clone();
    }
    let dependence = dependence(unit, facts, Level::Observed);
    let tops: Vec<StmtId> = unit.routines[0].body.clone();
    let mut pruned = edits.clone();
    // Statements that a removed one needed: they may go too.
    let mut open: BTreeSet<StmtId> = fixtures(unit, &trimmed).collect();
    while let Some(id) = open.pop_last() {
        if !pruned.kept.contains(id) || is_needed(unit, &dependence, &pruned, &trimmed, id) {
            continue;
        }
        let inner: StmtSet = within(unit, id).collect();
        let needs = inner.iter().flat_map(|inside| dependence.edges(inside)).map(|edge| edge.on);
        open.extend(needs.map(|on| top_of(unit, on)).filter(|top| tops.contains(top) && *top != id));
        pruned.remove(unit, id);
    }
    pruned
}

/// Fixtures that only trimmed parameters ask for.
fn fixtures<'a>(unit: &'a Unit, trimmed: &'a BTreeSet<PlaceId>) -> impl Iterator<Item = StmtId> + 'a {
    unit.sequence.iter().map(|&id| unit.routine(id)).filter_map(|routine| {
        let is_unasked = routine.kind == RoutineKind::Fixture
            && !routine.returns.is_empty()
            && routine.returns.iter().all(|place| trimmed.contains(place));
        routine.def.filter(|_| is_unasked)
    })
}

fn within(unit: &Unit, id: StmtId) -> impl Iterator<Item = StmtId> {
    std::iter::once(id).chain(unit.descendants(id))
}

fn top_of(unit: &Unit, id: StmtId) -> StmtId {
    unit.ancestors(id).last().unwrap_or(id)
}

/// Whether a kept statement outside `id` depends on something in it.
fn is_needed(
    unit: &Unit,
    dependence: &paring_graph::Dependence,
    edits: &EditSet,
    trimmed: &BTreeSet<PlaceId>,
    id: StmtId,
) -> bool {
    let inner: StmtSet = within(unit, id).collect();
    let is_protected = inner.iter().any(|inside| unit.stmt(inside).protected);
    let asks = |from: StmtId, on: StmtId| {
        // A fixture's trimmed parameter asks for nothing, and gives no value either.
        let by_parameter = unit.routines.iter().any(|routine| {
            routine.def == Some(on)
                && routine.returns.iter().all(|place| trimmed.contains(place))
                && !routine.returns.is_empty()
                && unit.routines.iter().any(|user| user.def == Some(from))
        });
        !by_parameter
    };
    is_protected
        || edits.kept.iter().filter(|&from| !inner.contains(from)).any(|from| {
            dependence.edges(from).iter().any(|edge| {
                inner.contains(edge.on) && !(edge.reason == Reason::Binding && !asks(from, edge.on))
            })
        })
}
