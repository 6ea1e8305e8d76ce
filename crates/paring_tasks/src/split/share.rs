//! Statements that several scenarios have and some may do without.
//!
//! ```python
//! box.write("tea", "two cups")
//! assert box.read("tea") == "two cups"
//! assert box.read("jam") == ""          # `write` changed the box; the missing jam has no need of it
//! ```
//!
//! A call that only changes an object, stands in another scenario too, and speaks of nothing that this one speaks of is left
//! out first. The run tells whether that was right.

use super::check::Check;
use super::depth::{Depth, Sources};
use super::scenario::Scenario;
use paring_engine::ops::{calls, defines};
use paring_model::{CallResult, RoutineKind, StmtId, StmtKind, StmtSet};

/// What a scenario needs at least: of its checks, and of calls that were put to it.
pub fn least(sources: &Sources<'_>, checks: &[Check], all: &[Scenario], idx: usize) -> StmtSet {
    let scenario = &all[idx];
    if scenario.depth > Depth::Likely {
        return fully(sources, scenario);
    }
    let is_elsewhere = |id: &StmtId| {
        let has = |scenario: &Scenario| scenario.stmts.contains(*id) || scenario.calls.contains(id);
        all.iter().enumerate().any(|(other, scenario)| other != idx && has(scenario))
    };
    let may_go: StmtSet = sources
        .unit
        .test_body()
        .into_iter()
        .filter(|&id| only_changes(sources, id))
        .filter(is_elsewhere)
        .filter(|id| !scenario.calls.contains(id))
        .collect();
    let of_checks = scenario.checks.iter().flat_map(|&check| checks[check].whole.iter());
    let start: StmtSet = of_checks.chain(scenario.calls.iter().copied()).collect();
    sources.slice(&start, Depth::Least, &may_go)
}

/// Whether a statement is there for what it changes, and gives nothing a value.
fn only_changes(sources: &Sources<'_>, id: StmtId) -> bool {
    let unit = sources.unit;
    let stmt = unit.stmt(id);
    unit.routine(stmt.routine).kind == RoutineKind::Test
        && stmt.kind == StmtKind::Simple
        && defines(unit, id).is_empty()
        && calls(unit, id).any(|call| call.result == CallResult::Dropped)
}

/// All that a scenario may need, within its depth.
pub fn fully(sources: &Sources<'_>, scenario: &Scenario) -> StmtSet {
    let calls: StmtSet = scenario.calls.iter().copied().collect();
    let mut stmts = sources.slice(&calls, scenario.depth, &StmtSet::default());
    stmts.union_with(&scenario.stmts);
    stmts
}
