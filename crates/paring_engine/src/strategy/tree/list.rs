//! Lists of nodes that may go: the siblings below one node, all comments, all keywords, and every node alone.

use super::names::Names;
use super::parts::{heaviest, parts, spares_protected};
use super::take;
use crate::lab::{Lab, Stop};
use crate::strategy::ddmin::ddmin;
use crate::strategy::probdd::probdd;
use paring_model::{EditSet, StmtId, StmtKind, StmtSet, TrimId, TrimKind, Unit};

/// How a list is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    Ddmin,
    Probdd,
}

/// Minimises the parts of every node, the heaviest node first.
pub fn lists(
    lab: &mut Lab<'_>,
    current: &mut EditSet,
    how: Lists,
    names: Option<&Names>,
) -> Result<(), Stop> {
    let mut seen = StmtSet::default();
    while let Some(id) = heaviest(lab.unit, current, &seen) {
        seen.insert(id);
        let mut items = parts(lab.unit, current, id);
        items.retain(|&item| lab.is_well_formed(&without(lab.unit, current, &[item])));
        minimise(lab, current, &items, how, names)?;
    }
    Ok(())
}

fn minimise(
    lab: &mut Lab<'_>,
    current: &mut EditSet,
    items: &[StmtId],
    how: Lists,
    names: Option<&Names>,
) -> Result<(), Stop> {
    let unit = lab.unit;
    let base = current.clone();
    let test = |left: &[StmtId]| -> Result<bool, Stop> {
        let gone: Vec<StmtId> = items.iter().copied().filter(|id| !left.contains(id)).collect();
        let edits = without(unit, &base, &gone);
        let settled = match names {
            Some(names) => names.settle(unit, &base, edits),
            None => spares_protected(unit, &edits).then_some(edits),
        };
        let Some(edits) = settled else { return Ok(false) };
        Ok(edits == *current || take(lab, current, edits)?)
    };
    match how {
        Lists::Ddmin => ddmin(items, test)?,
        Lists::Probdd => probdd(items, test)?,
    };
    Ok(())
}

/// Tries to do without each node alone, whatever its names: with this the result is 1-minimal.
pub fn alone(lab: &mut Lab<'_>, current: &mut EditSet) -> Result<(), Stop> {
    let unit = lab.unit;
    let ids: Vec<StmtId> = current.kept.iter().rev().collect();
    for id in ids {
        if !current.kept.contains(id) || current.unwrapped.contains(id) {
            continue;
        }
        let edits = without(unit, current, &[id]);
        if spares_protected(unit, &edits) {
            take(lab, current, edits)?;
        }
    }
    Ok(())
}

/// Tries to do without any comment.
pub fn comments(lab: &mut Lab<'_>, current: &mut EditSet) -> Result<(), Stop> {
    let unit = lab.unit;
    let is_comment = |id: &StmtId| unit.stmt(*id).kind == StmtKind::Docstring && !unit.stmt(*id).protected;
    let comments: Vec<StmtId> = current.kept.iter().filter(is_comment).collect();
    let edits = without(unit, current, &comments);
    take(lab, current, edits)?;
    Ok(())
}

/// Tries to do without keywords such as `async` or `static`.
pub fn keywords(lab: &mut Lab<'_>, current: &mut EditSet) -> Result<(), Stop> {
    let unit = lab.unit;
    let is_open = |current: &EditSet, id: TrimId| {
        let trim = unit.trim(id);
        trim.kind == TrimKind::Decorator
            && current.kept.contains(trim.stmt)
            && !current.unwrapped.contains(trim.stmt)
            && !current.trims.contains(id)
    };
    for id in unit.trim_ids().filter(|&id| is_open(current, id)).collect::<Vec<_>>() {
        let mut edits = current.clone();
        edits.trims.insert(id);
        take(lab, current, edits)?;
    }
    Ok(())
}

fn without(unit: &Unit, edits: &EditSet, gone: &[StmtId]) -> EditSet {
    let mut smaller = edits.clone();
    for &id in gone {
        smaller.remove(unit, id);
    }
    smaller
}
