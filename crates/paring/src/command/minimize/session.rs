//! What the targets of one invocation share, and how one of them is pared.
//!
//! Targets of one file share its workers: the next one finds them warm.

use super::targets::id_of;
use super::write::Writer;
use super::{failed, runner_error};
use crate::clock::WallClock;
use crate::good::{self, Good};
use crate::journal::FileJournal;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::registry::Language;
use crate::target::{self, Target};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Event, Observation, RunnerError};
use paring_python::frontend::decode;
use paring_python::runner::{GoodVersion, Project, PytestRunner, find_python, list_failures};
use paring_tasks::minimize::{Request, minimize};
use paring_tasks::{Outcome, OutcomeError, Status};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a run may take before the baseline is known.
const FIRST_TIMEOUT: Duration = Duration::from_mins(2);

pub struct Session<'a> {
    pub options: &'a Options,
    stop: Arc<AtomicBool>,
    log: Log,
    cache: Utf8PathBuf,
    cwd: Utf8PathBuf,
    /// The workers of the file that was last at hand.
    warm: Option<Warm>,
}

struct Warm {
    file: Utf8PathBuf,
    runner: PytestRunner,
    /// Lives as long as the runner runs on it.
    _good: Option<Good>,
}

impl<'a> Session<'a> {
    pub fn new(
        options: &'a Options,
        stop: Arc<AtomicBool>,
        log: Log,
        cache: Utf8PathBuf,
        cwd: Utf8PathBuf,
    ) -> Self {
        Self { options, stop, log, cache, cwd, warm: None }
    }

    pub fn cwd(&self) -> &Utf8Path {
        &self.cwd
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    pub fn project(&self, good: Option<&Good>) -> Result<Project, RunnerError> {
        let options = self.options;
        let env = |name: &str| std::env::var(name).ok();
        let python = find_python(options.python.as_ref().map(|path| path.as_str()), &self.cwd, &env)?;
        let good = (good.is_some() || !options.good_env.is_empty()).then(|| GoodVersion {
            cwd: good.map_or_else(|| self.cwd.clone(), |good| good.cwd.clone()),
            env: options.good_env.clone(),
        });
        Ok(Project {
            cwd: self.cwd.clone(),
            python,
            pytest_args: options.pytest_args.clone(),
            env: Vec::new(),
            good,
            jobs: self.n_jobs(),
            memory_limit: options.memory,
            cache_dir: self.cache.join("worker"),
        })
    }

    fn n_jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        self.options.n_jobs.unwrap_or_else(|| cores.clamp(1, 4))
    }

    pub fn pare(&mut self, target: &Target, writer: &Writer<'_>, output: &Output) -> Outcome {
        let mut target = target.clone();
        let mut outcome = match self.try_pare(&mut target, writer, output) {
            Ok(outcome) => outcome,
            Err(error) => failed(&target.spec.id, self.options, error),
        };
        if let Some(report) = target.reported_in.filter(|_| outcome.status == Status::Passing) {
            target.notes.push(format!("failed according to {report}, and passes alone"));
        }
        outcome.notes.splice(0..0, target.notes);
        outcome
    }

    fn try_pare(
        &mut self,
        target: &mut Target,
        writer: &Writer<'_>,
        output: &Output,
    ) -> Result<Outcome, OutcomeError> {
        let clock = WallClock::start(Arc::clone(&self.stop));
        let source = match writer.rewritten(&target.file) {
            Some(text) => text.to_owned(),
            None => read(&target.file)?,
        };
        self.name_the_case(&source, target)?;
        let language = Language::of_target(&target.spec.id).expect("targets are found by their language");
        let progress = output.progress();
        progress.begin(&target.spec.id);
        self.warm_up(target)?;
        let runner = &self.warm.as_ref().expect("the workers were just started").runner;
        let journal = FileJournal::open(
            &self.cache.join("journal"),
            &self.job_name(target, &source),
            self.options.resume,
        );
        let request = Request {
            frontend: language.frontend(),
            runner,
            clock: &clock,
            journal: &journal,
            tell: &|event: Event| {
                self.log.event(&event);
                progress.event(&event);
            },
            target: target.spec.clone(),
            before: target.before.clone(),
            path: target.file.clone(),
            source,
            strategy: self.options.strategy,
            same: self.options.same,
            n_baseline: self.options.n_baseline,
            allow_flaky: self.options.allow_flaky,
            timeout: self.options.timeout,
            budget: self.options.budget,
            in_place: self.options.apply || self.options.patch.is_some(),
        };
        let mut outcome = minimize(&request);
        progress.clear();
        if !outcome.unfinished {
            journal.finish();
        }
        outcome.notes.extend(remarks(runner));
        Ok(outcome)
    }

    /// Starts the workers of the target's file, where they are not at hand.
    fn warm_up(&mut self, target: &Target) -> Result<(), OutcomeError> {
        if self.warm.as_ref().is_some_and(|warm| warm.file == target.file) {
            return Ok(());
        }
        self.warm = None;
        let good = self.good(&target.file)?;
        let project = self.project(good.as_ref()).map_err(|error| runner_error(&error))?;
        let timeout = self.options.timeout.unwrap_or(FIRST_TIMEOUT);
        let runner = PytestRunner::start(project, &target.file, &target.spec, timeout)
            .map_err(|error| runner_error(&error))?;
        self.warm = Some(Warm { file: target.file.clone(), runner, _good: good });
        Ok(())
    }

    /// Names the first failing case where the target stands for several.
    fn name_the_case(&self, source: &str, target: &mut Target) -> Result<(), OutcomeError> {
        if !target::may_be_parametrised(&target.spec.id, source) {
            return Ok(());
        }
        let project = self.project(None).map_err(|error| runner_error(&error))?;
        let found =
            list_failures(&project, std::slice::from_ref(&target.spec.id)).map_err(|e| runner_error(&e))?;
        let n_cases = found.len();
        let first = found.into_iter().find(|found| matches!(found.observation, Observation::Failed(_)));
        if let Some(first) = first.map(|first| id_of(&self.cwd, &first))
            && name_in_file(&first) != name_in_file(&target.spec.id)
        {
            target.notes.push(format!(
                "{} stands for {n_cases} cases; pared the first that fails, {first}",
                target.spec.id
            ));
            target.spec.id = first;
        }
        Ok(())
    }

    fn good(&self, file: &Utf8Path) -> Result<Option<Good>, OutcomeError> {
        let Some(given) = &self.options.good else { return Ok(None) };
        good::prepare(given, &self.cwd, file).map(Some).map_err(|error| OutcomeError {
            code: "good".to_owned(),
            message: format!("{error:#}"),
            help: "give --good a git revision of this repository, or a folder with the same project"
                .to_owned(),
        })
    }

    /// A journal belongs to one text, one test and one setting.
    fn job_name(&self, target: &Target, source: &str) -> String {
        use sha2::{Digest, Sha256};
        use std::fmt::Write;
        let mut hash = Sha256::new();
        let options = self.options;
        hash.update(format!(
            "{}\n{}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n",
            self.cwd,
            target.spec,
            target.spec.after,
            options.strategy,
            options.same,
            options.good,
            options.good_env,
            options.python
        ));
        hash.update(source);
        hash.finalize().iter().take(12).fold(String::new(), |mut name, byte| {
            let _ = write!(name, "{byte:02x}");
            name
        })
    }
}

/// The text of a test file.
fn read(file: &Utf8Path) -> Result<String, OutcomeError> {
    let bytes = std::fs::read(file).map_err(|error| OutcomeError {
        code: "io".to_owned(),
        message: format!("failed to read {file}: {error}"),
        help: "check that the file can be read".to_owned(),
    })?;
    let (source, _) = decode(&bytes).map_err(|message| OutcomeError {
        code: "encoding".to_owned(),
        message: format!("{file}: {message}"),
        help: "declare the file's encoding in its first line, or save it as UTF-8".to_owned(),
    })?;
    Ok(source)
}

/// What the runner had to do otherwise than usual.
fn remarks(runner: &PytestRunner) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(runner.colder().map(|reason| format!("each run had a process of its own: {reason}")));
    notes.extend(runner.serial().map(|reason| format!("runs were made one after the other: {reason}")));
    if !runner.dropped().is_empty() {
        notes.push(format!(
            "left out of the project's pytest options, as their plugins are not installed: {}",
            runner.dropped().join(" ")
        ));
    }
    notes
}

/// An id without its file, which may be written in several ways.
fn name_in_file(id: &str) -> Option<&str> {
    id.split_once("::").map(|(_, name)| name)
}
