//! Calls that may have been to prevent a crash.
//!
//! ```java
//! gate.setOpen(true);   // was to let everybody through
//! gate.pass(-1);        // IllegalStateException: closed
//! ```
//!
//! The gate is closed without the first call too, on good code as well. A stack below the test speaks for the failing call, and not for
//! what was done to its objects before: that a value is refused, that something is not there, or that the code died before it read
//! what was prepared. So of all that was done to one of these objects something stays, and all of it where the crash is the same
//! without any.

use crate::criterion::Criterion;
use crate::ops::{is_for_effect, uses};
use paring_graph::{Reason, Slice};
use paring_model::{Facts, PlaceId, StmtId, StmtKind, StmtSet, Unit};

/// For each object of the failing call that something was done to: the statements that did.
pub fn prepared(unit: &Unit, facts: &Facts, criterion: &Criterion, slice: &Slice) -> Vec<StmtSet> {
    let Some(failing) = criterion.failing else { return Vec::new() };
    let mut places = uses(unit, failing);
    places.retain(|place| !facts.immutable.contains(place));
    places.sort();
    places.dedup();
    let is_done = |id: &StmtId| {
        let changes = facts.changed.get(id).is_some_and(|changed| !changed.is_empty());
        let ran = !facts.observed || facts.hits.contains_key(id);
        let is_plain = unit.stmt(*id).kind == StmtKind::Simple;
        is_plain && ran && *id != failing && (is_for_effect(unit, *id) || changes)
    };
    let mut groups: Vec<StmtSet> = Vec::new();
    for place in places {
        let group: StmtSet = done_to(slice, failing, place).iter().filter(is_done).collect();
        if !group.is_empty() && !groups.iter().any(|known| known.iter().eq(group.iter())) {
            groups.push(group);
        }
    }
    groups
}

/// All that one object of a statement is computed from.
fn done_to(slice: &Slice, failing: StmtId, place: PlaceId) -> StmtSet {
    let is_first = |(from, reason): &(StmtId, Reason)| {
        *from == failing
            && reason.is_strong()
            && matches!(reason, Reason::Data { place: of, .. } if *of == place)
    };
    let mut found: StmtSet = of(slice, is_first);
    loop {
        let more = of(slice, |(from, reason)| found.contains(*from) && reason.is_strong());
        if more.is_subset(&found) {
            return found;
        }
        found.union_with(&more);
    }
}

fn of(slice: &Slice, is_asked: impl Fn(&(StmtId, Reason)) -> bool) -> StmtSet {
    slice.why.iter().filter(|(_, why)| why.iter().any(&is_asked)).map(|(id, _)| *id).collect()
}
