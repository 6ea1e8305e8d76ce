//! Drafts made from sets of statements, and what the statements of a draft read.

use crate::criterion::Criterion;
use crate::ops::uses;
use paring_graph::{dependence, slice};
use paring_model::{EditSet, Facts, PlaceId, StmtId, StmtKind, StmtSet, TrimKind, TrimSet, Unit};
use std::collections::BTreeSet;

/// What some statements may depend on as far as the text tells, as a draft.
pub fn unobserved(unit: &Unit, stmts: &[StmtId]) -> EditSet {
    let dependence = dependence(unit, &Facts::default(), paring_graph::Level::One);
    let kept = slice(unit, &dependence, stmts).kept;
    let trims = static_trims(unit, &kept);
    EditSet { kept, unwrapped: StmtSet::default(), trims }
}

/// A slice as a draft, with the trims that follow from it.
pub fn draft(unit: &Unit, criterion: &Criterion, kept: &StmtSet) -> EditSet {
    let mut trims = static_trims(unit, kept);
    let (before, after) = (test_uses(unit, None), test_uses(unit, Some(kept)));
    for id in unit.trim_ids() {
        let trim = unit.trim(id);
        // A parameter that no statement ever read was asked for its effect; one whose readers went may go with them.
        let was_read = trim.unused.iter().any(|place| before.contains(place));
        let is_read = trim.unused.iter().any(|place| after.contains(place));
        let may_go = kept.contains(trim.stmt) && criterion.intact != Some(trim.stmt);
        if trim.kind == TrimKind::Parameter && may_go && was_read && !is_read {
            trims.insert(id);
        }
    }
    let kept = kept.iter().chain(criterion.anchor).collect();
    EditSet { kept, unwrapped: StmtSet::default(), trims }
}

/// Trims that cannot change what runs: names of imports that nothing reads any more.
pub fn static_trims(unit: &Unit, kept: &StmtSet) -> TrimSet {
    let read = all_uses(unit, kept);
    unit.trim_ids()
        .filter(|&id| {
            let trim = unit.trim(id);
            trim.kind == TrimKind::ImportName
                && kept.contains(trim.stmt)
                && !trim.unused.iter().any(|place| read.contains(place))
        })
        .collect()
}

/// Places that the kept statements read or change.
pub fn all_uses(unit: &Unit, kept: &StmtSet) -> BTreeSet<PlaceId> {
    kept.iter().flat_map(|id| live_uses(unit, kept, id)).collect()
}

/// Places a kept statement reads or changes. A definition reads what its body does, as far as that is kept.
pub fn live_uses(unit: &Unit, kept: &StmtSet, id: StmtId) -> Vec<PlaceId> {
    let mut places = uses(unit, id);
    if matches!(unit.stmt(id).kind, StmtKind::Def | StmtKind::Class) {
        let below = unit.descendants(id);
        let in_body = |kept_only: bool| -> BTreeSet<PlaceId> {
            let ids = below.iter().filter(|&&inner| !kept_only || kept.contains(inner));
            ids.flat_map(|&inner| uses(unit, inner)).collect()
        };
        let (all, live) = (in_body(false), in_body(true));
        places.retain(|place| !all.contains(place) || live.contains(place));
    }
    places
}

fn test_uses(unit: &Unit, kept: Option<&StmtSet>) -> BTreeSet<PlaceId> {
    unit.ids().filter(|&id| kept.is_none_or(|kept| kept.contains(id))).flat_map(|id| uses(unit, id)).collect()
}
