//! The strategies of the literature, each as its paper has it and without the slippage rules.

use crate::criterion::Criterion;
use crate::lab::{Lab, Stop};
use crate::ops::weight;
use crate::rules::{Rules, domain};
use crate::strategy::leveled::{draft, leveled};
use crate::strategy::{Found, Level, Strategy, ddmin::ddmin, doomed::Doomed, probdd::probdd, wdd::wdd};
use paring_graph::{dependence, slice};
use paring_model::{EditSet, Facts, StmtId};

/// Runs one named strategy on a unit whose original failed as the lab's oracle says.
pub fn named(
    lab: &mut Lab<'_>,
    facts: &Facts,
    criterion: &Criterion,
    strategy: Strategy,
) -> Result<Found, Stop> {
    let original = EditSet::all(lab.unit);
    lab.accept(&original);
    match strategy {
        Strategy::Ssmin => ssmin(lab, criterion),
        Strategy::Sdmin => {
            let sliced = ssmin(lab, criterion)?;
            let edits = search(lab, criterion, &sliced.edits, &Search::Ddmin)?;
            Ok(Found { edits, ..sliced })
        }
        Strategy::Ddmin => Ok(plain(search(lab, criterion, &original, &Search::Ddmin)?)),
        Strategy::Probdd => Ok(plain(search(lab, criterion, &original, &Search::Probdd)?)),
        Strategy::Wdd => Ok(plain(search(lab, criterion, &original, &Search::Wdd)?)),
        Strategy::Fit | Strategy::Auto => fit(lab, facts, criterion),
    }
}

/// The static slice: every call writes its target and none of its arguments. Back to the original where it does not hold.
fn ssmin(lab: &mut Lab<'_>, criterion: &Criterion) -> Result<Found, Stop> {
    let unit = lab.unit;
    let dependence = dependence(unit, &Facts::default(), paring_graph::Level::Leitner);
    let slice = slice(unit, &dependence, &criterion.stmts);
    let edits = draft(unit, criterion, &slice.kept);
    let holds = lab.holds(&edits)?;
    let (edits, level) = if holds { (edits, None) } else { (EditSet::all(unit), Some(Level::None)) };
    lab.accept(&edits);
    Ok(Found { slice: Some(slice), level, ..plain(edits) })
}

/// Aggressive, then conservative, then no slicing.
fn fit(lab: &mut Lab<'_>, facts: &Facts, criterion: &Criterion) -> Result<Found, Stop> {
    let facts = &facts.without_effects();
    let held = leveled(lab, facts, criterion, &[Level::Zero, Level::One])?;
    Ok(match held {
        Some(held) => Found { level: Some(held.level), slice: Some(held.slice), ..plain(held.edits) },
        None => Found { level: Some(Level::None), ..plain(EditSet::all(lab.unit)) },
    })
}

enum Search {
    Ddmin,
    Probdd,
    Wdd,
}

fn search(
    lab: &mut Lab<'_>,
    criterion: &Criterion,
    from: &EditSet,
    search: &Search,
) -> Result<EditSet, Stop> {
    let unit = lab.unit;
    let doomed = Doomed::new(unit, lab.bench.frontend, lab.oracle, criterion);
    let items: Vec<StmtId> = domain(unit, &from.kept, false);
    let with_only = |kept: &[StmtId]| {
        let mut edits = from.clone();
        for &id in &items {
            edits.kept.remove(id);
        }
        for &id in kept {
            edits.keep(unit, id);
        }
        edits
    };
    let mut test = |kept: &[StmtId]| -> Result<bool, Stop> {
        let edits = with_only(kept);
        let holds = !doomed.is(&edits.kept) && lab.holds(&edits)?;
        if holds {
            lab.accept(&edits);
        }
        Ok(holds)
    };
    let kept = match search {
        Search::Ddmin => ddmin(&items, &mut test)?,
        Search::Probdd => probdd(&items, &mut test)?,
        Search::Wdd => wdd(&items, |&id| weight(unit, id), &mut test)?,
    };
    Ok(with_only(&kept))
}

fn plain(edits: EditSet) -> Found {
    Found {
        edits,
        level: None,
        slice: None,
        rules: Rules::default(),
        dropped: Vec::new(),
        suspects: Vec::new(),
    }
}
