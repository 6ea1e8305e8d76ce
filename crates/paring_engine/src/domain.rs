//! What experiments work on, and in which order they try it.

use paring_model::{RoutineKind, StmtId, StmtKind, StmtSet, Unit};

/// The nodes experiments work on: kept, part of what runs for the test, not of the file's top level but for helpers.
pub fn domain(unit: &Unit, kept: &StmtSet, with_helpers: bool) -> Vec<StmtId> {
    let test_def = unit.test.and_then(|test| unit.routine(test).def);
    let run: Vec<StmtId> = unit.sequence.iter().filter_map(|&routine| unit.routine(routine).def).collect();
    let is_helper = |id: StmtId| {
        let is_definition = matches!(unit.stmt(id).kind, StmtKind::Def | StmtKind::Class);
        is_definition && !run.iter().any(|&def| def == id || unit.ancestors(def).any(|up| up == id))
    };
    kept.iter()
        .filter(|&id| {
            let routine = unit.routine(unit.stmt(id).routine);
            match routine.kind {
                RoutineKind::Test | RoutineKind::SetUp | RoutineKind::Fixture => {
                    unit.sequence.contains(&unit.stmt(id).routine)
                }
                RoutineKind::Module => with_helpers && is_helper(id),
                RoutineKind::TearDown | RoutineKind::OtherTest => false,
                RoutineKind::Helper => with_helpers || unit.ancestors(id).any(|up| Some(up) == test_def),
            }
        })
        .collect()
}

/// Last statements first; a block before its parts, so that it may go whole.
pub fn removal_order(unit: &Unit, domain: &[StmtId]) -> Vec<StmtId> {
    let mut order = domain.to_vec();
    let key = |id: StmtId| {
        let mut path: Vec<std::cmp::Reverse<u32>> =
            unit.ancestors(id).map(|up| std::cmp::Reverse(up.0)).collect();
        path.reverse();
        path.push(std::cmp::Reverse(id.0));
        path
    };
    order.sort_by_cached_key(|&id| key(id));
    order
}

/// A node and all below it.
pub fn ids_below(unit: &Unit, id: StmtId) -> impl Iterator<Item = StmtId> {
    std::iter::once(id).chain(unit.descendants(id))
}
