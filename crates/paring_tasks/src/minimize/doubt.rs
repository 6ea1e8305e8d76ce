//! What a run on a good version would settle, where none is at hand.
//!
//! A doubt is a sentence about this test: what was removed, what would have to be true for the result to be wrong, and which command
//! settles it. What went for the same reason is named in one.

use super::report::{header_text, line};
use super::subject::Subject;
use crate::outcome::Doubt;
use paring_engine::SearchResult;
use paring_engine::ops::{callee_text, calls, is_for_effect, may_act_on, uses};
use paring_model::{Call, FailureKind, PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, Unit};
use std::collections::BTreeSet;

/// Statements that one doubt names at most.
const N_NAMED: usize = 3;

pub fn doubts(
    unit: &Unit,
    subject: &Subject,
    result: &SearchResult,
    failing: Option<StmtId>,
    n_literals: usize,
    is_bold: bool,
) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = Vec::new();
    let about = About { unit, subject, result, failing };
    if subject.flaky {
        doubts.push(Doubt {
            line: None,
            reason: "the original does not always fail in this way: the pared test may have caught another failure; more runs \
                     tell (--baseline 20)"
                .to_owned(),
        });
    }
    let kind = subject.oracle.failure().map(|failure| failure.kind);
    let mut told: Vec<StmtId> = Vec::new();
    if is_bold {
        let is_check = |id: &StmtId| unit.stmt(*id).kind == StmtKind::Assert;
        told.extend(result.dropped.iter().copied().filter(|id| !is_check(id)));
        doubts.extend(about.doubt(&told, |gone, failing| {
            format!("removed {gone}, to be bold: if correct code needs it for {failing} to hold, the pared test fails there too")
        }));
    } else if kind == Some(FailureKind::Exception) {
        told.extend(about.dropped());
        doubts.extend(about.doubt(&told, |gone, failing| {
            format!("removed {gone}: if that was to keep {failing} from failing, correct code fails without it too")
        }));
    } else {
        let mut gone = about.unseen();
        gone.extend(
            failing
                .filter(|_| kind == Some(FailureKind::Assertion))
                .into_iter()
                .flat_map(|id| about.asked_to_act(id)),
        );
        gone.sort();
        gone.dedup();
        doubts.extend(about.doubt(&gone, |gone, failing| {
            format!("removed {gone}: if that was to change what {failing} looks at, the pared test fails on correct code too")
        }));
        told.extend(gone);
    }
    let jumps: Vec<StmtId> =
        failing.into_iter().flat_map(|id| about.more_rounds(id)).filter(|id| !told.contains(id)).collect();
    doubts.extend(about.doubt(&jumps, |gone, _| {
        format!("removed {gone}, which ended rounds of the failing loop: if correct code fails in a later round, the pared test fails there too")
    }));
    if kind == Some(FailureKind::Hang) {
        doubts.push(Doubt {
            line: None,
            reason: format!("the test hangs, and correct code may hang here too; {SETTLES}"),
        });
    }
    if n_literals > 0 {
        doubts.push(Doubt {
            line: None,
            reason: format!(
                "the smaller literals were not checked: correct code may fail with them too; {SETTLES}"
            ),
        });
    }
    doubts
}

/// What settles all doubts about correct code.
const SETTLES: &str = "a version that passes tells (--good REV)";

struct About<'a> {
    unit: &'a Unit,
    subject: &'a Subject,
    result: &'a SearchResult,
    failing: Option<StmtId>,
}

impl About<'_> {
    /// One sentence about all statements that went for the same reason.
    fn doubt(&self, gone: &[StmtId], say: impl FnOnce(&str, &str) -> String) -> Option<Doubt> {
        let first = *gone.first()?;
        let quoted = |id: StmtId| format!("`{}`", first_line(&header_text(self.unit, id)));
        let failing = self.failing.map_or_else(|| "the failing statement".to_owned(), quoted);
        let named: Vec<String> = gone.iter().take(N_NAMED).map(|&id| quoted(id)).collect();
        let more = match gone.len() - named.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let reason = format!("{}; {SETTLES}", say(&format!("{}{more}", named.join(", ")), &failing));
        Some(Doubt { line: Some(line(self.unit, first)), reason })
    }

    /// What experiments removed, as far as it did anything.
    fn dropped(&self) -> Vec<StmtId> {
        let dropped = self.result.dropped.iter().copied();
        dropped.filter(|&id| has_effect(self.unit, self.subject, id)).collect()
    }

    /// Removed calls that by their name may have been to change the object that the failed assertion looks at, and gave a value.
    ///
    /// ```java
    /// boolean cancelled = list.cancel("ann");   // took nobody off the list
    /// assertEquals(0, list.size());
    /// ```
    fn asked_to_act(&self, failing: StmtId) -> Vec<StmtId> {
        let Self { unit, subject, result, .. } = *self;
        let facts = &subject.facts;
        let asked: Vec<&str> = calls(unit, failing).map(|call| callee_text(unit, call)).collect();
        let mut places = uses(unit, failing);
        places.retain(|&place| {
            unit.place(place).scope != PlaceScope::Global && !facts.immutable.contains(&place)
        });
        // In an assertion, what is called with nothing asks; and so does what the failing one asks.
        let asks = |id: StmtId, call: &Call| {
            let callee = callee_text(unit, call);
            asked.contains(&callee) || unit.stmt(id).kind == StmtKind::Assert && takes_nothing(unit, call)
        };
        let acts_on = |id: StmtId, place: PlaceId| {
            calls(unit, id).any(|call| may_act_on(unit, call, place) && !asks(id, call))
        };
        let is_out =
            |id: &StmtId| *id < failing && !result.edits.kept.contains(*id) && facts.hits.contains_key(id);
        let may_act = |id: &StmtId| places.iter().any(|&place| acts_on(*id, place));
        unit.ids().filter(is_out).filter(may_act).collect()
    }

    /// Removed jumps out of rounds of the loop that fails: where the fault is fixed the loop goes on, into rounds that they were to
    /// end.
    fn more_rounds(&self, failing: StmtId) -> Vec<StmtId> {
        let Self { unit, result, .. } = *self;
        let kept = &result.edits.kept;
        let is_loop =
            |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Loop { .. }) && kept.contains(*id);
        let loops: Vec<StmtId> = unit.ancestors(failing).filter(is_loop).collect();
        let is_jump = |id: StmtId| {
            matches!(
                unit.stmt(id).kind,
                StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Return
            )
        };
        let is_around = |id: StmtId| unit.ancestors(id).any(|up| loops.contains(&up));
        unit.ids().filter(|&id| is_jump(id) && !kept.contains(id) && is_around(id)).collect()
    }

    /// Removed calls on objects that could not be looked into and that the kept statements use.
    fn unseen(&self) -> Vec<StmtId> {
        let Self { unit, subject, result, .. } = *self;
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
            calls(unit, id)
                .any(|call| call.receiver.iter().chain(&call.args).any(|place| used.contains(place)))
        };
        let is_out =
            |id: &StmtId| !result.edits.kept.contains(*id) && unit.stmt(*id).kind != StmtKind::Assert;
        facts.order.iter().copied().filter(is_out).filter(|&id| acts_on(id)).collect()
    }
}

/// Whether the parentheses behind the called name are empty.
fn takes_nothing(unit: &Unit, call: &Call) -> bool {
    let text = &unit.source[call.range.start as usize..call.range.end as usize];
    let behind = &text[callee_text(unit, call).len()..];
    behind.chars().filter(|c| !c.is_whitespace()).eq("()".chars())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn has_effect(unit: &Unit, subject: &Subject, id: StmtId) -> bool {
    (is_for_effect(unit, id) || subject.facts.changed.contains_key(&id))
        && unit.stmt(id).kind != StmtKind::Assert
}
