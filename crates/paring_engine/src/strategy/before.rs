//! Experiments on the tests that run before the target: what each of them has to do for the target to fail.
//!
//! They are there for what they leave behind, which no slice of the target sees. So each statement is tried, the last first: a
//! name's uses are gone, or were found needed, before its definition is tried.

use crate::lab::{Lab, Stop};
use paring_model::{EditSet, StmtId};

/// Removals in a row that make the next step larger.
const MAX_STRIDE: usize = 16;

/// The draft with the tests before the target pared to what they are needed for.
pub fn pare_before(lab: &mut Lab<'_>, start: EditSet) -> Result<EditSet, Stop> {
    let mut current = start;
    for def in lab.unit.before.clone() {
        pare_one(lab, &mut current, def)?;
    }
    Ok(current)
}

fn pare_one(lab: &mut Lab<'_>, current: &mut EditSet, def: StmtId) -> Result<(), Stop> {
    let unit = lab.unit;
    let mut order: Vec<StmtId> = unit.descendants(def);
    order.reverse();
    let (mut idx, mut stride) = (0, 1);
    while idx < order.len() {
        let end = (idx + stride).min(order.len());
        let mut edits = current.clone();
        for &id in &order[idx..end] {
            edits.remove(unit, id);
        }
        if edits == *current {
            idx = end;
        } else if lab.holds(&edits)? {
            *current = edits;
            idx = end;
            stride = (stride * 2).min(MAX_STRIDE);
        } else if stride > 1 {
            stride = 1;
        } else {
            idx = end;
        }
    }
    Ok(())
}
