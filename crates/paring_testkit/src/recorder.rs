//! A recorder that is a function from a candidate to the lines that would have been told.

use paring_model::{Candidate, Coverage, Covered, Heard, Heat, RunnerError, Spectra};
use std::sync::Mutex;

type Record = dyn Fn(&Candidate, Heat) -> Covered;

/// Runs nothing, answers from a closure, and remembers what it was asked.
pub struct FakeRecorder {
    record: Box<Record>,
    suite: Covered,
    asked: Mutex<Vec<(Candidate, Heat)>>,
}

impl FakeRecorder {
    pub fn new(record: impl Fn(&Candidate, Heat) -> Covered + 'static) -> Self {
        Self { record: Box::new(record), suite: Covered::default(), asked: Mutex::default() }
    }

    /// What a run of the suite tells.
    #[must_use]
    pub fn with_suite(self, suite: Covered) -> Self {
        Self { suite, ..self }
    }

    /// The heats of the candidates so far.
    pub fn heats(&self) -> Vec<Heat> {
        let asked = self.asked.lock().expect("no test panics while it records");
        asked.iter().map(|(_, heat)| *heat).collect()
    }
}

impl Coverage for FakeRecorder {
    fn suite(&self, _: &[String], _: &dyn Spectra, tell: &dyn Fn(Heard<'_>)) -> Result<Covered, RunnerError> {
        tell(Heard::Collected { n_tests: self.suite.tests.len() });
        self.suite.tests.iter().for_each(|test| tell(Heard::Began { id: &test.id }));
        Ok(self.suite.clone())
    }

    fn candidate(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError> {
        self.asked.lock().expect("no test panics while it records").push((candidate.clone(), heat));
        Ok((self.record)(candidate, heat))
    }
}
