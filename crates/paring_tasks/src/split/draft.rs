//! New tests as edits of the old one, and their text.

use super::outcome::Whole;
use paring_engine::Criterion;
use paring_engine::drafts;
use paring_engine::ops::uses;
use paring_model::{
    Candidate, Draft, EditSet, Form, Frontend, PlaceId, StmtId, StmtKind, StmtSet, Trim, TrimId, TrimKind,
    Unit, Unwritable,
};
use std::collections::BTreeSet;

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
    let mut edits = drafts::draft(unit, &Criterion::default(), &edits.kept).only_in_test(unit);
    edits.trims.extend(unread_cases(unit, &edits.kept));
    edits.unwrapped.extend(only_part(unit, &edits.kept));
    edits
}

/// The block that named a part of the old test (`subTest`, or plain braces), where the new test is that part: the name of the test
/// says it now.
fn only_part(unit: &Unit, kept: &StmtSet) -> Option<StmtId> {
    let def = unit.routine(unit.test?).def?;
    let children = unit.stmt(def).children.iter().copied();
    let kept: Vec<StmtId> = children.filter(|&child| kept.contains(child)).collect();
    let is_block = |&id: &StmtId| unit.stmt(id).kind == StmtKind::Block;
    let last = kept.last().copied().filter(is_block)?;
    (kept.iter().filter(|id| is_block(id)).count() == 1).then_some(last)
}

/// The parameters of cases that no statement of the test reads any more: it need not run once for each.
fn unread_cases(unit: &Unit, kept: &StmtSet) -> Vec<TrimId> {
    let within: StmtSet = unit.test_body().into_iter().collect();
    let uses = |is_there: &dyn Fn(StmtId) -> bool| -> BTreeSet<PlaceId> {
        within.iter().filter(|&id| is_there(id)).flat_map(|id| uses(unit, id)).collect()
    };
    let (before, after) = (uses(&|_| true), uses(&|id| kept.contains(id)));
    let is_unread = |trim: &Trim| {
        trim.kind == TrimKind::Parameters
            && trim.unused.iter().any(|place| before.contains(place))
            && !trim.unused.iter().any(|place| after.contains(place))
    };
    unit.trim_ids().filter(|&id| is_unread(unit.trim(id))).collect()
}

/// The file of a draft.
pub fn written(frontend: &dyn Frontend, unit: &Unit, draft: &Draft) -> Result<Candidate, Whole> {
    let written = frontend.write(&[unit], draft, Form::Compact);
    written.map(|written| written.candidate).map_err(|why| {
        let why = match why {
            Unwritable::NameTaken(name) => format!("the name {name} is taken"),
            Unwritable::NoHome(_) => "a statement cannot stand there".to_owned(),
            Unwritable::NeedsType(what) => format!("the type of {what} is not known"),
            Unwritable::NotSupported => "the language has no form for it".to_owned(),
        };
        Whole::Unwritable { why }
    })
}
