//! All purified tests in one file, in the place of the test they come from or apart, each run there once more.

use super::atoms::parse;
use crate::minimize::Request;
use crate::outcome::{Outcome, Pared};
use paring_engine::Baseline;
use paring_engine::oracle::baseline;
use paring_engine::strategy::leveled::static_trims;
use paring_graph::{Level, dependence, slice};
use paring_model::{
    Candidate, EditSet, Facts, Failure, Form, Heat, Job, Observation, RoutineKind, StmtId, StmtSet,
    TargetSpec, Unit, Version,
};

/// A file with all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The test's file with them in the test's place.
    pub text: String,
    /// A file with them and what they need, where that was asked for.
    pub apart: Option<String>,
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
    Some(Together { text: candidate.text, apart: None, targets: vec![candidate.target] })
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
    let failures: Vec<&Failure> = tests.iter().map(|(_, failure)| failure).collect();
    let side_by_side = request.frontend.side_by_side(&parse(request), &candidates)?;
    if !all_fail(request, &side_by_side, &failures, outcome) {
        return None;
    }
    let alone = request.apart.then(|| apart(request, &side_by_side));
    let apart = alone.filter(|alone| all_fail(request, alone, &failures, outcome));
    let text = side_by_side.first()?.text.clone();
    Some(Together {
        // Where something is needed that no name shows, the whole file is the file of its own.
        apart: request.apart.then(|| apart.map_or_else(|| text.clone(), |apart| apart[0].text.clone())),
        targets: side_by_side.into_iter().map(|it| it.target).collect(),
        text,
    })
}

/// The file without what none of the tests in it needs, as far as names tell.
fn apart(request: &Request<'_>, tests: &[Candidate]) -> Vec<Candidate> {
    let units = tests.iter().map(|test| {
        let target = TargetSpec::new(test.target.clone());
        request.frontend.parse(&request.path, &test.text, &target).0
    });
    let units: Vec<Unit> = units.collect();
    let mut kept = StmtSet::default();
    for unit in &units {
        let runs = |id: &StmtId| {
            let routine = unit.stmt(*id).routine;
            unit.sequence.contains(&routine) && unit.routine(routine).kind != RoutineKind::Module
        };
        let stmts: Vec<StmtId> = unit.ids().filter(runs).collect();
        let dependence = dependence(unit, &Facts::default(), Level::One);
        kept.union_with(&slice(unit, &dependence, &stmts).kept);
    }
    // All have the same text, and so the same nodes.
    let trims = static_trims(&units[0], &kept);
    let edits = EditSet { kept, unwrapped: StmtSet::default(), trims };
    let text = request.frontend.render(&units[0], &edits, Form::Compact).text;
    tests.iter().map(|test| Candidate { text: text.clone(), ..test.clone() }).collect()
}

/// Whether each test shows its failure in a fresh process.
fn all_fail(
    request: &Request<'_>,
    tests: &[Candidate],
    failures: &[&Failure],
    outcome: &mut Outcome,
) -> bool {
    let job = |candidate: &Candidate| Job {
        candidate: candidate.clone(),
        version: Version::Faulty,
        heat: Heat::Cold,
        timeout: request.timeout,
    };
    let jobs: Vec<Job> = tests.iter().map(job).collect();
    outcome.runs.final_ += jobs.len();
    let Ok(seen) = request.runner.observe(&jobs) else { return false };
    let mut all = tests.iter().zip(&seen).zip(failures);
    all.all(|((written, seen), failure)| is_alike(request, written, seen, failure))
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
