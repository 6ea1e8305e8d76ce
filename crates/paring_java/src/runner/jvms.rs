//! [`Jvms`]: the JVMs of a project, for all targets that paring is given at once.
//!
//! They are started as soon as they are asked for, so that loading the compiler overlaps with whatever paring does
//! meanwhile. What is wrong with the project shows in the first run.

use super::codes::Codes;
use super::project::JavaProject;
use super::scratch::Scratch;
use super::side::{Settings, Side};
use super::{error, install};
use camino::Utf8PathBuf;
use paring_model::{RunnerError, Version};
use paring_worker::Ended;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub struct Jvms {
    project: JavaProject,
    faulty: Side,
    good: Option<Side>,
    /// For lines that results run, of the sources that were last asked for.
    recorder: Mutex<Option<Arc<Side>>>,
    next_id: AtomicU64,
    /// Mutants of the code under test.
    pub(super) codes: Codes,
    /// A run wrote into the project: from then on each is made alone.
    writes: AtomicBool,
    /// Removed last, after the workers.
    pub(super) scratch: Scratch,
}

impl Jvms {
    pub fn start(project: JavaProject) -> Result<Self, RunnerError> {
        let jar = install::install(&project.cache_dir, &project.jdk)?;
        let scratch = Scratch::new(&project)?;
        let jobs = project.jobs.max(1);
        let settings = settings(&project, jar, &scratch);
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
            project,
            faulty,
            good,
            recorder: Mutex::new(None),
            next_id: AtomicU64::new(1),
            codes: Codes::default(),
            writes: AtomicBool::new(false),
            scratch,
        })
    }

    /// Whether tests of that project can be run on them.
    pub fn serve(&self, project: &JavaProject) -> bool {
        // Where a test file lies is told with each run: the roots matter to javac only.
        let roots = if project.compiles_other_sources { project } else { &self.project };
        let test_source_roots = roots.test_source_roots.clone();
        self.project == JavaProject { test_source_roots, ..project.clone() }
    }

    pub(super) fn side(&self, version: Version) -> Result<&Side, RunnerError> {
        match version {
            Version::Faulty => Ok(&self.faulty),
            Version::Good => self
                .good
                .as_ref()
                .ok_or_else(|| error::worker("there is no good version to run on".to_owned())),
        }
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

    pub(super) fn has_good(&self) -> bool {
        self.good.is_some()
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
