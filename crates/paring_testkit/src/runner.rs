//! A runner that is a function from a candidate to what would have been seen.

use paring_model::{
    Candidate, CodeText, Exception, Facts, Failure, FailureKind, Frame, Job, Observation, Phase, Position,
    Runner, RunnerError, Unit, Version,
};
use std::sync::Mutex;

type Observe = dyn Fn(&Candidate, Version) -> Observation + Sync;
type ObserveMutant = dyn Fn(&Candidate, &CodeText) -> Observation + Sync;
type Refuse = dyn Fn(&CodeText) -> Option<String> + Sync;
type Trace = dyn Fn(&Unit) -> Facts + Sync;

/// Runs jobs that have one target each.
pub fn observe_single(runner: &dyn Runner, jobs: &[Job]) -> Result<Vec<Observation>, RunnerError> {
    let seen = runner.observe(jobs)?.into_iter();
    Ok(seen.map(|mut targets| targets.pop().expect("an observation of each target")).collect())
}

/// Runs nothing, answers from a closure, and remembers what it was asked.
pub struct FakeRunner {
    observe: Box<Observe>,
    mutant: Option<Box<ObserveMutant>>,
    refuse: Option<Box<Refuse>>,
    facts: Box<Trace>,
    has_good: bool,
    n_parallel: usize,
    jobs: Mutex<Vec<Job>>,
}

impl FakeRunner {
    /// Sees the same on every version and at every heat.
    pub fn new(observe: impl Fn(&str) -> Observation + Sync + 'static) -> Self {
        Self::with_versions(false, move |candidate, _| observe(candidate.text()))
    }

    /// Has a good version, on which the closure may see something else.
    pub fn with_good(observe: impl Fn(&str, Version) -> Observation + Sync + 'static) -> Self {
        Self::with_versions(true, move |candidate, version| observe(candidate.text(), version))
    }

    /// Sees the whole candidate, the tests before it too.
    pub fn of_candidates(observe: impl Fn(&Candidate) -> Observation + Sync + 'static) -> Self {
        Self::with_versions(false, move |candidate, _| observe(candidate))
    }

    fn with_versions(
        has_good: bool,
        observe: impl Fn(&Candidate, Version) -> Observation + Sync + 'static,
    ) -> Self {
        Self {
            observe: Box::new(observe),
            mutant: None,
            refuse: None,
            facts: Box::new(|_| Facts::default()),
            has_good,
            n_parallel: 1,
            jobs: Mutex::default(),
        }
    }

    /// What would be seen on a mutant.
    #[must_use]
    pub fn on_mutants(self, observe: impl Fn(&Candidate, &CodeText) -> Observation + Sync + 'static) -> Self {
        Self { mutant: Some(Box::new(observe)), ..self }
    }

    /// Which mutants are no programs.
    #[must_use]
    pub fn refusing(self, refuse: impl Fn(&CodeText) -> Option<String> + Sync + 'static) -> Self {
        Self { refuse: Some(Box::new(refuse)), ..self }
    }

    /// What a traced run would tell.
    #[must_use]
    pub fn tracing(self, facts: impl Fn(&Unit) -> Facts + Sync + 'static) -> Self {
        Self { facts: Box::new(facts), ..self }
    }

    #[must_use]
    pub fn parallel(self, n_parallel: usize) -> Self {
        Self { n_parallel, ..self }
    }

    /// Every job so far, in the order in which they came.
    pub fn jobs(&self) -> Vec<Job> {
        self.jobs.lock().expect("no test panics while it records").clone()
    }

    pub fn n_runs(&self) -> usize {
        self.jobs.lock().expect("no test panics while it records").len()
    }
}

impl Runner for FakeRunner {
    /// A target is answered for by the candidate that runs it after those before it.
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError> {
        self.jobs.lock().expect("no test panics while it records").extend_from_slice(jobs);
        let all = |job: &Job| {
            job.candidate
                .one_after_another()
                .map(|candidate| match (&self.mutant, &job.code) {
                    (Some(mutant), Some(code)) => mutant(&candidate, code),
                    (None | Some(_), _) => (self.observe)(&candidate, job.version),
                })
                .collect()
        };
        Ok(jobs.iter().map(all).collect())
    }

    fn facts(&self, unit: &Unit, _candidate: &Candidate) -> Result<Facts, RunnerError> {
        Ok((self.facts)(unit))
    }

    fn replaces_code(&self) -> bool {
        self.mutant.is_some()
    }

    fn refused_code(&self, codes: &[CodeText]) -> Result<Vec<Option<String>>, RunnerError> {
        Ok(codes.iter().map(|code| self.refuse.as_ref().and_then(|refuse| refuse(code))).collect())
    }

    fn has_good(&self) -> bool {
        self.has_good
    }

    fn n_parallel(&self) -> usize {
        self.n_parallel
    }
}

pub fn passed() -> Observation {
    Observation::Passed
}

/// An assertion that failed on this line of the test.
pub fn failed(line: u32, message: &str) -> Observation {
    Observation::Failed(failure(FailureKind::Assertion, "AssertionError", line, message, Vec::new()))
}

/// An exception that came out of the code under test, called on this line of the test.
pub fn failed_in_library(line: u32, type_name: &str, message: &str) -> Observation {
    let below =
        vec![Frame { file: "library".to_owned(), function: "work".to_owned(), line: 1, runtime: false }];
    Observation::Failed(failure(FailureKind::Exception, type_name, line, message, below))
}

fn failure(kind: FailureKind, type_name: &str, line: u32, message: &str, below: Vec<Frame>) -> Failure {
    Failure {
        phase: Phase::Call,
        kind,
        exceptions: vec![Exception { type_name: type_name.to_owned(), message: message.to_owned() }],
        stack: vec![Position { line, column: None }],
        below,
        notes: Vec::new(),
        left: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::SeveralCases;
    use paring_model::{BrokenKind, Form, Heat};

    fn job(text: &str, version: Version) -> Job {
        let candidate = Candidate::single("f".into(), text.to_owned(), "t", Form::Compact);
        Job { version, ..Job::new(candidate, Heat::Warm, None) }
    }

    #[test]
    fn answers_come_in_the_order_of_the_jobs() {
        let runner = FakeRunner::new(|text| if text == "bad" { failed(1, "no") } else { passed() });
        let seen =
            observe_single(&runner, &[job("bad", Version::Faulty), job("good", Version::Faulty)]).unwrap();
        assert_eq!(seen, [failed(1, "no"), passed()]);
        assert_eq!((runner.n_runs(), runner.has_good()), (2, false));
    }

    #[test]
    fn several_targets_are_seen_in_their_order() {
        let runner = FakeRunner::of_candidates(|candidate| {
            let has_run = |id: &str| candidate.after.iter().any(|other| other == id);
            match candidate.target() {
                "dies" => Observation::Died { how: "exit 3".to_owned() },
                _ if has_run("dies") => {
                    Observation::Broken { message: String::new(), line: None, kind: BrokenKind::NotRunnable }
                }
                "fails" => failed(1, "no"),
                "late" if !has_run("mark") => failed(2, "no mark"),
                _ => passed(),
            }
        });
        let of = |ids: [&str; 3]| {
            Candidate::single("f".into(), String::new(), "", Form::Compact)
                .with_targets(ids.map(str::to_owned))
        };
        let cases =
            SeveralCases { marking: of(["mark", "late", "fails"]), dying: of(["mark", "dies", "late"]) };
        crate::conformance::several(&runner, &cases);
    }

    #[test]
    fn the_good_version_may_differ() {
        let runner = FakeRunner::with_good(|_, version| match version {
            Version::Faulty => failed_in_library(2, "KeyError", "'a'"),
            Version::Good => passed(),
        });
        assert_eq!(observe_single(&runner, &[job("", Version::Good)]).unwrap(), [passed()]);
    }
}
