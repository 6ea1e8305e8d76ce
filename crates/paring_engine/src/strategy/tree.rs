//! The search on a syntax tree, where nothing is known of a program but its syntax and its names.
//!
//! Any node may go that the syntax does not ask for, and any node may give way to a part of it. The heaviest nodes come
//! first, as in hierarchical delta debugging (Misherghi and Su, 2006) and Perses (Sun et al., 2018), and the siblings below
//! one node are one list. Drafts whose syntax is wrong cost no run. What is said of names ([`names`]) only proposes which
//! nodes go together.
//!
//! ```text
//! function area(w, h) {          area and its call go together
//!     log(w);
//!     return w * h;              w * h may give way to w
//! }
//! if (ready) { area(2, 3); }     the block may give way to what is in it
//! ```
//!
//! Statements come first, until none of them can go: no run is spent on the inside of one that goes later. What failed once is
//! not tried again before something about it has changed ([`memo`]). When nothing is left to try, every node is tried once
//! more, alone, so that the result is 1-minimal.

pub mod hoist;
pub mod list;
pub mod memo;
pub mod names;
pub mod parts;

use crate::lab::{Lab, Stop};
use crate::rules::Rules;
use crate::strategy::Found;
use hoist::{blocks, hoist};
use list::{Lists, comments, keywords, lists};
use memo::Memo;
use names::Names;
use paring_model::{EditSet, Unused};

/// Which of its means the search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Lists alone, as the papers have it.
    Lists(Lists),
    /// Lists, names that go together, nodes that give way to their parts, keywords that may go.
    All,
}

/// Which nodes a step looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Statements,
    Everything,
}

/// Searches until nothing more can go.
pub fn tree(lab: &mut Lab<'_>, plan: Plan, unused: Unused) -> Result<Found, Stop> {
    let mut current = EditSet::all(lab.unit);
    lab.accept(&current);
    match plan {
        Plan::Lists(how) => {
            let step = |lab: &mut Lab<'_>, current: &mut EditSet| {
                lists(lab, current, how, None, Reach::Everything, &mut Memo::default())
            };
            while changes(lab, &mut current, step)? {}
        }
        Plan::All => all(lab, &mut current, &Names::new(lab.unit, unused))?,
    }
    Ok(Found {
        edits: current,
        level: None,
        slice: None,
        rules: Rules::default(),
        dropped: Vec::new(),
        suspects: Vec::new(),
    })
}

fn all(lab: &mut Lab<'_>, current: &mut EditSet, names: &Names) -> Result<(), Stop> {
    comments(lab, current)?;
    let mut memo = Memo::default();
    loop {
        while changes(lab, current, |lab, current| {
            while changes(lab, current, |lab, current| statements(lab, current, names, &mut memo))? {}
            lists(lab, current, Lists::Strides, Some(names), Reach::Everything, &mut memo)?;
            names.sweep(lab, current)?;
            hoist(lab, current, Some(names), &mut memo)?;
            keywords(lab, current, &mut memo)
        })? {}
        if !changes(lab, current, once_more)? {
            return Ok(());
        }
    }
}

/// Tries every node on its own, whatever became of it before.
fn once_more(lab: &mut Lab<'_>, current: &mut EditSet) -> Result<(), Stop> {
    lists(lab, current, Lists::Singles, None, Reach::Everything, &mut Memo::default())?;
    hoist(lab, current, None, &mut Memo::default())?;
    keywords(lab, current, &mut Memo::default())
}

fn statements(lab: &mut Lab<'_>, current: &mut EditSet, names: &Names, memo: &mut Memo) -> Result<(), Stop> {
    lists(lab, current, Lists::Strides, Some(names), Reach::Statements, memo)?;
    names.sweep(lab, current)?;
    blocks(lab, current, names, memo)
}

/// Whether a step made the draft smaller.
fn changes(
    lab: &mut Lab<'_>,
    current: &mut EditSet,
    step: impl FnOnce(&mut Lab<'_>, &mut EditSet) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let before = current.clone();
    step(lab, current)?;
    Ok(*current != before)
}

/// Whether the draft holds; if so it is the current one from then on.
fn take(lab: &mut Lab<'_>, current: &mut EditSet, edits: EditSet) -> Result<bool, Stop> {
    if edits == *current || !lab.holds(&edits)? {
        return Ok(false);
    }
    lab.accept(&edits);
    *current = edits;
    Ok(true)
}
