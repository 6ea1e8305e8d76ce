//! New tests that take too long together: what they begin with runs once for each of them.
//!
//! ```text
//! server = start()                      start, get one, start, get two, start, stop: three times the price of starting.
//! assert server.get("one") == 1         The two that share most become one test again, until the price is right.
//! assert server.get("two") == 2
//! ```

use super::Named;
use super::check::Check;
use paring_model::{StmtId, StmtSet};

/// A check of each of the two tests that have most statements in common, the first of several. `None` where one test would be left.
pub fn closest(checks: &[Check], named: &[Named]) -> Option<(StmtId, StmtId)> {
    if named.len() < 3 {
        return None;
    }
    let check =
        |it: &Named| it.settled.checks.iter().find_map(|&idx| checks.get(idx)).map(|check| check.stmt);
    let mergeable = named.iter().filter(|it| it.settled.table.is_none());
    let all: Vec<(StmtId, &StmtSet)> =
        mergeable.filter_map(|it| Some((check(it)?, &it.settled.stmts))).collect();
    let mut best: Option<(usize, (StmtId, StmtId))> = None;
    for (idx, (one, stmts)) in all.iter().enumerate() {
        for (two, others) in &all[idx + 1..] {
            let n_shared = stmts.iter().filter(|&id| others.contains(id)).count();
            if best.is_none_or(|(most, _)| n_shared > most) {
                best = Some((n_shared, (*one, *two)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}
