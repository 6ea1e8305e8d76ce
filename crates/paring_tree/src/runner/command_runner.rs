//! Runs the user's command on candidates.
//!
//! Without `{}` in the command it runs in a private copy of the folder, with the candidate in the file's place. With `{}` it
//! runs where the user stands, and the candidate is a file of the same name in a temporary folder.

use super::observation::observation;
use super::private_copy::PrivateCopy;
use super::watch::{Watch, listed};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, ErrorCode, Facts, Heat, Job, Observation, Runner, RunnerError, Unit};
use paring_worker::{Launch, Patience, Ran, WorkerError, in_order, run};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What stands for the candidate's path.
const HOLE: &str = "{}";
/// How long a run may take where nobody says so.
const LIMIT: Duration = Duration::from_mins(1);

/// What to run, and where.
#[derive(Clone, Debug)]
pub struct Command {
    /// For the shell.
    pub text: String,
    /// The file that is pared, absolute.
    pub file: Utf8PathBuf,
    /// The folder the user stands in.
    pub cwd: Utf8PathBuf,
    /// Where paring itself keeps things: what is written there, the command did not write.
    pub cache: Utf8PathBuf,
    /// What the output must match.
    pub pattern: Option<Regex>,
    pub n_jobs: usize,
    /// Bytes a run may take.
    pub memory: Option<u64>,
}

impl Command {
    fn has_hole(&self) -> bool {
        self.text.contains(HOLE)
    }

    /// The folder that is copied: the user's where the file is in it, else the file's own.
    fn folder(&self) -> &Utf8Path {
        if self.file.starts_with(&self.cwd) { &self.cwd } else { self.file.parent().unwrap_or(&self.cwd) }
    }
}

pub struct CommandRunner {
    command: Command,
    /// Copies that nobody uses at the moment.
    free: Mutex<Vec<PrivateCopy>>,
    watch: Option<Watch>,
    written: Mutex<BTreeSet<Utf8PathBuf>>,
}

impl CommandRunner {
    pub fn start(command: Command) -> Result<Self, RunnerError> {
        let watch = if command.has_hole() {
            Some(
                Watch::start(&command.cwd, &command.file, &command.cache)
                    .map_err(|error| io_error("read the file", &error))?,
            )
        } else {
            None
        };
        let runner = Self { command, free: Mutex::default(), watch, written: Mutex::default() };
        if runner.watch.is_none() {
            let copy = runner.copy()?;
            runner.put_away(copy);
        }
        Ok(runner)
    }

    /// What the command wrote in its private copy, where it did.
    pub fn written(&self) -> Option<String> {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let paths: Vec<Utf8PathBuf> = written.iter().cloned().collect();
        (!paths.is_empty()).then(|| listed(&paths))
    }

    fn copy(&self) -> Result<PrivateCopy, RunnerError> {
        PrivateCopy::make(self.command.folder(), self.place())
    }

    /// Where the file stands in its folder.
    fn place(&self) -> &Utf8Path {
        self.command.file.strip_prefix(self.command.folder()).unwrap_or(&self.command.file)
    }

    fn put_away(&self, copy: PrivateCopy) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(copy);
    }

    fn one(&self, job: &Job) -> Result<Observation, RunnerError> {
        let ran = match &self.watch {
            Some(watch) => self.beside(watch, job)?,
            None => self.in_copy(job)?,
        };
        Ok(observation(&ran, self.command.pattern.as_ref()))
    }

    fn in_copy(&self, job: &Job) -> Result<Ran, RunnerError> {
        let free = match job.heat {
            Heat::Warm => self.free.lock().unwrap_or_else(PoisonError::into_inner).pop(),
            Heat::Fresh | Heat::Apart | Heat::Cold => None,
        };
        let copy = free.map_or_else(|| self.copy(), Ok)?;
        self.write(&copy.root().join(self.place()), &job.candidate)?;
        let cwd = copy.root().to_owned();
        let ran = self.run(&self.command.text, cwd, job)?;
        let changed = copy.restore()?;
        self.written.lock().unwrap_or_else(PoisonError::into_inner).extend(changed);
        match job.heat {
            Heat::Fresh | Heat::Warm => self.put_away(copy),
            Heat::Apart | Heat::Cold => {}
        }
        Ok(ran)
    }

    fn beside(&self, watch: &Watch, job: &Job) -> Result<Ran, RunnerError> {
        let failed = |error: std::io::Error| io_error("make a temporary folder", &error);
        let folder = tempfile::TempDir::with_prefix("paring-").map_err(failed)?;
        let path =
            Utf8PathBuf::try_from(folder.path().to_owned()).map_err(|error| failed(error.into_io_error()))?;
        let file = path.join(self.command.file.file_name().unwrap_or("candidate"));
        self.write(&file, &job.candidate)?;
        let text = self.command.text.replace(HOLE, &quoted(file.as_str()));
        let ran = self.run(&text, self.command.cwd.clone(), job)?;
        watch.check()?;
        Ok(ran)
    }

    /// Writes a candidate with the permissions of the file.
    fn write(&self, path: &Utf8Path, candidate: &Candidate) -> Result<(), RunnerError> {
        let text = candidate.single_text()?;
        let written = || {
            if path.exists() {
                std::fs::remove_file(path)?;
            }
            std::fs::write(path, text)?;
            std::fs::set_permissions(path, std::fs::metadata(&self.command.file)?.permissions())
        };
        written().map_err(|error| io_error("write a candidate", &error))
    }

    fn run(&self, text: &str, cwd: Utf8PathBuf, job: &Job) -> Result<Ran, RunnerError> {
        let patience = match job.heat {
            Heat::Warm | Heat::Fresh => Patience::Heed,
            Heat::Apart | Heat::Cold => Patience::WaitAllTheSame,
        };
        let limited = match self.command.memory {
            Some(bytes) if cfg!(unix) => format!("ulimit -v {}\n{text}", bytes / 1024),
            Some(_) | None => text.to_owned(),
        };
        run(&shell(limited, cwd), job.timeout.unwrap_or(LIMIT), patience).map_err(|error| match error {
            WorkerError::Interrupted => RunnerError {
                code: ErrorCode::Interrupted,
                message: "the user asked to stop".to_owned(),
                help: String::new(),
            },
            other => RunnerError {
                code: ErrorCode::Worker,
                message: format!("failed to {other}"),
                help: "check that the system's shell works".to_owned(),
            },
        })
    }
}

impl Runner for CommandRunner {
    /// A command runs the whole file, whatever the targets are: all that is seen is seen of each of them.
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError> {
        let all = |job: &Job| Ok(vec![self.one(job)?; job.candidate.targets.len()]);
        in_order(self.command.n_jobs, jobs, all).into_iter().collect()
    }

    /// A command tells nothing but how it ends.
    fn facts(&self, _unit: &Unit, _candidate: &Candidate) -> Result<Facts, RunnerError> {
        Ok(Facts::default())
    }

    fn traces(&self) -> bool {
        false
    }

    fn has_good(&self) -> bool {
        false
    }

    fn n_parallel(&self) -> usize {
        self.command.n_jobs
    }
}

fn shell(text: String, cwd: Utf8PathBuf) -> Launch {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("/bin/sh", "-c") };
    Launch { program: program.into(), args: vec![flag.to_owned(), text], cwd, env: Vec::new() }
}

/// A path as a word for the shell. Plain ones stay plain: the user may have put quotes around them.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn io_error(what: &str, error: &std::io::Error) -> RunnerError {
    RunnerError {
        code: ErrorCode::Io,
        message: format!("failed to {what}: {error}"),
        help: "check that the temporary folder can be written to".to_owned(),
    }
}
