//! [`JunitRunner`]: the runner port, on `JUnit`, for one test file.

use super::codes;
use super::error;
use super::fact_map;
use super::jvms::{GoodJvms, Jvms};
use super::message::{Broken, Ran, Request};
use super::observation::observe;
use super::project::JavaProject;
use super::side::{Side, compile};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, CodeText, Facts, Heat, Job, Observation, Runner, RunnerError, Unit, Version};
use paring_worker::{Patience, in_order};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub struct JunitRunner {
    jvms: Arc<Jvms>,
    good: Mutex<Option<Arc<Side>>>,
    /// In its source root.
    file: Utf8PathBuf,
    default_timeout: Duration,
    /// Runs at once disturbed each other, not by files of the project.
    is_serial: AtomicBool,
}

impl JunitRunner {
    /// Runs candidates of a file on JVMs that [serve](Jvms::serve) its project.
    pub fn new(
        jvms: Arc<Jvms>,
        project: &JavaProject,
        test_file: &Utf8Path,
        default_timeout: Duration,
    ) -> Self {
        let file = project.path_in_root(test_file);
        let good = Mutex::new(jvms.good.clone());
        Self { jvms, good, file, default_timeout, is_serial: AtomicBool::new(false) }
    }

    /// Runs on the good version are made on these from here on.
    pub fn set_good(&self, good: Option<GoodJvms>) {
        *self.good.lock().unwrap_or_else(PoisonError::into_inner) = good.map(|jvms| jvms.0);
    }

    fn side(&self, version: Version) -> Result<Arc<Side>, RunnerError> {
        let good = || self.good.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match version {
            Version::Faulty => Ok(Arc::clone(&self.jvms.faulty)),
            Version::Good => {
                good().ok_or_else(|| error::worker("there is no good version to run on".to_owned()))
            }
        }
    }

    /// What the user should know of the files that runs wrote, and was not told yet.
    pub fn notes(&self) -> Vec<String> {
        self.jvms.scratch.keeper().notes()
    }

    /// A run that gives way to another, and so says nothing, is made again.
    fn run(&self, job: &Job, facts: bool) -> Result<Ran, RunnerError> {
        let ran = self.run_once(job, facts)?;
        self.jvms.note(&ran.undone);
        if ran.undone.is_void { self.run_once(job, facts) } else { Ok(ran) }
    }

    fn run_once(&self, job: &Job, facts: bool) -> Result<Ran, RunnerError> {
        let side = self.side(job.version)?;
        let tests = [job.candidate.target().to_owned()];
        let code = match &job.code {
            Some(code) => match self.jvms.codes.compiled(&self.jvms, code)? {
                Ok(folder) => Some(folder),
                Err(message) => return Ok(not_compiled(message)),
            },
            None => None,
        };
        let request = Request {
            op: "run",
            id: self.jvms.next_id(),
            file: Some(self.file.as_str()),
            package: package(job.candidate.target()),
            text: Some(job.candidate.single_text()?),
            tests: &tests,
            after: &job.candidate.after,
            timeout: job.timeout.unwrap_or(self.default_timeout).as_secs_f64(),
            code: code.as_deref().map(Utf8Path::as_str),
            facts,
            is_alone: self.jvms.is_written(),
            ..Request::default()
        };
        let ran = match job.heat {
            Heat::Warm | Heat::Fresh => side.run_warm(&request, job.heat, Patience::Heed)?,
            Heat::Apart | Heat::Cold => self.run_compiled(&side, &request, job.heat)?,
        };
        let broken = ran.broken.as_ref().map(|broken| broken.message.as_str()).unwrap_or_default();
        match error::of_compiler(broken, &side.settings.jdk.home) {
            Some(error) => Err(error),
            None => Ok(ran),
        }
    }

    /// Compiles in a worker, as the user's javac would; runs where nothing is searched.
    fn run_compiled(&self, side: &Side, request: &Request<'_>, heat: Heat) -> Result<Ran, RunnerError> {
        let folder = self.jvms.scratch.classes()?;
        let compiled = compile(side, request, self.jvms.next_id(), &folder)?;
        if compiled.ended != "done" || compiled.broken.is_some() || compiled.message.is_some() {
            return Ok(compiled);
        }
        if let Some(code) = request.code {
            codes::copy(Utf8Path::new(code), &folder)?;
        }
        let run = Request { text: None, own: &compiled.own, ..request.clone() };
        match heat {
            Heat::Apart => side.run_apart(&folder, &run, Patience::WaitAllTheSame),
            Heat::Warm | Heat::Fresh | Heat::Cold => {
                side.run_cold(Some(&folder), &run, Patience::WaitAllTheSame)
            }
        }
    }

    fn observe_at_once(&self, jobs: &[Job], n: usize) -> Result<Vec<Vec<Observation>>, RunnerError> {
        in_order(n, jobs, |job| self.targets(job)).into_iter().collect()
    }

    /// A run for each target.
    fn targets(&self, job: &Job) -> Result<Vec<Observation>, RunnerError> {
        let candidates = job.candidate.one_after_another();
        let jobs = candidates.map(|candidate| Job { candidate, ..job.clone() });
        jobs.map(|job| self.run(&job, false).map(observe)).collect()
    }
}

impl Runner for JunitRunner {
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError> {
        let n = self.n_parallel();
        let was_written = self.jvms.is_written();
        let seen = self.observe_at_once(jobs, n)?;
        if self.jvms.jobs() > 1 && !was_written && self.jvms.is_written() {
            // One wrote what the others may have read.
            return self.observe_at_once(jobs, 1);
        }
        if n == 1 || jobs.len() == 1 || !is_disturbed(jobs, &seen) {
            return Ok(seen);
        }
        // They may have met at a file or a port: once more, one after the other.
        let again = self.observe_at_once(jobs, 1)?;
        if !is_disturbed(jobs, &again) {
            self.is_serial.store(true, Ordering::Relaxed);
        }
        Ok(again)
    }

    fn facts(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, RunnerError> {
        let job = Job::new(candidate.clone(), Heat::Warm, None);
        let ran = self.run(&job, true)?;
        Ok(ran.facts.map_or_else(Facts::default, |report| fact_map::facts(unit, &report)))
    }

    fn replaces_code(&self) -> bool {
        true
    }

    fn refused_code(&self, codes: &[CodeText]) -> Result<Vec<Option<String>>, RunnerError> {
        let compiled = |code: &CodeText| self.jvms.codes.compiled(&self.jvms, code);
        let refused = in_order(self.n_parallel(), codes, compiled).into_iter();
        refused.map(|compiled| Ok(compiled?.err())).collect()
    }

    fn has_good(&self) -> bool {
        self.good.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn n_parallel(&self) -> usize {
        if self.jvms.is_written() || self.is_serial.load(Ordering::Relaxed) { 1 } else { self.jvms.jobs() }
    }
}

/// A run on a text of the code under test that is no program.
fn not_compiled(message: String) -> Ran {
    let broken = Some(Broken { message, line: None });
    Ran { ended: "done".to_owned(), broken, ..Ran::default() }
}

/// Whether runs of one and the same thing saw different things.
fn is_disturbed(jobs: &[Job], seen: &[Vec<Observation>]) -> bool {
    jobs.iter().zip(seen).enumerate().any(|(idx, (job, observation))| {
        jobs[..idx].iter().zip(seen).any(|(other, earlier)| {
            job.candidate == other.candidate && job.version == other.version && observation != earlier
        })
    })
}

/// The package of a test's class.
pub(super) fn package(target: &str) -> &str {
    let class = target.split('#').next().unwrap_or_default();
    class.rsplit_once('.').map_or("", |(package, _)| package)
}
