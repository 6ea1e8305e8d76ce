//! From a request to what the search works on: a unit that is known to fail in one way, and what a traced run tells of it.
//!
//! Three things may change on the way. A test that passes alone is tried after those that ran before it in its suite; what
//! the framework makes up for each run (a property's examples) is written down; and of the tests before it only the needed
//! ones stay.

use super::limits::Limits;
use super::observe::{Seen, conclude, failure, observe, only_messages_differ, original, run, said};
use super::{Request, Working, after, error};
use crate::outcome::{Outcome, Status};
use paring_engine::oracle::baseline;
use paring_engine::{Baseline, Criterion, Oracle, Runs, Same, Stop, criterion};
use paring_model::{
    ErrorCode, Event, Exception, Facts, Failure, FailureKind, Frontend, Heat, LineMap, Observation, Phase,
    Pinned, Problem, TargetSpec, Unit, WorkingText,
};
use std::time::Duration;

/// Longer suites are not run again and again to find out which of their tests matter.
const SUITE_LIMIT: Duration = Duration::from_secs(20);
/// Observations of an original where warm workers are not to be believed.
const N_AGAIN: usize = 2;
/// How often a test that starts threads is looked at beyond the usual: warm runs, which cost little.
pub const N_WITH_THREADS: usize = 10;

pub struct Subject {
    pub unit: Unit,
    pub oracle: Oracle,
    pub facts: Facts,
    /// How long candidates may take.
    pub limits: Limits,
    /// What a run in a fresh process costs.
    pub cold: Duration,
    /// Whether some observation of the original did not show the failure (and the user said to go on).
    pub flaky: bool,
    /// Where the lines of the unit come from, where its source is not the user's.
    pub origins: Option<LineMap>,
}

impl Subject {
    /// What to slice from: where the failure's stack says that it fails, or else the front end.
    pub fn criterion(&self, frontend: &dyn Frontend) -> Criterion {
        let unit = &self.unit;
        let told =
            self.oracle.failure().map(|failure| criterion(unit, &self.facts, failure)).unwrap_or_default();
        match frontend.fails_at(unit) {
            Some(id) if told.stmts.is_empty() => {
                Criterion { failing: Some(id), stmts: vec![id], ..Criterion::default() }
            }
            Some(_) | None => told,
        }
    }

    /// The original may fail in another way there: then that is the failure to preserve.
    pub fn look_again(
        &mut self,
        request: &Request<'_>,
        runs: &Runs<'_>,
        heat: Heat,
        outcome: &mut Outcome,
    ) -> Result<(), Stop> {
        let seen = run(request, runs, &original(&self.unit), N_AGAIN, heat)?;
        if let Baseline::Stable(oracle) = baseline(&self.unit, &seen, request.same, request.allow_flaky) {
            outcome.failure = oracle.failure().cloned().or(outcome.failure.take());
            self.oracle = *oracle;
        }
        Ok(())
    }
}

/// `None` where there is nothing to pare, with the status set.
pub fn subject(
    working: &Working<'_>,
    runs: &Runs<'_>,
    outcome: &mut Outcome,
) -> Result<Option<Subject>, Stop> {
    let request = working.request;
    runs.tell(Event::Stage { name: "observing" });
    let (mut unit, problems) = parse(working, working.text(), &request.target.after);
    let mut seen = observe(request, runs, &unit)?;
    outcome.failure = seen.observations.iter().find_map(failure).cloned();
    if let Some(alone) = alone(request, &unit, &seen) {
        match in_suite(working, runs, &alone, outcome)? {
            Some((in_suite, seen_there)) => {
                (unit, seen) = (in_suite, seen_there);
                outcome.failure = seen.observations.iter().find_map(failure).cloned();
            }
            None if alone == Alone::Passes => {
                outcome.status = Status::Passing;
                return Ok(None);
            }
            None => {}
        }
    }
    let mut pinned = None;
    if let Some((found, pinned_unit, seen_pinned)) = pin(working, runs, &unit, outcome)? {
        (unit, seen, pinned) = (pinned_unit, seen_pinned, Some(found));
    }
    outcome.failure = outcome.failure.take().or_else(|| seen.observations.iter().find_map(death));
    let Some(mut oracle) = conclude(seen.verdict(request, &unit), &problems, request.hints, outcome) else {
        only_messages_differ(request, &unit, &seen, outcome);
        return Ok(None);
    };
    if fails_on_nothing(request, runs, &unit, &oracle)? {
        outcome.error = request.hints.instead.map(|instead| said(ErrorCode::IgnoresFile, instead.ignores));
        return Ok(None);
    }
    if unit.test.is_none() && oracle.failure().is_none_or(|failure| failure.phase != Phase::Collection) {
        outcome.error = Some(error(
            ErrorCode::NoSource,
            format!("{} does not define the test itself", unit.path),
            request.hints.no_source,
        ));
        return Ok(None);
    }
    if oracle.failure().is_some_and(|failure| failure.phase == Phase::Collection) {
        outcome.notes.push(request.hints.fails_to_load.to_owned());
    }
    outcome.failure = outcome.failure.take().or_else(|| oracle.failure().cloned());
    let mut limits = Limits::of_seen(&seen, request);
    let cold = seen.cold();
    if !unit.after.is_empty() {
        let needed = after::needed(runs, &unit, &oracle, limits.fresh, outcome)?;
        outcome.after.clone_from(&needed);
        seen.facts = None;
        let source = std::mem::take(&mut unit.source);
        unit = parse(working, &source, &needed).0;
    }
    runs.tell(Event::Stage { name: "tracing" });
    let facts = match seen.facts.take() {
        Some(facts) => facts,
        // Which tests it needs before it is a result of its own: a stop must not lose it.
        None if !unit.after.is_empty() && runs.not_interrupted().is_err() => Facts::default(),
        // A traced run tells at its end.
        None if oracle.hangs() => Facts::default(),
        None if oracle.failure().is_some() && runs.traces() => runs.trace(&unit, &original(&unit))?,
        None => Facts::default(),
    };
    if facts.threads {
        // Which thread is first shows in one run of many.
        let more = run(request, runs, &original(&unit), N_WITH_THREADS, Heat::Warm)?;
        seen.observations.extend(more);
        let verdict = seen.verdict(request, &unit);
        oracle = match conclude(verdict, &problems, request.hints, outcome) {
            Some(oracle) => oracle,
            None => return Ok(None),
        };
    }
    if oracle.hangs() {
        limits = limits.of_hang(runs, &unit, &oracle)?;
    }
    let flaky = seen.is_flaky(&unit, &oracle);
    let origins = origins(working.copy, pinned);
    let unit = if request.literals { request.frontend.with_literals(unit) } else { unit };
    Ok(Some(Subject { unit, oracle: *oracle, facts, limits, cold, flaky, origins }))
}

/// Where lines come from that were pinned in a text, which may itself be made from the user's.
fn origins(copy: Option<&WorkingText>, pinned: Option<Pinned>) -> Option<LineMap> {
    let Some(copy) = copy else { return pinned.map(|pinned| pinned.working.origins) };
    let Some(pinned) = pinned else { return Some(copy.origins.clone()) };
    Some(pinned.working.origins.through(&copy.origins))
}

fn parse(working: &Working<'_>, text: &str, after: &[String]) -> (Unit, Vec<Problem>) {
    let target = TargetSpec { id: working.request.target.id.clone(), after: after.to_vec() };
    working.parse(text, &target)
}

/// Whether the failure is the same on a text without anything in it: then it says nothing about this one.
fn fails_on_nothing(
    request: &Request<'_>,
    runs: &Runs<'_>,
    unit: &Unit,
    oracle: &Oracle,
) -> Result<bool, Stop> {
    let Some(control) = request.frontend.control(unit).filter(|_| !unit.source.trim().is_empty()) else {
        return Ok(false);
    };
    let seen = run(request, runs, &control, 1, Heat::Warm)?;
    Ok(seen.iter().any(|next| oracle.judge_in(unit, next).is_same()))
}

/// A process that ended without a word, told as a failure: for the reader, not for the search.
fn death(observation: &Observation) -> Option<Failure> {
    let Observation::Died { how } = observation else { return None };
    Some(Failure {
        phase: Phase::Call,
        kind: FailureKind::Exception,
        exceptions: vec![Exception { type_name: "died".to_owned(), message: how.clone() }],
        stack: Vec::new(),
        below: Vec::new(),
        notes: Vec::new(),
        left: Vec::new(),
    })
}

fn passes(seen: &Seen) -> bool {
    seen.observations.iter().all(|next| *next == Observation::Passed)
}

/// What a test does without those that ran before it.
#[derive(Clone, PartialEq, Eq)]
enum Alone {
    Passes,
    /// It fails, and not as it did after them.
    Otherwise(Box<Failure>),
}

impl Alone {
    fn words(&self) -> &'static str {
        match self {
            Alone::Passes => "passes alone",
            Alone::Otherwise(_) => "fails in another way alone",
        }
    }

    /// Whether a run after the others shows what was seen there.
    fn is_told_by(&self, request: &Request<'_>, unit: &Unit, seen: &Observation) -> bool {
        match self {
            Alone::Passes => matches!(seen, Observation::Failed(_) | Observation::Died { .. }),
            Alone::Otherwise(wanted) => is_as_in_suite(request.same, unit, wanted, seen),
        }
    }
}

/// `None` where it fails as it did after others, or where nobody knows of others.
fn alone(request: &Request<'_>, unit: &Unit, seen: &Seen) -> Option<Alone> {
    if !unit.after.is_empty() || request.before.is_empty() {
        return None;
    }
    if passes(seen) {
        return Some(Alone::Passes);
    }
    let wanted = request.seen.as_ref()?;
    let is_known = |next: &Observation| is_as_in_suite(request.same, unit, wanted, next);
    let fails = seen.observations.iter().any(|next| failure(next).is_some());
    (fails && !seen.observations.iter().any(is_known)).then(|| Alone::Otherwise(Box::new(wanted.clone())))
}

/// Frames are the runner's business here: a suite may run in another kind of process.
fn is_as_in_suite(same: Same, unit: &Unit, wanted: &Failure, seen: &Observation) -> bool {
    let same = Same { frames: false, ..same };
    let alike = Failure { left: Vec::new(), ..wanted.clone() };
    match seen {
        Observation::Failed(found) => {
            let found = Observation::Failed(Failure { left: Vec::new(), ..found.clone() });
            Oracle::of_failure(unit, &alike, same).judge_in(unit, &found).is_same()
        }
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => false,
    }
}

/// The unit after all tests that ran before it in its suite, where it fails then as it did there; `None` with a note where it does
/// not, or where the suite takes too long to try.
fn in_suite(
    working: &Working<'_>,
    runs: &Runs<'_>,
    alone: &Alone,
    outcome: &mut Outcome,
) -> Result<Option<(Unit, Seen)>, Stop> {
    let request = working.request;
    let n_before = request.before.len();
    let (unit, _) = parse(working, working.text(), &request.before);
    let started = runs.elapsed();
    let first = run(request, runs, &original(&unit), 1, Heat::Fresh)?;
    let took = runs.elapsed().saturating_sub(started);
    let words = alone.words();
    if !first.first().is_some_and(|seen| alone.is_told_by(request, &unit, seen)) {
        outcome.notes.push(match alone {
            Alone::Passes => {
                format!("failed in the suite and {words}, after what ran before it there too ({n_before})")
            }
            Alone::Otherwise(wanted) => format!(
                "failed in the suite with {}, and {words}, after what ran before it there too ({n_before}): that failure is pared",
                short(wanted)
            ),
        });
        return Ok(None);
    }
    if took > SUITE_LIMIT {
        outcome.notes.push(format!(
            "fails in the suite and {words}; the {n_before} tests before it take too long to try which of them it \
             needs: name some with --after"
        ));
        return Ok(None);
    }
    outcome.notes.push(format!("fails in the suite and {words}"));
    let seen = observe(request, runs, &unit)?;
    Ok(Some((unit, seen)))
}

/// A failure in a few words: "`ValueError: no`".
fn short(failure: &Failure) -> String {
    let exception = failure.exception();
    let first: String = exception.message.lines().next().unwrap_or_default().chars().take(80).collect();
    format!("`{}: {first}`", exception.type_name)
}

/// The first pinned text that fails as the original did, whether or not that always fails in the same way.
fn pin(
    working: &Working<'_>,
    runs: &Runs<'_>,
    unit: &Unit,
    outcome: &mut Outcome,
) -> Result<Option<(Pinned, Unit, Seen)>, Stop> {
    let request = working.request;
    let Some(failure) = outcome.failure.clone() else { return Ok(None) };
    let target = TargetSpec { id: unit.target.clone(), after: unit.after.clone() };
    let offered = request.frontend.pin(&unit.source, &target, &failure);
    let is_offered = !offered.is_empty();
    for pinned in offered {
        let (pinned_unit, _) = parse(working, &pinned.working.text, &unit.after);
        let alike = |seen: &[Observation]| {
            seen.iter().all(|next| is_alike(request.same, unit, &failure, &pinned_unit, next))
        };
        if !alike(&run(request, runs, &original(&pinned_unit), 1, Heat::Warm)?) {
            continue;
        }
        let seen = observe(request, runs, &pinned_unit)?;
        let is_stable = matches!(seen.verdict(request, &pinned_unit), Baseline::Stable(_));
        if is_stable && alike(&seen.observations) {
            outcome.notes.push(format!("pinned the failing example {}", pinned.label));
            return Ok(Some((pinned, pinned_unit, seen)));
        }
    }
    if is_offered {
        outcome.notes.push("the failing example could not be pinned; pared with all examples".to_owned());
    }
    Ok(None)
}

/// Whether a pinned text shows the failure of the original. The framework's own exceptions around it do not count.
fn is_alike(same: Same, unit: &Unit, wanted: &Failure, pinned: &Unit, seen: &Observation) -> bool {
    let Some(found) = failure(seen) else { return false };
    let alone = |failure: &Failure| Failure {
        exceptions: vec![failure.exception().clone()],
        stack: failure.site().into_iter().collect(),
        ..failure.clone()
    };
    match baseline(unit, &[Observation::Failed(alone(wanted))], same, true) {
        Baseline::Stable(oracle) => oracle.judge_in(pinned, &Observation::Failed(alone(found))).is_same(),
        Baseline::Passing
        | Baseline::Skipped { .. }
        | Baseline::Flaky { .. }
        | Baseline::Broken { .. }
        | Baseline::Hung { .. } => false,
    }
}
