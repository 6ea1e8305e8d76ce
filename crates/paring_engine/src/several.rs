//! Judges several written tests at once: what each of them must show, and what all of them together must keep.
//!
//! A job that makes several tests says what it expects of each ([`Expectation`]) and what may not get lost between them
//! ([`Keeps`]). What can be checked on the draft alone is checked before anything runs.

use crate::keeps::{Keeps, Loss};
use crate::oracle::Oracle;
use crate::runs::{Ask, Purpose, Runs, Stop, Trust};
use paring_model::{Candidate, Draft, Frontend, Heat, Job, Observation, TargetSpec, Unit, Verdict, Version};
use std::collections::BTreeSet;
use std::time::Duration;

/// What one written test must show, and on which program.
#[derive(Clone, Debug)]
pub struct Expectation {
    pub on: Version,
    pub oracle: Oracle,
}

impl Expectation {
    /// Passes on the current program.
    pub fn passes() -> Self {
        Self { on: Version::Faulty, oracle: Oracle::passes() }
    }

    /// Fails on the current program as the oracle knows.
    pub fn fails(oracle: Oracle) -> Self {
        Self { on: Version::Faulty, oracle }
    }
}

/// In which order the tests run, and how many of them in one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each in a run of its own.
    Alone,
    /// One after the other, as they are written.
    AsWritten,
    /// One after the other, in an order that a seed draws.
    Shuffled(u64),
}

/// What came out for a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every test shows what is expected of it, in every order, and nothing is lost.
    Holds,
    /// A test shows something else.
    Differs {
        test: usize,
        order: Order,
        verdict: Verdict,
    },
    Lost(Loss),
}

/// How drafts of several tests are judged.
pub struct Several<'a> {
    pub runs: &'a Runs<'a>,
    pub frontend: &'a dyn Frontend,
    /// What drafts are made of.
    pub units: &'a [&'a Unit],
    /// One for each test of a draft.
    pub expectations: &'a [Expectation],
    pub keeps: &'a [&'a dyn Keeps],
    pub orders: &'a [Order],
    pub purpose: Purpose,
    pub heat: Heat,
    pub timeout: Option<Duration>,
}

impl Several<'_> {
    /// Judges a draft that was written as this candidate. Its targets name their tests by their places in the draft.
    pub fn judge(&self, draft: &Draft, candidate: &Candidate) -> Result<Judgement, Stop> {
        if let Some(loss) = self.keeps.iter().find_map(|keeps| keeps.before_run(self.units, draft)) {
            return Ok(Judgement::Lost(loss));
        }
        for &order in self.orders {
            for (test, observation) in self.run(candidate, order)? {
                let verdict = self.verdict(candidate, test, &observation);
                if !verdict.is_same() {
                    return Ok(Judgement::Differs { test, order, verdict });
                }
            }
        }
        for keeps in self.keeps {
            if let Some(loss) = keeps.by_runs(self.runs, candidate)? {
                return Ok(Judgement::Lost(loss));
            }
        }
        Ok(Judgement::Holds)
    }

    /// What each test showed in this order, on the program it is expected on.
    fn run(&self, candidate: &Candidate, order: Order) -> Result<Vec<(usize, Observation)>, Stop> {
        let programs: BTreeSet<Version> =
            self.expectations.iter().map(|expectation| expectation.on).collect();
        let mut asks = Vec::new();
        for &version in &programs {
            let candidates = match order {
                Order::Alone => candidate.alone().collect(),
                Order::AsWritten => vec![candidate.clone()],
                Order::Shuffled(seed) => vec![candidate.shuffled(seed)],
            };
            let job = |candidate| Job { version, ..Job::new(candidate, self.heat, self.timeout) };
            asks.extend(candidates.into_iter().map(job).map(Ask::once));
        }
        let seen = self.runs.ask(self.purpose, Trust::Live, &asks)?;
        let of_tests = asks.iter().zip(seen).flat_map(|(ask, seen)| {
            let Job { candidate, version, .. } = &ask.job;
            let targets = candidate.targets.iter().map(|target| (target.test, *version));
            targets.zip(seen.tests).collect::<Vec<_>>()
        });
        let is_expected_there = |(test, version): (usize, Version)| self.expectations[test].on == version;
        Ok(of_tests.filter(|&(of, _)| is_expected_there(of)).map(|((test, _), seen)| (test, seen)).collect())
    }

    fn verdict(&self, candidate: &Candidate, test: usize, observation: &Observation) -> Verdict {
        let target = candidate.targets.iter().find(|target| target.test == test);
        let target = TargetSpec::new(&target.expect("only tests that have a target are run").id);
        let path = candidate.files.keys().next().expect("a candidate has a file");
        let (written, _) = self.frontend.parse(path, candidate.text(), &target);
        self.expectations[test].oracle.judge_in(&written, observation)
    }
}
