//! What a run on a good version would settle, where none is at hand.

use super::report::{header_text, line};
use super::subject::Subject;
use crate::outcome::Doubt;
use paring_engine::SearchResult;
use paring_engine::ops::{calls, is_for_effect, may_act_on, uses};
use paring_model::{FailureKind, PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, Unit};
use std::collections::BTreeSet;

pub fn doubts(
    unit: &Unit,
    subject: &Subject,
    result: &SearchResult,
    failing: Option<StmtId>,
    n_literals: usize,
) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = Vec::new();
    if subject.flaky {
        doubts.push(Doubt { line: None, reason: "the original does not always fail in this way".to_owned() });
    }
    for &id in &result.dropped {
        if has_effect(unit, subject, id) {
            let text = header_text(unit, id);
            doubts.push(Doubt {
                line: Some(line(unit, id)),
                reason: format!(
                    "removed by experiment: `{}` acts on an object that the failing call uses, and the same failure without it might have another cause",
                    first_line(&text)
                ),
            });
        }
    }
    let kind = subject.oracle.failure().map(|failure| failure.kind);
    if kind != Some(FailureKind::Exception) {
        doubts.extend(unseen(unit, subject, result));
    }
    if let Some(failing) = failing.filter(|_| kind == Some(FailureKind::Assertion)) {
        doubts.extend(asked_to_act(unit, subject, result, failing));
    }
    doubts.extend(failing.into_iter().flat_map(|failing| more_rounds(unit, result, failing)));
    if kind == Some(FailureKind::Hang) {
        doubts.push(Doubt {
            line: None,
            reason: "a test that hangs was not checked on a version that passes (--good): the pared test may hang on correct code too"
                .to_owned(),
        });
    }
    if n_literals > 0 {
        doubts.push(Doubt {
            line: None,
            reason: "the smaller literals were not checked on a version that passes (--good): correct code may fail with them too"
                .to_owned(),
        });
    }
    doubts
}

/// Removed calls that by their name may have been to change the object that the failed assertion looks at, and gave a value.
///
/// ```java
/// boolean cancelled = list.cancel("ann");   // took nobody off the list
/// assertEquals(0, list.size());
/// ```
fn asked_to_act(unit: &Unit, subject: &Subject, result: &SearchResult, failing: StmtId) -> Vec<Doubt> {
    let facts = &subject.facts;
    let mut places = uses(unit, failing);
    places
        .retain(|&place| unit.place(place).scope != PlaceScope::Global && !facts.immutable.contains(&place));
    let acts_on = |id: StmtId, place: PlaceId| calls(unit, id).any(|call| may_act_on(unit, call, place));
    let is_out =
        |id: &StmtId| *id < failing && !result.edits.kept.contains(*id) && facts.hits.contains_key(id);
    unit.ids()
        .filter(is_out)
        .filter_map(|id| {
            let place = places.iter().copied().find(|&place| acts_on(id, place))?;
            Some(Doubt {
                line: Some(line(unit, id)),
                reason: format!(
                    "removed: if `{}` was to change `{}`, the pared test fails on correct code too",
                    first_line(&header_text(unit, id)),
                    unit.place(place).name
                ),
            })
        })
        .collect()
}

/// Removed jumps out of rounds of the loop that fails: where the fault is mended the loop goes on, into rounds that they were to
/// end.
fn more_rounds(unit: &Unit, result: &SearchResult, failing: StmtId) -> Vec<Doubt> {
    let kept = &result.edits.kept;
    let is_loop = |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Loop { .. }) && kept.contains(*id);
    let loops: Vec<StmtId> = unit.ancestors(failing).filter(is_loop).collect();
    let is_jump = |id: StmtId| {
        matches!(unit.stmt(id).kind, StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Return)
    };
    unit.ids()
        .filter(|&id| is_jump(id) && !kept.contains(id) && unit.ancestors(id).any(|up| loops.contains(&up)))
        .map(|id| Doubt {
            line: Some(line(unit, id)),
            reason: format!(
                "removed: `{}` kept the loop from what correct code may come to after the failing round",
                first_line(&header_text(unit, id))
            ),
        })
        .collect()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn has_effect(unit: &Unit, subject: &Subject, id: StmtId) -> bool {
    (is_for_effect(unit, id) || subject.facts.changed.contains_key(&id))
        && unit.stmt(id).kind != StmtKind::Assert
}

/// Removed calls on objects that could not be looked into and that the kept statements use.
fn unseen(unit: &Unit, subject: &Subject, result: &SearchResult) -> Vec<Doubt> {
    let facts = &subject.facts;
    let used: BTreeSet<PlaceId> = result
        .edits
        .kept
        .iter()
        .filter(|&id| unit.routine(unit.stmt(id).routine).kind != RoutineKind::Module)
        .flat_map(|id| uses(unit, id))
        .filter(|place| facts.opaque.contains(place))
        .collect();
    let acts_on = |id: StmtId| {
        calls(unit, id).find_map(|call| {
            call.receiver.iter().chain(&call.args).find(|place| used.contains(place)).copied()
        })
    };
    facts
        .order
        .iter()
        .filter(|id| !result.edits.kept.contains(**id) && unit.stmt(**id).kind != StmtKind::Assert)
        .filter_map(|&id| {
            let place = acts_on(id)?;
            Some(Doubt {
                line: Some(line(unit, id)),
                reason: format!(
                    "removed: what `{}` does to `{}` could not be observed",
                    first_line(&header_text(unit, id)),
                    unit.place(place).name
                ),
            })
        })
        .collect()
}
