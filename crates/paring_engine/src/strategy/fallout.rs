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

use crate::lab::{Lab, Stop};
use crate::oracle::stmt_of;
use crate::rules::{Rules, domain};
use crate::strategy::experiment::{Users, removal_order, without};
use paring_model::{Difference, EditSet, Position, StmtId, Unit, Verdict};

/// How many others a removal may take along.
const MAX_STEPS: usize = 4;
/// So many runs in a row that come to nothing are enough: most tests have nothing of the kind.
const PATIENCE: usize = 5;

pub fn fallout(lab: &mut Lab<'_>, current: &mut EditSet, rules: &Rules, users: &Users) -> Result<(), Stop> {
    if !rules.has_good {
        return Ok(());
    }
    let unit = lab.unit;
    let domain = domain(unit, &current.kept, rules.has_good);
    let mut patience = PATIENCE;
    for id in removal_order(unit, &domain) {
        if !current.kept.contains(id) {
            continue;
        }
        let Some(mut edits) = without(unit, current, rules, users, id) else { continue };
        for step in 0..=MAX_STEPS {
            // The first verdict is known.
            if step > 0 && patience == 0 {
                return Ok(());
            }
            patience = patience.saturating_sub(usize::from(step > 0));
            let verdict = lab.judge(&edits)?;
            if verdict.is_same() {
                lab.accept(&edits);
                *current = edits;
                patience = PATIENCE;
                break;
            }
            let failed =
                failed_at(unit, &verdict).filter(|at| domain.contains(at) && edits.kept.contains(*at));
            match failed.and_then(|at| without(unit, &edits, rules, users, at)) {
                Some(smaller) => edits = smaller,
                None => break,
            }
        }
    }
    Ok(())
}

/// The statement at which a draft failed otherwise than the original.
fn failed_at(unit: &Unit, verdict: &Verdict) -> Option<StmtId> {
    let line = match verdict {
        Verdict::Other(Difference::Statement { line } | Difference::Type { line, .. }) => (*line)?,
        Verdict::Same | Verdict::Slipped | Verdict::Broken { .. } | Verdict::Other(_) => return None,
    };
    stmt_of(unit, Position { line, column: None })
}
