//! The default search, as a list of passes over one [`Search`].
//!
//! A pass tries drafts that are smaller in its own way, and takes those that hold and are better in the one order. It works
//! on the current draft under the current rules, and leaves both in the search, so that it can be stopped after any run.

mod carried;
mod caution;
mod joint;
pub mod levels;
pub mod literals;
mod never_ran;
mod predecessors;
mod prevented;
mod remove;
mod suspects;
mod top_level;
mod trim;
pub mod unread;
mod unwrap;

use crate::lab::Stop;
use crate::search::Search;

pub type Pass = fn(&mut Search<'_>) -> Result<(), Stop>;

/// When a pass runs.
pub enum Step {
    Once(Pass),
    /// Runs these in turn until none of them changes anything, then the last; and all of them again if that changed something.
    UntilStable(&'static [Pass], Pass),
}

/// The default search.
pub const AUTO: &[Step] = &[
    Step::Once(levels::levels),
    Step::Once(never_ran::never_ran),
    Step::Once(prevented::prevented),
    Step::UntilStable(&[remove::remove, unwrap::unwrap, trim::trim, unread::unread], joint::joint),
    Step::Once(top_level::top_level),
    Step::Once(predecessors::predecessors),
    Step::Once(suspects::suspects),
    Step::Once(caution::caution),
];

/// Runs the default search. Where not even the whole file fails again, there is nothing to experiment on.
pub fn auto(search: &mut Search<'_>) -> Result<(), Stop> {
    for step in AUTO {
        match step {
            Step::Once(pass) => pass(search)?,
            Step::UntilStable(passes, last) => while round(search, passes)? || round(search, &[*last])? {},
        }
        if !search.has_result() {
            return Ok(());
        }
    }
    Ok(())
}

/// Whether the passes changed the draft.
fn round(search: &mut Search<'_>, passes: &[Pass]) -> Result<bool, Stop> {
    let before = search.current().clone();
    for pass in passes {
        pass(search)?;
    }
    Ok(*search.current() != before)
}
