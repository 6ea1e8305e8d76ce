//! Settles on a version on which the test passes: the one the user named, or one that is found among older ones.
//!
//! A version that was named and is not good ends the job: every verdict would rest on it. One that was only a guess is just not
//! taken. Either way a version counts only after the original was seen to pass on it.

use super::observe::original;
use super::subject::Subject;
use super::{Request, error};
use crate::outcome::{Good, Outcome, OutcomeError, Status};
use paring_engine::runs::{Ask, Purpose, Seen, Trust, job};
use paring_engine::{Runs, Stop};
use paring_model::{
    BrokenKind, ErrorCode, Event, Heat, Job, Observation, Tried, Version, VersionName, Versions,
};
use std::time::Duration;

/// What trying versions may take where nobody says otherwise, in runs in fresh processes.
const N_COLD_RUNS: u32 = 4;
/// So many versions are named where none was good.
const N_NAMED: usize = 6;

/// `false` where the version that was named is not good, with the status set.
pub fn settle(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    outcome: &mut Outcome,
) -> Result<bool, Stop> {
    let given = request.versions.and_then(Versions::given);
    match (request.versions, given) {
        (Some(versions), None) => find(request, versions, runs, subject, outcome).map(|()| true),
        (_, given) if runs.has_good() => check(request, given, runs, subject, outcome),
        (_, _) => Ok(true),
    }
}

/// The version that the user named has to be good.
fn check(
    request: &Request<'_>,
    given: Option<Tried>,
    runs: &Runs<'_>,
    subject: &Subject,
    outcome: &mut Outcome,
) -> Result<bool, Stop> {
    let (version, lacks) = match given {
        Some(Tried::Ready { version, lacks }) => (version, lacks),
        Some(Tried::Unusable { version, why }) => (version, vec![why]),
        None => (VersionName::default(), Vec::new()),
    };
    note(runs, &version);
    runs.tell(Event::Stage { name: "looking at the good version" });
    let limit = request.timeout.unwrap_or(subject.limits.fresh * 4);
    let seen = on_good(request, runs, subject, limit)?;
    if seen == Observation::Passed {
        outcome.good = (!version.name.is_empty()).then(|| Good { version: Some(version), ..Good::default() });
        return Ok(true);
    }
    outcome.status = Status::NotGood;
    outcome.error = Some(not_good(subject, &seen, &lacks));
    Ok(false)
}

/// The first version that is good, within the budget.
fn find(
    request: &Request<'_>,
    versions: &dyn Versions,
    runs: &Runs<'_>,
    subject: &Subject,
    outcome: &mut Outcome,
) -> Result<(), Stop> {
    runs.tell(Event::Stage { name: "looking for a version that passes" });
    let began = runs.elapsed();
    let cold = versions.cold(subject.cold);
    let budget = versions.budget().unwrap_or(cold * N_COLD_RUNS);
    let took = || runs.elapsed().saturating_sub(began);
    let mut good = Good::default();
    versions.begin();
    while took() < budget && runs.may_go_on().is_ok() {
        let (version, lacks) = match versions.next() {
            None => break,
            Some(Tried::Unusable { version, why }) => {
                good.tried.push((version, why));
                continue;
            }
            Some(Tried::Ready { version, lacks }) => (version, lacks),
        };
        note(runs, &version);
        let left = budget.saturating_sub(took());
        let limit = subject.limits.fresh.min(left.max(cold * 2));
        match seen_on(request, runs, subject, limit)? {
            Observation::Passed => {
                good.version = Some(version);
                break;
            }
            other => good.tried.push((version, why(subject, &other, &lacks))),
        }
    }
    good.took = took();
    if let Some(version) = &mut good.version {
        versions.keep(version);
    } else {
        versions.drop_last();
        note(runs, &VersionName::default());
        outcome.notes.extend(nowhere(&good, versions.end()));
    }
    outcome.good = (good.version.is_some() || !good.tried.is_empty()).then_some(good);
    Ok(())
}

/// A run that fails there is one that failed: whatever else goes wrong with a guess is no end of the job.
fn seen_on(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    limit: Duration,
) -> Result<Observation, Stop> {
    match on_good(request, runs, subject, limit) {
        Err(Stop::Failed(failed)) => {
            Ok(Observation::Broken { message: failed.message, line: None, kind: BrokenKind::NotRunnable })
        }
        seen => seen,
    }
}

/// The original on the good version: in a fresh process, and where it passes in a warm one.
fn on_good(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    limit: Duration,
) -> Result<Observation, Stop> {
    let mut last = Observation::Passed;
    for heat in [Heat::Fresh, Heat::Warm] {
        let limit = request.timeout.unwrap_or(limit);
        let job = Job { version: Version::Good, ..job(&original(&subject.unit), heat, limit) };
        let mut seen = runs.ask(Purpose::Baseline, Trust::Live, &[Ask::once(job)])?;
        last = seen.pop().map(Seen::into_observation).expect("a run answers every question");
        if last != Observation::Passed {
            break;
        }
    }
    Ok(last)
}

/// What is seen on a version is filed under its name.
fn note(runs: &Runs<'_>, version: &VersionName) {
    runs.note_good(version.commit.as_deref().unwrap_or(&version.name));
}

/// What happened on a version, in a few words.
fn why(subject: &Subject, seen: &Observation, lacks: &[String]) -> String {
    match seen {
        Observation::Passed => "passes there".to_owned(),
        Observation::Skipped { .. } => "is skipped there".to_owned(),
        Observation::Failed(_) if subject.oracle.judge_in(&subject.unit, seen).is_same() => {
            "fails there too".to_owned()
        }
        Observation::Failed(failure) => {
            let exception = failure.exception();
            let message = exception.message.lines().next().unwrap_or_default();
            let lacks = lacks.first().map(|lacks| format!("; {lacks}")).unwrap_or_default();
            format!("fails differently there ({}: {message}){lacks}", exception.type_name)
        }
        Observation::Broken { message, .. } => {
            let first = message.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
            let lacks = lacks.first().map(|lacks| format!("; {lacks}")).unwrap_or_default();
            format!("cannot be run there ({first}){lacks}")
        }
        Observation::Hung { .. } => "does not end there in time".to_owned(),
        Observation::Died { how } => format!("dies there ({how})"),
    }
}

fn not_good(subject: &Subject, seen: &Observation, lacks: &[String]) -> OutcomeError {
    let help = match seen {
        Observation::Broken { .. } | Observation::Died { .. } => {
            "name a version that the present tests can be run on, or leave it out with --good none"
        }
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Failed(_)
        | Observation::Hung { .. } => {
            "name a version on which this very test passes, let paring find one with --good auto, or leave it out with --good none"
        }
    };
    let why = why(subject, seen, lacks);
    error(ErrorCode::NotGood, format!("the good version is not good: the test {why}"), help)
}

/// One line about versions on which the test does not pass; none where there was nowhere to look.
fn nowhere(good: &Good, end: Option<String>) -> Option<String> {
    if good.tried.is_empty() {
        return end.map(|end| format!("no version that passes was looked for: {end}"));
    }
    let named = good.tried.iter().take(N_NAMED);
    let named: Vec<String> = named.map(|(version, why)| format!("{} ({why})", version.way)).collect();
    let more = good.tried.len().saturating_sub(N_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let end = end.map(|end| format!("; {end}")).unwrap_or_default();
    Some(format!("no version that passes was found at {}{more}{end}; --good REV names one", named.join(", ")))
}
