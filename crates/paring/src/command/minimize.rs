//! `paring minimize`: targets in, pared tests out.

use crate::clock::{WallClock, stop_on_signal};
use crate::exit_code;
use crate::good::{self, Good};
use crate::journal::FileJournal;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::registry::Language;
use crate::target::{self, Target};
use crate::value::Sink;
use crate::write::{self, patch_name, to_sink};
use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Event, Observation, RunnerError};
use paring_python::frontend::{decode, encode};
use paring_python::runner::{GoodVersion, Project, PytestRunner, find_python, list_failures};
use paring_report::{document, junit_out, patch};
use paring_tasks::minimize::{Request, minimize};
use paring_tasks::{Outcome, OutcomeError, RunsBy, Status};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a run may take before the baseline is known.
const FIRST_TIMEOUT: Duration = Duration::from_mins(2);

/// Pares every target, and gives the exit code.
pub fn run(options: &Options) -> Result<i32> {
    let cwd = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let session = Session {
        options,
        output: Output::of_process(options),
        stop: stop_on_signal(),
        log: Log::of_process(),
        cache: cache_folder(&cwd),
        cwd,
    };
    let mut outcomes = Vec::new();
    for target in session.targets() {
        if session.stopped() {
            break;
        }
        let outcome = match target {
            Ok(target) => session.pare(&target),
            Err((id, error)) => failed(&id, &options.strategy.word().to_owned(), error),
        };
        session.output.report(&outcome, outcomes.len());
        outcomes.push(outcome);
    }
    session.write(&outcomes)?;
    let codes = outcomes.iter().map(|outcome| {
        exit_code::of(outcome.status, outcome.error.as_ref().map(|error| error.code.as_str()))
    });
    Ok(exit_code::combine(codes))
}

/// What all targets of one invocation share.
struct Session<'a> {
    options: &'a Options,
    output: Output,
    stop: Arc<AtomicBool>,
    log: Log,
    cache: Utf8PathBuf,
    cwd: Utf8PathBuf,
}

type Unfound = (String, OutcomeError);

impl Session<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The targets named, found failing, or reported as failed.
    fn targets(&self) -> Vec<Result<Target, Unfound>> {
        let mut found: Vec<Result<Target, Unfound>> = Vec::new();
        let find = |id: &str| {
            target::find(id, &self.options.after, &self.cwd).map_err(|error| (id.to_owned(), error))
        };
        found.extend(self.options.targets.iter().map(|id| find(id)));
        if !self.options.failing.is_empty() {
            let paths: Vec<String> = self.options.failing.iter().map(ToString::to_string).collect();
            match self.failing(&paths) {
                Ok(ids) if ids.is_empty() => found.push(Err((paths.join(" "), no_failures(&paths)))),
                Ok(ids) => found.extend(ids.iter().map(|id| find(id))),
                Err(error) => found.push(Err((paths.join(" "), runner_error(&error)))),
            }
        }
        for path in &self.options.junit_xml {
            match self.reported(path) {
                Ok(ids) => found.extend(ids.iter().map(|id| find(id))),
                Err(error) => found.push(Err((path.to_string(), error))),
            }
        }
        found
    }

    fn failing(&self, paths: &[String]) -> Result<Vec<String>, RunnerError> {
        let found = list_failures(&self.project(None)?, paths)?;
        let failed = |observation: &Observation| {
            matches!(
                observation,
                Observation::Failed(_) | Observation::Died { .. } | Observation::Hung { .. }
            )
        };
        Ok(found.into_iter().filter(|found| failed(&found.observation)).map(|found| found.nodeid).collect())
    }

    /// The failures in a JUnit report, or in all reports of a folder.
    fn reported(&self, path: &Utf8Path) -> Result<Vec<String>, OutcomeError> {
        let problem = |message: String| OutcomeError {
            code: "junit_xml".to_owned(),
            message,
            help: "name a JUnit XML report, or a folder with such reports".to_owned(),
        };
        let mut files = vec![self.cwd.join(path)];
        if files[0].is_dir() {
            let entries = files[0].read_dir_utf8().map_err(|error| problem(error.to_string()))?;
            files = entries.flatten().map(|entry| entry.path().to_owned()).collect();
            files.retain(|file| file.extension() == Some("xml"));
            files.sort();
        }
        let mut ids = Vec::new();
        for file in files {
            let xml = std::fs::read_to_string(&file).map_err(|error| problem(format!("{file}: {error}")))?;
            let failures =
                paring_report::failures_in(&xml).map_err(|error| problem(format!("{file}: {error}")))?;
            for failure in failures {
                let id = failure.node_id(|path| self.cwd.join(path).is_file());
                ids.push(id.unwrap_or_else(|| format!("{}.{}", failure.classname, failure.name)));
            }
        }
        if ids.is_empty() {
            return Err(problem(format!("{path} reports no failure")));
        }
        Ok(ids)
    }

    fn project(&self, good: Option<&Good>) -> Result<Project, RunnerError> {
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

    fn pare(&self, target: &Target) -> Outcome {
        let id = &target.spec.id;
        let strategy = self.options.strategy.word();
        let mut outcome = match self.try_pare(target) {
            Ok(outcome) => outcome,
            Err(error) => failed(id, strategy, error),
        };
        outcome.notes.splice(0..0, target.notes.iter().cloned());
        outcome
    }

    fn try_pare(&self, target: &Target) -> Result<Outcome, OutcomeError> {
        let clock = WallClock::start(Arc::clone(&self.stop));
        let mut target = target.clone();
        let bytes = std::fs::read(&target.file).map_err(|error| io_error(&target.file, &error))?;
        let (source, _) = decode(&bytes).map_err(|message| OutcomeError {
            code: "encoding".to_owned(),
            message: format!("{}: {message}", target.file),
            help: "declare the file's encoding in its first line, or save it as UTF-8".to_owned(),
        })?;
        let good = self.good(&target.file)?;
        let project = self.project(good.as_ref()).map_err(|error| runner_error(&error))?;
        self.name_the_case(&project, &source, &mut target)?;
        let language = Language::of_target(&target.spec.id).expect("targets are found by their language");
        let progress = self.output.progress();
        progress.begin(&target.spec.id);
        let timeout = self.options.timeout.unwrap_or(FIRST_TIMEOUT);
        let runner = PytestRunner::start(project, &target.file, &target.spec, timeout)
            .map_err(|error| runner_error(&error))?;
        let journal = FileJournal::open(
            &self.cache.join("journal"),
            &self.job_name(&target, &source),
            self.options.resume,
        );
        let request = Request {
            frontend: language.frontend(),
            runner: &runner,
            clock: &clock,
            journal: &journal,
            tell: &|event: Event| {
                self.log.event(&event);
                progress.event(&event);
            },
            target: target.spec.clone(),
            path: target.file.clone(),
            source,
            strategy: self.options.strategy,
            same: self.options.same,
            n_baseline: self.options.n_baseline,
            allow_flaky: self.options.allow_flaky,
            timeout: self.options.timeout,
            budget: self.options.budget,
        };
        let mut outcome = minimize(&request);
        progress.clear();
        if outcome.status != Status::Interrupted {
            journal.finish();
        }
        outcome.notes.extend(runner.colder());
        Ok(outcome)
    }

    /// Names the first failing case where the target stands for several.
    fn name_the_case(
        &self,
        project: &Project,
        source: &str,
        target: &mut Target,
    ) -> Result<(), OutcomeError> {
        if !target::may_be_parametrised(&target.spec.id, source) {
            return Ok(());
        }
        let found =
            list_failures(project, std::slice::from_ref(&target.spec.id)).map_err(|e| runner_error(&e))?;
        let n_cases = found.len();
        let first = found.into_iter().find(|found| matches!(found.observation, Observation::Failed(_)));
        if let Some(first) = first.filter(|first| first.nodeid != target.spec.id) {
            target.notes.push(format!(
                "{} stands for {n_cases} cases; pared the first that fails, {}",
                target.spec.id, first.nodeid
            ));
            target.spec.id = first.nodeid;
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
        let mut hash = Sha256::new();
        let options = self.options;
        hash.update(format!(
            "{}\n{}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n",
            self.cwd,
            target.spec,
            options.strategy,
            options.same,
            options.good,
            options.good_env,
            options.python
        ));
        hash.update(source);
        hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
    }

    fn write(&self, outcomes: &[Outcome]) -> Result<()> {
        let options = self.options;
        if let Some(sink) = &options.json {
            to_sink(sink, &document::text(outcomes))?;
        }
        if let Some(path) = &options.junit_out {
            to_sink(&Sink::File(path.clone()), &junit_out(outcomes))?;
        }
        let pared = || outcomes.iter().filter_map(|outcome| outcome.pared.as_ref());
        if let Some(sink) = &options.patch {
            let text: String = pared()
                .map(|pared| {
                    patch(
                        &patch_name(Utf8Path::new(&pared.path), &self.cwd),
                        &pared.original,
                        &pared.in_place,
                    )
                })
                .collect();
            to_sink(sink, &text)?;
        }
        if let Some(path) = &options.out {
            for pared in pared() {
                to_sink(&Sink::File(path.clone()), &pared.text)?;
            }
        }
        if options.apply {
            for pared in pared().filter(|pared| pared.in_place != pared.original) {
                apply(Utf8Path::new(&pared.path), &pared.in_place)?;
            }
        }
        Ok(())
    }
}

/// Rewrites the user's file, in its own encoding.
fn apply(path: &Utf8Path, text: &str) -> Result<()> {
    let (_, encoding) = decode(&std::fs::read(path)?).map_err(anyhow::Error::msg)?;
    let bytes = encode(text, encoding).map_err(anyhow::Error::msg)?;
    write::file(path, &bytes).with_context(|| format!("failed to write {path}"))
}

/// Where workers and journals live: the user's cache folder.
fn cache_folder(cwd: &Utf8Path) -> Utf8PathBuf {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty()).map(Utf8PathBuf::from);
    set("PARING_CACHE_DIR")
        .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("paring")))
        .or_else(|| set("HOME").map(|path| path.join(".cache/paring")))
        .or_else(|| set("LOCALAPPDATA").map(|path| path.join("paring")))
        .unwrap_or_else(|| cwd.join(".paring"))
}

fn failed(id: &str, strategy: &str, error: OutcomeError) -> Outcome {
    let status = if error.code == "not_found" { Status::NotFound } else { Status::Error };
    Outcome {
        target: id.to_owned(),
        status,
        failure: None,
        pared: None,
        strategy: strategy.to_owned(),
        level: String::new(),
        runs: RunsBy::default(),
        elapsed: Duration::ZERO,
        notes: Vec::new(),
        error: Some(error),
    }
}

fn runner_error(error: &RunnerError) -> OutcomeError {
    OutcomeError { code: error.code.to_owned(), message: error.message.clone(), help: error.help.clone() }
}

fn io_error(path: &Utf8Path, error: &std::io::Error) -> OutcomeError {
    OutcomeError {
        code: "io".to_owned(),
        message: format!("failed to read {path}: {error}"),
        help: "check that the file can be read".to_owned(),
    }
}

fn no_failures(paths: &[String]) -> OutcomeError {
    OutcomeError {
        code: "no_failures".to_owned(),
        message: format!("no test fails in {}", paths.join(" ")),
        help: "nothing to pare: run pytest there to see".to_owned(),
    }
}
