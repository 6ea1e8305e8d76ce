//! What to do where new tests lose something that only a run tells: a slice was too small.
//!
//! ```text
//! box.add("tea")
//! box.add("jam")                 no test fails any more if `sort` is broken: the scenario of this check
//! assert box.first() == "jam"    gets more of what ran before it
//! ```

use super::Named;
use super::check::Check;
use super::depth::Depth;
use super::settle::more;
use paring_engine::Loss;
use paring_model::{StmtId, Unit};
use std::collections::BTreeMap;

/// Has checks start deeper: those of the scenarios that have the statement where the original noticed the fault, or all of them.
/// False where there is no more to give.
pub fn deepen(
    unit: &Unit,
    checks: &[Check],
    named: &[Named],
    loss: &Loss,
    deeper: &mut BTreeMap<StmtId, Depth>,
) -> bool {
    let concerned: Vec<usize> = match loss {
        Loss::Fault { failed_at: Some(line), .. } => about(unit, named, *line),
        Loss::Fault { failed_at: None, .. } | Loss::Lines(_) => all(named),
        Loss::Missing { .. } | Loss::Repeated { .. } | Loss::Call { .. } => Vec::new(),
    };
    let mut has_more = false;
    for check in concerned.iter().filter_map(|&idx| checks.get(idx)) {
        let depth = deeper.entry(check.stmt).or_default();
        if let Some(next) = more(*depth) {
            *depth = next;
            has_more = true;
        }
    }
    has_more
}

fn all(named: &[Named]) -> Vec<usize> {
    named.iter().flat_map(|it| it.settled.checks.iter().copied()).collect()
}

/// The checks of the tests that have a statement on this line of the original.
fn about(unit: &Unit, named: &[Named], line: u32) -> Vec<usize> {
    let begins = |id: StmtId| unit.line_of(unit.stmt(id).range.start);
    let ends = |id: StmtId| unit.line_of(unit.stmt(id).range.end.saturating_sub(1));
    let is_there = |id: StmtId| (begins(id)..=ends(id)).contains(&line);
    let has = |it: &&Named| it.settled.stmts.iter().any(is_there);
    let found: Vec<usize> = named.iter().filter(has).flat_map(|it| it.settled.checks.clone()).collect();
    if found.is_empty() { all(named) } else { found }
}
