//! All purified tests in one file, in the place of the test they come from or apart, each run there once more.

use super::atoms::parse;
use crate::minimize::Request;
use crate::outcome::{Outcome, Pared};
use paring_engine::drafts::static_trims;
use paring_engine::runs::Purpose;
use paring_engine::{Expectation, Judgement, Oracle, Order, Runs, Several, Stop};
use paring_graph::{Level, dependence, slice};
use paring_model::{
    Candidate, Draft, EditSet, Facts, Failure, Form, Heat, RoutineKind, StmtId, StmtSet, TargetSpec, Unit,
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
pub fn together(request: &Request<'_>, runs: &Runs<'_>, outcomes: &mut [Outcome]) -> Option<Together> {
    let written = |outcome: &Outcome| Some((in_place(outcome.pared.as_ref()?)?, outcome.failure.clone()?));
    if !request.in_place {
        return None;
    }
    let tests: Option<Vec<(Candidate, Failure)>> = outcomes.iter().map(written).collect();
    let why = match tests.map_or(Ok(None), |tests| hold(request, runs, &tests)) {
        Ok(Some(together)) => return Some(together),
        Ok(None) => {
            "the purified tests do not all fail the same way when they stand in the file together".to_owned()
        }
        Err(Stop::Failed(failed)) => {
            format!("the file with all purified tests could not be run: {failed} ({})", failed.help)
        }
        Err(Stop::Budget | Stop::Interrupted) => {
            "stopped before the file with all purified tests was verified".to_owned()
        }
    };
    outcomes[0].notes.push(format!("{why}: the file stays as it is"));
    None
}

/// The one result in its file, where that was asked for.
pub fn alone(outcome: &Outcome) -> Option<Together> {
    let candidate = in_place(outcome.pared.as_ref()?)?;
    Some(Together { targets: candidate.target_ids(), text: candidate.into_text(), apart: None })
}

fn in_place(pared: &Pared) -> Option<Candidate> {
    let (text, target) = (pared.in_place.clone()?, pared.in_place_target.clone()?);
    Some(Candidate::single(pared.path.as_str().into(), text, target, Form::Compact))
}

fn hold(
    request: &Request<'_>,
    runs: &Runs<'_>,
    tests: &[(Candidate, Failure)],
) -> Result<Option<Together>, Stop> {
    let mut candidates: Vec<Candidate> = tests.iter().map(|(candidate, _)| candidate.clone()).collect();
    for candidate in &mut candidates {
        candidate.after.clone_from(&request.target.after);
    }
    let failures: Vec<&Failure> = tests.iter().map(|(_, failure)| failure).collect();
    let Some(side_by_side) = request.frontend.side_by_side(&parse(request), &candidates) else {
        return Ok(None);
    };
    let Some(text) = side_by_side.first().map(|first| first.text().to_owned()) else { return Ok(None) };
    if !all_fail(request, runs, &side_by_side, &failures)? {
        return Ok(None);
    }
    let mut apart_text = None;
    if request.apart {
        let alone = apart(request, &side_by_side);
        // Where something is needed that no name shows, the whole file is the file of its own.
        let holds = all_fail(request, runs, &alone, &failures)?;
        apart_text = Some(if holds { alone[0].text().to_owned() } else { text.clone() });
    }
    let targets = side_by_side.iter().map(|it| it.target().to_owned()).collect();
    Ok(Some(Together { text, apart: apart_text, targets }))
}

/// The file without what none of the tests in it needs, as far as names tell.
fn apart(request: &Request<'_>, tests: &[Candidate]) -> Vec<Candidate> {
    let units = tests.iter().map(|test| {
        let target = TargetSpec::new(test.target());
        request.frontend.parse(&request.path, test.text(), &target).0
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
    let text = request.frontend.render(&units[0], &edits, Form::Compact).into_text();
    tests.iter().map(|test| test.clone().with_text(text.clone())).collect()
}

/// Whether each test shows its failure in a fresh process, at whatever place of the text.
fn all_fail(
    request: &Request<'_>,
    runs: &Runs<'_>,
    tests: &[Candidate],
    failures: &[&Failure],
) -> Result<bool, Stop> {
    let unit = parse(request);
    let fails =
        |failure: &&Failure| Expectation::fails(Oracle::of_failure(&unit, failure, request.same).anywhere());
    let expectations: Vec<Expectation> = failures.iter().map(fails).collect();
    let several = Several {
        runs,
        frontend: request.frontend,
        units: &[&unit],
        expectations: &expectations,
        keeps: &[],
        orders: &[Order::Alone],
        purpose: Purpose::Final,
        heat: Heat::Cold,
        timeout: request.timeout,
    };
    // All have the same text.
    let Some(first) = tests.first() else { return Ok(false) };
    let all = first.clone().with_targets(tests.iter().map(|test| test.target().to_owned()));
    Ok(several.judge(&Draft::default(), &all)? == Judgement::Holds)
}
