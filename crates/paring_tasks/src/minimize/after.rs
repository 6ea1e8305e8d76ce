//! The tests that run before the target: which of them it needs to fail.
//!
//! A test that fails in the suite and passes alone fails because of what another left behind, and which one that is is half
//! the answer.

use super::Request;
use super::observe::original;
use crate::outcome::Outcome;
use paring_engine::Oracle;
use paring_engine::lab::{Stop, key};
use paring_engine::strategy::ddmin::ddmin;
use paring_model::{Candidate, Event, Heat, Job, Unit, Version};
use std::time::Duration;

/// The needed ones of the unit's `after`, in their order.
pub fn needed(
    request: &Request<'_>,
    unit: &Unit,
    oracle: &Oracle,
    timeout: Duration,
    outcome: &mut Outcome,
) -> Result<Vec<String>, Stop> {
    let all = &unit.after;
    (request.tell)(Event::Stage { name: "experimenting" });
    let found = ddmin(all, |left| holds(request, unit, oracle, timeout, left, Heat::Warm, outcome));
    let needed = match found {
        Ok(needed) => needed,
        Err(Stop::Budget) => all.clone(),
        Err(stop @ (Stop::Interrupted | Stop::Failed(_))) => return Err(stop),
    };
    if needed.len() < all.len() && !holds(request, unit, oracle, timeout, &needed, Heat::Cold, outcome)? {
        outcome.notes.push(format!(
            "needs some of the {} tests before it; which of them differs from process to process",
            all.len()
        ));
        return Ok(all.clone());
    }
    outcome.notes.push(say(&needed, all.len()));
    Ok(needed)
}

fn holds(
    request: &Request<'_>,
    unit: &Unit,
    oracle: &Oracle,
    timeout: Duration,
    left: &[String],
    heat: Heat,
    outcome: &mut Outcome,
) -> Result<bool, Stop> {
    if request.clock.interrupted() {
        return Err(Stop::Interrupted);
    }
    if request.budget.is_spent(outcome.runs.search, request.clock.elapsed()) {
        return Err(Stop::Budget);
    }
    outcome.runs.search += 1;
    let candidate = Candidate { after: left.to_vec(), ..original(unit) };
    let key = key(&candidate, Version::Faulty, heat);
    let observation = if let Some(known) = request.journal.lookup(&key) {
        known
    } else {
        let job =
            Job { candidate: candidate.clone(), version: Version::Faulty, heat, timeout: Some(timeout) };
        let seen = request.runner.observe(&[job])?.pop().expect("a runner answers every job");
        request.journal.record(&key, &seen);
        seen
    };
    let verdict = oracle.judge_in(unit, &observation);
    let is_same = verdict.is_same();
    (request.tell)(Event::Ran { n_runs: outcome.runs.total(), candidate, verdict });
    Ok(is_same)
}

fn say(needed: &[String], n_all: usize) -> String {
    let n_others = n_all - needed.len();
    let others = match n_others {
        0 => String::new(),
        1 => "; 1 other is not needed".to_owned(),
        n => format!("; {n} others are not needed"),
    };
    if needed.is_empty() {
        let all =
            if n_all == 1 { "the test named".to_owned() } else { format!("any of the {n_all} tests named") };
        return format!("fails alone too, without {all} to run before it");
    }
    format!("needs {} before it{others}", needed.join(", "))
}
