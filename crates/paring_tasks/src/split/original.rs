//! Has the original run and traced: only a test that passes every time is split.

use super::outcome::{SplitOutcome, SplitStatus};
use super::{Request, TIMEOUT};
use crate::keeping::Keeping;
use crate::outcome::OutcomeError;
use paring_engine::oracle::{Same, baseline};
use paring_engine::runs::{Ask, Purpose, Trust, job};
use paring_engine::{Baseline, Runs, Stop};
use paring_model::{ErrorCode, Event, Facts, Form, Heat, Observation, Unit};

/// Observations of the original, each in a fork of its own.
const N_BASELINE: usize = 2;
/// More of them, where it did not pass with the recorder.
const N_DOUBTFUL: usize = 4;

/// What a traced run of the original tells, where it passes.
pub fn observed(
    request: &Request<'_>,
    runs: &Runs<'_>,
    unit: &Unit,
    outcome: &mut SplitOutcome,
) -> Result<Option<(Facts, Keeping)>, Stop> {
    runs.tell(Event::Stage { name: "observing" });
    let original = unit.candidate(unit.source.clone(), Form::Blanked);
    let job = job(&original, Heat::Warm, request.timeout.unwrap_or(TIMEOUT));
    let asks = Ask::times(&job, N_BASELINE);
    // A run with the recorder is the last of them, where it passes, too.
    let n_plain = if runs.records() { N_BASELINE - 1 } else { N_BASELINE };
    let (mut seen, facts) = runs.ask_and_trace(&asks[..n_plain], unit, &original)?;
    let keeping = match seen.first().map(|seen| seen.observation() == &Observation::Passed) {
        Some(true) => Some(Keeping::of(runs, vec![original.clone()], request.timeout)?),
        Some(false) | None => None,
    };
    if keeping.as_ref().and_then(Keeping::all_pass) != Some(true) {
        let is_doubtful = keeping.as_ref().and_then(Keeping::all_pass) == Some(false);
        let more = Ask::times(&job, if is_doubtful { N_DOUBTFUL } else { N_BASELINE - n_plain });
        seen.extend(runs.ask(Purpose::Baseline, Trust::Live, &more)?);
    }
    let seen: Vec<_> = seen.into_iter().map(paring_engine::runs::Seen::into_observation).collect();
    match baseline(unit, &seen, Same::default(), false) {
        Baseline::Passing => Ok(keeping.map(|keeping| (facts, keeping))),
        other => {
            refuse(request, other, outcome);
            Ok(None)
        }
    }
}

/// Says why a test that does not simply pass is not split.
fn refuse(request: &Request<'_>, baseline: Baseline, outcome: &mut SplitOutcome) {
    let error = |code, message: String, help: &str| OutcomeError { code, message, help: help.to_owned() };
    match baseline {
        Baseline::Passing => {}
        Baseline::Stable(oracle) => {
            outcome.status = SplitStatus::Failing;
            let message = oracle.failure().map_or_else(String::new, |failure| {
                let exception = failure.exception();
                format!(": {}: {}", exception.type_name, exception.message.lines().next().unwrap_or_default())
            });
            outcome.error = Some(error(
                ErrorCode::TestFails,
                format!("the test fails{message}"),
                "only a passing test is split: `paring purify` takes a failing one apart",
            ));
        }
        Baseline::Skipped { reason } => {
            outcome.status = SplitStatus::Skipped;
            outcome.notes.push(format!("the test is skipped: {reason}"));
        }
        Baseline::Flaky { .. } => {
            outcome.status = SplitStatus::Flaky;
            outcome.notes.push("the test does not pass every time".to_owned());
        }
        Baseline::Broken { message, .. } => {
            outcome.error = Some(error(ErrorCode::Collection, message, request.hints.must_load));
        }
        Baseline::Hung { .. } => {
            let help = "give it more time with --timeout";
            outcome.error = Some(error(ErrorCode::Hangs, "the test does not end".to_owned(), help));
        }
    }
}
