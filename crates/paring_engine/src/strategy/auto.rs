//! The default: levels first, then experiments under the rules, and the calls without effect named on the way.

use crate::criterion::Criterion;
use crate::lab::{Lab, Stop};
use crate::ops::calls;
use crate::rules::rules;
use crate::strategy::before::pare_before;
use crate::strategy::experiment::{Users, experiment, without};
use crate::strategy::leveled::leveled;
use crate::strategy::untouched::was_to_change;
use crate::strategy::{Found, Idle, Level};
use paring_model::{CallResult, EditSet, Facts, FailureKind, StmtId, Unit, Verdict};

pub fn auto(lab: &mut Lab<'_>, facts: &Facts, criterion: &Criterion) -> Result<Option<Found>, Stop> {
    let idle = idle(lab, facts, criterion);
    let criterion = &with(criterion, &idle);
    let first = if facts.observed { Level::Observed } else { Level::Zero };
    let Some(held) = leveled(lab, facts, criterion, &[first, Level::One, Level::None])? else {
        return Ok(None);
    };
    let has_good = lab.bench.use_good;
    let failure = lab.oracle.failure().cloned();
    let rules = rules(lab.unit, facts, criterion, failure.as_ref(), &held.slice, has_good);
    let edits = experiment(lab, facts, held.edits.clone(), &rules, &held.dependence)?;
    let edits = pare_before(lab, edits)?;
    let users = Users::new(lab.unit, &held.dependence);
    let suspects = suspects(lab, facts, criterion, &idle, &edits, &users)?;
    let dropped =
        held.edits.kept.iter().filter(|&id| !edits.kept.contains(id) && rules.watched.contains(id)).collect();
    Ok(Some(Found { edits, level: Some(held.level), slice: Some(held.slice), rules, dropped, suspects }))
}

/// Calls that may have failed to change what a failed assertion looks at.
fn idle(lab: &Lab<'_>, facts: &Facts, criterion: &Criterion) -> Vec<StmtId> {
    let is_assertion = lab.oracle.failure().is_some_and(|failure| failure.kind == FailureKind::Assertion);
    let failing = criterion.failing.filter(|_| is_assertion);
    failing.map(|failing| was_to_change(lab.unit, facts, failing)).unwrap_or_default()
}

/// The criterion, and more statements to slice from.
fn with(criterion: &Criterion, more: &[StmtId]) -> Criterion {
    let mut criterion = criterion.clone();
    criterion.stmts.extend(more);
    criterion
}

/// Calls made for their effect that the traced run saw change nothing, and without which the failure stays: one run each.
fn suspects(
    lab: &mut Lab<'_>,
    facts: &Facts,
    criterion: &Criterion,
    idle: &[StmtId],
    edits: &EditSet,
    users: &Users,
) -> Result<Vec<Idle>, Stop> {
    if !facts.observed {
        return Ok(Vec::new());
    }
    let unit = lab.unit;
    let free = crate::rules::Rules::default();
    let candidates: Vec<StmtId> = edits
        .kept
        .iter()
        .filter(|id| idle.contains(id) || !criterion.stmts.contains(id) && seems_idle(unit, facts, *id))
        .collect();
    let mut found = Vec::new();
    for id in candidates {
        let Some(without) = without(unit, edits, &free, users, id) else { continue };
        if matches!(lab.judge(&without)?, Verdict::Same | Verdict::Slipped) {
            found.push(Idle { stmt: id, without });
        }
    }
    Ok(found)
}

fn seems_idle(unit: &Unit, facts: &Facts, id: StmtId) -> bool {
    let dropped = calls(unit, id).find(|call| call.result == CallResult::Dropped);
    let Some(call) = dropped else { return false };
    facts.hits.contains_key(&id)
        && facts.changed.get(&id).is_none_or(std::collections::BTreeSet::is_empty)
        && !facts.resources.changes(id)
        && call.receiver.is_some_and(|place| !facts.opaque.contains(&place))
}
