//! Experiments on the tests that run before the target: what each of them has to do for the target to fail.
//!
//! They are there for what they leave behind, which no slice of the target sees. So each statement is tried, the last first: a
//! name's uses are gone, or were found needed, before its definition is tried.

use crate::lab::Stop;
use crate::search::Search;
use paring_model::StmtId;

/// Removals in a row that make the next step larger.
const MAX_STRIDE: usize = 16;

/// Pares the tests before the target to what they are needed for.
pub fn predecessors(search: &mut Search<'_>) -> Result<(), Stop> {
    for &def in &search.unit.before {
        pare_one(search, def)?;
    }
    Ok(())
}

fn pare_one(search: &mut Search<'_>, def: StmtId) -> Result<(), Stop> {
    let unit = search.unit;
    let mut order: Vec<StmtId> = unit.descendants(def);
    order.reverse();
    let (mut idx, mut stride) = (0, 1);
    while idx < order.len() {
        let end = (idx + stride).min(order.len());
        let mut draft = search.current().clone();
        for &id in &order[idx..end] {
            draft.remove(unit, id);
        }
        if draft == *search.current() {
            idx = end;
        } else if search.take(&draft)? {
            idx = end;
            stride = (stride * 2).min(MAX_STRIDE);
        } else if stride > 1 {
            stride = 1;
        } else {
            search.note_needed(order[idx]);
            idx = end;
        }
    }
    Ok(())
}
