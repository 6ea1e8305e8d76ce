//! Definitions that only trimmed text read: `jam`, once `for item in (tea, jam)` has become `for item in (tea,)`.
//!
//! The statement that was trimmed still counts as a reader of all it read before, so removal would take it along. What it reads
//! now is told by its text.

use crate::lab::{Lab, Stop};
use crate::ops::defines;
use crate::rules::{Rules, domain};
use crate::strategy::experiment::removal_order;
use crate::strategy::leveled::{all_uses, static_trims};
use paring_model::{EditSet, Form, PlaceId, StmtId, StmtKind, StmtSet, TargetSpec, TrimKind, Unit};
use std::collections::BTreeSet;

pub fn unread(lab: &mut Lab<'_>, current: &mut EditSet, rules: &Rules) -> Result<(), Stop> {
    let unit = lab.unit;
    let shortens = |kind| match kind {
        TrimKind::WithItem
        | TrimKind::Decorator
        | TrimKind::Cases
        | TrimKind::Iteration
        | TrimKind::Element
        | TrimKind::Item => true,
        TrimKind::Parameter | TrimKind::ImportName | TrimKind::Characters | TrimKind::Number => false,
    };
    if !current.trims.iter().any(|id| shortens(unit.trim(id).kind)) {
        return Ok(());
    }
    let mut refused = StmtSet::default();
    while let Some(id) = first_unread(lab, current, rules, &refused) {
        let mut edits = current.clone();
        edits.remove(unit, id);
        edits.trims.union_with(&static_trims(unit, &edits.written()));
        if lab.holds(&edits)? {
            lab.accept(&edits);
            *current = edits;
        } else {
            refused.insert(id);
        }
    }
    Ok(())
}

/// The last definition whose names were read and are no longer.
fn first_unread(lab: &Lab<'_>, current: &EditSet, rules: &Rules, refused: &StmtSet) -> Option<StmtId> {
    let unit = lab.unit;
    let frontend = lab.bench.frontend;
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
