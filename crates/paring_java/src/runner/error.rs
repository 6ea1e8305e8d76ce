//! What paring says when it cannot run the user's tests at all: a code for programs, a next step for people.

use camino::Utf8Path;
use paring_model::RunnerError;
use paring_worker::WorkerError;

pub fn no_jdk(message: String) -> RunnerError {
    RunnerError {
        code: "no_jdk",
        message,
        help: "install a JDK (17 or newer is best), and name its folder with --java-home or JAVA_HOME"
            .to_owned(),
    }
}

/// There is a Java, and no compiler in it.
pub fn jre_only(home: &Utf8Path) -> RunnerError {
    RunnerError {
        code: "jre_only",
        message: format!("{home} is a Java runtime without a compiler"),
        help: "install the JDK of the same version (the package is often called …-jdk), or name one with --java-home"
            .to_owned(),
    }
}

/// There is a JDK, and paring's worker does not run on it.
pub fn old_jdk(home: &Utf8Path, version: &str, oldest: u32) -> RunnerError {
    RunnerError {
        code: "old_jdk",
        message: format!("{home} is Java {version}, and paring needs {oldest} or newer to run tests"),
        help: "name a newer JDK with --java-home; with --javac-arg=--release --javac-arg=8 it compiles older sources"
            .to_owned(),
    }
}

pub fn cache(folder: &Utf8Path, error: &std::io::Error) -> RunnerError {
    RunnerError {
        code: "cache",
        message: format!("cannot write to the cache {folder}: {error}"),
        help: "make room there, or set PARING_CACHE_DIR to a folder that can be written".to_owned(),
    }
}

/// An error the worker itself reported.
pub fn from_worker(code: &str, message: String) -> RunnerError {
    match code {
        "no_junit" => {
            RunnerError { code: "no_junit", message, help: "add JUnit 3.8, 4 or 5 to --classpath".to_owned() }
        }
        "no_launcher" => RunnerError {
            code: "no_launcher",
            message,
            help: "add junit-platform-launcher of the same version as junit-platform-engine to --classpath"
                .to_owned(),
        },
        _ => worker(message),
    }
}

/// The user asked to stop while a run was under way.
pub fn interrupted() -> RunnerError {
    RunnerError {
        code: "interrupted",
        message: "stopped while the tests were run".to_owned(),
        help: "the same command starts again".to_owned(),
    }
}

/// The worker did what no worker should.
pub fn worker(message: String) -> RunnerError {
    RunnerError { code: "worker", message, help: "this is a fault of paring: please report it".to_owned() }
}

/// The worker could not be started, or fell silent before it was ready.
pub fn at_start(java: &Utf8Path, error: &WorkerError) -> RunnerError {
    match error {
        WorkerError::Start { source, .. } => no_jdk(format!("cannot start {java}: {source}")),
        WorkerError::Ended { said, how } => RunnerError {
            code: "broken_environment",
            message: format!(
                "{java} ended before it was ready ({})\n{}",
                how.as_deref().unwrap_or("no exit code"),
                said.trim()
            )
            .trim_end()
            .to_owned(),
            help: "check the JVM's arguments: --jvm-arg, and argLine of a Maven project".to_owned(),
        },
        WorkerError::TimedOut => RunnerError {
            code: "broken_environment",
            message: "the JVM did not get ready within five minutes".to_owned(),
            help: "check the class path: are all of its jars at hand?".to_owned(),
        },
        WorkerError::Interrupted => interrupted(),
        WorkerError::Garbled(what) => worker(format!("the worker's answer makes no sense: {what}")),
    }
}
