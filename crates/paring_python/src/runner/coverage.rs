//! [`PytestCoverage`]: the coverage port, on pytest.
//!
//! The suite runs once in one process, as pytest would run it, with the recorder of `worker/paring_cover.py` in it. A test that
//! ends the process is noted, and the rest runs on in a new one. Tests that an earlier run can stand in for are collected, not run.

use super::covered::Gathered;
use super::depends::{Depends, configuration};
use super::message::{CoverageReport, Ran, Run};
use super::project::Project;
use super::ran_test::{RESTART_LIMIT, TEST_LIMIT_SECS, whole};
use super::scratch::Scratch;
use super::side::{Greeted, Settings, Told, start_cold, start_warm};
use super::{error, sources};
use camino::Utf8PathBuf;
use paring_model::{Candidate, Coverage, Covered, Earlier, Heard, Heat, Observation, RunnerError, Spectra};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

pub struct PytestCoverage {
    project: Project,
    entry: Utf8PathBuf,
    scratch: Scratch,
    /// Seconds for each test.
    limit: f64,
    /// Folders whose code is looked at although it is not within the project.
    sources: Vec<String>,
    /// For single tests, of the file that was last asked for.
    recorder: Mutex<Option<(Utf8PathBuf, Greeted)>>,
}

impl PytestCoverage {
    pub fn new(project: Project, limit: Option<Duration>, code: &[Utf8PathBuf]) -> Result<Self, RunnerError> {
        let entry = sources::write(&project.cache_dir)?;
        let scratch = Scratch::new(&project)?;
        let limit = limit.map_or(TEST_LIMIT_SECS, |limit| limit.as_secs_f64());
        let sources = code.iter().map(|folder| project.cwd.join(folder).into_string()).collect();
        Ok(Self { project, entry, scratch, limit, sources, recorder: Mutex::new(None) })
    }

    fn run<'a>(&'a self, nodeids: &'a [String]) -> Run<'a> {
        Run {
            op: "run",
            nodeids,
            timeout: self.limit,
            memory: self.project.memory_limit,
            coverage: true,
            sources: &self.sources,
            ..Run::default()
        }
    }

    /// The worker that was kept for the file, or a new one; a process for one run where the project must not be forked.
    fn recorder(&self, settings: &Settings) -> Result<Greeted, RunnerError> {
        let kept = self.recorder.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((_, worker)) = kept.filter(|(file, _)| Some(file) == settings.file.as_ref()) {
            return Ok(worker);
        }
        let worker = start_warm(settings)?;
        if worker.can_be_forked() { Ok(worker) } else { start_cold(settings) }
    }

    fn settings(&self, paths: &[String]) -> Settings {
        whole(&self.project, self.entry.clone(), &self.scratch, paths)
    }

    /// What every test depends on. The folder of the worker is named by what is in it.
    fn surroundings(&self, worker: &Greeted, paths: &[String]) -> String {
        let Self { project, entry, sources, .. } = self;
        let configuration = configuration(&project.cwd, paths);
        let given = (entry, &project.pytest_args, &project.env, sources);
        format!("{} {given:?}\n{configuration}", worker.surroundings())
    }

    /// Takes what the worker tells, and keeps a test that is over.
    fn hear(
        &self,
        told: Told,
        gathered: &mut Gathered,
        depends: &mut Depends,
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) {
        match &told {
            Told::Collected { nodeids, .. } => depends.collected(nodeids),
            Told::Loaded(loaded) => depends.hear(loaded.clone()),
            Told::Begins(_) | Told::File { .. } | Told::Over(_) => {}
        }
        let is_over = matches!(told, Told::Over(_));
        gathered.hear(told, tell);
        if is_over && let Some(unit) = gathered.last_unit(&self.project.cwd, depends) {
            spectra.keep(&unit);
        }
    }
}

impl Coverage for PytestCoverage {
    fn suite(
        &self,
        paths: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let settings = self.settings(paths);
        let mut worker = start_cold(&settings)?;
        let mut depends = Depends::new(&self.project.cwd, began, &self.surroundings(&worker, paths));
        let earlier = Earlier::of(spectra, |stamp| depends.holds(stamp));
        let mut gathered = Gathered::default();
        let mut notes = Vec::new();
        for n_restarts in 0..=RESTART_LIMIT {
            let ran = gathered.tests.iter().map(|test| &test.nodeid);
            let done: Vec<String> = ran.chain(earlier.usable().keys()).cloned().collect();
            let run = Run { many: true, done: &done, ..self.run(paths) };
            let mut hear = |told: Told| self.hear(told, &mut gathered, &mut depends, spectra, tell);
            let ran = worker.run_streamed(&run, &mut hear)?;
            if let Some(error) = nothing_ran(&ran, &gathered) {
                return Err(error);
            }
            let is_over = ran.ended == "done" || gathered.current.is_none();
            notes.extend(remarks(&ran));
            take(ran, &mut gathered);
            if is_over {
                break;
            }
            if n_restarts == RESTART_LIMIT {
                notes.push(format!(
                    "{RESTART_LIMIT} tests ended the process: those after the last were not run"
                ));
            } else {
                worker = start_cold(&settings)?;
            }
        }
        notes.extend(self.scratch.keeper().notes());
        notes.sort();
        notes.dedup();
        gathered.add_kept(earlier.usable());
        let covered = gathered.finish(&self.project.cwd, began, None)?;
        Ok(Covered { notes, turned: earlier.turned(&covered), ..covered })
    }

    fn candidate(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let (file, text) = candidate.single_file()?;
        let names = |id: &str| id.split_once("::").map_or(String::new(), |(_, names)| names.to_owned());
        let nodeids: Vec<String> =
            candidate.targets.iter().map(|target| format!("{file}::{}", names(&target.id))).collect();
        let settings = Settings { file: Some(file.to_owned()), ..self.settings(&nodeids) };
        let run = Run { text: Some(text), after: &candidate.after, ..self.run(&nodeids) };
        let mut gathered = Gathered::default();
        let mut worker = match heat {
            Heat::Warm | Heat::Fresh | Heat::Apart => self.recorder(&settings)?,
            Heat::Cold => start_cold(&settings)?,
        };
        let ran = worker.run_streamed(&run, &mut |told| gathered.hear(told, &|_| ()))?;
        if heat != Heat::Cold && ran.ended == "done" {
            *self.recorder.lock().unwrap_or_else(PoisonError::into_inner) = Some((file.to_owned(), worker));
        }
        let mut notes = remarks(&ran);
        notes.extend(self.scratch.keeper().notes());
        take(ran, &mut gathered);
        let covered = gathered.finish(&self.project.cwd, began, Some((file, text)))?;
        Ok(Covered { notes, ..covered })
    }
}

/// Why no test was even begun, where that is not because there are none.
fn nothing_ran(ran: &Ran, gathered: &Gathered) -> Option<RunnerError> {
    if !gathered.tests.is_empty() || gathered.current.is_some() || ran.collection.is_some() {
        return None;
    }
    match &ran.message {
        Some(message) if ran.missing => Some(error::not_found(message.clone())),
        Some(message) => Some(error::broken_environment(message.clone())),
        None if ran.ended == "done" => None,
        None => {
            let message = format!("pytest ended before the first test ({})", ran.ended);
            Some(error::broken_environment(message))
        }
    }
}

pub(super) fn take(ran: Ran, gathered: &mut Gathered) {
    if let Some(collection) = ran.collection {
        gathered.uncollected(collection);
    }
    gathered.lost(match ran.ended.as_str() {
        "hung" => Observation::Hung { stack: Vec::new(), below: Vec::new() },
        how => Observation::Died { how: how.to_owned() },
    });
}

/// What went otherwise than a user may think.
pub(super) fn remarks(ran: &Ran) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(CoverageReport { recorder: _, lost, switched_off }) = &ran.coverage {
        notes.extend(lost.clone());
        notes.extend(switched_off.iter().map(|tool| {
            format!("the project switches {tool} on: it was left off for this run, which has a recorder of its own")
        }));
    }
    if !ran.dropped.is_empty() {
        notes.push(format!(
            "left out of the project's pytest options, as their plugins are not installed: {}",
            ran.dropped.join(" ")
        ));
    }
    notes
}
