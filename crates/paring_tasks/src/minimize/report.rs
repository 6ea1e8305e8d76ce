//! Writes down what came of a search: sizes, reasons, suspects, doubts.

use super::doubt::doubts;
use super::shape::shape;
use super::subject::Subject;
use super::verify::VerifiedText;
use super::{Hints, Request, Working};
use crate::outcome::{
    Certainty, Kept, Outcome, Pared, Reason, ReasonKind, Removed, Size, Status, Suspect, Verified,
};
use crate::wording::Wording;
use paring_engine::{Level, SearchResult, Stop, Strategy, Suspect as WithoutEffect};
use paring_model::literal::smaller;
use paring_model::{
    Candidate, EditSet, Facts, Form, Grain, LineMap, Literal, Phase, RoutineKind, StmtId, TargetSpec,
    TrimKind, Unit,
};
use std::collections::BTreeSet;

pub fn report(
    working: &Working<'_>,
    subject: &Subject,
    result: &SearchResult,
    verified: VerifiedText,
    stop: Option<&Stop>,
    outcome: &mut Outcome,
) {
    let request = working.request;
    let unit = &subject.unit;
    let edits = &verified.edits;
    let (mut text, mut target) =
        (verified.candidate.text().to_owned(), verified.candidate.target().to_owned());
    let parse = |text: &str, target: &str| working.parse(text, &TargetSpec::new(target)).0;
    let alone = text.clone();
    let mut written = parse(&text, &target);
    let given = parse(&request.source, &request.target.id);
    // What is searched on may be written in more statements than the user's text.
    let searched = if working.copy.is_some() { &given } else { unit };
    let statements = Size { before: searched.test_body().len(), after: written.test_body().len() };
    let fixtures = fixtures(unit, edits);
    let before_is_smaller = before(unit).iter().any(|&id| !edits.kept.contains(id));
    // Of a tree, less of a statement is less.
    let is_tree = matches!(request.frontend.grain(), Grain::Tree { .. });
    let n_tokens = |text: &str| request.frontend.count_tokens(text);
    let literals = smaller(unit, edits);
    let n_literals = literals.len();
    let smaller = statements.after < statements.before
        || n_literals > 0
        || fixtures.after < fixtures.before
        || before_is_smaller
        || has_fewer_rounds(unit, edits)
        || is_tree && n_tokens(&text) < n_tokens(&unit.source);
    result.level.map(Level::word).unwrap_or_default().clone_into(&mut outcome.level);
    outcome.status = match stop {
        Some(Stop::Interrupted) => Status::Interrupted,
        Some(Stop::Failed(_)) => Status::Error,
        Some(Stop::Budget) | None if smaller => Status::Minimized,
        Some(Stop::Budget) | None => Status::Unchanged,
    };
    note(request, verified.verified, stop, outcome);
    outcome.notes.extend(say_literals(unit, &literals));
    // A pinned example is worth having, whatever else stays.
    if !smaller && subject.origins.is_none() {
        (text, target) = (unit.source.clone(), request.target.id.clone());
        written = parse(&text, &target);
    }
    let mut pared_test = request.frontend.test_text(&written);
    let mut original_test = request.frontend.test_text(&given);
    let given_def = given.test.and_then(|test| given.routine(test).def);
    let mut first_line = given_def.map(|def| line(&given, def));
    if pared_test.is_empty() && first_line.is_some() {
        // A file that fails while it is loaded needs no test for that: what is left of it is the result.
        text.trim_end().clone_into(&mut pared_test);
        request.source.trim_end().clone_into(&mut original_test);
        first_line = Some(1);
    }
    let tokens = Size {
        before: request.frontend.count_tokens(&original_test),
        after: request.frontend.count_tokens(&pared_test),
    };
    let failing = subject.criterion(request.frontend).failing;
    let mut pared = Pared {
        path: unit.path.to_string(),
        short_path: request.short_path.clone(),
        original: request.source.clone(),
        in_place_target: verified.in_place.as_ref().map(|candidate| candidate.target().to_owned()),
        in_place: verified.in_place.map(Candidate::into_text),
        text,
        target,
        alone,
        test: pared_test,
        original_test,
        first_line,
        shape: shape(request.frontend, &written),
        statements,
        fixtures,
        tokens,
        trace: trace(unit, subject, edits),
        verified: verified.verified,
        kept: kept(&Told { unit, result, edits, failing, hints: request.hints, facts: &subject.facts }),
        removed: removed(unit, edits),
        suspects: suspects(request, unit, result, edits),
        doubts: if verified.verified.passes_on_good == Some(true) {
            Vec::new()
        } else {
            doubts(
                unit,
                subject,
                result,
                failing,
                n_literals,
                request.bold && request.strategy == Strategy::Auto,
            )
        },
        is_bold: request.bold
            && request.strategy == Strategy::Auto
            && verified.verified.passes_on_good.is_none(),
        failing_line: failing.map(|id| line(unit, id)),
        phase: subject.oracle.failure().map_or(Phase::Call, |failure| failure.phase),
    };
    if let Some(origins) = &subject.origins {
        number_as(&mut pared, origins);
    }
    outcome.pared = Some(pared);
}

/// Whether a loop lost some of what it goes through, or the test some of its cases.
fn has_fewer_rounds(unit: &Unit, edits: &EditSet) -> bool {
    edits.trims.iter().any(|id| {
        let trim = unit.trim(id);
        let is_round = matches!(trim.kind, TrimKind::Element | TrimKind::Iteration | TrimKind::Cases);
        is_round && edits.kept.contains(trim.stmt)
    })
}

/// What to know of how the result was found.
fn note(request: &Request<'_>, verified: Verified, stop: Option<&Stop>, outcome: &mut Outcome) {
    if let Some(Stop::Failed(failed)) = stop {
        outcome.error = Some(failed.clone().into());
        outcome.notes.push("the search ended early; the best result so far is verified and shown".to_owned());
    }
    if matches!(stop, Some(Stop::Budget)) {
        outcome
            .notes
            .push("the budget was spent before the search was done; --resume goes on from here".to_owned());
    }
    if verified.passes_on_good == Some(false) {
        outcome.notes.push("the test fails on the good version too, even as it was".to_owned());
    }
    if request.strategy != Strategy::Auto {
        outcome.notes.push(format!(
            "strategy {}, as its paper has it: without the rules that keep a result valid",
            request.strategy.word()
        ));
    }
}

/// How many literals became smaller, and how many of them no diff of the test shows.
fn say_literals(unit: &Unit, literals: &[&Literal]) -> Option<String> {
    let test = unit.test.and_then(|test| unit.routine(test).def);
    let is_around = |literal: &&&Literal| !unit.ancestors(literal.stmt).any(|up| Some(up) == test);
    let n_around = literals.iter().filter(is_around).count();
    let around = match n_around {
        0 => String::new(),
        n if n == literals.len() => ", in what runs before the test (--out writes that too)".to_owned(),
        n => format!(", {n} of them in what runs before the test (--out writes that too)"),
    };
    match literals.len() {
        0 => None,
        1 => Some(format!("1 literal made smaller{around}")),
        n => Some(format!("{n} literals made smaller{around}")),
    }
}

/// Tells lines as the user's file has them.
fn number_as(pared: &mut Pared, origins: &LineMap) {
    let renumber = |line: &mut u32| *line = origins.line(*line);
    for kept in &mut pared.kept {
        renumber(&mut kept.line);
        // The text of a reason speaks of lines too.
        for reason in &mut kept.reasons {
            if let Some(line) = &mut reason.line {
                let told = format!("line {line}");
                renumber(line);
                reason.text = reason.text.replace(&told, &format!("line {line}"));
            }
        }
        // What turns an assertion off has the line of the assertion.
        kept.reasons.dedup();
    }
    pared.removed.iter_mut().for_each(|removed| renumber(&mut removed.line));
    pared.suspects.iter_mut().for_each(|suspect| renumber(&mut suspect.line));
    pared.doubts.iter_mut().filter_map(|doubt| doubt.line.as_mut()).for_each(renumber);
    pared.failing_line.iter_mut().for_each(renumber);
}

pub fn line(unit: &Unit, id: StmtId) -> u32 {
    unit.line_of(unit.stmt(id).range.start)
}

pub fn header_text(unit: &Unit, id: StmtId) -> String {
    unit.stmt(id).header.of(&unit.source).to_owned()
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

/// Statements of the tests that run before it.
fn before(unit: &Unit) -> Vec<StmtId> {
    let below = unit.before.iter().flat_map(|&def| unit.descendants(def));
    below.filter(|&id| unit.stmt(id).counts).collect()
}

/// The trace of the original, and of it what belongs to kept statements.
fn trace(unit: &Unit, subject: &Subject, edits: &EditSet) -> Size {
    let body: BTreeSet<StmtId> = unit.test_body().into_iter().collect();
    let hits = |kept_only: bool| -> usize {
        subject
            .facts
            .hits
            .iter()
            .filter(|(id, _)| body.contains(id) && (!kept_only || edits.kept.contains(**id)))
            .map(|(_, n)| *n as usize)
            .sum()
    };
    Size { before: hits(false), after: hits(true) }
}

/// What the reasons of all kept statements are told from.
struct Told<'a> {
    unit: &'a Unit,
    result: &'a SearchResult,
    edits: &'a EditSet,
    failing: Option<StmtId>,
    hints: &'a Hints,
    facts: &'a Facts,
}

fn kept(told: &Told<'_>) -> Vec<Kept> {
    let (unit, edits) = (told.unit, told.edits);
    unit.test_body()
        .into_iter()
        .filter(|&id| edits.kept.contains(id) && !edits.unwrapped.contains(id))
        .map(|id| {
            let reasons = reasons(told, id);
            let certainty = certainty(told.result, id, &reasons);
            Kept { line: line(unit, id), text: header_text(unit, id), reasons, certainty }
        })
        .collect()
}

/// A statement is needed where a run without it has shown another failure, and where there is no test without it.
fn certainty(result: &SearchResult, id: StmtId, reasons: &[Reason]) -> Option<Certainty> {
    let is_needed = |reason: &Reason| {
        reason.checked || matches!(reason.kind, ReasonKind::Failing | ReasonKind::Protected)
    };
    if reasons.iter().any(is_needed) || result.bound.contains(id) {
        return Some(Certainty::Needed);
    }
    result.caution.contains(id).then_some(Certainty::Caution)
}

fn reasons(told: &Told<'_>, id: StmtId) -> Vec<Reason> {
    let &Told { unit, result, edits, failing, hints, .. } = told;
    let mut reasons = Vec::new();
    let wording = Wording { unit, facts: told.facts, hints };
    let mut add = |kind, line, text: String| {
        reasons.push(Reason { kind, line, text, checked: false });
    };
    if Some(id) == failing {
        add(ReasonKind::Failing, None, "the test fails here".to_owned());
    }
    if unit.stmt(id).protected {
        add(ReasonKind::Protected, None, "a comment says to keep it".to_owned());
    }
    for (from, why) in result.slice.iter().filter_map(|slice| slice.why.get(&id)).flatten() {
        if !edits.kept.contains(*from) {
            continue;
        }
        let (kind, text) = wording.why(id, *from, *why);
        let at = line(unit, *from);
        add(kind, Some(at), text);
    }
    let is_caution = result.caution.contains(id);
    let checked = !is_caution && result.tried_without.contains(id);
    let told = match (checked, is_caution, reasons.is_empty()) {
        (true, _, _) => Some("the failure is another without it"),
        (false, true, _) => {
            Some("kept by caution: the failure is the same without it, and correct code may need it")
        }
        (false, false, true) if result.bound.contains(id) => {
            Some("the failing statement cannot do without it")
        }
        (false, false, true) if result.rules.frozen.contains(id) => {
            Some("good code may need it: not tried without")
        }
        (false, false, true) => Some("not tried without it"),
        (false, false, false) => None,
    };
    reasons.extend(told.map(|text| Reason {
        kind: ReasonKind::Experiment,
        line: None,
        text: text.to_owned(),
        checked,
    }));
    reasons.sort();
    reasons.dedup();
    reasons
}

fn removed(unit: &Unit, edits: &EditSet) -> Vec<Removed> {
    unit.test_body()
        .into_iter()
        .filter(|&id| !edits.kept.contains(id) || edits.unwrapped.contains(id))
        .map(|id| Removed { line: line(unit, id), text: header_text(unit, id) })
        .collect()
}

fn suspects(request: &Request<'_>, unit: &Unit, result: &SearchResult, edits: &EditSet) -> Vec<Suspect> {
    result
        .suspects
        .iter()
        .filter(|suspect| edits.kept.contains(suspect.stmt))
        .map(|suspect| Suspect {
            line: line(unit, suspect.stmt),
            text: header_text(unit, suspect.stmt),
            reason: "a call without effect: the traced run saw it change nothing, and the failure is the same without it"
                .to_owned(),
            without: without(request, unit, edits, suspect),
        })
        .collect()
}

/// The text of the result without a call and what goes with it.
fn without(request: &Request<'_>, unit: &Unit, edits: &EditSet, suspect: &WithoutEffect) -> String {
    let mut edits = edits.clone();
    let gone: Vec<StmtId> = edits.kept.iter().filter(|&id| !suspect.without.kept.contains(id)).collect();
    for id in gone {
        edits.remove(unit, id);
    }
    request.frontend.edited(unit, &edits, Form::Compact).into_text()
}
