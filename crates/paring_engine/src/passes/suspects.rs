//! Calls without effect are named: they may be what is broken. Nothing is removed.
//!
//! ```text
//! cart.remove(tea)      was to take it out, and was seen to change nothing
//! assert cart.is_empty
//! ```
//!
//! A call is named if it was made for its effect, the traced run saw it change nothing, and the failure is the same without it:
//! one run each.

use crate::lab::Stop;
use crate::ops::is_without_effect;
use crate::passes::levels::was_to_change;
use crate::rules::Rules;
use crate::search::{Search, Suspect};
use crate::users::without;
use paring_model::{StmtId, Verdict};

pub fn suspects(search: &mut Search<'_>) -> Result<(), Stop> {
    if !search.facts.observed {
        return Ok(());
    }
    let (unit, facts, graph) = (search.unit, search.facts, search.graph());
    let untouched = was_to_change(search);
    let is_candidate = |id: &StmtId| {
        untouched.contains(id) || !search.criterion.stmts.contains(id) && is_without_effect(unit, facts, *id)
    };
    let free = Rules::default();
    let candidates: Vec<StmtId> = search.current().kept.iter().filter(is_candidate).collect();
    for id in candidates {
        let Some(draft) = without(unit, search.current(), &free, &graph.users, id) else { continue };
        if matches!(search.judge(&draft)?, Verdict::Same | Verdict::Slipped) {
            search.note_suspect(Suspect { stmt: id, without: draft });
        }
    }
    Ok(())
}
