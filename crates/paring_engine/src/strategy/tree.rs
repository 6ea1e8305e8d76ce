//! The search on a syntax tree, where nothing is known of a program but its syntax and its names.
//!
//! Any node may go that the syntax does not ask for, and any node may give way to a part of it. The heaviest nodes come
//! first, as in hierarchical delta debugging (Misherghi and Su, 2006) and Perses (Sun et al., 2018), and the siblings below
//! one node are one list for ddmin or `ProbDD`. Drafts whose syntax is wrong cost no run. What is said of names
//! ([`names`]) only proposes: which nodes go together. The rounds go on until one changes nothing, and the last of them tries
//! every node alone.
//!
//! ```text
//! function area(w, h) {          area and its call go together
//!     log(w);
//!     return w * h;              w * h may give way to w
//! }
//! if (ready) { area(2, 3); }     the block may give way to what is in it
//! ```

pub mod hoist;
pub mod list;
pub mod names;
pub mod parts;

use crate::lab::{Lab, Stop};
use crate::rules::Rules;
use crate::strategy::Found;
use hoist::hoist;
use list::{Lists, alone, comments, keywords, lists};
use names::Names;
use paring_model::{EditSet, Unused};

/// Which of its means the search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub lists: Lists,
    pub means: Means,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Lists alone, as the papers have it.
    Lists,
    /// Names that go together, nodes that give way to their parts, keywords that may go.
    All,
}

/// Searches until nothing more can go.
pub fn tree(lab: &mut Lab<'_>, plan: Plan, unused: Unused) -> Result<Found, Stop> {
    let mut current = EditSet::all(lab.unit);
    lab.accept(&current);
    match plan.means {
        Means::Lists => {
            while round(lab, &mut current, |lab, current| lists(lab, current, plan.lists, None))? {}
        }
        Means::All => {
            let names = Names::new(lab.unit, unused);
            comments(lab, &mut current)?;
            loop {
                while round(lab, &mut current, |lab, current| reduce(lab, current, plan.lists, &names))? {}
                if !round(lab, &mut current, alone)? {
                    break;
                }
            }
        }
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

fn reduce(lab: &mut Lab<'_>, current: &mut EditSet, how: Lists, names: &Names) -> Result<(), Stop> {
    lists(lab, current, how, Some(names))?;
    names.sweep(lab, current)?;
    hoist(lab, current, names)?;
    keywords(lab, current)
}

/// Whether a step made the draft smaller.
fn round(
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
