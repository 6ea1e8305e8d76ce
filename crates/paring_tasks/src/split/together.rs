//! The written file: all new tests in it, in their order, shuffled, and in a process that has run nothing else.

use super::check::Check;
use super::depth::Sources;
use super::draft::written;
use super::outcome::{Ended, NewTest, SplitFile, SplitOutcome, SplitStatus, Splitter, Whole};
use super::{Named, Request, TIMEOUT, draft_of};
use crate::outcome::{Kept, Reason};
use paring_engine::runs::Purpose;
use paring_engine::{EachOnce, Expectation, Judgement, Loss, Order, Runs, Several};
use paring_model::{Candidate, Heat, RoutineKind, StmtId, Unit};

/// Verifies the file and reports it, or why the test stays whole.
pub fn together(
    request: &Request<'_>,
    runs: &Runs<'_>,
    sources: &Sources<'_>,
    checks: &[Check],
    named: &[Named],
    outcome: &mut SplitOutcome,
) -> Result<(), Ended> {
    let unit = sources.unit;
    let draft = draft_of(unit, named);
    let candidate = written(request.frontend, unit, &draft)?;
    if request.strategy != Splitter::Auto {
        outcome.notes.push("nothing was run to check the new tests".to_owned());
        report(request, unit, checks, named, candidate, outcome);
        return Ok(());
    }
    let once = EachOnce { unit: 0, stmts: checks.iter().map(|check| check.stmt).collect() };
    let expectations = vec![Expectation::passes(); named.len()];
    let judge = |orders: &[Order], heat: Heat| {
        let several = Several {
            runs,
            frontend: request.frontend,
            units: &[unit],
            expectations: &expectations,
            keeps: &[&once],
            orders,
            purpose: Purpose::Final,
            heat,
            timeout: Some(request.timeout.unwrap_or(TIMEOUT)),
        };
        several.judge(&draft, &candidate)
    };
    let mut judgement = judge(&[Order::Shuffled(request.seed)], Heat::Warm)?;
    if judgement == Judgement::Holds {
        judgement = judge(&[Order::AsWritten], Heat::Cold)?;
    }
    match judgement {
        Judgement::Holds => report(request, unit, checks, named, candidate, outcome),
        Judgement::Differs { test, order, .. } => {
            Err(Whole::Together { test: named[test].name.clone(), order: describe(order) })?;
        }
        Judgement::Lost(loss) => Err(lost(unit, loss))?,
    }
    Ok(())
}

fn describe(order: Order) -> String {
    match order {
        Order::Alone => "alone".to_owned(),
        Order::AsWritten => "one after the other".to_owned(),
        Order::Shuffled(seed) => format!("shuffled with seed {seed}"),
    }
}

fn lost(unit: &Unit, loss: Loss) -> Whole {
    let (stmt, how) = match loss {
        Loss::Missing { stmt, .. } => (stmt, "no new test has"),
        Loss::Repeated { stmt, .. } => (stmt, "more than one new test would have"),
    };
    let line = unit.line_of(unit.stmt(stmt).range.start);
    Whole::Loses { what: format!("{how} the check on line {line}") }
}

fn report(
    request: &Request<'_>,
    unit: &Unit,
    checks: &[Check],
    named: &[Named],
    candidate: Candidate,
    outcome: &mut SplitOutcome,
) {
    outcome.status = SplitStatus::Split;
    let line = |id: StmtId| unit.line_of(unit.stmt(id).range.start);
    let in_test =
        |id: &StmtId| unit.stmt(*id).counts && unit.routine(unit.stmt(*id).routine).kind == RoutineKind::Test;
    let kept = |id: StmtId| Kept {
        line: line(id),
        text: unit.stmt(id).header.of(&unit.source).to_owned(),
        reasons: Vec::<Reason>::new(),
    };
    let test = |(it, id): (&Named, String)| NewTest {
        id,
        name: it.name.clone(),
        statements: it.settled.stmts.iter().filter(in_test).map(kept).collect(),
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
