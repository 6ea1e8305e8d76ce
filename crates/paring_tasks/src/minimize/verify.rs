//! The last word: the compacted result in a fresh process, by the user's own runner.

use super::Request;
use super::prune::{prune, unread};
use super::subject::{N_WITH_THREADS, Subject};
use crate::outcome::{Outcome, Verified};
use paring_engine::{Found, Oracle, Stop};
use paring_model::{Candidate, EditSet, Event, Form, Heat, Job, Observation, TargetSpec, Version};

/// A text that held in a fresh process.
pub struct VerifiedText {
    pub edits: EditSet,
    pub candidate: Candidate,
    pub verified: Verified,
    /// The file with only the test rewritten, where that was asked for and holds too.
    pub in_place: Option<Candidate>,
}

/// Tries the result without what nothing asks for any more, then the result, then the result with everything outside the
/// test left as it was, then all these with their literals as they were, then the original; `None` where not even that shows
/// the failure in a fresh process.
pub fn verify(
    request: &Request<'_>,
    subject: &Subject,
    found: &Found,
    outcome: &mut Outcome,
) -> Result<Option<VerifiedText>, Stop> {
    let unit = &subject.unit;
    let mut tries = Vec::new();
    let mut drafts = vec![found.edits.clone(), found.edits.without_literals(unit)];
    drafts.dedup();
    for edits in drafts {
        tries.extend([pruned(request, subject, &edits), edits.clone(), edits.only_in_test(unit)]);
    }
    if request.runner.has_good() {
        tries.push(EditSet::all(unit));
    }
    tries.dedup();
    let n_tries = tries.len();
    for (idx, edits) in tries.into_iter().enumerate() {
        let candidate = request.frontend.render(unit, &edits, Form::Compact);
        let oracle = subject.oracle.of_draft(unit, request.frontend, &edits);
        let verified = run(request, subject, &oracle, &candidate, outcome)?;
        let valid = verified.passes_on_good != Some(false);
        // The original may fail on the good version too: then the user's good version is not one.
        if verified.same_failure && (valid || idx + 1 == n_tries) {
            let in_place = in_place(request, subject, &oracle, &edits, outcome)?;
            return Ok(Some(VerifiedText { edits, candidate, verified, in_place }));
        }
    }
    Ok(None)
}

/// The edits without what they leave unasked for and unread.
fn pruned(request: &Request<'_>, subject: &Subject, edits: &EditSet) -> EditSet {
    let unit = &subject.unit;
    let mut pruned = prune(unit, &subject.facts, edits);
    // What goes may have been the only reader of something else.
    loop {
        let candidate = request.frontend.render(unit, &pruned, Form::Compact);
        let target = TargetSpec::new(candidate.target);
        let (written, _) = request.frontend.parse(&unit.path, &candidate.text, &target);
        match unread(unit, &written, &pruned) {
            Some(less) => pruned = less,
            None => return pruned,
        }
    }
}

/// The file with only this test rewritten, if it is wanted and holds in a fresh process.
fn in_place(
    request: &Request<'_>,
    subject: &Subject,
    oracle: &Oracle,
    edits: &EditSet,
    outcome: &mut Outcome,
) -> Result<Option<Candidate>, Stop> {
    if !request.in_place {
        return Ok(None);
    }
    let unit = &subject.unit;
    let plain = || request.frontend.render(unit, &edits.only_in_test(unit), Form::Compact);
    let candidate = request.frontend.render_in_place(unit, edits).unwrap_or_else(plain);
    if run(request, subject, oracle, &candidate, outcome)?.same_failure {
        return Ok(Some(candidate));
    }
    outcome.notes.push(
        "the test does not fail the same way when only it is rewritten in its file: the file stays as it is (--out writes \
         a file of its own)"
            .to_owned(),
    );
    Ok(None)
}

/// A no is believed only of a process that has run nothing else.
fn run(
    request: &Request<'_>,
    subject: &Subject,
    oracle: &Oracle,
    candidate: &Candidate,
    outcome: &mut Outcome,
) -> Result<Verified, Stop> {
    if !holds_as_often(request, subject, oracle, candidate, outcome)? {
        return Ok(Verified { same_failure: false, fresh_process: false, passes_on_good: None });
    }
    let verified = run_at(request, subject, oracle, candidate, request.last, outcome)?;
    let holds = verified.same_failure && verified.passes_on_good != Some(false);
    if holds || request.last == Heat::Cold {
        return Ok(verified);
    }
    run_at(request, subject, oracle, candidate, Heat::Cold, outcome)
}

/// Whether the result holds as often as the original did: where threads run, it must not fail less surely than that.
fn holds_as_often(
    request: &Request<'_>,
    subject: &Subject,
    oracle: &Oracle,
    candidate: &Candidate,
    outcome: &mut Outcome,
) -> Result<bool, Stop> {
    if !subject.facts.threads {
        return Ok(true);
    }
    let job = Job {
        candidate: candidate.clone(),
        version: Version::Faulty,
        heat: Heat::Warm,
        timeout: Some(subject.timeout),
    };
    outcome.runs.final_ += N_WITH_THREADS;
    let seen = request.runner.observe(&vec![job; N_WITH_THREADS])?;
    let judge = |one: &Observation| oracle.judge(&subject.unit, request.frontend, candidate, one);
    Ok(seen.iter().all(|one| judge(one).is_same()))
}

fn run_at(
    request: &Request<'_>,
    subject: &Subject,
    oracle: &Oracle,
    candidate: &Candidate,
    heat: Heat,
    outcome: &mut Outcome,
) -> Result<Verified, Stop> {
    let job = |version| Job {
        candidate: candidate.clone(),
        version,
        heat,
        timeout: request.timeout.or(Some(subject.fresh_timeout * 4)),
    };
    let mut jobs = vec![job(Version::Faulty)];
    if request.runner.has_good() {
        jobs.push(job(Version::Good));
        outcome.runs.good += 1;
    }
    outcome.runs.final_ += 1;
    let seen = request.runner.observe(&jobs)?;
    let verdict = oracle.judge(&subject.unit, request.frontend, candidate, &seen[0]);
    (request.tell)(Event::Ran {
        n_runs: outcome.runs.total(),
        candidate: candidate.clone(),
        verdict: verdict.clone(),
    });
    Ok(Verified {
        same_failure: verdict.is_same(),
        fresh_process: true,
        passes_on_good: seen.get(1).map(|observation| *observation == Observation::Passed),
    })
}
