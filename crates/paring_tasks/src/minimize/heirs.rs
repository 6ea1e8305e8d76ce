//! Other classes that run the code of the test, since they inherit it: what is written in its place, they run too.

use super::Request;
use super::observe::original;
use super::subject::Subject;
use paring_engine::oracle::baseline;
use paring_engine::runs::{Ask, Purpose, Trust, job};
use paring_engine::{Baseline, Runs, Stop};
use paring_model::{Candidate, Form, Heat, Observation, TargetSpec, Unit};

/// Heirs that are run at most.
const N_HEIRS: usize = 16;

/// The first heir that does otherwise when the file is rewritten.
pub fn broken(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    candidate: &Candidate,
) -> Result<Option<String>, Stop> {
    let heirs: Vec<&String> = request.heirs.iter().take(N_HEIRS).collect();
    if heirs.is_empty() {
        return Ok(None);
    }
    let timeout = request.timeout.unwrap_or(subject.limits.last());
    let of = |heir: &String, text: &str| {
        let path = &subject.unit.path;
        let candidate = Candidate::single(path, text.to_owned(), heir.clone(), Form::Compact);
        Ask::once(job(&candidate, Heat::Apart, timeout))
    };
    let before = original(&subject.unit);
    let asks: Vec<Ask<'_>> =
        heirs.iter().flat_map(|heir| [of(heir, before.text()), of(heir, candidate.text())]).collect();
    let seen = runs.ask(Purpose::Final, Trust::Live, &asks)?;
    let broken = heirs.into_iter().zip(seen.chunks(2)).find(|(heir, pair)| {
        !is_as_before(request, heir, pair[0].observation(), candidate, pair[1].observation())
    });
    Ok(broken.map(|(heir, _)| heir.clone()))
}

/// Whether a test that did not run before may do anything, and one that did does as it did.
fn is_as_before(
    request: &Request<'_>,
    heir: &str,
    before: &Observation,
    candidate: &Candidate,
    after: &Observation,
) -> bool {
    let parse =
        |text: &str| -> Unit { request.frontend.parse(&request.path, text, &TargetSpec::new(heir)).0 };
    match before {
        Observation::Failed(_) | Observation::Died { .. } => {
            let unit = parse(&request.source);
            match baseline(&unit, std::slice::from_ref(before), request.same, true) {
                Baseline::Stable(oracle) => oracle.judge_in(&parse(candidate.text()), after).is_same(),
                Baseline::Passing
                | Baseline::Skipped { .. }
                | Baseline::Flaky { .. }
                | Baseline::Broken { .. }
                | Baseline::Hung { .. } => false,
            }
        }
        Observation::Passed | Observation::Skipped { .. } => {
            matches!(after, Observation::Passed | Observation::Skipped { .. })
        }
        Observation::Broken { .. } | Observation::Hung { .. } => true,
    }
}
