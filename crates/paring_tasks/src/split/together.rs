//! The written file: all new tests in it, in their order, shuffled, and in a process that has run nothing else.

use super::check::Check;
use super::depth::Sources;
use super::draft::written;
use super::explain::reasons;
use super::outcome::{Cost, Ended, NewTest, SplitFile, SplitOutcome, SplitStatus, Whole};
use super::table::Tables;
use super::unasserted::doings;
use super::{Named, Request, TIMEOUT, draft_of, set_up};
use crate::keeping::Keeping;
use crate::outcome::Kept;
use paring_engine::runs::Purpose;
use paring_engine::{EachOnce, Expectation, Judgement, Loss, Order, Runs, Several, Somewhere, Stop};
use paring_model::{Candidate, Heat, RoutineKind, StmtId, Unit};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a verified file showed.
pub enum Verified {
    Holds,
    Lost(Loss),
    /// The new tests take so many times as long as the old one, which is too much.
    Costs(f64),
}

/// The new tests, and which loops are parametrised tests.
#[derive(Clone, Copy)]
pub struct NewTests<'a> {
    pub named: &'a [Named],
    pub tables: &'a Tables,
}

/// Verifies the file and reports it; or what it loses or costs, or why the test stays whole.
pub fn together(
    request: &Request<'_>,
    runs: &Runs<'_>,
    sources: &Sources<'_>,
    checks: &[Check],
    NewTests { named, tables }: NewTests<'_>,
    keeping: &mut Keeping,
    outcome: &mut SplitOutcome,
) -> Result<Verified, Ended> {
    runs.may_go_on()?;
    let unit = sources.unit;
    let draft = draft_of(unit, tables, named);
    let mut candidate = written(request.frontend, unit, &draft)?;
    let once = EachOnce { unit: 0, stmts: checks.iter().map(|check| check.stmt).collect() };
    let calls = if request.drop_unasserted { Vec::new() } else { doings(sources) };
    let as_cases = tables.written_as_cases(named.iter().map(|it| &it.settled));
    let calls = calls.into_iter().filter(|&id| !as_cases.contains(id)).collect();
    let somewhere = Somewhere { unit: 0, stmts: calls };
    let expectations = vec![Expectation::passes(); named.len()];
    let judge = |candidate: &Candidate, orders: &[Order], heat: Heat| {
        let several = Several {
            runs,
            frontend: request.frontend,
            units: &[unit],
            expectations: &expectations,
            keeps: &[&once, &somewhere],
            orders,
            purpose: Purpose::Final,
            heat,
            timeout: Some(request.timeout.unwrap_or(TIMEOUT)),
        };
        several.judge(&draft, candidate)
    };
    let moved = set_up::moved(request, &candidate);
    let is_moved = match &moved {
        Some(moved) => judge(moved, &[], Heat::Warm)? == Judgement::Holds,
        None => false,
    };
    if let Some(moved) = moved.filter(|_| is_moved) {
        candidate = moved;
    } else if let Some(loss) = held(judge(&candidate, &[], Heat::Warm)?, named)? {
        return Ok(Verified::Lost(loss));
    }
    // The recorded run is the shuffled one, where all pass in it.
    let recorded = keeping.check_lines(runs, &candidate.shuffled(request.seed))?;
    if let Some(loss) = recorded.as_ref().and_then(|recorded| recorded.loss.clone()) {
        return Ok(Verified::Lost(loss));
    }
    let mut took = recorded.as_ref().map(|recorded| recorded.took.clone()).unwrap_or_default();
    outcome.cost = measured(request, runs, keeping, &candidate, &mut took)?;
    if let Some(cost) = outcome.cost.filter(|cost| is_too_much(*cost, request.max_cost)) {
        return Ok(Verified::Costs(cost.ratio()));
    }
    if !recorded.is_some_and(|recorded| recorded.all_pass) {
        held(judge(&candidate, &[Order::Shuffled(request.seed)], Heat::Warm)?, named)?;
    }
    held(judge(&candidate, &[Order::AsWritten], Heat::Cold)?, named)?;
    let faults = keeping.check_faults(runs, request.frontend, &candidate, request.n_mutants, request.seed)?;
    if let Some(loss) = faults {
        return Ok(Verified::Lost(loss));
    }
    (outcome.mutants, outcome.n_lines) = (keeping.mutants(), keeping.n_lines());
    if let Some(why) = keeping.no_mutants(runs).filter(|_| request.n_mutants > 0) {
        let unknown = "whether the new tests catch the same faults was not checked: no mutants possible";
        outcome.notes.push(format!("{unknown}: {why}"));
    }
    report(request, sources, checks, named, candidate, &took, outcome);
    Ok(Verified::Holds)
}

/// Shorter tests may take as many times as long as they like.
const FREE: Duration = Duration::from_millis(200);

/// Times that are too long are taken again so often: a machine that is busy takes longer, and none is faster than it is.
const N_AGAIN: usize = 3;

/// What the new tests take next to the old one, each in the shortest of its runs.
fn measured(
    request: &Request<'_>,
    runs: &Runs<'_>,
    keeping: &Keeping,
    candidate: &Candidate,
    took: &mut BTreeMap<String, Duration>,
) -> Result<Option<Cost>, Stop> {
    let Some(mut original) = keeping.took() else { return Ok(None) };
    for _ in 0..N_AGAIN {
        let cost = Cost { original, split: took.values().sum() };
        if !is_too_much(cost, request.max_cost) {
            break;
        }
        let Some(times) = keeping.take_again(runs, candidate)? else { break };
        original = original.min(times.original);
        for (id, again) in times.written {
            took.entry(id).and_modify(|known| *known = (*known).min(again)).or_insert(again);
        }
    }
    Ok(Some(Cost { original, split: took.values().sum() }))
}

/// Two runs of the same test differ by as much: twice the same set-up is to be no more than twice as long.
const NOISE: f64 = 1.1;

fn is_too_much(cost: Cost, max_cost: f64) -> bool {
    cost.original >= FREE && cost.ratio() > max_cost * NOISE
}

/// Reports tests that nothing was run to check.
pub fn unverified(
    request: &Request<'_>,
    sources: &Sources<'_>,
    checks: &[Check],
    named: &[Named],
    outcome: &mut SplitOutcome,
) -> Result<(), Ended> {
    let unit = sources.unit;
    let candidate = written(request.frontend, unit, &draft_of(unit, &Tables::default(), named))?;
    outcome.notes.push("nothing was run to check the new tests".to_owned());
    report(request, sources, checks, named, candidate, &BTreeMap::new(), outcome);
    Ok(())
}

/// What is lost; an end where a test does not pass.
fn held(judgement: Judgement, named: &[Named]) -> Result<Option<Loss>, Ended> {
    match judgement {
        Judgement::Holds => Ok(None),
        Judgement::Lost(loss) => Ok(Some(loss)),
        Judgement::Differs { test, order, .. } => {
            Err(Whole::Together { test: named[test].name.clone(), order: describe(order) }.into())
        }
    }
}

fn describe(order: Order) -> String {
    match order {
        Order::Alone => "alone".to_owned(),
        Order::AsWritten => "one after the other".to_owned(),
        Order::Shuffled(seed) => format!("shuffled with seed {seed}"),
    }
}

/// Why a test stays whole that cannot be split without this loss.
pub fn lost(unit: &Unit, loss: Loss) -> Whole {
    let line = |stmt: StmtId| unit.line_of(unit.stmt(stmt).range.start);
    let what = match loss {
        Loss::Missing { stmt, .. } => format!("no new test has the check on line {}", line(stmt)),
        Loss::Repeated { stmt, .. } => {
            format!("more than one new test would have the check on line {}", line(stmt))
        }
        Loss::Call { stmt, .. } => format!("no new test has the call on line {}", line(stmt)),
        Loss::Lines(lines) => {
            let some = lines.iter().take(3).map(|lost| format!("{}:{}", lost.path, lost.line));
            let some = some.collect::<Vec<_>>().join(", ");
            let more = lines.len().saturating_sub(3);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("no new test runs {some}{more}")
        }
        Loss::Fault { mutant, .. } => return Whole::LosesFault { mutant },
    };
    Whole::Loses { what }
}

/// How long a test took, all of its cases together.
fn took_by(took: &BTreeMap<String, Duration>, id: &str) -> Option<Duration> {
    let is_case = |rest: &str| rest.is_empty() || rest.starts_with(['[', '(']);
    let cases = took.iter().filter(|(other, _)| other.strip_prefix(id).is_some_and(is_case));
    let all: Vec<Duration> = cases.map(|(_, took)| *took).collect();
    (!all.is_empty()).then(|| all.iter().sum())
}

fn report(
    request: &Request<'_>,
    sources: &Sources<'_>,
    checks: &[Check],
    named: &[Named],
    candidate: Candidate,
    took: &BTreeMap<String, Duration>,
    outcome: &mut SplitOutcome,
) {
    let unit = sources.unit;
    outcome.status = SplitStatus::Split;
    let line = |id: StmtId| unit.line_of(unit.stmt(id).range.start);
    let in_test =
        |id: &StmtId| unit.stmt(*id).counts && unit.routine(unit.stmt(*id).routine).kind == RoutineKind::Test;
    let kept = |it: &Named, id: StmtId| Kept {
        line: line(id),
        text: unit.stmt(id).header.of(&unit.source).to_owned(),
        reasons: reasons(sources, request.hints, checks, &it.settled, id),
        certainty: None,
    };
    let test = |(it, id): (&Named, String)| NewTest {
        took: took_by(took, &id),
        id,
        name: it.name.clone(),
        statements: it.settled.stmts.iter().filter(in_test).map(|id| kept(it, id)).collect(),
        checks: it.settled.checks.iter().filter_map(|&idx| checks.get(idx)).map(|it| line(it.stmt)).collect(),
    };
    outcome.tests = named.iter().zip(candidate.target_ids()).map(test).collect();
    outcome.file = Some(SplitFile {
        path: unit.path.to_string(),
        short_path: request.short_path.to_owned(),
        original: request.source.to_owned(),
        text: candidate.into_text(),
    });
}
