//! What nothing asks for any more: a fixture whose every parameter was trimmed, another test that a class brought along, and
//! what only these needed.
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
    let mut open: BTreeSet<StmtId> =
        fixtures(unit, &trimmed).chain(other_tests(unit)).filter(|&id| edits.kept.contains(id)).collect();
    if open.is_empty() {
        return edits.clone();
    }
    let dependence = dependence(unit, facts, Level::Observed);
    let tops: Vec<StmtId> = unit.routines[0].body.clone();
    let test = unit.test.and_then(|test| unit.routine(test).def);
    let holds_test = |id: StmtId| test.is_some_and(|test| within(unit, id).any(|inside| inside == test));
    let mut pruned = edits.clone();
    while let Some(id) = open.pop_last() {
        if !pruned.kept.contains(id) || is_needed(unit, &dependence, &pruned, &trimmed, id) {
            continue;
        }
        // What a removed one needed may go too.
        let inner: StmtSet = within(unit, id).collect();
        let needs = inner.iter().flat_map(|inside| dependence.edges(inside)).map(|edge| edge.on);
        open.extend(
            needs
                .map(|on| top_of(unit, on))
                .filter(|&top| tops.contains(&top) && top != id && !holds_test(top)),
        );
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

fn other_tests(unit: &Unit) -> impl Iterator<Item = StmtId> {
    unit.routines
        .iter()
        .filter(|routine| routine.kind == RoutineKind::OtherTest)
        .filter_map(|routine| routine.def)
}

fn within(unit: &Unit, id: StmtId) -> impl Iterator<Item = StmtId> {
    std::iter::once(id).chain(unit.descendants(id))
}

fn top_of(unit: &Unit, id: StmtId) -> StmtId {
    unit.ancestors(id).last().unwrap_or(id)
}

/// Whether a kept statement outside `id`, and not just around it, depends on something in it.
fn is_needed(
    unit: &Unit,
    dependence: &paring_graph::Dependence,
    edits: &EditSet,
    trimmed: &BTreeSet<PlaceId>,
    id: StmtId,
) -> bool {
    let inner: StmtSet = within(unit, id).collect();
    let around: StmtSet = unit.ancestors(id).collect();
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
        || edits.kept.iter().filter(|&from| !inner.contains(from) && !around.contains(from)).any(|from| {
            dependence.edges(from).iter().any(|edge| {
                inner.contains(edge.on) && (edge.reason != Reason::Binding || asks(from, edge.on))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{Op, Place, PlaceScope, Routine, RoutineId, Stmt, StmtKind, TextRange, Trim, TrimId};

    fn stmt(kind: StmtKind, parent: Option<u32>, children: &[u32], routine: u32, ops: Vec<Op>) -> Stmt {
        Stmt {
            kind,
            range: TextRange::default(),
            header: TextRange::default(),
            parent: parent.map(StmtId),
            children: children.iter().copied().map(StmtId).collect(),
            routine: RoutineId(routine),
            ops,
            needs: Vec::new(),
            protected: false,
            counts: true,
        }
    }

    fn routine(
        kind: RoutineKind,
        def: Option<u32>,
        body: &[u32],
        params: &[u32],
        returns: &[u32],
    ) -> Routine {
        Routine {
            kind,
            name: String::new(),
            def: def.map(StmtId),
            body: body.iter().copied().map(StmtId).collect(),
            params: params.iter().copied().map(PlaceId).collect(),
            returns: returns.iter().copied().map(PlaceId).collect(),
        }
    }

    /// `import logging` (0), a fixture (1) that uses it (2), and a test (3) that asks for the fixture and does not use it (4).
    fn unit() -> Unit {
        let (logging, log, asked) = (PlaceId(0), PlaceId(1), PlaceId(2));
        let place = |scope, name: &str| Place { scope, name: name.to_owned() };
        Unit {
            path: "t.py".into(),
            source: String::new(),
            stmts: vec![
                stmt(StmtKind::Import, None, &[], 0, vec![Op::Define(logging)]),
                stmt(StmtKind::Def, None, &[2], 0, vec![Op::Define(log)]),
                stmt(StmtKind::Return, Some(1), &[], 1, vec![Op::Use(logging), Op::Define(asked)]),
                stmt(StmtKind::Def, None, &[4], 0, vec![]),
                stmt(StmtKind::Assert, Some(3), &[], 2, vec![]),
            ],
            places: vec![
                place(PlaceScope::Global, "logging"),
                place(PlaceScope::Global, "log"),
                place(PlaceScope::Local(RoutineId(2)), "log"),
            ],
            routines: vec![
                routine(RoutineKind::Module, None, &[0, 1, 3], &[], &[]),
                routine(RoutineKind::Fixture, Some(1), &[2], &[], &[2]),
                routine(RoutineKind::Test, Some(3), &[4], &[2], &[]),
            ],
            sequence: vec![RoutineId(0), RoutineId(1), RoutineId(2)],
            target: "t.py::test".to_owned(),
            after: Vec::new(),
            before: Vec::new(),
            test: Some(RoutineId(2)),
            trims: vec![Trim {
                kind: TrimKind::Parameter,
                stmt: StmtId(3),
                edits: Vec::new(),
                unused: vec![asked],
                label: "parameter log".to_owned(),
            }],
            literals: Vec::new(),
            masks: StmtSet::default(),
            line_starts: vec![0],
        }
    }

    #[test]
    fn a_fixture_goes_with_its_last_parameter_and_takes_along_what_only_it_needed() {
        let unit = unit();
        let mut edits = EditSet::all(&unit);
        assert_eq!(prune(&unit, &Facts::default(), &edits), edits, "it is still asked for");
        edits.trims.insert(TrimId(0));
        let left: Vec<StmtId> = prune(&unit, &Facts::default(), &edits).kept.iter().collect();
        assert_eq!(left, [StmtId(3), StmtId(4)]);
    }

    #[test]
    fn what_others_need_stays() {
        let mut unit = unit();
        unit.stmts[4].ops.push(Op::Use(PlaceId(0)));
        let mut edits = EditSet::all(&unit);
        edits.trims.insert(TrimId(0));
        let left: Vec<StmtId> = prune(&unit, &Facts::default(), &edits).kept.iter().collect();
        assert_eq!(left, [StmtId(0), StmtId(3), StmtId(4)]);
    }
}
