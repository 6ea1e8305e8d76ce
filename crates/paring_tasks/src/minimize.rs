//! One failing test in, the smallest test that fails the same way out.
//!
//! The stages, one file each: [`subject`] finds out what to search on ([`observe`] runs the original until it is known how it
//! fails, [`after`] which tests it needs before it), the engine's strategies search, [`verify`] runs the result in a fresh
//! process, [`report`] writes down what came of it.

mod after;
mod doubt;
mod good;
mod heirs;
mod hints;
mod limits;
mod observe;
mod prune;
mod report;
mod shape;
mod subject;
mod verify;
mod working;

pub use hints::{Hints, Instead, Words};

use crate::outcome::{Outcome, OutcomeError, RunsBy, Status};
use camino::Utf8PathBuf;
use paring_engine::lab::Bench;
use paring_engine::passes::{auto, literals::literals, unread::unread};
use paring_engine::strategy::named::named;
use paring_engine::strategy::tree::list::Lists;
use paring_engine::strategy::tree::{Plan, tree};
use paring_engine::{Budget, Lab, Ports, Runs, Same, Search, SearchResult, Stop, Strategy};
use paring_model::{
    Clock, EditSet, ErrorCode, Event, Failure, Frontend, Grain, Heat, Journal, Runner, TargetSpec, Unit,
    Versions,
};
use std::time::Duration;
use subject::{Subject, subject};
pub(crate) use working::Working;

/// A draft of a test with threads holds so often more before it is believed.
const N_AGAIN: usize = 2;

/// What to minimise, with what, and how hard to try.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, as the options have them")]
pub struct Request<'a> {
    pub frontend: &'a dyn Frontend,
    pub runner: &'a dyn Runner,
    pub clock: &'a dyn Clock,
    pub journal: &'a dyn Journal,
    pub tell: &'a (dyn Fn(Event) + Sync),
    /// Versions on which the test may pass; `None` where there are none to try beside that of the runner.
    pub versions: Option<&'a dyn Versions>,
    pub target: TargetSpec,
    /// Tests that ran before the target in the suite where it failed, in order: tried where it passes alone.
    pub before: Vec<String>,
    /// How it failed there, where that was seen.
    pub seen: Option<Failure>,
    pub path: Utf8PathBuf,
    /// The path that programs know the file by: relative to where its names start.
    pub short_path: String,
    pub source: String,
    /// What users of the language are told to do next.
    pub hints: &'a Hints,
    pub strategy: Strategy,
    /// Whether literals of what stays may become smaller.
    pub literals: bool,
    /// Whether what only caution keeps may go, where there is no good version.
    pub bold: bool,
    pub same: Same,
    /// Observations of the original, the two in fresh processes included.
    pub n_baseline: usize,
    /// Whether the test was seen to fail in a process of its own already: then only warm ones are asked.
    pub seen_apart: bool,
    pub allow_flaky: bool,
    pub timeout: Option<Duration>,
    pub budget: Budget,
    /// Whether the file with only this test rewritten is wanted too, and verified.
    pub in_place: bool,
    /// Tests of other classes that run the same code, since they inherit it.
    pub heirs: Vec<String>,
    /// Whether a file with nothing but the results and what they need is wanted too, where there may be several.
    pub apart: bool,
    /// Whether a test of each assertion that holds is wanted beside those that fail.
    pub holding: bool,
    /// Where results are run for the last time: [`Heat::Cold`], among several targets [`Heat::Apart`], and where someone else has
    /// the last word [`Heat::Warm`]. A no is asked again of a cold process.
    pub last: Heat,
}

impl Request<'_> {
    /// The service for all runs of one job.
    pub(crate) fn runs(&self) -> Runs<'_> {
        let &Self { runner, clock, journal, tell, budget, .. } = self;
        Runs::new(Ports { runner, recorder: None, clock, journal, tell, budget })
    }
}

/// Does the whole job on one target. Never fails: what went wrong is in the outcome.
pub fn minimize(request: &Request<'_>) -> Outcome {
    minimize_working(&Working { request, copy: None }).outcome
}

/// A test that was searched on.
pub(crate) struct Minimized {
    pub outcome: Outcome,
    /// The unit and what is left of it, where the test was to be rewritten in its file, and that holds.
    pub in_place: Option<(Unit, EditSet)>,
}

/// The same on a text that may be made from the user's.
pub(crate) fn minimize_working(working: &Working<'_>) -> Minimized {
    let runs = working.request.runs();
    let mut outcome = unknown(working.request);
    let in_place = pare(working, &runs, &mut outcome).unwrap_or_else(|stop| {
        stopped(&mut outcome, stop);
        None
    });
    outcome.runs = runs.counts();
    outcome.elapsed = runs.elapsed();
    Minimized { outcome, in_place }
}

/// An outcome of which nothing is known yet.
fn unknown(request: &Request<'_>) -> Outcome {
    Outcome {
        target: request.target.id.clone(),
        status: Status::Error,
        failure: None,
        pared: None,
        after: Vec::new(),
        strategy: request.strategy.word().to_owned(),
        level: String::new(),
        runs: RunsBy::default(),
        elapsed: Duration::ZERO,
        notes: Vec::new(),
        unfinished: false,
        error: None,
        good: None,
        group: None,
        assertion: None,
    }
}

/// The outcome of a job that was stopped before there was anything to show.
pub(crate) fn without_result(request: &Request<'_>, stop: Stop) -> Outcome {
    let mut outcome = unknown(request);
    stopped(&mut outcome, stop);
    outcome
}

fn stopped(outcome: &mut Outcome, stop: Stop) {
    match stop {
        Stop::Interrupted => {
            outcome.status = Status::Interrupted;
            outcome.unfinished = true;
        }
        Stop::Budget => {
            outcome.unfinished = true;
            outcome.error = Some(error(
                ErrorCode::Budget,
                "the budget was spent before a result was verified",
                "give more with --budget; --resume goes on from here",
            ));
        }
        Stop::Failed(failed) => {
            outcome.status = Status::Error;
            outcome.error = Some(failed.into());
        }
    }
}

fn pare(
    working: &Working<'_>,
    runs: &Runs<'_>,
    outcome: &mut Outcome,
) -> Result<Option<(Unit, EditSet)>, Stop> {
    let request = working.request;
    let Some(mut subject) = subject(working, runs, outcome)? else { return Ok(None) };
    if !good::settle(request, runs, &subject, outcome)? {
        return Ok(None);
    }
    let mut heat = Heat::Warm;
    loop {
        let (result, stop) = search(request, runs, &subject, heat);
        outcome.unfinished = stop.is_some();
        runs.tell(Event::Stage { name: "verifying" });
        let verified = match verify_twice(request, runs, &subject, &result, outcome) {
            // What ended the search is to blame.
            Err(Stop::Failed(last)) => {
                return Err(match stop {
                    Some(Stop::Failed(first)) => Stop::Failed(first),
                    Some(Stop::Budget | Stop::Interrupted) | None => Stop::Failed(last),
                });
            }
            verified => verified?,
        };
        match verified {
            Some(verified) => {
                let edits = verified.in_place.is_some().then(|| verified.edits.clone());
                report::report(working, &subject, &result, verified, stop.as_ref(), outcome);
                return Ok(edits.map(|edits| (subject.unit, edits)));
            }
            None if heat == Heat::Warm && stop.is_none() => {
                outcome.notes.push(
                    "results of warm workers did not hold in a fresh process; searched again in fresh ones"
                        .to_owned(),
                );
                heat = Heat::Cold;
                subject.look_again(request, runs, heat, outcome)?;
            }
            None => {
                if let Some(Stop::Failed(failed)) = stop {
                    return Err(Stop::Failed(failed));
                }
                outcome.status = Status::Flaky;
                return Ok(None);
            }
        }
    }
}

/// Verifies; once more where the runner failed: a worker that is lost is replaced, and a result should not be lost with it.
fn verify_twice(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    result: &SearchResult,
    outcome: &mut Outcome,
) -> Result<Option<verify::VerifiedText>, Stop> {
    match verify::verify(request, runs, subject, result, outcome) {
        Err(Stop::Failed(failed)) => {
            outcome.notes.push(format!("a run of the verification failed and was repeated: {failed}"));
            verify::verify(request, runs, subject, result, outcome)
        }
        verified => verified,
    }
}

/// Searches, and hands over the best so far where the search was stopped.
fn search(
    request: &Request<'_>,
    runs: &Runs<'_>,
    subject: &Subject,
    heat: Heat,
) -> (SearchResult, Option<Stop>) {
    runs.tell(Event::Stage { name: "slicing" });
    let bench = Bench {
        runs,
        frontend: request.frontend,
        timeout: Some(subject.limits.of(heat)),
        good_timeout: Some(subject.limits.on_good(heat)),
        heat,
        use_good: runs.has_good() && request.strategy == Strategy::Auto,
        bold: request.bold,
        n_again: if subject.facts.threads { N_AGAIN } else { 0 },
    };
    let lab = Lab::new(bench, &subject.unit, &subject.oracle);
    let mut search = Search::new(lab, &subject.facts, subject.criterion(request.frontend));
    let stop = run(request, &mut search).err();
    (search.finish(), stop)
}

/// The strategy's own search, then that for smaller literals where there is anything to make smaller.
fn run(request: &Request<'_>, search: &mut Search<'_>) -> Result<(), Stop> {
    match (request.frontend.grain(), request.strategy) {
        (Grain::Tree { unused }, strategy) => tree(search, plan(strategy), unused)?,
        (Grain::Statements, Strategy::Auto) => auto(search)?,
        (
            Grain::Statements,
            Strategy::Fit
            | Strategy::Ssmin
            | Strategy::Ddmin
            | Strategy::Sdmin
            | Strategy::Probdd
            | Strategy::Wdd,
        ) => named(search, request.strategy)?,
    }
    if search.has_result() { shrink_literals(request, search) } else { Ok(()) }
}

/// Makes literals smaller, where that was asked for, and takes out what only elements of lists read.
fn shrink_literals(request: &Request<'_>, search: &mut Search<'_>) -> Result<(), Stop> {
    if !request.literals {
        return Ok(());
    }
    // Other strategies search without a good version; a literal is never changed without it.
    search.lab.bench.use_good = search.lab.bench.runs.has_good();
    literals(search)?;
    match request.strategy {
        Strategy::Auto => unread(search),
        Strategy::Fit
        | Strategy::Ssmin
        | Strategy::Ddmin
        | Strategy::Sdmin
        | Strategy::Probdd
        | Strategy::Wdd => Ok(()),
    }
}

/// How a tree is searched. It has no slices: what asks for them is searched as by default.
fn plan(strategy: Strategy) -> Plan {
    match strategy {
        Strategy::Ddmin => Plan::Lists(Lists::Ddmin),
        Strategy::Probdd => Plan::Lists(Lists::Probdd),
        Strategy::Wdd => Plan::Lists(Lists::Wdd),
        Strategy::Auto | Strategy::Fit | Strategy::Ssmin | Strategy::Sdmin => Plan::All,
    }
}

fn error(code: ErrorCode, message: impl Into<String>, help: impl Into<String>) -> OutcomeError {
    OutcomeError { code, message: message.into(), help: help.into() }
}
