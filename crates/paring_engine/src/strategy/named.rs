//! The strategies of the literature, each as its paper has it and without the slippage rules.

use crate::domain::domain;
use crate::drafts::draft;
use crate::lab::Stop;
use crate::ops::weight;
use crate::passes::levels::first_that_holds;
use crate::search::Search;
use crate::strategy::{Level, Strategy, ddmin::ddmin, probdd::probdd, unresolved::Unresolved, wdd::wdd};
use paring_graph::{dependence, slice};
use paring_model::{Facts, StmtId};

/// Runs one named strategy on a unit whose original failed as the lab's oracle says.
pub fn named(search: &mut Search<'_>, strategy: Strategy) -> Result<(), Stop> {
    search.start_from_original();
    match strategy {
        Strategy::Ssmin => ssmin(search),
        Strategy::Sdmin => {
            ssmin(search)?;
            experiment(search, Experiment::Ddmin)
        }
        Strategy::Ddmin => experiment(search, Experiment::Ddmin),
        Strategy::Probdd => experiment(search, Experiment::Probdd),
        Strategy::Wdd => experiment(search, Experiment::Wdd),
        Strategy::Fit | Strategy::Auto => fit(search),
    }
}

/// The static slice: every call writes its target and none of its arguments. Back to the original where it does not hold.
fn ssmin(search: &mut Search<'_>) -> Result<(), Stop> {
    let unit = search.unit;
    let dependence = dependence(unit, &Facts::default(), paring_graph::Level::Leitner);
    let slice = slice(unit, &dependence, &search.criterion.stmts);
    let edits = draft(unit, &search.criterion, &slice.kept);
    let level = if search.take(&edits)? { None } else { Some(Level::None) };
    search.note_slice(level, Some(slice));
    Ok(())
}

/// Aggressive, then conservative, then no slicing.
fn fit(search: &mut Search<'_>) -> Result<(), Stop> {
    let facts = search.facts.without_effects();
    match first_that_holds(search, &facts, &[Level::Zero, Level::One])? {
        Some(held) => search.note_slice(Some(held.level), Some(held.slice)),
        None => search.note_slice(Some(Level::None), None),
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Experiment {
    Ddmin,
    Probdd,
    Wdd,
}

fn experiment(search: &mut Search<'_>, how: Experiment) -> Result<(), Stop> {
    let unit = search.unit;
    let bench = search.lab.bench;
    let unresolved = Unresolved::new(unit, bench.frontend, search.lab.oracle, &search.criterion);
    let from = search.current().clone();
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
        if unresolved.is(&edits.kept) {
            return Ok(false);
        }
        match single(
            items.iter().filter(|id| search.current().kept.contains(**id) && !edits.kept.contains(**id)),
        ) {
            Some(&id) => search.take_without(id, &edits),
            None => search.take(&edits),
        }
    };
    match how {
        Experiment::Ddmin => ddmin(&items, &mut test)?,
        Experiment::Probdd => probdd(&items, &mut test)?,
        Experiment::Wdd => wdd(&items, |&id| weight(unit, id), &mut test)?,
    };
    Ok(())
}

/// The item of a list that has only one.
fn single<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next();
    first.filter(|_| items.next().is_none())
}
