//! The tests that run before the target: which of them it needs to fail.
//!
//! A test that fails in the suite and passes alone fails because of what another left behind, and which one that is is half
//! the answer.

use super::observe::original;
use crate::outcome::Outcome;
use paring_engine::runs::{Ask, Purpose, Trust, job};
use paring_engine::strategy::ddmin::ddmin;
use paring_engine::{Oracle, Runs, Stop};
use paring_model::{Candidate, Event, Heat, Unit, Verdict};
use std::time::Duration;

/// The needed ones of the unit's `after`, in their order. Where the search for them is stopped, the fewest with which the test
/// was seen to fail.
pub fn needed(
    runs: &Runs<'_>,
    unit: &Unit,
    oracle: &Oracle,
    timeout: Duration,
    outcome: &mut Outcome,
) -> Result<Vec<String>, Stop> {
    let all = &unit.after;
    runs.tell(Event::Stage { name: "experimenting" });
    let mut fewest = all.clone();
    let searched = ddmin(all, |left: &[String]| {
        let holds = holds(runs, unit, oracle, timeout, left, Heat::Warm)?;
        if holds {
            fewest = left.to_vec();
        }
        Ok(holds)
    });
    let is_done = match searched {
        Ok(_) => true,
        Err(Stop::Budget | Stop::Interrupted) => false,
        Err(stop @ Stop::Failed(_)) => return Err(stop),
    };
    if fewest.len() < all.len() && !holds_in_fresh_process(runs, unit, oracle, timeout, &fewest)? {
        outcome.notes.push(format!(
            "needs some of the {} tests before it; which of them differs from process to process",
            all.len()
        ));
        return Ok(all.clone());
    }
    if is_done {
        outcome.notes.push(say(&fewest, all.len()));
    }
    Ok(fewest)
}

fn holds(
    runs: &Runs<'_>,
    unit: &Unit,
    oracle: &Oracle,
    timeout: Duration,
    left: &[String],
    heat: Heat,
) -> Result<bool, Stop> {
    runs.may_go_on()?;
    let candidate = original(unit).with_after(left);
    let seen = runs.ask(Purpose::Search, Trust::Replay, &[Ask::once(job(&candidate, heat, timeout))])?;
    runs.charge(&seen);
    Ok(judged(runs, unit, oracle, candidate, seen[0].observation()).is_same())
}

/// The verdict of a process that has run nothing else; a stop does not keep it from being asked.
fn holds_in_fresh_process(
    runs: &Runs<'_>,
    unit: &Unit,
    oracle: &Oracle,
    timeout: Duration,
    left: &[String],
) -> Result<bool, Stop> {
    let candidate = original(unit).with_after(left);
    let asks = [Ask::once(job(&candidate, Heat::Cold, timeout))];
    let seen = runs.ask(Purpose::Final, Trust::Replay, &asks)?;
    Ok(judged(runs, unit, oracle, candidate, seen[0].observation()).is_same())
}

fn judged(
    runs: &Runs<'_>,
    unit: &Unit,
    oracle: &Oracle,
    candidate: Candidate,
    observation: &paring_model::Observation,
) -> Verdict {
    let verdict = oracle.judge_in(unit, observation);
    runs.tell(Event::Ran { n_runs: runs.counts().total(), candidate, verdict: verdict.clone() });
    verdict
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
