//! The last word: the compacted result in a fresh process, by the user's own runner.

use super::prune::prune;
use super::subject::{N_WITH_THREADS, Subject};
use super::{Request, heirs};
use crate::outcome::{Outcome, Verified};
use paring_engine::passes::unread::without_unread;
use paring_engine::runs::{Ask, Purpose, Seen, Trust, job};
use paring_engine::{Oracle, Runs, SearchResult, Stop};
use paring_model::{
    Candidate, Draft, EditSet, Event, Form, Heat, Job, Observation, TargetSpec, TestDraft, Version,
};

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
    runs: &Runs<'_>,
    subject: &Subject,
    result: &SearchResult,
    outcome: &mut Outcome,
) -> Result<Option<VerifiedText>, Stop> {
    let unit = &subject.unit;
    let mut tries = Vec::new();
    let mut drafts = vec![result.edits.clone(), result.edits.without_literals(unit)];
    drafts.dedup();
    for edits in drafts {
        tries.extend([pruned(request, subject, &edits), edits.clone(), edits.only_in_test(unit)]);
    }
    if runs.has_good() {
        tries.push(EditSet::all(unit));
    }
    tries.dedup();
    let n_tries = tries.len();
    for (idx, edits) in tries.into_iter().enumerate() {
        let candidate = request.frontend.edited(unit, &edits, Form::Compact);
        let oracle = subject.oracle.of_draft(unit, request.frontend, &edits);
        let verified = run(request, runs, subject, &oracle, &candidate)?;
        let valid = verified.passes_on_good != Some(false);
        // The original may fail on the good version too: then the user's good version is not one.
        if verified.same_failure && (valid || idx + 1 == n_tries) {
            let in_place = in_place(request, runs, subject, &oracle, &edits, outcome);
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
        let candidate = request.frontend.edited(unit, &pruned, Form::Compact);
        let target = TargetSpec::new(candidate.target());
        let (written, _) = request.frontend.parse(&unit.path, candidate.text(), &target);
        match without_unread(unit, &written, &pruned) {
            Some(less) => pruned = less,
            None => return pruned,
        }
    }
}

/// The file with only this test rewritten, if it is wanted and holds in a fresh process. A result is there already: what goes
/// wrong here is a note on it.
fn in_place(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    oracle: &Oracle,
    edits: &EditSet,
    outcome: &mut Outcome,
) -> Option<Candidate> {
    if !request.in_place {
        return None;
    }
    let draft = Draft::of(vec![TestDraft::edited(0, edits.clone())]);
    let written = request.frontend.write(&[&subject.unit], &draft, Form::Compact);
    let candidate = written.expect("an edited test under its own name always has a text").candidate;
    let tidy = request.frontend.without_unused_imports(&subject.unit.source, candidate.text());
    if tidy != candidate.text() {
        let tidy = candidate.clone().with_text(tidy);
        // What goes wrong here shows in the run of the other text.
        if run(request, runs, subject, oracle, &tidy).is_ok_and(|verified| verified.same_failure) {
            return Some(tidy);
        }
    }
    let why = match run(request, runs, subject, oracle, &candidate) {
        Ok(verified) if verified.same_failure => match heirs::broken(request, runs, subject, &candidate) {
            Ok(None) => return Some(candidate),
            Ok(Some(heir)) => format!("{heir} runs the same code, and would do something else than now"),
            Err(_) => "it could not be found out what becomes of other classes with this test".to_owned(),
        },
        Ok(_) => "the test does not fail the same way when only it is rewritten in its file".to_owned(),
        Err(Stop::Failed(failed)) => {
            format!("the file with only the test rewritten could not be run ({failed})")
        }
        Err(Stop::Budget | Stop::Interrupted) => {
            "stopped before the file with only the test rewritten was verified".to_owned()
        }
    };
    outcome.notes.push(format!("{why}: the file stays as it is (--out writes a file of its own)"));
    None
}

/// A no is believed only of a process that has run nothing else.
fn run(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    oracle: &Oracle,
    candidate: &Candidate,
) -> Result<Verified, Stop> {
    if !holds_as_often(request, runs, subject, oracle, candidate)? {
        return Ok(Verified { same_failure: false, fresh_process: false, passes_on_good: None });
    }
    let verified = run_at(request, runs, subject, oracle, candidate, request.last)?;
    if holds(verified) || request.last == Heat::Cold {
        return Ok(verified);
    }
    run_at(request, runs, subject, oracle, candidate, Heat::Cold)
}

fn holds(verified: Verified) -> bool {
    verified.same_failure && verified.passes_on_good != Some(false)
}

/// Whether the result holds as often as the original did: where threads run, it must not fail less surely than that.
fn holds_as_often(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    oracle: &Oracle,
    candidate: &Candidate,
) -> Result<bool, Stop> {
    if !subject.facts.threads {
        return Ok(true);
    }
    let asks = Ask::times(&job(candidate, Heat::Warm, subject.limits.of(Heat::Warm)), N_WITH_THREADS);
    let judge = |one: &Observation| oracle.judge(&subject.unit, request.frontend, candidate, one).is_same();
    if runs.replay(&asks).is_some_and(|seen| !seen.iter().flatten().all(judge)) {
        return Ok(false);
    }
    let seen = runs.ask(Purpose::Final, Trust::Live, &asks)?;
    Ok(seen.iter().all(|one| judge(one.observation())))
}

/// A yes is always seen live. A no of an earlier process will do.
fn run_at(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    oracle: &Oracle,
    candidate: &Candidate,
    heat: Heat,
) -> Result<Verified, Stop> {
    let timeout = request.timeout.unwrap_or(subject.limits.last());
    let current = job(candidate, heat, timeout);
    let mut asks = vec![Ask::once(current.clone())];
    if runs.has_good() {
        asks.push(Ask::once(Job { version: Version::Good, ..current }));
    }
    let verified = |seen: &[Observation]| Verified {
        same_failure: oracle.judge(&subject.unit, request.frontend, candidate, &seen[0]).is_same(),
        fresh_process: true,
        passes_on_good: seen.get(1).map(|observation| *observation == Observation::Passed),
    };
    if let Some(known) =
        runs.replay(&asks).map(|seen| verified(&seen.concat())).filter(|known| !holds(*known))
    {
        return Ok(known);
    }
    let seen = runs.ask(Purpose::Final, Trust::Live, &asks)?;
    let seen: Vec<Observation> = seen.into_iter().map(Seen::into_observation).collect();
    runs.tell(Event::Ran {
        n_runs: runs.counts().total(),
        candidate: candidate.clone(),
        verdict: oracle.judge(&subject.unit, request.frontend, candidate, &seen[0]),
    });
    Ok(verified(&seen))
}
