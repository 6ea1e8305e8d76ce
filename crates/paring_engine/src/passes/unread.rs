//! Definitions that only trimmed text read: `jam`, once `for item in (tea, jam)` has become `for item in (tea,)`.
//!
//! The statement that was trimmed still counts as a reader of all it read before, so removal would take it along. What it reads
//! now is told by its text.

use crate::domain::{domain, removal_order};
use crate::drafts::{all_uses, static_trims};
use crate::lab::Stop;
use crate::ops::defines;
use crate::search::Search;
use paring_model::{Form, PlaceId, StmtId, StmtKind, StmtSet, TargetSpec, TrimKind, Unit};
use std::collections::BTreeSet;

pub fn unread(search: &mut Search<'_>) -> Result<(), Stop> {
    let unit = search.unit;
    if !search.current().trims.iter().any(|id| shortens(unit.trim(id).kind)) {
        return Ok(());
    }
    let mut refused = StmtSet::default();
    while let Some(id) = first_unread(search, &refused) {
        let mut draft = search.current().clone();
        draft.remove(unit, id);
        draft.trims.union_with(&static_trims(unit, &draft.written()));
        if !search.take_without(id, &draft)? {
            refused.insert(id);
        }
    }
    Ok(())
}

/// Whether a trim leaves out something that may read a name.
fn shortens(kind: TrimKind) -> bool {
    match kind {
        TrimKind::WithItem
        | TrimKind::Decorator
        | TrimKind::Cases
        | TrimKind::Iteration
        | TrimKind::Element
        | TrimKind::Item => true,
        TrimKind::Parameter | TrimKind::ImportName | TrimKind::Characters | TrimKind::Number => false,
    }
}

/// The last definition whose names were read and are no longer.
fn first_unread(search: &Search<'_>, refused: &StmtSet) -> Option<StmtId> {
    let (unit, current, rules) = (search.unit, search.current(), &search.rules);
    let frontend = search.lab.bench.frontend;
    let candidate = frontend.render(unit, current, Form::Blanked);
    let (written, _) = frontend.parse(&unit.path, candidate.text(), &TargetSpec::new(candidate.target()));
    let is_read = names(&written, all_uses(&written, &written.ids().collect()));
    let was_read = names(unit, all_uses(unit, &current.kept));
    let is_lost = |place: &PlaceId| {
        let name = unit.place(*place).name.as_str();
        was_read.contains(name) && !is_read.contains(name)
    };
    let is_unread = |id: &StmtId| {
        let defined = defines(unit, *id);
        unit.stmt(*id).kind == StmtKind::Simple && !defined.is_empty() && defined.iter().all(is_lost)
    };
    let order = removal_order(unit, &domain(unit, &current.kept, rules.has_good));
    order.into_iter().filter(|&id| !rules.frozen.contains(id) && !refused.contains(id)).find(is_unread)
}

fn names(unit: &Unit, places: BTreeSet<PlaceId>) -> BTreeSet<&str> {
    places.into_iter().map(|place| unit.place(place).name.as_str()).collect()
}
