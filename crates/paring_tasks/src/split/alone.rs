//! Runs each new test alone.

use super::draft::{edits, written};
use super::outcome::Whole;
use paring_engine::runs::{Ask, Purpose, Trust};
use paring_engine::{Oracle, Runs, Stop};
use paring_model::{
    Body, Candidate, Draft, Event, Frontend, Heat, Job, Name, Observation, StmtSet, TestDraft, Unit,
};
use std::time::Duration;

/// What new tests are run with.
pub struct Alone<'a> {
    pub runs: &'a Runs<'a>,
    pub frontend: &'a dyn Frontend,
    pub unit: &'a Unit,
    pub timeout: Option<Duration>,
    /// Where not, all are taken to pass.
    pub verifies: bool,
}

impl Alone<'_> {
    /// Which of some tests, each made of a set of statements, do not pass in a process of their own, and why.
    pub fn failures(&self, sets: &[StmtSet]) -> Result<Vec<(usize, Whole)>, Stop> {
        if !self.verifies {
            return Ok(Vec::new());
        }
        let mut asks: Vec<Ask> = Vec::new();
        let mut found: Vec<(usize, Whole)> = Vec::new();
        let mut asked: Vec<usize> = Vec::new();
        for (idx, stmts) in sets.iter().enumerate() {
            match self.candidate(stmts) {
                Ok(candidate) => {
                    let job = Job::new(candidate, Heat::Warm, self.timeout);
                    asks.push(Ask::once(job));
                    asked.push(idx);
                }
                Err(whole) => found.push((idx, whole)),
            }
        }
        self.runs.may_go_on()?;
        let seen = self.runs.ask(Purpose::Search, Trust::Replay, &asks)?;
        self.runs.charge(&seen);
        let passes = Oracle::passes();
        for ((idx, ask), seen) in asked.into_iter().zip(asks).zip(&seen) {
            let verdict = passes.judge_in(self.unit, seen.observation());
            let n_runs = self.runs.counts().search;
            self.runs.tell(Event::Ran { n_runs, candidate: ask.job.candidate, verdict });
            found.extend(why(seen.observation()).map(|why| (idx, why)));
        }
        found.sort_by_key(|(idx, _)| *idx);
        Ok(found)
    }

    /// Whether tests all pass, each in a process of its own.
    pub fn all_pass(&self, bodies: Vec<Body>) -> Result<bool, Stop> {
        let test = |body| Draft::of(vec![TestDraft { name: Name::AsItWas, body }]);
        let candidates: Result<Vec<Candidate>, Whole> =
            bodies.into_iter().map(|body| written(self.frontend, self.unit, &test(body))).collect();
        let Ok(candidates) = candidates else { return Ok(false) };
        let ask = |candidate| Ask::once(Job::new(candidate, Heat::Warm, self.timeout));
        let asks: Vec<Ask> = candidates.into_iter().map(ask).collect();
        self.runs.may_go_on()?;
        let seen = self.runs.ask(Purpose::Search, Trust::Replay, &asks)?;
        self.runs.charge(&seen);
        Ok(seen.iter().all(|seen| why(seen.observation()).is_none()))
    }

    /// The file with one new test in the place of the old one, under its name.
    fn candidate(&self, stmts: &StmtSet) -> Result<Candidate, Whole> {
        let body = Body::Edited { unit: 0, edits: edits(self.unit, stmts) };
        let draft = Draft::of(vec![TestDraft { name: Name::AsItWas, body }]);
        written(self.frontend, self.unit, &draft)
    }
}

/// Why an observation is no pass.
pub fn why(observation: &Observation) -> Option<Whole> {
    let fails = |message: String, line| Some(Whole::Fails { message, line });
    match observation {
        Observation::Passed => None,
        Observation::Failed(failure) => {
            let exception = failure.exception();
            let first = exception.message.lines().next().unwrap_or_default();
            fails(format!("{}: {first}", exception.type_name), failure.site().map(|site| site.line))
        }
        Observation::Skipped { reason } => fails(format!("skipped: {reason}"), None),
        Observation::Broken { message, line, .. } => fails(message.clone(), *line),
        Observation::Hung { .. } => fails("it did not end".to_owned(), None),
        Observation::Died { how } => fails(format!("the process ended ({how})"), None),
    }
}
