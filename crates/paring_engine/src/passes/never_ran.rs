//! All that never ran goes at once: branches not taken, helpers not called. One run, where each would ask for its own.
//!
//! ```text
//! if ready:       ran
//!   go()          ran
//! else:           goes, with all that is in it
//!   wait()
//! ```

use crate::domain::{domain, ids_below, removal_order};
use crate::lab::Stop;
use crate::search::Search;
use crate::users::without;

pub fn never_ran(search: &mut Search<'_>) -> Result<(), Stop> {
    if !search.facts.observed {
        return Ok(());
    }
    let (unit, facts, graph) = (search.unit, search.facts, search.graph());
    let mut draft = search.current().clone();
    for id in removal_order(unit, &domain(unit, &draft.kept, search.rules.has_good)) {
        let ran = ids_below(unit, id).any(|below| facts.hits.contains_key(&below));
        if !ran && draft.kept.contains(id) {
            draft = without(unit, &draft, &search.rules, &graph.users, id).unwrap_or(draft);
        }
    }
    if draft != *search.current() {
        search.take(&draft)?;
    }
    Ok(())
}
