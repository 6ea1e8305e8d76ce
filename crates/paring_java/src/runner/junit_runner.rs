//! [`JunitRunner`]: the runner port, on `JUnit`.
//!
//! Workers are started as soon as the runner is, so that loading the compiler overlaps with whatever paring does
//! meanwhile.

use super::message::{Ran, Request};
use super::observation::observe;
use super::project::JavaProject;
use super::scratch::Scratch;
use super::side::{Settings, Side};
use super::{error, fact_map, install};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{
    Candidate, Facts, Heat, Job, Observation, Runner, RunnerError, TargetSpec, Unit, Version,
};
use paring_worker::{Patience, in_order};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

pub struct JunitRunner {
    faulty: Side,
    good: Option<Side>,
    default_timeout: Duration,
    jobs: usize,
    next_id: AtomicU64,
    /// Runs at once disturbed each other.
    is_serial: AtomicBool,
    /// Removed last, after the workers.
    scratch: Scratch,
}

impl JunitRunner {
    /// Begins to start JVMs; what is wrong with the project shows in the first run.
    #[expect(clippy::needless_pass_by_value, reason = "a runner is for one project, which nobody else needs")]
    pub fn start(
        project: JavaProject,
        test_file: &Utf8Path,
        target: &TargetSpec,
        default_timeout: Duration,
    ) -> Result<Self, RunnerError> {
        let jar = install::install(&project.cache_dir, &project.jdk)?;
        let scratch = Scratch::new(&project)?;
        let jobs = project.jobs.max(1);
        let settings = settings(&project, jar, Some(test_file), &target.id, &scratch);
        let good = project.good.as_ref().map(|good| {
            let cwd = good.cwd.clone().unwrap_or_else(|| project.cwd.clone());
            let classpath = strings(good.classpath.iter().chain(&project.extra_classpath));
            let side = Side::new(Settings { cwd, classpath, ..settings.clone() }, jobs);
            side.start_ahead(1);
            side
        });
        let faulty = Side::new(settings, jobs);
        faulty.start_ahead(jobs.min(2));
        Ok(Self {
            faulty,
            good,
            default_timeout,
            jobs,
            next_id: AtomicU64::new(1),
            is_serial: AtomicBool::new(false),
            scratch,
        })
    }

    fn side(&self, version: Version) -> Result<&Side, RunnerError> {
        match version {
            Version::Faulty => Ok(&self.faulty),
            Version::Good => self
                .good
                .as_ref()
                .ok_or_else(|| error::worker("there is no good version to run on".to_owned())),
        }
    }

    fn run(&self, job: &Job, facts: bool) -> Result<Ran, RunnerError> {
        let side = self.side(job.version)?;
        let tests = [job.candidate.target.clone()];
        let request = Request {
            op: "run",
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            text: Some(&job.candidate.text),
            tests: &tests,
            after: &job.candidate.after,
            timeout: job.timeout.unwrap_or(self.default_timeout).as_secs_f64(),
            facts,
            ..Request::default()
        };
        let ran = match job.heat {
            Heat::Warm | Heat::Fresh => side.run_warm(&request, job.heat, Patience::Heed)?,
            Heat::Cold => self.run_cold(side, &request)?,
        };
        let broken = ran.broken.as_ref().map(|broken| broken.message.as_str()).unwrap_or_default();
        match error::of_compiler(broken, &side.settings.jdk.home) {
            Some(error) => Err(error),
            None => Ok(ran),
        }
    }

    /// Compiles in a worker, as the user's javac would; runs in a JVM of its own.
    fn run_cold(&self, side: &Side, request: &Request<'_>) -> Result<Ran, RunnerError> {
        let folder = self.scratch.classes()?;
        let compile = Request {
            op: "compile",
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            to: Some(folder.as_str()),
            ..request.clone()
        };
        // The last word on a result: without it an interrupted search has nothing to show.
        let compiled = side.run_warm(&compile, Heat::Warm, Patience::WaitAllTheSame)?;
        if compiled.ended != "done" || compiled.broken.is_some() {
            return Ok(compiled);
        }
        let run = Request { text: None, own: &compiled.own, ..request.clone() };
        side.run_cold(Some(&folder), &run, Patience::WaitAllTheSame)
    }

    fn observe_at_once(&self, jobs: &[Job], n: usize) -> Result<Vec<Observation>, RunnerError> {
        in_order(n, jobs, |job| self.run(job, false).map(observe)).into_iter().collect()
    }
}

impl Runner for JunitRunner {
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Observation>, RunnerError> {
        let n = self.n_parallel();
        let seen = self.observe_at_once(jobs, n)?;
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
        let job =
            Job { candidate: candidate.clone(), version: Version::Faulty, heat: Heat::Warm, timeout: None };
        let ran = self.run(&job, true)?;
        Ok(ran.facts.map_or_else(Facts::default, |report| fact_map::facts(unit, &report)))
    }

    fn has_good(&self) -> bool {
        self.good.is_some()
    }

    fn n_parallel(&self) -> usize {
        if self.is_serial.load(Ordering::Relaxed) { 1 } else { self.jobs }
    }
}

/// Whether runs of one and the same thing saw different things.
fn is_disturbed(jobs: &[Job], seen: &[Observation]) -> bool {
    jobs.iter().zip(seen).enumerate().any(|(idx, (job, observation))| {
        jobs[..idx].iter().zip(seen).any(|(other, earlier)| {
            job.candidate == other.candidate && job.version == other.version && observation != earlier
        })
    })
}

pub(super) fn settings(
    project: &JavaProject,
    jar: Utf8PathBuf,
    file: Option<&Utf8Path>,
    target: &str,
    scratch: &Scratch,
) -> Settings {
    let class = target.split('#').next().unwrap_or_default();
    Settings {
        jdk: project.jdk.clone(),
        jar,
        cwd: project.cwd.clone(),
        env: project.env.clone(),
        jvm_args: project.jvm_args.clone(),
        memory_limit: project.memory_limit,
        classpath: strings(project.classpath.iter().chain(&project.extra_classpath)),
        fresh: strings(project.differing().iter()),
        package: class.rsplit_once('.').map_or("", |(package, _)| package).to_owned(),
        javac_args: project.javac_args.clone(),
        source_roots: if project.compiles_other_sources {
            strings(project.test_source_roots.iter())
        } else {
            Vec::new()
        },
        file: file.map(|file| project.path_in_root(file).into_string()),
        scratch: scratch.root().to_owned(),
    }
}

fn strings<'a>(paths: impl Iterator<Item = &'a Utf8PathBuf>) -> Vec<String> {
    paths.map(ToString::to_string).collect()
}
