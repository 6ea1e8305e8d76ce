//! Whether a merge loses nothing: by runs of what was there and of what takes its place.
//!
//! The new tests have to pass alone and shuffled, run the lines that the old ones run, and catch the faults that they catch. What was
//! there has to pass in the same ways before: a test that needs another, or that does not always pass, is not merged.

use super::written::Rewritten;
use super::{Request, TIMEOUT};
use crate::keeping::{Keeping, MutantReport};
use paring_engine::runs::{Ask, Purpose, Trust};
use paring_engine::{Loss, Runs, Stop};
use paring_model::{Candidate, Form, Heat, Job, Observation, Refusal};

/// What was shown of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub mutants: Option<MutantReport>,
    pub n_lines: Option<usize>,
    /// Why nobody could look at faults.
    pub no_mutants: Option<String>,
}

/// Runs both sides. An error of the inner kind says why the tests stay as they are.
pub fn verify(
    request: &Request<'_>,
    runs: &Runs<'_>,
    source: &str,
    old: &[&str],
    new: &Rewritten,
) -> Result<Result<Shown, Refusal>, Stop> {
    let before = candidate(request, source, old.iter().map(|id| (*id).to_owned()));
    let after = candidate(request, &new.text, new.tests.iter().cloned());
    if let Some(refusal) = failing(request, runs, &before, Trust::Live)? {
        return Ok(Err(Refusal::new("unstable", format!("without the other tests, {refusal}"))));
    }
    if let Some(refusal) = failing(request, runs, &after, Trust::Live)? {
        return Ok(Err(Refusal::new("fails", refusal)));
    }
    let mut keeping = Keeping::of(runs, vec![before], request.timeout)?;
    let recorded = keeping.check_lines(runs, &after.shuffled(request.seed))?;
    let loss = match recorded.and_then(|recorded| recorded.loss) {
        Some(loss) => Some(loss),
        None => keeping.check_faults(runs, request.frontend, &after, request.n_mutants, request.seed)?,
    };
    Ok(match loss {
        Some(loss) => Err(Refusal::new("loses", describe_loss(&loss))),
        None => Ok(Shown {
            mutants: keeping.mutants(),
            n_lines: keeping.n_lines(),
            no_mutants: keeping.no_mutants(runs).filter(|_| request.n_mutants > 0),
        }),
    })
}

/// What would get lost, in words.
fn describe_loss(loss: &Loss) -> String {
    match loss {
        Loss::Lines(lines) => {
            let some = lines.iter().take(3).map(|lost| format!("{}:{}", lost.path, lost.line));
            let more = lines.len().saturating_sub(3);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("no new test runs {}{more}", some.collect::<Vec<_>>().join(", "))
        }
        Loss::Fault { mutant, .. } => format!("they catch a fault that no new test would catch: {mutant}"),
        Loss::Missing { .. } | Loss::Repeated { .. } | Loss::Call { .. } => {
            "a statement would get lost".to_owned()
        }
    }
}

/// A text of the file, and tests in it.
pub fn candidate(request: &Request<'_>, text: &str, ids: impl IntoIterator<Item = String>) -> Candidate {
    Candidate::single(request.path, text.to_owned(), "", Form::Compact).with_targets(ids)
}

/// Which test does not pass, and how: each alone, and all of them shuffled.
fn failing(
    request: &Request<'_>,
    runs: &Runs<'_>,
    candidate: &Candidate,
    trust: Trust,
) -> Result<Option<String>, Stop> {
    let timeout = Some(request.timeout.unwrap_or(TIMEOUT));
    let mut ways: Vec<(&str, Candidate)> = candidate.alone().map(|alone| ("alone", alone)).collect();
    if candidate.targets.len() > 1 {
        ways.push(("shuffled", candidate.shuffled(request.seed)));
    }
    let ask =
        |(_, candidate): &(&str, Candidate)| Ask::once(Job::new(candidate.clone(), Heat::Warm, timeout));
    let asks: Vec<Ask<'_>> = ways.iter().map(ask).collect();
    let seen = runs.ask(Purpose::Search, trust, &asks)?;
    for ((way, candidate), seen) in ways.iter().zip(&seen) {
        for (target, observation) in candidate.targets.iter().zip(&seen.tests) {
            if let Some(how) = how(observation) {
                return Ok(Some(format!("{} does not pass {way}: {how}", target.id)));
            }
        }
    }
    Ok(None)
}

/// Why an observation is no pass.
pub fn how(observation: &Observation) -> Option<String> {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    match observation {
        Observation::Passed => None,
        Observation::Failed(failure) => {
            let exception = failure.exception();
            Some(format!("{}: {}", exception.type_name, first(&exception.message)))
        }
        Observation::Skipped { reason } => Some(format!("skipped: {}", first(reason))),
        Observation::Broken { message, .. } => Some(first(message)),
        Observation::Hung { .. } => Some("it does not end".to_owned()),
        Observation::Died { how } => Some(format!("the process ended ({how})")),
    }
}

/// All tests of the written file, one after the other in a process of their own.
pub fn whole_file(
    request: &Request<'_>,
    runs: &Runs<'_>,
    text: &str,
    ids: Vec<String>,
) -> Result<Option<String>, Stop> {
    let candidate = candidate(request, text, ids);
    let timeout = Some(request.timeout.unwrap_or(TIMEOUT));
    let job = Job::new(candidate.clone(), Heat::Cold, timeout);
    let seen = runs.ask(Purpose::Final, Trust::Live, &[Ask::once(job)])?;
    let tests = seen.iter().flat_map(|seen| &seen.tests);
    let failing = candidate.targets.iter().zip(tests).find_map(|(target, seen)| Some((target, how(seen)?)));
    Ok(failing.map(|(target, how)| format!("{} does not pass in the written file: {how}", target.id)))
}
