//! What only removed statements needed goes: imports, helpers, fixtures of the file.
//!
//! ```text
//! use shop            goes with the statement that read it
//! cart = shop.Cart()  was needed by a statement of the test that went
//! test: …
//! ```

use crate::drafts::static_trims;
use crate::lab::Stop;
use crate::ops::defines;
use crate::search::Search;
use paring_graph::needed_within;
use paring_model::{EditSet, RoutineId, RoutineKind, StmtId, StmtKind, StmtSet, Unit};
use std::collections::BTreeSet;

pub fn top_level(search: &mut Search<'_>) -> Result<(), Stop> {
    let needed = needed(search);
    // Not every front end knows what an import is for: of a type that is only named.
    let with_named: StmtSet = needed.iter().chain(named_imports(search, &needed)).collect();
    for kept in [needed, with_named] {
        if kept != search.current().kept && take_only(search, kept)? {
            break;
        }
    }
    Ok(())
}

fn take_only(search: &mut Search<'_>, kept: StmtSet) -> Result<bool, Stop> {
    let unit = search.unit;
    let mut draft = EditSet { kept, ..search.current().clone() };
    draft.trims = draft.trims.iter().filter(|&id| draft.kept.contains(unit.trim(id).stmt)).collect();
    draft.trims.union_with(&static_trims(unit, &draft.written()));
    search.take(&draft)
}

/// Imports of names that the text of some statements has.
fn named_imports(search: &Search<'_>, stmts: &StmtSet) -> Vec<StmtId> {
    let unit = search.unit;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let headers = stmts.iter().filter(|&id| unit.stmt(id).kind != StmtKind::Import);
    let words: BTreeSet<&str> =
        headers.flat_map(|id| unit.stmt(id).header.of(&unit.source).split(|c| !is_word(c))).collect();
    let is_named = |&id: &StmtId| {
        unit.stmt(id).kind == StmtKind::Import
            && defines(unit, id).iter().any(|&place| words.contains(unit.place(place).name.as_str()))
    };
    search.current().kept.iter().filter(is_named).collect()
}

/// What the test needs of the current draft, and what the rules say that it may need.
fn needed(search: &Search<'_>) -> StmtSet {
    let (unit, rules, current) = (search.unit, &search.rules, search.current());
    let kind = |id: StmtId| unit.routine(unit.stmt(id).routine).kind;
    let stays = |id: &StmtId| match kind(*id) {
        RoutineKind::Test => true,
        RoutineKind::Module => is_effect(unit, *id),
        _ => rules.frozen.contains(*id),
    };
    let written = current.written();
    let start: Vec<StmtId> = written.iter().filter(stays).collect();
    let mut needed = needed_within(&search.graph().dependence, &start, &written);
    needed.extend(needed.iter().flat_map(|id| unit.ancestors(id)).collect::<Vec<_>>());
    let whole: StmtSet = needed.iter().filter(|&id| is_whole(unit, id)).collect();
    let is_inside = |id: StmtId| unit.ancestors(id).any(|up| whole.contains(up));
    current.kept.iter().filter(|&id| needed.contains(id) || is_inside(id)).collect()
}

/// A statement of the file's top level that the slice kept though it binds nothing: it was kept for what it does.
fn is_effect(unit: &Unit, id: StmtId) -> bool {
    defines(unit, id).is_empty() && !matches!(unit.stmt(id).kind, StmtKind::Class | StmtKind::Def)
}

/// A definition whose body has no part in the flow, or a class: it stays as the experiments left it.
fn is_whole(unit: &Unit, id: StmtId) -> bool {
    let routine =
        || unit.routines.iter().position(|routine| routine.def == Some(id)).map(RoutineId::from_idx);
    match unit.stmt(id).kind {
        StmtKind::Def => routine().is_none_or(|routine| !unit.sequence.contains(&routine)),
        // A class that is no statement is made of members that stand for themselves.
        StmtKind::Class => unit.stmt(id).counts,
        _ => false,
    }
}
