//! Lines of candidates, recorded by the workers that run them anyway.
//!
//! [`PytestCoverage`](super::PytestCoverage) has a process of its own, for suites. Who has a runner asks that: its workers have loaded
//! the project already.

use super::PytestRunner;
use super::coverage::{remarks, take};
use super::covered::Gathered;
use super::message::Run;
use paring_model::{Candidate, Coverage, Covered, Heard, Heat, RunnerError, Spectra};
use std::time::SystemTime;

impl Coverage for PytestRunner {
    fn suite(&self, _: &[String], _: &dyn Spectra, _: &dyn Fn(Heard<'_>)) -> Result<Covered, RunnerError> {
        Err(RunnerError::nobody("to run a suite"))
    }

    fn candidate(&self, candidate: &Candidate, _: Heat) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let side = self.faulty();
        let (_, text) = candidate.single_file()?;
        let nodeids = side.settings.nodeids_of(candidate);
        let run = Run {
            coverage: true,
            sources: self.sources(),
            ..self.request(text, &nodeids, &candidate.after, None)
        };
        let mut gathered = Gathered::default();
        let ran =
            side.run_recorded(&run, self.colder().is_some(), &mut |told| gathered.hear(told, &|_| ()))?;
        let notes = remarks(&ran);
        take(ran, &mut gathered);
        let file = side.settings.file.as_deref().map(|file| (file, text));
        let covered = gathered.finish(&side.settings.launch.cwd, began, file)?;
        Ok(Covered { notes, ..covered })
    }
}
