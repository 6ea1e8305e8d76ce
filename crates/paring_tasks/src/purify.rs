//! One failing test with several assertions in, its failing single-assertion tests out, each pared.
//!
//! As Xuan and Monperrus have it (test case purification, FSE 2014): a copy of the test for each assertion, in which the others
//! are turned off. They still run, and what they find does not count. Copies that pass are dropped; a copy that an unexpected
//! exception ends is cut at the statement that broke. What is left is sliced as any failing test is.
//!
//! ```text
//! stack.push(1)                    test_pop_1                  test_pop_2
//! assert stack.size() == 1         stack.push(1)               stack.push(1)
//! assert stack.pop() == 1    →     assert stack.pop() == 1     with suppress(AssertionError): assert stack.pop() == 1
//! assert stack.size() == 0                                     assert stack.size() == 0
//! ```
//!
//! [`atoms`] finds the assertions, [`copies`] which of them fail by themselves, [`holding`] makes tests of the assertions that
//! hold, [`together`] writes all results into one file.

mod atoms;
mod copies;
mod holding;
mod together;

pub use together::Together;

use crate::minimize::{Minimized, Request, Working, minimize, minimize_working, without_result};
use crate::outcome::{Assertion, Outcome, RunsBy, Status};
use copies::{Copies, Copy, copies};
use paring_engine::Stop;
use paring_model::{Candidate, Failure, LineMap, TextRange, Unit};

/// What came of one test.
#[derive(Clone, Debug)]
pub struct Purified {
    /// One for each assertion that fails by itself, and for each statement that breaks, in source order. One that says what is the
    /// matter where there is nothing to purify. Never empty.
    pub outcomes: Vec<Outcome>,
    /// All of them in the test's own file and in the test's place, where that was asked for and holds.
    pub together: Option<Together>,
    /// A test of each assertion that holds, where that was asked for: what it may depend on is in there, nothing was run.
    pub holding: Vec<Candidate>,
}

impl From<Outcome> for Purified {
    /// A test that was only pared.
    fn from(outcome: Outcome) -> Self {
        let together = together::alone(&outcome);
        Self { outcomes: vec![outcome], together, holding: Vec::new() }
    }
}

/// Does the whole job on one target. Never fails: what went wrong is in the outcomes.
pub fn purify(request: &Request<'_>) -> Purified {
    let runs = request.runs();
    let found = match copies(request, &runs) {
        Ok(Some(found)) if !found.failing.is_empty() => found,
        // Where there is nothing to take apart, paring says all there is to say; of a search that was stopped, too.
        Ok(_) | Err(Stop::Budget | Stop::Interrupted) => return only_pared(request, runs.counts()),
        Err(stop @ Stop::Failed(_)) => {
            return Outcome { runs: runs.counts(), ..without_result(request, stop) }.into();
        }
    };
    let mut tests: Vec<Minimized> = Vec::new();
    for copy in &found.failing {
        if !tests.is_empty() && request.clock.interrupted() {
            break;
        }
        tests.push(pared(request, &found, copy));
    }
    tests[0].outcome.notes.insert(0, note(&found));
    let together = together::together(request, &runs, &mut tests);
    let holding = if request.holding { holding::tests(request, &found) } else { Vec::new() };
    tests[0].outcome.runs.add(runs.counts());
    Purified { outcomes: tests.into_iter().map(|test| test.outcome).collect(), together, holding }
}

/// The test as it is, pared.
fn only_pared(request: &Request<'_>, runs: RunsBy) -> Purified {
    let mut outcome = minimize(request);
    outcome.runs.add(runs);
    let unit = atoms::parse(request);
    outcome.assertion = outcome.failure.as_ref().and_then(|failure| {
        let assertions = request.frontend.assertions(&unit);
        let at = |range: &&TextRange| copies::is_at(&unit, failure, &LineMap::identity(), **range);
        assertions.iter().rev().find(at).map(|range| assertion(&unit, *range))
    });
    outcome.into()
}

fn pared(request: &Request<'_>, found: &Copies, copy: &Copy) -> Minimized {
    let started = request.clock.elapsed();
    let mut test = minimize_working(&Working { request, copy: Some(&copy.text) });
    let outcome = &mut test.outcome;
    outcome.elapsed = outcome.elapsed.saturating_sub(started);
    if let Some(failure) = &mut outcome.failure {
        number_as(failure, &copy.text.origins);
    }
    outcome.assertion = copy.assertion.map(|range| assertion(&found.unit, range));
    // The copy was seen to fail once.
    if outcome.status == Status::Passing {
        outcome.status = Status::Flaky;
    }
    test
}

/// Tells lines as the user's file has them; columns are no longer known.
fn number_as(failure: &mut Failure, origins: &LineMap) {
    for position in &mut failure.stack {
        position.line = origins.line(position.line);
        position.column = None;
    }
}

fn assertion(unit: &Unit, range: TextRange) -> Assertion {
    Assertion { line: unit.line_of(range.start), text: range.of(&unit.source).to_owned() }
}

fn note(found: &Copies) -> String {
    let n_failing = found.failing.iter().filter(|copy| copy.assertion.is_some()).count();
    let n_broken = found.failing.len() - n_failing;
    let fail = if n_failing == 1 { "fails by itself" } else { "fail by themselves" };
    let mut text = format!("{n_failing} of {} assertions {fail}", found.n_assertions);
    if n_broken > 0 {
        text.push_str("; an exception that no assertion waits for ends the test");
    }
    let is_beyond = |line: u32| found.last_line > line;
    if let Some(line) = found.ends_at.filter(|&line| is_beyond(line)) {
        let unjudged = format!("; those after line {line}, which cannot be turned off, did not run");
        text.push_str(&unjudged);
    }
    text
}
