//! What paring says when it cannot run the user's tests at all: a code for programs, a next step for people.

use super::message::{Fault, FaultCode};
use camino::Utf8Path;
use paring_model::{ErrorCode, RunnerError};
use paring_worker::WorkerError;

pub fn no_interpreter(message: String) -> RunnerError {
    RunnerError {
        code: ErrorCode::NoInterpreter,
        message,
        help: "name the project's interpreter with --python, or activate its environment".to_owned(),
    }
}

pub fn cache(folder: &Utf8Path, error: &std::io::Error) -> RunnerError {
    RunnerError {
        code: ErrorCode::Cache,
        message: format!("cannot write to the cache {folder}: {error}"),
        help: "make room there, or set PARING_CACHE_DIR to a folder that can be written".to_owned(),
    }
}

/// An error the worker itself reported.
pub fn from_worker(fault: Fault) -> RunnerError {
    let Fault { code, message } = fault;
    match code {
        FaultCode::NoPytest => RunnerError {
            code: ErrorCode::NoPytest,
            message,
            help: "install pytest 7 or newer into that environment, or name another with --python".to_owned(),
        },
        FaultCode::BrokenEnvironment => broken_environment(message),
        FaultCode::Worker => worker(message),
    }
}

/// pytest does not get as far as the tests.
pub fn broken_environment(message: String) -> RunnerError {
    RunnerError {
        code: ErrorCode::BrokenEnvironment,
        message,
        help: "run `python -m pytest` on the test by hand: it should get as far as the test".to_owned(),
    }
}

/// Nothing that was named is there.
pub fn not_found(message: String) -> RunnerError {
    RunnerError {
        code: ErrorCode::NotFound,
        message,
        help: "check the name; `pytest --collect-only -q` lists the tests".to_owned(),
    }
}

/// The user asked to stop while a run was under way.
pub fn interrupted() -> RunnerError {
    RunnerError {
        code: ErrorCode::Interrupted,
        message: "stopped while the tests were run".to_owned(),
        help: "the same command starts again".to_owned(),
    }
}

/// The worker did what no worker should.
pub fn worker(message: String) -> RunnerError {
    RunnerError {
        code: ErrorCode::Worker,
        message,
        help: "this is a fault of paring: please report it".to_owned(),
    }
}

/// The worker could not be started, or fell silent before it was ready.
pub fn at_start(python: &Utf8Path, error: &WorkerError) -> RunnerError {
    match error {
        WorkerError::Start { source, .. } => no_interpreter(format!("cannot start {python}: {source}")),
        WorkerError::Ended { said, .. } => no_interpreter(
            format!("{python} ended before it was ready: it may be no Python\n{}", said.trim())
                .trim_end()
                .to_owned(),
        ),
        WorkerError::TimedOut => {
            broken_environment("pytest did not get ready within five minutes".to_owned())
        }
        WorkerError::Interrupted => interrupted(),
        // Nothing of the user's has run yet: no Python answers so.
        WorkerError::Garbled(_) => no_interpreter(format!("{python} is no Python")),
    }
}
