//! A copy of the test for each assertion, with the others turned off, and which of the copies fail.

use super::atoms::{Atom, atoms, checking, line_in_test, parse, without};
use crate::minimize::Request;
use paring_engine::oracle::stmt_of;
use paring_engine::runs::{Ask, Purpose, Seen, Trust, job};
use paring_engine::{Runs, Stop};
use paring_model::{
    Candidate, Event, Failure, FailureKind, Form, Heat, LineMap, Observation, Phase, Position, TextRange,
    Unit, WorkingText,
};
use std::time::Duration;

/// How long a copy may take where the user set no limit.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Helpers that check, and assertions that cannot be turned off after all, are found one by one.
const MAX_ROUNDS: usize = 24;

pub struct Copies {
    /// The test as it is.
    pub unit: Unit,
    pub n_assertions: usize,
    /// In source order.
    pub failing: Vec<Copy>,
    /// Of the last assertion.
    pub last_line: u32,
    /// The line at which the test ends even with everything turned off: what comes after it never ran.
    pub ends_at: Option<u32>,
    /// Copies that pass, each with its assertion.
    pub holding: Vec<(WorkingText, TextRange)>,
}

/// A copy that fails.
pub struct Copy {
    pub text: WorkingText,
    /// The assertion that fails it. None where something else ends it.
    pub assertion: Option<TextRange>,
    /// Line of the original.
    pub line: u32,
}

/// `None` where there is nothing to take apart: one assertion, or a failure that is none of the test itself.
pub fn copies(request: &Request<'_>, runs: &Runs<'_>) -> Result<Option<Copies>, Stop> {
    runs.tell(Event::Stage { name: "observing" });
    let unit = parse(request);
    let mut atoms = atoms(request, &unit);
    let original = WorkingText::unchanged(&request.source);
    let first = observe(request, runs, std::slice::from_ref(&original))?.pop();
    let Some(Observation::Failed(failure)) = first.filter(is_of_test) else { return Ok(None) };
    atoms.extend(checking(request, &unit, &original.origins, &failure, &atoms));
    let Some(rest) = rest(request, runs, &unit, &mut atoms)? else { return Ok(None) };
    if atoms.len() < 2 {
        return Ok(None);
    }
    let on = |atom: &Atom| -> Vec<TextRange> {
        atoms.iter().filter(|other| other.range.covers(atom.range)).map(|other| other.range).collect()
    };
    let texts: Option<Vec<WorkingText>> =
        atoms.iter().map(|atom| without(request, &unit, &atoms, &on(atom))).collect();
    let Some(texts) = texts else { return Ok(None) };
    let seen = observe(request, runs, &texts)?;
    let passed = atoms.iter().zip(&texts).zip(&seen).filter(|(_, seen)| **seen == Observation::Passed);
    let holding = passed.map(|((atom, text), _)| (text.clone(), atom.range)).collect();
    let last_line = atoms.iter().map(|atom| unit.line_of(atom.range.start)).max().unwrap_or_default();
    let ends_at = match &rest.1 {
        Observation::Failed(failure) => line_in_test(&unit, &rest.0.origins, failure),
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => None,
    };
    let failing = failing(&unit, &atoms, texts.into_iter().zip(seen), rest);
    let is_known = |range: TextRange| atoms.iter().any(|atom| atom.range == range);
    let more = failing.iter().filter_map(|copy| copy.assertion).filter(|&range| !is_known(range));
    let n_assertions = atoms.len() + more.count();
    Ok(Some(Copies { unit, n_assertions, failing, last_line, ends_at, holding }))
}

/// Whether it is the test's own body that fails, with a failure to tell by.
fn is_of_test(observation: &Observation) -> bool {
    matches!(observation, Observation::Failed(failure) if failure.phase == Phase::Call)
}

/// The test with everything turned off, and what is left of its failure. Finds on the way which calls assert too, and what
/// cannot be turned off after all. `None` where no such text runs.
fn rest(
    request: &Request<'_>,
    runs: &Runs<'_>,
    unit: &Unit,
    atoms: &mut Vec<Atom>,
) -> Result<Option<(WorkingText, Observation)>, Stop> {
    for _ in 0..MAX_ROUNDS {
        let Some(text) = without(request, unit, atoms, &[]) else { return Ok(None) };
        let Some(seen) = observe(request, runs, std::slice::from_ref(&text))?.pop() else { return Ok(None) };
        match &seen {
            Observation::Failed(failure) => match checking(request, unit, &text.origins, failure, atoms) {
                Some(atom) => atoms.push(atom),
                None => return Ok(Some((text, seen))),
            },
            Observation::Broken { line, .. } => {
                let line = line.map(|line| text.origins.line(line));
                let is_there = |atom: &&mut Atom| {
                    atom.can_be_off && line.is_some_and(|line| is_on(unit, atom.range, line))
                };
                let Some(atom) = atoms.iter_mut().find(is_there) else { return Ok(None) };
                atom.can_be_off = false;
            }
            Observation::Passed
            | Observation::Skipped { .. }
            | Observation::Hung { .. }
            | Observation::Died { .. } => return Ok(Some((text, seen))),
        }
        atoms.sort_by_key(|atom| (atom.range.start, std::cmp::Reverse(atom.range.end)));
    }
    Ok(None)
}

/// Copies that their own assertion fails; then the test with everything turned off where it fails all the same, and copies
/// that fail elsewhere than where another does.
fn failing(
    unit: &Unit,
    atoms: &[Atom],
    seen: impl Iterator<Item = (WorkingText, Observation)>,
    rest: (WorkingText, Observation),
) -> Vec<Copy> {
    let mut found: Vec<Copy> = Vec::new();
    let mut elsewhere = vec![rest];
    for (atom, (text, observation)) in atoms.iter().zip(seen) {
        // An assertion around it is on, and may fail instead.
        match observation {
            Observation::Failed(failure)
                if is_at(unit, &failure, &text.origins, atom.range) && !is_behind(unit, atoms, atom) =>
            {
                let line = unit.line_of(atom.range.start);
                found.push(Copy { text, assertion: Some(atom.range), line });
            }
            other => elsewhere.push((text, other)),
        }
    }
    for (text, observation) in elsewhere {
        let line = match &observation {
            Observation::Failed(failure) => {
                failure.site().map_or(u32::MAX, |site| text.origins.line(site.line))
            }
            Observation::Died { .. } => u32::MAX,
            Observation::Passed
            | Observation::Skipped { .. }
            | Observation::Broken { .. }
            | Observation::Hung { .. } => continue,
        };
        let is_told =
            |copy: &Copy| copy.line == line || copy.assertion.is_some_and(|it| is_on(unit, it, line));
        if !found.iter().any(is_told) {
            let assertion = verdict_at(unit, &observation, line);
            found.push(Copy { text, assertion, line });
        }
    }
    found.sort_by_key(|copy| copy.line);
    found
}

/// Whether one that cannot be turned off stands before it in its line: who of them failed, the line does not tell.
fn is_behind(unit: &Unit, atoms: &[Atom], atom: &Atom) -> bool {
    let line = unit.line_of(atom.range.start);
    atoms.iter().any(|other| {
        !other.can_be_off && other.range.end <= atom.range.start && is_on(unit, other.range, line)
    })
}

/// The statement that ends a copy by a verdict, and cannot be turned off: others need what it gives.
fn verdict_at(unit: &Unit, observation: &Observation, line: u32) -> Option<TextRange> {
    let Observation::Failed(failure) = observation else { return None };
    let is_verdict = failure.kind != FailureKind::Exception;
    let id = stmt_of(unit, Position { line, column: None }).filter(|_| is_verdict)?;
    Some(unit.stmt(id).range)
}

/// Whether a failure's way through the test file leads over a part of the test.
pub fn is_at(unit: &Unit, failure: &Failure, origins: &LineMap, range: TextRange) -> bool {
    failure.stack.iter().any(|position| is_on(unit, range, origins.line(position.line)))
}

fn is_on(unit: &Unit, range: TextRange, line: u32) -> bool {
    (unit.line_of(range.start)..=unit.line_of(range.end.max(range.start + 1) - 1)).contains(&line)
}

/// Runs each text once.
fn observe(request: &Request<'_>, runs: &Runs<'_>, texts: &[WorkingText]) -> Result<Vec<Observation>, Stop> {
    let candidate = |text: &WorkingText| {
        Candidate::single(&request.path, text.text.clone(), request.target.id.clone(), Form::Blanked)
            .with_after(&request.target.after)
    };
    let timeout = request.timeout.unwrap_or(TIMEOUT);
    let asks: Vec<Ask> =
        texts.iter().map(|text| Ask::once(job(&candidate(text), Heat::Warm, timeout))).collect();
    let seen = runs.ask(Purpose::Search, Trust::Replay, &asks)?;
    Ok(seen.into_iter().map(Seen::into_observation).collect())
}
