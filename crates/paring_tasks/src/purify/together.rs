//! All purified tests in one file, in the place of the test they come from, each run there once more.

use super::atoms::parse;
use crate::minimize::Request;
use crate::outcome::{Outcome, Pared};
use paring_engine::Baseline;
use paring_engine::oracle::baseline;
use paring_model::{Candidate, Failure, Form, Heat, Job, Observation, TargetSpec, Version};

/// A file with all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    pub text: String,
    /// Their ids, in the order of the outcomes that have a result.
    pub targets: Vec<String>,
}

/// `None` where it was not asked for, or does not hold: then the first outcome has a note.
pub fn together(request: &Request<'_>, outcomes: &mut [Outcome]) -> Option<Together> {
    let written = |outcome: &Outcome| Some((in_place(outcome.pared.as_ref()?)?, outcome.failure.clone()?));
    if !request.in_place {
        return None;
    }
    let tests: Option<Vec<(Candidate, Failure)>> = outcomes.iter().map(written).collect();
    let found = tests.and_then(|tests| hold(request, &tests, &mut outcomes[0]));
    if found.is_none() {
        outcomes[0].notes.push(
            "the purified tests do not all fail the same way when they stand in the file together: the file stays as it is"
                .to_owned(),
        );
    }
    found
}

/// The one result in its file, where that was asked for.
pub fn alone(outcome: &Outcome) -> Option<Together> {
    let candidate = in_place(outcome.pared.as_ref()?)?;
    Some(Together { text: candidate.text, targets: vec![candidate.target] })
}

fn in_place(pared: &Pared) -> Option<Candidate> {
    let (text, target) = (pared.in_place.clone()?, pared.in_place_target.clone()?);
    Some(Candidate { text, target, after: Vec::new(), form: Form::Compact })
}

fn hold(request: &Request<'_>, tests: &[(Candidate, Failure)], outcome: &mut Outcome) -> Option<Together> {
    let mut candidates: Vec<Candidate> = tests.iter().map(|(candidate, _)| candidate.clone()).collect();
    for candidate in &mut candidates {
        candidate.after.clone_from(&request.target.after);
    }
    let side_by_side = request.frontend.side_by_side(&parse(request), &candidates)?;
    let job = |candidate: &Candidate| Job {
        candidate: candidate.clone(),
        version: Version::Faulty,
        heat: Heat::Cold,
        timeout: request.timeout,
    };
    let jobs: Vec<Job> = side_by_side.iter().map(job).collect();
    outcome.runs.final_ += jobs.len();
    let seen = request.runner.observe(&jobs).ok()?;
    let holds = side_by_side.iter().zip(&seen).zip(tests).all(|((written, seen), (_, failure))| {
        is_alike(request, written, seen, failure)
    });
    let text = side_by_side.first()?.text.clone();
    holds.then(|| Together { text, targets: side_by_side.into_iter().map(|it| it.target).collect() })
}

/// Whether a run shows a failure that was seen in another text: all but the place is compared.
fn is_alike(request: &Request<'_>, written: &Candidate, seen: &Observation, wanted: &Failure) -> bool {
    let Observation::Failed(found) = seen else { return false };
    let target = TargetSpec::new(written.target.clone());
    let (unit, _) = request.frontend.parse(&request.path, &written.text, &target);
    let without_place = |failure: &Failure| {
        Observation::Failed(Failure { stack: Vec::new(), left: Vec::new(), ..failure.clone() })
    };
    match baseline(&unit, &[without_place(wanted)], request.same, true) {
        Baseline::Stable(oracle) => oracle.judge_in(&unit, &without_place(found)).is_same(),
        Baseline::Passing
        | Baseline::Skipped { .. }
        | Baseline::Flaky { .. }
        | Baseline::Broken { .. }
        | Baseline::Hung { .. } => false,
    }
}
