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

use paring_engine::ops::uses;
use paring_graph::{Level, Reason, dependence};
use paring_model::{
    EditSet, Facts, Op, PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, StmtSet, TrimKind, Unit,
};
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

/// The same edits without the definitions that only removed text read: of a list that lost elements, what those named; of a
/// helper, what its body no longer does.
/// `written` is the unit of the text that the edits make. `None` where there are none.
pub fn unread(unit: &Unit, written: &Unit, edits: &EditSet) -> Option<EditSet> {
    let was_read = names_read(unit, edits.kept.iter());
    let is_read = names_read(written, written.ids());
    let lost: BTreeSet<&str> = was_read.difference(&is_read).copied().collect();
    let in_sequence = |id: StmtId| {
        unit.sequence
            .iter()
            .filter_map(|&routine| unit.routine(routine).def)
            .any(|def| def == id || unit.ancestors(def).any(|up| up == id))
    };
    let mut pruned = edits.clone();
    for &id in unit.routines[0].body.iter().filter(|&&id| edits.kept.contains(id)) {
        let stmt = unit.stmt(id);
        let defined: Vec<&str> = stmt.ops.iter().filter_map(|op| defined_name(unit, op)).collect();
        let is_definition = match stmt.kind {
            StmtKind::Import | StmtKind::Def | StmtKind::Class => true,
            StmtKind::Simple => stmt.ops.iter().all(|op| matches!(op, Op::Use(_) | Op::Define(_))),
            _ => false,
        };
        if is_definition
            && !defined.is_empty()
            && defined.iter().all(|name| lost.contains(name))
            && !stmt.protected
            && !in_sequence(id)
        {
            pruned.remove(unit, id);
        }
    }
    for id in unit.trim_ids().filter(|&id| unit.trim(id).kind == TrimKind::ImportName) {
        let trim = unit.trim(id);
        if edits.kept.contains(trim.stmt)
            && trim
                .unused
                .iter()
                .map(|&place| unit.place(place))
                .all(|place| place.scope == PlaceScope::Global && lost.contains(place.name.as_str()))
        {
            pruned.trims.insert(id);
        }
    }
    (pruned != *edits).then_some(pruned)
}

/// The names of the file's top level that statements read.
fn names_read(unit: &Unit, ids: impl Iterator<Item = StmtId>) -> BTreeSet<&str> {
    ids.flat_map(|id| uses(unit, id))
        .map(|place| unit.place(place))
        .filter(|place| place.scope == PlaceScope::Global)
        .map(|place| place.name.as_str())
        .collect()
}

fn defined_name<'u>(unit: &'u Unit, op: &Op) -> Option<&'u str> {
    match op {
        Op::Define(place) => Some(unit.place(*place).name.as_str()),
        Op::Use(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
    }
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
    use paring_model::{Place, Routine, RoutineId, Stmt, TextRange, Trim, TrimId};

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
            shared: false,
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
    fn an_import_goes_with_the_trimmed_text_that_read_it() {
        let mut unit = unit();
        unit.stmts[4].ops.push(Op::Use(PlaceId(0)));
        unit.stmts[2].ops.clear();
        let edits = EditSet::all(&unit);
        assert_eq!(unread(&unit, &unit, &edits), None);
        let mut written = unit.clone();
        written.stmts[4].ops.clear();
        let left = unread(&unit, &written, &edits).expect("the import is unread");
        assert_eq!(left.kept.iter().next(), Some(StmtId(1)));
    }

    #[test]
    fn a_constant_goes_with_the_text_that_read_it_and_a_call_stays() {
        let mut unit = unit();
        unit.stmts[0].kind = StmtKind::Simple;
        unit.stmts[4].ops.push(Op::Use(PlaceId(0)));
        unit.stmts[2].ops.clear();
        let mut written = unit.clone();
        written.stmts[4].ops.clear();
        let edits = EditSet::all(&unit);
        let left = unread(&unit, &written, &edits).expect("the constant is unread");
        assert_eq!(left.kept.iter().next(), Some(StmtId(1)));
        unit.stmts[0].ops.push(Op::Mutate(PlaceId(1)));
        assert_eq!(unread(&unit, &written, &edits), None);
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
