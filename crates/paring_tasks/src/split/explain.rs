//! Why each statement stands in its new test.

use super::check::{Check, CheckKind};
use super::depth::Sources;
use super::settle::Settled;
use crate::minimize::Hints;
use crate::outcome::{Reason, ReasonKind};
use crate::wording::Wording;
use paring_model::{StmtId, StmtKind};

/// The reasons of a statement: what it checks, and what of the same test depends on it.
pub fn reasons(
    sources: &Sources<'_>,
    hints: &Hints,
    checks: &[Check],
    settled: &Settled,
    id: StmtId,
) -> Vec<Reason> {
    let unit = sources.unit;
    let wording = Wording { unit, facts: sources.facts, hints };
    let reason = |kind, line, text: &str| Reason { kind, line, text: text.to_owned(), checked: false };
    let mut reasons = Vec::new();
    let own = checks.iter().find(|check| check.stmt == id && check.kind == CheckKind::Assertion);
    if own.is_some() {
        reasons.push(reason(ReasonKind::Check, None, "this is what the test checks"));
    }
    for from in settled.stmts.iter().filter(|&from| from != id) {
        for edge in sources.dependence.edges(from).iter().filter(|edge| edge.on == id) {
            let (kind, text) = wording.why(id, from, edge.reason);
            reasons.push(reason(kind, Some(unit.line_of(unit.stmt(from).range.start)), &text));
        }
    }
    let is_clause = matches!(unit.stmt(id).kind, StmtKind::Finally | StmtKind::Handler);
    if reasons.is_empty() && is_clause {
        reasons.push(reason(ReasonKind::Resource, None, "runs at the end of the block"));
    }
    if reasons.is_empty() {
        let text = "nothing is asserted of it: that it raises nothing is checked here";
        reasons.push(reason(ReasonKind::Call, None, text));
    }
    reasons.sort();
    reasons.dedup();
    reasons
}
