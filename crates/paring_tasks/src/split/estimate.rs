//! What splitting a test would give, without writing or running any new test.
//!
//! ```text
//! cart = Cart()                 1 2    0.1 s
//! cart.fill()                   1      2.0 s     two scenarios: 2.1 s and 0.1 s in the place of 2.1 s;
//! assert cart.total() == 4      1                who wants to know of the second waits 0.1 s
//! assert cart.name == "tea"       2
//! ```
//!
//! Scenarios are those of slices at the likely depth: what a run would have shown to be too little is not known here. Seconds are those of
//! the statements as they ran once; what is outside the test's body (fixtures, set-up) every new test pays again.

use super::alone::Alone;
use super::callers::by_callers;
use super::check::checks;
use super::depth::Sources;
use super::outcome::{Ended, Whole};
use super::settle::{Plan, Settled, settle};
use super::table::Tables;
use super::words::Words;
use super::{Request, is_worth_trying};
use paring_engine::Runs;
use paring_graph::{Level, dependence};
use paring_model::{Facts, Form, Resource, RoutineKind, StmtId, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What a run of a test told, as far as an estimate needs it.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub facts: Facts,
    /// By the line on which a statement of the test begins, the seconds that it took.
    pub seconds: BTreeMap<u32, f64>,
    /// Of the whole test, fixtures and set-up included.
    pub total: f64,
}

/// What would become of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    pub target: String,
    pub n_checks: usize,
    pub n_statements: usize,
    /// Of the test as it is.
    pub seconds: f64,
    pub scenarios: Vec<EstimatedTest>,
    /// Why it would stay whole.
    pub reason: Option<Whole>,
    /// State without a name of the test that joins its statements.
    pub resources: Vec<String>,
}

/// One of the tests that it would be split into.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimatedTest {
    pub n_statements: usize,
    /// Lines of its checks.
    pub checks: Vec<u32>,
    pub seconds: f64,
}

impl Estimate {
    pub fn is_several(&self) -> bool {
        self.scenarios.len() > 1
    }

    /// Of all new tests together, against the test as it is.
    pub fn cost(&self) -> Option<f64> {
        let sum: f64 = self.scenarios.iter().map(|it| it.seconds).sum();
        (self.is_several() && self.seconds > 0.0).then(|| sum / self.seconds)
    }

    pub fn longest(&self) -> f64 {
        self.scenarios.iter().map(|it| it.seconds).fold(0.0, f64::max)
    }
}

/// Estimates one test from what a run of it told; where it is to be exact, from a traced run that is made now.
pub fn estimate(request: &Request<'_>, told: &dyn Fn(&Unit) -> Told, is_exact: bool) -> Estimate {
    let (unit, _) = request.frontend.parse(request.path, request.source, request.target);
    let runs = Runs::new(request.ports);
    let mut told = told(&unit);
    if is_exact {
        let traced = runs.trace(&unit, &unit.candidate(unit.source.clone(), Form::Blanked));
        told.facts = traced.unwrap_or_default();
    }
    let mut found = Estimate {
        target: request.target.id.clone(),
        n_checks: checks(request.frontend, &unit).len(),
        n_statements: unit.test_body().len(),
        seconds: told.total,
        scenarios: Vec::new(),
        reason: None,
        resources: Vec::new(),
    };
    let facts = by_callers(&unit, told.facts.clone());
    match sliced(request, &runs, &unit, &facts) {
        Ok((settled, lines)) => {
            found.scenarios =
                settled.iter().zip(lines).map(|(it, lines)| new_test(&unit, it, lines, &told)).collect();
        }
        Err(Ended::Whole(whole)) => found.reason = Some(whole),
        Err(Ended::Stopped(_)) => {}
    }
    if found.is_several() {
        found.resources = joining(&facts);
    }
    found
}

/// The scenarios, with the lines of their checks.
fn sliced(
    request: &Request<'_>,
    runs: &Runs<'_>,
    unit: &Unit,
    facts: &Facts,
) -> Result<(Vec<Settled>, Vec<Vec<u32>>), Ended> {
    let checks = checks(request.frontend, unit);
    let none = Tables::default();
    is_worth_trying(unit, &checks, &none)?;
    let words = Words::new(request.frontend, unit);
    let dependence = dependence(unit, facts, Level::Passing);
    let sources = Sources { unit, facts, dependence: &dependence, words: &words };
    let alone = Alone { runs, frontend: request.frontend, unit, timeout: None, verifies: false };
    let plan = Plan { grouping: request.grouping, drop_unasserted: request.drop_unasserted, bound: &[] };
    let settled = settle(&sources, &checks, &none, plan, &BTreeMap::new(), &alone)?;
    let line = |idx: &usize| checks.get(*idx).map(|check| unit.line_of(unit.stmt(check.stmt).range.start));
    let lines = settled.iter().map(|it| it.checks.iter().filter_map(line).collect()).collect();
    Ok((settled, lines))
}

fn new_test(unit: &Unit, settled: &Settled, checks: Vec<u32>, told: &Told) -> EstimatedTest {
    let is_own =
        |id: &StmtId| unit.routine(unit.stmt(*id).routine).kind == RoutineKind::Test && unit.stmt(*id).counts;
    let own: Vec<StmtId> = settled.stmts.iter().filter(is_own).collect();
    let begins = |id: &StmtId| unit.line_of(unit.stmt(*id).range.start);
    let lines: BTreeSet<u32> = own.iter().map(begins).collect();
    let body: f64 = told.seconds.values().sum();
    let seconds = |line: &u32| told.seconds.get(line).copied().unwrap_or_default();
    let around = (told.total - body).max(0.0);
    EstimatedTest {
        n_statements: own.len(),
        checks,
        seconds: around + lines.iter().map(seconds).sum::<f64>(),
    }
}

/// Resources that one statement changed and another used.
fn joining(facts: &Facts) -> Vec<String> {
    let mut by: BTreeMap<&Resource, BTreeSet<StmtId>> = BTreeMap::new();
    for (touch, resource) in facts.resources.touches().filter(|(_, resource)| **resource != Resource::Unknown)
    {
        by.entry(resource).or_default().insert(touch.stmt);
    }
    by.into_iter().filter(|(_, stmts)| stmts.len() > 1).map(|(resource, _)| resource.to_string()).collect()
}
