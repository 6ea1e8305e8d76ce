//! Runs the original until it is known how it fails.
//!
//! At least two observations are made in fresh processes: forks of one process share its random state and hash seed, and a
//! flake looks stable in them.

use super::{Hints, Request, Words, error};
use crate::outcome::{Outcome, OutcomeError, Status};
use paring_engine::oracle::baseline;
use paring_engine::runs::{self, Ask, Purpose, Trust, job};
use paring_engine::{Baseline, Oracle, Runs, Same, Stop};
use paring_model::{
    BrokenKind, Candidate, ErrorCode, Facts, Failure, Form, Heat, Observation, Problem, Unit,
};
use std::time::Duration;

/// Fresh processes among the observations.
const N_FRESH: usize = 2;
/// What a run may take at least, in a fresh process and in a warm one. Removing the wrong statement of a loop makes a test
/// that never ends, and each costs the search that long.
const LEAST_FRESH: Duration = Duration::from_secs(5);
const LEAST_WARM: Duration = Duration::from_secs(2);
/// What the start of an interpreter and a framework costs anywhere.
const LEAST_COLD: Duration = Duration::from_millis(500);
/// How long the original may take where the user set no limit.
const FIRST_TIMEOUT: Duration = Duration::from_mins(1);

/// What was seen of an original.
pub struct Seen {
    pub observations: Vec<Observation>,
    /// What the runs in fresh processes took.
    took: Duration,
    /// The same with what it took to get ready for them.
    cold: Duration,
    /// What the runs in warm ones took, where there were any.
    took_warm: Option<Duration>,
    /// What a traced run told, where one was made beside the others.
    pub facts: Option<Facts>,
}

impl Seen {
    /// For candidates: well above what the original takes. One that hangs took its whole limit.
    pub fn timeout(&self, request: &Request<'_>, heat: Heat) -> Duration {
        let factor = if hangs(&self.observations) { 1 } else { 5 };
        let fresh = LEAST_FRESH.max(self.took * factor);
        let limit = match (heat, self.took_warm) {
            (Heat::Warm, Some(took)) => fresh.min(LEAST_WARM.max(took * 20)),
            (Heat::Warm, None) | (Heat::Fresh | Heat::Apart | Heat::Cold, _) => fresh,
        };
        request.timeout.unwrap_or(limit)
    }

    /// What a run in a fresh process costs.
    pub fn cold(&self) -> Duration {
        self.cold.max(LEAST_COLD)
    }

    pub fn verdict(&self, request: &Request<'_>, unit: &Unit) -> Baseline {
        baseline(unit, &self.observations, request.same, request.allow_flaky)
    }

    pub fn is_flaky(&self, unit: &Unit, oracle: &Oracle) -> bool {
        self.observations.iter().any(|next| !oracle.judge_in(unit, next).is_same())
    }
}

/// The unit's own text as a candidate.
pub fn original(unit: &Unit) -> Candidate {
    unit.candidate(unit.source.clone(), Form::Blanked)
}

pub fn observe(request: &Request<'_>, runs: &Runs<'_>, unit: &Unit) -> Result<Seen, Stop> {
    let original = original(unit);
    let started = runs.elapsed();
    let n_fresh = if request.seen_apart { 0 } else { N_FRESH.min(request.n_baseline.max(1)) };
    let mut observations = run(request, runs, &original, n_fresh, Heat::Fresh)?;
    let took = runs.elapsed().saturating_sub(started);
    let cold = runs.elapsed();
    let n_more = request.n_baseline.max(1).saturating_sub(observations.len());
    let (mut took_warm, mut facts) = (None, None);
    if n_more > 0 && !hangs(&observations) {
        let started = runs.elapsed();
        let warm = asks(request, &original, n_more, Heat::Warm);
        if may_trace_beside(runs, &observations) {
            let (seen, traced) = runs.ask_and_trace(&warm, unit, &original)?;
            observations.extend(seen.into_iter().map(runs::Seen::into_observation));
            facts = Some(traced);
        } else {
            observations.extend(live(runs, &warm)?);
        }
        took_warm = Some(runs.elapsed().saturating_sub(started));
    }
    Ok(Seen { observations, took, cold, took_warm, facts })
}

/// Whether the traced run can be made at the same time as others: it will be wanted, and they cannot disturb each other.
fn may_trace_beside(runs: &Runs<'_>, seen: &[Observation]) -> bool {
    runs.traces() && runs.n_parallel() > 1 && seen.iter().all(|next| matches!(next, Observation::Failed(_)))
}

fn hangs(seen: &[Observation]) -> bool {
    !seen.is_empty() && seen.iter().all(|next| matches!(next, Observation::Hung { .. }))
}

/// Runs an original several times.
pub fn run(
    request: &Request<'_>,
    runs: &Runs<'_>,
    original: &Candidate,
    n: usize,
    heat: Heat,
) -> Result<Vec<Observation>, Stop> {
    live(runs, &asks(request, original, n, heat))
}

/// The same with a limit of its own.
pub fn run_for(
    runs: &Runs<'_>,
    original: &Candidate,
    n: usize,
    heat: Heat,
    limit: Duration,
) -> Result<Vec<Observation>, Stop> {
    live(runs, &Ask::times(&job(original, heat, limit), n))
}

fn asks<'a>(request: &Request<'_>, original: &Candidate, n: usize, heat: Heat) -> Vec<Ask<'a>> {
    Ask::times(&job(original, heat, request.timeout.unwrap_or(FIRST_TIMEOUT)), n)
}

fn live(runs: &Runs<'_>, asks: &[Ask<'_>]) -> Result<Vec<Observation>, Stop> {
    let seen = runs.ask(Purpose::Baseline, Trust::Live, asks)?;
    Ok(seen.into_iter().map(runs::Seen::into_observation).collect())
}

/// The oracle of a stable failure; `None` where there is none, with the status set.
pub fn conclude(
    verdict: Baseline,
    problems: &[Problem],
    hints: &Hints,
    outcome: &mut Outcome,
) -> Option<Box<Oracle>> {
    match verdict {
        Baseline::Stable(oracle) => return Some(oracle),
        Baseline::Passing => {
            outcome.status = Status::Passing;
            outcome.error = hints.instead.map(|instead| said(ErrorCode::Passes, instead.passes));
        }
        Baseline::Skipped { reason } => {
            outcome.status = Status::Passing;
            outcome.error = hints.instead.map(|instead| said(ErrorCode::OtherFailure, instead.other));
            let what = if hints.instead.is_some() { "the command" } else { "the test is skipped" };
            outcome.notes.push(format!("{what}: {reason}"));
        }
        Baseline::Flaky { seen } => {
            outcome.status = Status::Flaky;
            outcome.error = hints.instead.map(|instead| said(ErrorCode::Flaky, instead.flaky));
            outcome.notes.push(describe(&seen));
        }
        Baseline::Broken { message, line, kind } => match kind {
            BrokenKind::NoTest => {
                outcome.status = Status::NotFound;
                outcome.error = Some(error(ErrorCode::NotFound, message, hints.list_tests));
            }
            BrokenKind::NotRunnable => outcome.error = Some(not_runnable(&message, line, problems, hints)),
        },
        Baseline::Hung { stack } => {
            let place = stack.last().map(|at| format!(", and line {}", at.line)).unwrap_or_default();
            let usual = || {
                error(
                    ErrorCode::Hangs,
                    format!("the test does not end, and no statement of it is known to hang{place}"),
                    "raise --timeout, or find out what it waits for; if it fills the memory until it fails, it fails sooner with \
                     less of it (--memory 256M)",
                )
            };
            outcome.error =
                Some(hints.instead.map_or_else(usual, |instead| said(ErrorCode::Hangs, instead.hangs)));
        }
    }
    None
}

/// Says that all runs fail alike but for their messages, where that is so: one option is enough to go on.
pub fn only_messages_differ(request: &Request<'_>, unit: &Unit, seen: &Seen, outcome: &mut Outcome) {
    let same = Same { message: false, ..request.same };
    let is_alike = || matches!(baseline(unit, &seen.observations, same, false), Baseline::Stable(_));
    if outcome.status == Status::Flaky && outcome.error.is_none() && request.same.message && is_alike() {
        outcome.error = Some(error(
            ErrorCode::Flaky,
            "the test fails with another message every time, and the same otherwise",
            "--same type,frames,statement goes on without the message",
        ));
    }
}

/// What is the matter with a command.
pub fn said(code: ErrorCode, words: Words) -> OutcomeError {
    error(code, words.message, words.help)
}

fn not_runnable(message: &str, line: Option<u32>, problems: &[Problem], hints: &Hints) -> OutcomeError {
    let (code, help) = if problems.is_empty() {
        (ErrorCode::Collection, hints.must_load)
    } else {
        (ErrorCode::SyntaxError, "correct the syntax error first")
    };
    let told = line.filter(|line| !message.contains(&format!("line {line}")));
    let place = told.map(|line| format!(" (line {line})")).unwrap_or_default();
    error(code, format!("{message}{place}"), help)
}

pub fn failure(observation: &Observation) -> Option<&Failure> {
    match observation {
        Observation::Failed(failure) => Some(failure),
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => None,
    }
}

/// What was seen, in one sentence: "failed 3 times, passed 2 times".
fn describe(seen: &[Observation]) -> String {
    let mut ways: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    let telling = telling_line(seen);
    for observation in seen {
        *ways.entry(way(observation, telling)).or_default() += 1;
    }
    let parts: Vec<String> = ways.iter().map(|(way, n)| format!("{way} ({n} of {})", seen.len())).collect();
    format!("seen in {} runs of the same test: {}", seen.len(), parts.join("; "))
}

/// The first line in which messages differ.
fn telling_line(seen: &[Observation]) -> usize {
    let messages: Vec<&str> =
        seen.iter().filter_map(failure).map(|failure| failure.exception().message.as_str()).collect();
    let line = |message: &str, idx: usize| message.lines().nth(idx).map(str::to_owned);
    let n_lines = messages.iter().map(|message| message.lines().count()).max().unwrap_or_default();
    let differs = |idx: &usize| messages.windows(2).any(|two| line(two[0], *idx) != line(two[1], *idx));
    (0..n_lines).find(differs).unwrap_or_default()
}

fn way(observation: &Observation, telling: usize) -> String {
    match observation {
        Observation::Passed => "passed".to_owned(),
        Observation::Skipped { .. } => "skipped".to_owned(),
        Observation::Failed(failure) => {
            let exception = failure.exception();
            let line = failure.site().map(|site| format!(" at line {}", site.line)).unwrap_or_default();
            let first = exception.message.lines().next().unwrap_or_default();
            let rest = exception.message.lines().nth(telling).filter(|_| telling > 0);
            let rest = rest.map(|rest| format!(" … {}", rest.trim())).unwrap_or_default();
            format!("{}{line}: {first}{rest}", exception.type_name)
        }
        Observation::Broken { message, .. } => format!("could not be run: {message}"),
        Observation::Hung { .. } => "did not end".to_owned(),
        Observation::Died { how } => format!("died ({how})"),
    }
}
