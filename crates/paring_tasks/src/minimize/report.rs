//! Writes down what came of a search: sizes, reasons, suspects, doubts.

use super::Request;
use super::observe::Observed;
use super::verify::{VerifiedText, only_the_test};
use crate::outcome::{Doubt, Kept, Outcome, Pared, Reason, ReasonKind, Removed, Size, Status, Suspect};
use paring_engine::{Found, Level, Stop, criterion};
use paring_graph::{Reason as Why, Strength};
use paring_model::{
    EditSet, FailureKind, Form, Op, Phase, PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, TargetSpec,
    Unit,
};
use std::collections::BTreeSet;

pub fn report(
    request: &Request<'_>,
    unit: &Unit,
    observed: &Observed,
    found: &Found,
    verified: VerifiedText,
    stop: Option<&Stop>,
    outcome: &mut Outcome,
) {
    let edits = &verified.edits;
    let (mut text, mut target) = (verified.candidate.text, verified.candidate.target);
    let (statements, fixtures) = (statements(request, unit, &text, &target), fixtures(unit, edits));
    let smaller = statements.after < statements.before || fixtures.after < fixtures.before;
    found.level.map(Level::word).unwrap_or_default().clone_into(&mut outcome.level);
    outcome.status = match stop {
        Some(Stop::Interrupted) => Status::Interrupted,
        Some(Stop::Budget | Stop::Failed(_)) | None if smaller => Status::Minimized,
        Some(_) | None => Status::Unchanged,
    };
    if matches!(stop, Some(Stop::Budget)) {
        outcome.notes.push("the budget was spent before the search was done".to_owned());
    }
    if verified.verified.passes_on_good == Some(false) {
        outcome.notes.push("the test fails on the good version too, even as it was".to_owned());
    }
    if !smaller {
        (text, target) = (unit.source.clone(), request.target.id.clone());
    }
    let pared_test = test_text(request, unit, &text, &target);
    let original_test = test_text(request, unit, &unit.source, &request.target.id);
    let tokens = Size {
        before: request.frontend.count_tokens(&original_test),
        after: request.frontend.count_tokens(&pared_test),
    };
    let failing = observed.oracle.failure().and_then(|failure| criterion(unit, failure).failing);
    outcome.pared = Some(Pared {
        path: unit.path.to_string(),
        original: unit.source.clone(),
        in_place: request.frontend.render(unit, &only_the_test(unit, edits), Form::Compact).text,
        text,
        target,
        test: pared_test,
        original_test,
        statements,
        fixtures,
        tokens,
        trace: trace(unit, observed, edits),
        verified: verified.verified,
        kept: kept(unit, found, edits, failing),
        removed: removed(unit, edits),
        suspects: suspects(unit, found, edits),
        doubts: doubts(unit, observed, found, verified.verified.passes_on_good),
        failing_line: failing.map(|id| line(unit, id)),
        phase: observed.oracle.failure().map_or(Phase::Call, |failure| failure.phase),
    });
}

fn line(unit: &Unit, id: StmtId) -> u32 {
    unit.line_of(unit.stmt(id).range.start)
}

fn header_text(unit: &Unit, id: StmtId) -> String {
    unit.stmt(id).header.of(&unit.source).to_owned()
}

fn statements(request: &Request<'_>, unit: &Unit, text: &str, target: &str) -> Size {
    let (written, _) = request.frontend.parse(&unit.path, text, &TargetSpec::new(target));
    Size { before: unit.test_body().len(), after: written.test_body().len() }
}

/// Statements of the file that run for the test and are not its own.
fn fixtures(unit: &Unit, edits: &EditSet) -> Size {
    let around = |id: &StmtId| {
        let stmt = unit.stmt(*id);
        let kind = unit.routine(stmt.routine).kind;
        stmt.counts
            && unit.sequence.contains(&stmt.routine)
            && matches!(kind, RoutineKind::Fixture | RoutineKind::SetUp)
    };
    let all: Vec<StmtId> = unit.ids().filter(around).collect();
    let after = all.iter().filter(|&&id| edits.kept.contains(id) && !edits.unwrapped.contains(id)).count();
    Size { before: all.len(), after }
}

/// The trace of the original, and of it what belongs to kept statements.
fn trace(unit: &Unit, observed: &Observed, edits: &EditSet) -> Size {
    let body: BTreeSet<StmtId> = unit.test_body().into_iter().collect();
    let hits = |kept_only: bool| -> usize {
        observed
            .facts
            .hits
            .iter()
            .filter(|(id, _)| body.contains(id) && (!kept_only || edits.kept.contains(**id)))
            .map(|(_, n)| *n as usize)
            .sum()
    };
    Size { before: hits(false), after: hits(true) }
}

fn test_text(request: &Request<'_>, unit: &Unit, text: &str, target: &str) -> String {
    let (written, _) = request.frontend.parse(&unit.path, text, &TargetSpec::new(target));
    let def = written.test.and_then(|test| written.routine(test).def);
    def.map(|def| written.stmt(def).range.of(text).to_owned()).unwrap_or_default()
}

fn kept(unit: &Unit, found: &Found, edits: &EditSet, failing: Option<StmtId>) -> Vec<Kept> {
    unit.test_body()
        .into_iter()
        .filter(|&id| edits.kept.contains(id) && !edits.unwrapped.contains(id))
        .map(|id| Kept {
            line: line(unit, id),
            text: header_text(unit, id),
            reasons: reasons(unit, found, edits, failing, id),
        })
        .collect()
}

fn reasons(unit: &Unit, found: &Found, edits: &EditSet, failing: Option<StmtId>, id: StmtId) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut add = |kind, line, text: String| {
        reasons.push(Reason { kind, line, text, checked: false });
    };
    if Some(id) == failing {
        add(ReasonKind::Failing, None, "the test fails here".to_owned());
    }
    if unit.stmt(id).protected {
        add(ReasonKind::Protected, None, "a comment says to keep it".to_owned());
    }
    for (from, why) in found.slice.iter().filter_map(|slice| slice.why.get(&id)).flatten() {
        if !edits.kept.contains(*from) {
            continue;
        }
        let at = line(unit, *from);
        let (kind, text) = match why {
            Why::Data { place, strength } => data(unit, id, *place, *strength, at),
            Why::Control => (ReasonKind::Control, format!("decides whether line {at} runs")),
            Why::Handler => (ReasonKind::Handler, format!("part of the exception handling around line {at}")),
            Why::Resource => (ReasonKind::Resource, format!("line {at} runs inside it")),
            Why::Parent => (ReasonKind::WellFormed, format!("line {at} stands in it")),
            Why::Binding => (ReasonKind::WellFormed, format!("line {at} needs the name")),
        };
        add(kind, Some(at), text);
    }
    if reasons.is_empty() {
        reasons.push(Reason {
            kind: ReasonKind::Experiment,
            line: None,
            text: "the failure is another without it".to_owned(),
            checked: true,
        });
    }
    reasons.sort();
    reasons.dedup();
    reasons
}

fn data(unit: &Unit, id: StmtId, place: PlaceId, strength: Strength, at: u32) -> (ReasonKind, String) {
    // The place of hidden state has no name to look up.
    if strength == Strength::Hidden {
        return (
            ReasonKind::Observed,
            format!("was seen to change state of the program that line {at} may read"),
        );
    }
    let name = match unit.place(place).scope {
        PlaceScope::Member => format!("self.{}", unit.place(place).name),
        PlaceScope::Global | PlaceScope::Local(_) | PlaceScope::Hidden => unit.place(place).name.clone(),
    };
    let defines = unit.stmt(id).ops.contains(&Op::Define(place));
    match strength {
        Strength::Convention if defines => (ReasonKind::Data, format!("defines `{name}`, used on line {at}")),
        Strength::Convention => (ReasonKind::Data, format!("may change `{name}`, used on line {at}")),
        Strength::Observed | Strength::Hidden => {
            (ReasonKind::Observed, format!("was seen to change `{name}`, used on line {at}"))
        }
    }
}

fn removed(unit: &Unit, edits: &EditSet) -> Vec<Removed> {
    unit.test_body()
        .into_iter()
        .filter(|&id| !edits.kept.contains(id) || edits.unwrapped.contains(id))
        .map(|id| Removed { line: line(unit, id), text: header_text(unit, id) })
        .collect()
}

fn suspects(unit: &Unit, found: &Found, edits: &EditSet) -> Vec<Suspect> {
    found
        .suspects
        .iter()
        .filter(|id| edits.kept.contains(**id))
        .map(|&id| Suspect {
            line: line(unit, id),
            text: header_text(unit, id),
            reason: "a call without effect: the traced run saw it change nothing, and the failure is the same without it"
                .to_owned(),
        })
        .collect()
}

/// What a run on a good version would settle, and none was at hand.
fn doubts(unit: &Unit, observed: &Observed, found: &Found, passes_on_good: Option<bool>) -> Vec<Doubt> {
    if passes_on_good == Some(true) {
        return Vec::new();
    }
    let mut doubts: Vec<Doubt> = Vec::new();
    if observed.flaky {
        doubts.push(Doubt { line: None, reason: "the original does not always fail in this way".to_owned() });
    }
    for &id in &found.dropped {
        if has_effect(unit, observed, id) {
            doubts.push(Doubt {
                line: Some(line(unit, id)),
                reason: format!(
                    "removed by experiment: `{}` acts on an object that the failing call uses, and the same failure without it might have another cause",
                    first_line(&header_text(unit, id))
                ),
            });
        }
    }
    let kind = observed.oracle.failure().map(|failure| failure.kind);
    if kind != Some(FailureKind::Exception) {
        doubts.extend(unseen(unit, observed, found));
    }
    doubts
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn has_effect(unit: &Unit, observed: &Observed, id: StmtId) -> bool {
    let by_convention = unit.stmt(id).ops.iter().any(|op| match op {
        Op::Call(call) => call.result == paring_model::CallResult::Dropped,
        Op::Mutate(_) => true,
        Op::Use(_) | Op::Define(_) | Op::MayDefine(_) => false,
    });
    (by_convention || observed.facts.changed.contains_key(&id)) && unit.stmt(id).kind != StmtKind::Assert
}

/// Removed calls on objects that could not be looked into and that the kept statements use.
fn unseen(unit: &Unit, observed: &Observed, found: &Found) -> Vec<Doubt> {
    let facts = &observed.facts;
    let used: BTreeSet<PlaceId> = found
        .edits
        .kept
        .iter()
        .filter(|&id| unit.routine(unit.stmt(id).routine).kind != RoutineKind::Module)
        .flat_map(|id| paring_engine::strategy::leveled::uses(unit, id))
        .filter(|place| facts.opaque.contains(place))
        .collect();
    let acts_on = |id: StmtId| {
        unit.stmt(id).ops.iter().find_map(|op| match op {
            Op::Call(call) => {
                call.receiver.iter().chain(&call.args).find(|place| used.contains(place)).copied()
            }
            Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) => None,
        })
    };
    facts
        .order
        .iter()
        .filter(|id| !found.edits.kept.contains(**id) && unit.stmt(**id).kind != StmtKind::Assert)
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
