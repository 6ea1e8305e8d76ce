//! New tests as edits of the old one.

use paring_engine::Criterion;
use paring_engine::drafts;
use paring_model::{EditSet, StmtId, StmtKind, StmtSet, Unit};

/// The test with only these of its statements, and all else as it is. Parameters that only removed statements read go.
pub fn edits(unit: &Unit, stmts: &StmtSet) -> EditSet {
    let def = unit.test.and_then(|test| unit.routine(test).def);
    let within: StmtSet = def.map(|def| unit.descendants(def)).into_iter().flatten().collect();
    let mut edits =
        EditSet { kept: unit.ids().filter(|&id| !within.contains(id)).collect(), ..EditSet::default() };
    stmts.iter().for_each(|id| edits.keep(unit, id));
    // What the test, or a function within it that stays, says of itself.
    let docstrings = within.iter().filter(|&id| unit.stmt(id).kind == StmtKind::Docstring);
    let stays = |id: &StmtId| unit.stmt(*id).parent.is_some_and(|up| edits.kept.contains(up));
    let docstrings: Vec<StmtId> = docstrings.filter(stays).collect();
    edits.kept.extend(docstrings);
    drafts::draft(unit, &Criterion::default(), &edits.kept).only_in_test(unit)
}
