//! The default: levels first, then experiments under the rules, and the calls without effect named on the way.

use crate::criterion::Criterion;
use crate::lab::{Lab, Stop};
use crate::rules::rules;
use crate::strategy::before::pare_before;
use crate::strategy::experiment::{Users, experiment, without};
use crate::strategy::leveled::leveled;
use crate::strategy::{Found, Level};
use paring_model::{CallResult, EditSet, Facts, Op, StmtId, Unit, Verdict};

pub fn auto(lab: &mut Lab<'_>, facts: &Facts, criterion: &Criterion) -> Result<Option<Found>, Stop> {
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
    let suspects = suspects(lab, facts, criterion, &edits, &users)?;
    let dropped =
        held.edits.kept.iter().filter(|&id| !edits.kept.contains(id) && rules.watched.contains(id)).collect();
    Ok(Some(Found { edits, level: Some(held.level), slice: Some(held.slice), rules, dropped, suspects }))
}

/// Calls made for their effect that the traced run saw change nothing, and without which the failure stays: one run each.
fn suspects(
    lab: &mut Lab<'_>,
    facts: &Facts,
    criterion: &Criterion,
    edits: &EditSet,
    users: &Users,
) -> Result<Vec<StmtId>, Stop> {
    if !facts.observed {
        return Ok(Vec::new());
    }
    let unit = lab.unit;
    let free = crate::rules::Rules::default();
    let candidates: Vec<StmtId> = edits
        .kept
        .iter()
        .filter(|id| {
            criterion.idle.contains(id) || !criterion.stmts.contains(id) && seems_idle(unit, facts, *id)
        })
        .collect();
    let mut found = Vec::new();
    for id in candidates {
        let Some(smaller) = without(unit, edits, &free, users, id) else { continue };
        if matches!(lab.judge(&smaller)?, Verdict::Same | Verdict::Slipped) {
            found.push(id);
        }
    }
    Ok(found)
}

fn seems_idle(unit: &Unit, facts: &Facts, id: StmtId) -> bool {
    let stmt = unit.stmt(id);
    let dropped = stmt.ops.iter().find_map(|op| match op {
        Op::Call(call) if call.result == CallResult::Dropped => Some(call),
        Op::Call(_) | Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) => None,
    });
    let Some(call) = dropped else { return false };
    facts.hits.contains_key(&id)
        && facts.changed.get(&id).is_none_or(std::collections::BTreeSet::is_empty)
        && !facts.hidden.contains(&id)
        && call.receiver.is_some_and(|place| !facts.opaque.contains(&place))
}
