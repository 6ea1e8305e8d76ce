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

use crate::lab::Stop;
use crate::search::Search;
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
pub fn tree(search: &mut Search<'_>, plan: Plan, unused: Unused) -> Result<(), Stop> {
    search.start_from_original();
    match plan {
        Plan::Lists(how) => {
            let step =
                |search: &mut Search<'_>| lists(search, how, None, Reach::Everything, &mut Memo::default());
            while changes(search, step)? {}
            Ok(())
        }
        Plan::All => all(search, &Names::new(search.unit, unused)),
    }
}

fn all(search: &mut Search<'_>, names: &Names) -> Result<(), Stop> {
    comments(search)?;
    let mut memo = Memo::default();
    loop {
        while changes(search, |search| {
            while changes(search, |search| statements(search, names, &mut memo))? {}
            lists(search, Lists::Strides, Some(names), Reach::Everything, &mut memo)?;
            names.sweep(search)?;
            hoist(search, Some(names), &mut memo)?;
            keywords(search, &mut memo)
        })? {}
        if !changes(search, once_more)? {
            return Ok(());
        }
    }
}

/// Tries every node on its own, whatever became of it before.
fn once_more(search: &mut Search<'_>) -> Result<(), Stop> {
    lists(search, Lists::Singles, None, Reach::Everything, &mut Memo::default())?;
    hoist(search, None, &mut Memo::default())?;
    keywords(search, &mut Memo::default())
}

fn statements(search: &mut Search<'_>, names: &Names, memo: &mut Memo) -> Result<(), Stop> {
    lists(search, Lists::Strides, Some(names), Reach::Statements, memo)?;
    names.sweep(search)?;
    blocks(search, names, memo)
}

/// Whether a step made the draft smaller.
fn changes(
    search: &mut Search<'_>,
    step: impl FnOnce(&mut Search<'_>) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let before = search.current().clone();
    step(search)?;
    Ok(*search.current() != before)
}

/// Whether the draft is another than the current one, and taken.
fn take(search: &mut Search<'_>, draft: &EditSet) -> Result<bool, Stop> {
    Ok(draft != search.current() && search.take(draft)?)
}
