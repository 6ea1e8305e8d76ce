//! Parts of statements that the front end offers to leave out: parameters, items of a `with`, cases, elements.
//!
//! ```text
//! test db log:             test db:
//!   for n in {1,2,3}:   →    for n in {3}:
//!     assert n                 assert n
//! ```

use super::carried;
use crate::drafts::all_uses;
use crate::lab::Stop;
use crate::ops::{defines, uses};
use crate::rules::Rules;
use crate::search::Search;
use crate::strategy::ddmin::ddmin;
use paring_model::{PlaceId, RoutineKind, StmtId, StmtKind, Trim, TrimId, TrimKind, Unit};
use std::collections::{BTreeMap, BTreeSet};

pub fn trim(search: &mut Search<'_>) -> Result<(), Stop> {
    let Offered { singles, elements, last_rounds } = offered(search);
    for id in singles {
        let mut draft = search.current().clone();
        draft.trims.insert(id);
        search.take(&draft)?;
    }
    for trims in elements.into_values() {
        let base = search.current().clone();
        let with = |left: &[TrimId]| {
            let mut draft = base.clone();
            draft.trims.extend(trims.iter().copied().filter(|id| !left.contains(id)));
            draft
        };
        // An empty literal is another test; the last element stays.
        ddmin(&trims, |left: &[TrimId]| if left.is_empty() { Ok(false) } else { search.take(&with(left)) })?;
    }
    for trims in last_rounds.into_values() {
        leave_last(search, &trims)?;
    }
    Ok(())
}

/// Leaves out the last elements of a literal, as many as may go: rounds behind the one that fails were never made.
fn leave_last(search: &mut Search<'_>, trims: &[TrimId]) -> Result<(), Stop> {
    let base = search.current().clone();
    let (mut too_few, mut enough) = (0, trims.len());
    while enough - too_few > 1 {
        let n_left = too_few.midpoint(enough);
        let mut draft = base.clone();
        draft.trims.extend(trims[n_left..].iter().copied());
        if search.take(&draft)? { enough = n_left } else { too_few = n_left }
    }
    Ok(())
}

/// What may be tried.
#[derive(Default)]
struct Offered {
    singles: Vec<TrimId>,
    /// Elements of each statement, any of which may go.
    elements: BTreeMap<StmtId, Vec<TrimId>>,
    /// Elements of each statement, of which only the last may go.
    last_rounds: BTreeMap<StmtId, Vec<TrimId>>,
}

/// What may be tried now.
fn offered(search: &Search<'_>) -> Offered {
    let (unit, rules, current) = (search.unit, &search.rules, search.current());
    let read = all_uses(unit, &current.written());
    let mut offered = Offered::default();
    for id in unit.trim_ids() {
        let trim = unit.trim(id);
        let is_there = !current.trims.contains(id) && current.kept.contains(trim.stmt);
        if !is_there || rules.intact == Some(trim.stmt) || is_read(trim, &read) {
            continue;
        }
        match trim.kind {
            TrimKind::Element if rules.has_good => {
                offered.elements.entry(trim.stmt).or_default().push(id);
            }
            TrimKind::Element => {
                if let Some(rounds) = rounds_of(search, trim.stmt) {
                    let may_any_go = rounds == Rounds::Apart;
                    let elements = if may_any_go { &mut offered.elements } else { &mut offered.last_rounds };
                    elements.entry(trim.stmt).or_default().push(id);
                }
            }
            TrimKind::Cases | TrimKind::Iteration => offered.singles.push(id),
            TrimKind::Parameter | TrimKind::WithItem if rules.has_good || reads_of(unit, id) => {
                offered.singles.push(id);
            }
            TrimKind::Decorator if rules.has_good => offered.singles.push(id),
            TrimKind::Parameter
            | TrimKind::Parameters
            | TrimKind::WithItem
            | TrimKind::ImportName
            | TrimKind::Decorator
            // Literals come when all else is done.
            | TrimKind::Item
            | TrimKind::Characters
            | TrimKind::Number => {}
        }
    }
    offered
}

fn is_read(trim: &Trim, read: &BTreeSet<PlaceId>) -> bool {
    trim.unused.iter().any(|place| read.contains(place))
}

/// Whether the rounds of a loop need each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounds {
    Apart,
    /// A failed assertion may be about what earlier rounds did.
    OneAfterTheOther,
}

/// The rounds of the loop around the failing statement, where the literal of a statement is what it goes through.
fn rounds_of(search: &Search<'_>, id: StmtId) -> Option<Rounds> {
    let Search { unit, facts, rules, .. } = search;
    let up = failing_loop(unit, rules, id)?;
    let is_carried = rules.binding && carried::carries_state(unit, facts, up);
    Some(if is_carried { Rounds::OneAfterTheOther } else { Rounds::Apart })
}

/// The loop around the failing statement that goes through the literal of a statement.
fn failing_loop(unit: &Unit, rules: &Rules, id: StmtId) -> Option<StmtId> {
    let is_loop = |id: StmtId| matches!(unit.stmt(id).kind, StmtKind::Loop { .. });
    let bound = defines(unit, id);
    rules
        .around
        .iter()
        .filter(|&up| is_loop(up))
        .find(|&up| up == id || uses(unit, up).iter().any(|place| bound.contains(place)))
}

/// Whether any statement of the original reads what the trim would unbind: it was asked for its value, not its effect.
fn reads_of(unit: &Unit, id: TrimId) -> bool {
    let trim = unit.trim(id);
    unit.ids()
        .filter(|&id| unit.routine(unit.stmt(id).routine).kind != RoutineKind::Module)
        .any(|id| uses(unit, id).iter().any(|place| trim.unused.contains(place)))
}
