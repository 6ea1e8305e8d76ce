//! [`PytestRunner`]: the runner port, on pytest.
//!
//! Workers are started as soon as the runner is, so that loading the project overlaps with whatever paring does
//! meanwhile. Runs are made at once until one of them is seen to touch something that two would share.

use super::message::{Code, Logs, Ran, Run};
use super::observation::observe;
use super::project::{GoodVersion, Project};
use super::scratch::Scratch;
use super::side::{Settings, Side};
use super::{error, fact_map, sources};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{
    Candidate, ErrorCode, Facts, Heat, Job, Listening, Observation, Runner, RunnerError, TargetSpec, Unit,
    Version,
};
use paring_worker::{Launch, in_order};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub struct PytestRunner {
    faulty: Side,
    project: Project,
    test_file: Utf8PathBuf,
    entry: Utf8PathBuf,
    /// The version that the good one is at present.
    good: Mutex<Option<Arc<Side>>>,
    default_timeout: Duration,
    memory_limit: Option<u64>,
    jobs: usize,
    next_id: AtomicU64,
    /// Whether the project could be run at all so far.
    has_run: AtomicBool,
    /// Why no run is forked any more.
    colder: Mutex<Option<String>>,
    /// Why no two runs are made at once any more.
    serial: Mutex<Option<String>>,
    /// Folders whose code is looked at although it is not within the project.
    sources: Vec<String>,
    listening: Listening,
    /// Removed last, after the workers.
    scratch: Scratch,
}

impl PytestRunner {
    /// Begins to load the project; what is wrong with it shows in the first run.
    pub fn start(
        project: Project,
        test_file: &Utf8Path,
        target: &TargetSpec,
        default_timeout: Duration,
    ) -> Result<Self, RunnerError> {
        let entry = sources::write(&project.cache_dir)?;
        let scratch = Scratch::new(&project)?;
        let jobs = project.jobs.max(1);
        let faulty =
            Side::new(settings(&project, &entry, &project.cwd, &[], test_file, &target.id, &scratch), jobs);
        faulty.start_ahead(jobs.min(2));
        let good = project.good.clone();
        let runner = Self {
            faulty,
            good: Mutex::new(None),
            default_timeout,
            memory_limit: project.memory_limit,
            jobs,
            next_id: AtomicU64::new(1),
            has_run: AtomicBool::new(false),
            colder: Mutex::new(None),
            serial: Mutex::new(None),
            sources: Vec::new(),
            listening: project.listening.clone(),
            test_file: test_file.to_owned(),
            entry,
            project,
            scratch,
        };
        runner.set_good(good.as_ref(), &target.id)?;
        Ok(runner)
    }

    /// Runs on the good version are made on this one from here on. The workers of the one before it end.
    pub fn set_good(&self, good: Option<&GoodVersion>, target: &str) -> Result<(), RunnerError> {
        let side = good.map(|good| self.start_good(good, target)).transpose()?;
        *self.good.lock().unwrap_or_else(PoisonError::into_inner) = side.map(Arc::new);
        Ok(())
    }

    fn start_good(&self, good: &GoodVersion, target: &str) -> Result<Side, RunnerError> {
        let (project, scratch) = (&self.project, &self.scratch);
        let cwd = scratch.with_file(project, &good.cwd, &self.test_file)?;
        scratch.keep(project, good)?;
        let mut tree = good.tree.clone();
        if let Some(tree) = tree.as_mut().filter(|tree| tree.other == good.cwd) {
            tree.other.clone_from(&cwd);
        }
        let file = project.file_in(&cwd, tree.as_ref(), &self.test_file);
        let settings = settings(project, &self.entry, &cwd, &good.env, &file, target, scratch);
        let side = Side::new(Settings { tree, ..settings }, self.jobs);
        side.start_ahead(1);
        Ok(side)
    }

    /// With folders in which lines are recorded wherever they are.
    #[must_use]
    pub fn with_sources(self, code: &[Utf8PathBuf]) -> Self {
        let cwd = &self.faulty.settings.launch.cwd;
        let sources = code.iter().map(|folder| cwd.join(folder).into_string()).collect();
        Self { sources, ..self }
    }

    /// Why runs are made in processes of their own rather than in forks.
    pub fn colder(&self) -> Option<String> {
        self.colder.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From here on no run is forked: for who finds that forks see something else.
    pub fn go_colder(&self, reason: &str) {
        self.colder.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| reason.to_owned());
    }

    /// Options of the project's pytest configuration that are not in force: their plugins are not installed.
    pub fn dropped(&self) -> &[String] {
        self.faulty.dropped()
    }

    /// Why runs are made one after the other.
    pub fn serial(&self) -> Option<String> {
        self.serial.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a user should know of the files that runs wrote, once.
    pub fn notes(&self) -> Vec<String> {
        self.scratch.keeper().notes()
    }

    /// The version to run on; `None` is the faulty one.
    fn good_side(&self, version: Version) -> Result<Option<Arc<Side>>, RunnerError> {
        match version {
            Version::Faulty => Ok(None),
            Version::Good => {
                let good = self.good.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let good = good.ok_or_else(|| error::worker("there is no good version to run on".to_owned()));
                good.map(Some)
            }
        }
    }

    pub(super) fn run(&self, job: &Job, facts: bool) -> Result<Ran, RunnerError> {
        let good = self.good_side(job.version)?;
        let side = good.as_deref().unwrap_or(&self.faulty);
        let nodeids = side.settings.nodeids_of(&job.candidate);
        let text = job.candidate.single_text()?;
        let code = job.code.as_ref();
        let run = Run {
            facts,
            watch: if facts { self.listening.watch.word() } else { "off" },
            logs: Logs::of(&self.listening).filter(|_| facts),
            code: code.map(|code| Code { path: code.path.as_str(), text: &code.text }),
            ..self.request(text, &nodeids, &job.candidate.after, job.timeout)
        };
        match self.run_hot_enough(side, &run, job.heat) {
            Ok(ran) => {
                self.has_run.store(true, Ordering::Relaxed);
                Ok(ran)
            }
            // The project has worked before: the text is at fault (it may be imported by a conftest file).
            Err(error)
                if error.code == ErrorCode::BrokenEnvironment && self.has_run.load(Ordering::Relaxed) =>
            {
                Ok(Ran { ended: "done".to_owned(), message: Some(error.message), ..Ran::default() })
            }
            Err(error) => Err(error),
        }
    }

    /// What all requests for a run have in common.
    pub(super) fn request<'a>(
        &self,
        text: &'a str,
        nodeids: &'a [String],
        after: &'a [String],
        timeout: Option<Duration>,
    ) -> Run<'a> {
        Run {
            op: "run",
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            text: Some(text),
            nodeids,
            after,
            timeout: timeout.unwrap_or(self.default_timeout).as_secs_f64(),
            memory: self.memory_limit,
            ..Run::default()
        }
    }

    pub(super) fn faulty(&self) -> &Side {
        &self.faulty
    }

    pub(super) fn sources(&self) -> &[String] {
        &self.sources
    }

    fn run_hot_enough(&self, side: &Side, run: &Run<'_>, heat: Heat) -> Result<Ran, RunnerError> {
        match heat {
            Heat::Warm | Heat::Fresh if self.colder().is_none() => match side.run_warm(run, heat)? {
                Ok(ran) => Ok(ran),
                Err(reason) => {
                    self.go_colder(&reason);
                    side.run_cold(run)
                }
            },
            Heat::Warm | Heat::Fresh => side.run_cold(run),
            Heat::Apart | Heat::Cold => side.run_apart(run),
        }
    }

    fn run_all(&self, jobs: &[Job], n: usize) -> Result<Vec<Ran>, RunnerError> {
        in_order(n, jobs, |job| self.run(job, false)).into_iter().collect()
    }

    fn observations(&self, jobs: &[Job], runs: Vec<Ran>) -> Result<Vec<Vec<Observation>>, RunnerError> {
        jobs.iter()
            .zip(runs)
            .map(|(job, ran)| {
                let good = self.good_side(job.version)?;
                let settings = &good.as_deref().unwrap_or(&self.faulty).settings;
                let file = settings.file.as_ref().map_or("", |file| file.as_str());
                Ok(observe(ran, job.candidate.targets.len(), file))
            })
            .collect()
    }
}

impl Runner for PytestRunner {
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError> {
        let n = self.n_parallel();
        let runs = self.run_all(jobs, n)?;
        let shared = runs.iter().find_map(|ran| ran.shares.first().cloned());
        let observations = self.observations(jobs, runs)?;
        let Some(shared) = shared else { return Ok(observations) };
        self.serial.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(shared);
        if n == 1 || jobs.len() == 1 || agree(jobs, &observations) {
            return Ok(observations);
        }
        // They may have met: once more, one after the other.
        let runs = self.run_all(jobs, 1)?;
        self.observations(jobs, runs)
    }

    fn facts(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, RunnerError> {
        let job = Job::new(candidate.clone(), Heat::Warm, None);
        let ran = self.run(&job, true)?;
        Ok(ran.facts.map_or_else(Facts::default, |report| fact_map::facts(unit, &report)))
    }

    fn replaces_code(&self) -> bool {
        true
    }

    fn has_good(&self) -> bool {
        self.good.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn n_parallel(&self) -> usize {
        if self.serial().is_some() { 1 } else { self.jobs }
    }
}

/// Whether runs of one and the same thing saw one and the same: then they did not disturb each other.
fn agree(jobs: &[Job], observations: &[Vec<Observation>]) -> bool {
    jobs.windows(2).all(|pair| pair[0].candidate == pair[1].candidate && pair[0].version == pair[1].version)
        && observations.windows(2).all(|pair| pair[0] == pair[1])
}

fn settings(
    project: &Project,
    entry: &Utf8Path,
    cwd: &Utf8Path,
    env: &[(String, String)],
    file: &Utf8Path,
    target: &str,
    scratch: &Scratch,
) -> Settings {
    let storage = scratch.hypothesis(project);
    let mut settings = Settings {
        launch: Launch {
            program: project.python.clone(),
            args: vec![entry.to_string()],
            cwd: cwd.to_owned(),
            env: storage.iter().chain(&project.env).chain(env).cloned().collect(),
        },
        file: Some(file.to_owned()),
        nodeid: String::new(),
        args: project.pytest_args.clone(),
        bytecode: bytecode(project),
        scratch: scratch.root().to_owned(),
        tree: None,
        keeper: Arc::downgrade(scratch.keeper()),
    };
    settings.nodeid = settings.nodeid_of(target);
    settings
}

/// Where compiled modules are kept.
pub(super) fn bytecode(project: &Project) -> Utf8PathBuf {
    project.cache_dir.join("bytecode")
}

impl Settings {
    pub(super) fn nodeids_of(&self, candidate: &Candidate) -> Vec<String> {
        candidate.targets.iter().map(|target| self.nodeid_of(&target.id)).collect()
    }

    /// A target's id as pytest takes it: as the user wrote it where that names the test file, else by its full path.
    fn nodeid_of(&self, target: &str) -> String {
        let Some(file) = &self.file else { return target.to_owned() };
        match target.split_once("::") {
            Some((path, _)) if self.launch.cwd.join(path) == *file => target.to_owned(),
            Some((_, names)) => format!("{file}::{names}"),
            None => target.to_owned(),
        }
    }
}
