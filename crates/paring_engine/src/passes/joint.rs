//! Removals that hold only together: a statement, and those that fail once it is gone.
//!
//! ```python
//! send.side_effect = [None, OSError()]    # without it the block below does not raise …
//! with pytest.raises(OSError):            # … and without the block it was not needed
//!     notify("ann")
//! ```
//!
//! Neither goes alone. The run without the one says where it fails: that statement is taken along, and so on for a few steps. Only
//! with a good version: without one, a check that fails is a reason to keep what it checks.

use crate::domain::{domain, removal_order};
use crate::lab::Stop;
use crate::oracle::stmt_of;
use crate::search::{Graph, Search};
use crate::users::without;
use paring_model::{Difference, EditSet, Position, StmtId, StmtSet, Unit, Verdict};

/// How many others a removal may take along.
const MAX_STEPS: usize = 4;
/// So many runs in a row that come to nothing are enough: most tests have nothing of the kind.
const PATIENCE: usize = 5;

pub fn joint(search: &mut Search<'_>) -> Result<(), Stop> {
    if !search.rules.has_good {
        return Ok(());
    }
    let (unit, graph) = (search.unit, search.graph());
    let domain = domain(unit, &search.current().kept, search.rules.has_good);
    let order = removal_order(unit, &domain);
    let domain: StmtSet = domain.into_iter().collect();
    let mut patience = PATIENCE;
    for id in order {
        if !search.current().kept.contains(id) {
            continue;
        }
        let draft = without(unit, search.current(), &search.rules, &graph.users, id);
        let Some(draft) = draft else { continue };
        if take_along(search, &graph, &domain, draft, &mut patience)? {
            patience = PATIENCE;
        }
        if patience == 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// Takes along what fails, until the draft holds or it has been enough.
fn take_along(
    search: &mut Search<'_>,
    graph: &Graph,
    domain: &StmtSet,
    mut draft: EditSet,
    patience: &mut usize,
) -> Result<bool, Stop> {
    for step in 0..=MAX_STEPS {
        // The first verdict is known.
        if step > 0 && *patience == 0 {
            return Ok(false);
        }
        *patience = patience.saturating_sub(usize::from(step > 0));
        if search.take(&draft)? {
            return Ok(true);
        }
        let verdict = search.judge(&draft)?;
        let failed = failed_at(search.unit, &verdict);
        let failed = failed.filter(|&at| domain.contains(at) && draft.kept.contains(at));
        match failed.and_then(|at| without(search.unit, &draft, &search.rules, &graph.users, at)) {
            Some(smaller) => draft = smaller,
            None => return Ok(false),
        }
    }
    Ok(false)
}

/// The statement at which a draft failed otherwise than the original.
fn failed_at(unit: &Unit, verdict: &Verdict) -> Option<StmtId> {
    let line = match verdict {
        Verdict::Other(Difference::Statement { line } | Difference::Type { line, .. }) => (*line)?,
        Verdict::Same | Verdict::Slipped | Verdict::Broken { .. } | Verdict::Other(_) => return None,
    };
    stmt_of(unit, Position { line, column: None })
}
