//! All purified tests in one file, in the place of the test they come from or apart, each run there once more.

use super::atoms::parse;
use crate::minimize::{Minimized, Request};
use crate::outcome::Outcome;
use paring_engine::drafts::static_trims;
use paring_engine::runs::Purpose;
use paring_engine::{Expectation, Judgement, Oracle, Order, Runs, Several, Stop};
use paring_graph::{Level, dependence, slice};
use paring_model::{
    Candidate, Draft, EditSet, Facts, Failure, Form, Heat, RoutineKind, StmtId, StmtSet, TargetSpec,
    TestDraft, Unit,
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
pub fn together(request: &Request<'_>, runs: &Runs<'_>, tests: &mut [Minimized]) -> Option<Together> {
    if !request.in_place {
        return None;
    }
    let parts: Option<Vec<Part<'_>>> = tests.iter().map(Part::of).collect();
    let why = match parts.map_or(Ok(None), |parts: Vec<Part<'_>>| hold(request, runs, &parts)) {
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
    tests[0].outcome.notes.push(format!("{why}: the file stays as it is"));
    None
}

/// One of the tests, as it stands in the file with all of them.
struct Part<'a> {
    unit: &'a Unit,
    edits: &'a EditSet,
    failure: &'a Failure,
}

impl<'a> Part<'a> {
    fn of(test: &'a Minimized) -> Option<Self> {
        let (unit, edits) = test.in_place.as_ref()?;
        Some(Self { unit, edits, failure: test.outcome.failure.as_ref()? })
    }
}

/// The one result in its file, where that was asked for.
pub fn alone(outcome: &Outcome) -> Option<Together> {
    let pared = outcome.pared.as_ref()?;
    let (text, target) = (pared.in_place.clone()?, pared.in_place_target.clone()?);
    Some(Together { targets: vec![target], text, apart: None })
}

fn hold(request: &Request<'_>, runs: &Runs<'_>, parts: &[Part<'_>]) -> Result<Option<Together>, Stop> {
    // The user's file, in which each test takes the place of the one.
    let original = parse(request);
    let units: Vec<&Unit> = std::iter::once(&original).chain(parts.iter().map(|part| part.unit)).collect();
    let tests = (1..).zip(parts).map(|(unit, part)| TestDraft::edited(unit, part.edits.clone()));
    let draft = Draft::of(tests.collect());
    let Ok(written) = request.frontend.write(&units, &draft, Form::Compact) else { return Ok(None) };
    let expectation = |part: &Part<'_>| {
        Expectation::fails(Oracle::of_failure(&original, part.failure, request.same).anywhere())
    };
    let expectations: Vec<Expectation> = parts.iter().map(expectation).collect();
    let several = Several {
        runs,
        frontend: request.frontend,
        units: &units,
        expectations: &expectations,
        keeps: &[],
        orders: &[Order::Alone],
        purpose: Purpose::Final,
        heat: Heat::Cold,
        timeout: request.timeout,
    };
    let holds = |candidate: &Candidate| -> Result<bool, Stop> {
        Ok(several.judge(&draft, candidate)? == Judgement::Holds)
    };
    let whole = written.candidate;
    if !holds(&whole)? {
        return Ok(None);
    }
    let mut apart_text = None;
    if request.apart {
        let alone = apart(request, &whole);
        // Where something is needed that no name shows, the whole file is the file of its own.
        apart_text = Some(if holds(&alone)? { alone.into_text() } else { whole.text().to_owned() });
    }
    Ok(Some(Together { targets: whole.target_ids(), text: whole.into_text(), apart: apart_text }))
}

/// The file without what none of the tests in it needs, as far as names tell.
fn apart(request: &Request<'_>, whole: &Candidate) -> Candidate {
    let parse =
        |id: &String| request.frontend.parse(&request.path, whole.text(), &TargetSpec::new(id.clone())).0;
    // All have the same text, and so the same nodes.
    let units: Vec<Unit> = whole.target_ids().iter().map(parse).collect();
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
    let trims = static_trims(&units[0], &kept);
    let edits = EditSet { kept, unwrapped: StmtSet::default(), trims };
    let text = request.frontend.edited(&units[0], &edits, Form::Compact).into_text();
    whole.clone().with_text(text)
}
