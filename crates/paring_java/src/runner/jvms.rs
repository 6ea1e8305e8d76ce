//! [`Jvms`]: the JVMs of a project, for all targets that paring is given at once.
//!
//! They are started as soon as they are asked for, so that loading the compiler overlaps with whatever paring does
//! meanwhile. What is wrong with the project shows in the first run.

use super::codes::Codes;
use super::install;
use super::message::Request;
use super::project::{GoodClasspath, JavaProject};
use super::scratch::Scratch;
use super::side::{Settings, Side};
use camino::Utf8PathBuf;
use paring_model::{Heat, RunnerError};
use paring_worker::{Ended, Patience};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

pub struct Jvms {
    project: JavaProject,
    pub(super) faulty: Arc<Side>,
    /// The version that the user has named.
    pub(super) good: Option<Arc<Side>>,
    /// For lines that results run, of the sources that were last asked for.
    recorder: Mutex<Option<Arc<Side>>>,
    next_id: AtomicU64,
    /// Mutants of the code under test.
    pub(super) codes: Codes,
    /// A run wrote into the project: from then on each is made alone.
    writes: AtomicBool,
    /// Removed after the workers.
    pub(super) scratch: Scratch,
    /// Compiled versions. What runs changed there is put back before they go.
    versions: Mutex<Vec<TempDir>>,
}

impl Jvms {
    pub fn start(project: JavaProject) -> Result<Self, RunnerError> {
        let jar = install::install(&project.cache_dir, &project.jdk)?;
        let scratch = Scratch::new(&project)?;
        let jobs = project.jobs.max(1);
        let settings = settings(&project, jar, &scratch);
        let good = project.good.as_ref().map(|good| good_side(&project, good, &settings));
        let faulty = Arc::new(Side::new(settings, jobs));
        faulty.start_ahead(jobs.min(2));
        Ok(Self {
            project,
            faulty,
            good,
            recorder: Mutex::new(None),
            next_id: AtomicU64::new(1),
            codes: Codes::default(),
            writes: AtomicBool::new(false),
            scratch,
            versions: Mutex::default(),
        })
    }

    /// Whether tests of that project can be run on them.
    pub fn serve(&self, project: &JavaProject) -> bool {
        // Where a test file lies is told with each run: the roots matter to javac only.
        let roots = if project.compiles_other_sources { project } else { &self.project };
        let test_source_roots = roots.test_source_roots.clone();
        self.project == JavaProject { test_source_roots, ..project.clone() }
    }

    /// JVMs of a version that was made meanwhile, in a folder that goes with this.
    pub fn good(&self, good: &GoodClasspath, folder: TempDir) -> Result<GoodJvms, RunnerError> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner).push(folder);
        self.scratch.keep(good)?;
        let fresh = strings(self.project.differing_from(good).iter());
        let settings = Settings { fresh, ..(*self.faulty.settings).clone() };
        Ok(GoodJvms(good_side(&self.project, good, &settings)))
    }

    /// Compiles code under test in a warm worker, with arguments that say all there is to say. What the compiler complains of, where it
    /// does.
    pub fn build(&self, sources: &[String], args: &[String]) -> Result<Option<String>, RunnerError> {
        let request = Request { op: "build", id: self.next_id(), sources, args, ..Request::default() };
        let ran = self.faulty.run_warm(&request, Heat::Warm, Patience::Heed)?;
        let no_end = || format!("the compiler came to no end ({})", ran.ended);
        Ok(ran.broken.map(|broken| broken.message).or_else(|| (ran.ended != "done").then(no_end)))
    }

    /// JVMs of the faulty version in which lines of these sources are recorded.
    pub(super) fn recorder(&self, coverage: Vec<String>) -> Arc<Side> {
        let mut kept = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(side) = kept.as_ref().filter(|side| side.settings.coverage == coverage) {
            return Arc::clone(side);
        }
        let settings = Settings { coverage, ..(*self.faulty.settings).clone() };
        Arc::clone(kept.insert(Arc::new(Side::new(settings, 1))))
    }

    pub(super) fn jobs(&self) -> usize {
        self.project.jobs.max(1)
    }

    /// Whether runs write into the project, and so are made one after the other.
    pub(super) fn is_written(&self) -> bool {
        self.writes.load(Ordering::Relaxed)
    }

    pub(super) fn note(&self, undone: &Ended) {
        if undone.is_void || !undone.changed.is_empty() {
            self.writes.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

/// JVMs of one good version.
#[derive(Clone)]
pub struct GoodJvms(pub(super) Arc<Side>);

fn good_side(project: &JavaProject, good: &GoodClasspath, settings: &Settings) -> Arc<Side> {
    let cwd = good.cwd.clone().unwrap_or_else(|| project.cwd.clone());
    let classpath = strings(good.classpath.iter().chain(&project.extra_classpath));
    let side = Side::new(Settings { cwd, classpath, ..settings.clone() }, project.jobs.max(1));
    side.start_ahead(1);
    Arc::new(side)
}

pub(super) fn settings(project: &JavaProject, jar: Utf8PathBuf, scratch: &Scratch) -> Settings {
    Settings {
        jdk: project.jdk.clone(),
        jar,
        cwd: project.cwd.clone(),
        env: project.env.clone(),
        jvm_args: project.jvm_args.clone(),
        memory_limit: project.memory_limit,
        classpath: strings(project.classpath.iter().chain(&project.extra_classpath)),
        fresh: strings(project.differing().iter()),
        javac_args: project.javac_args.clone(),
        source_roots: if project.compiles_other_sources {
            strings(project.test_source_roots.iter())
        } else {
            Vec::new()
        },
        coverage: Vec::new(),
        calls: Vec::new(),
        is_short: true,
        keeper: Arc::downgrade(scratch.keeper()),
        scratch: scratch.root().to_owned(),
    }
}

fn strings<'a>(paths: impl Iterator<Item = &'a Utf8PathBuf>) -> Vec<String> {
    paths.map(ToString::to_string).collect()
}
