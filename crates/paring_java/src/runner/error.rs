//! What paring says when it cannot run the user's tests at all: a code for programs, a next step for people.

use super::message::{Fault, FaultCode};
use camino::Utf8Path;
use paring_model::{ErrorCode, RunnerError};
use paring_worker::WorkerError;

pub fn no_jdk(message: String) -> RunnerError {
    RunnerError {
        code: ErrorCode::NoJdk,
        message,
        help: "install a JDK (17 or newer is best), and name its folder with --java-home or JAVA_HOME"
            .to_owned(),
    }
}

/// There is a Java, and no compiler in it.
pub fn jre_only(home: &Utf8Path) -> RunnerError {
    RunnerError {
        code: ErrorCode::JreOnly,
        message: format!("{home} is a Java runtime without a compiler"),
        help: "install the JDK of the same version (the package is often called …-jdk), or name one with --java-home"
            .to_owned(),
    }
}

/// There is a JDK, and paring's worker does not run on it.
pub fn old_jdk(home: &Utf8Path, version: &str, oldest: u32) -> RunnerError {
    RunnerError {
        code: ErrorCode::OldJdk,
        message: format!("{home} is Java {version}, and paring needs {oldest} or newer to run tests"),
        help: "name a newer JDK with --java-home; with --javac-arg=--release --javac-arg=8 it compiles older sources"
            .to_owned(),
    }
}

/// There is a `bin/java`, and it does not say what it is.
pub fn mute_java(java: &Utf8Path) -> RunnerError {
    no_jdk(format!("`{java} -version` tells no version: it is no Java that runs here"))
}

/// What is wrong with the project where the compiler's words tell that no test of it can be run.
pub fn of_compiler(message: &str, home: &Utf8Path) -> Option<RunnerError> {
    newer_classes(message, home).or_else(|| missing_junit(message))
}

fn missing_junit(message: &str) -> Option<RunnerError> {
    let mut packages =
        message.lines().filter_map(|line| line.split_once("package ")?.1.strip_suffix(" does not exist"));
    let package =
        packages.find(|name| name.starts_with("org.junit") || name.starts_with("junit.framework"))?;
    let message = format!("{package} is not on the class path: JUnit is missing there, or a part of it");
    Some(no_junit(message))
}

/// What the compiler says of a class that a newer JDK has compiled: `class file has wrong version 69.0, should be 61.0`.
fn newer_classes(message: &str, home: &Utf8Path) -> Option<RunnerError> {
    let told = message.split("class file has wrong version ").nth(1)?;
    let mut versions = told.split(", should be ").map(|version| {
        let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
        // Java 1.1 had 45, and each release since has one more.
        digits.parse::<u32>().ok()?.checked_sub(44)
    });
    let (class, own) = (versions.next()??, versions.next()??);
    let which = message.split("bad class file: ").nth(1).and_then(|rest| rest.lines().next());
    Some(RunnerError {
        code: ErrorCode::OldJdk,
        message: format!(
            "{} was compiled for Java {class}, and {home} is Java {own}",
            which.unwrap_or("a class of the class path")
        ),
        help: format!(
            "name a JDK of version {class} or newer with --java-home, or compile the project with this one"
        ),
    })
}

pub fn cache(folder: &Utf8Path, error: &std::io::Error) -> RunnerError {
    RunnerError {
        code: ErrorCode::Cache,
        message: format!("cannot write to the cache {folder}: {error}"),
        help: "make room there, or set PARING_CACHE_DIR to a folder that can be written".to_owned(),
    }
}

/// There is no place for a run's temporary files.
pub fn temp(error: &std::io::Error) -> RunnerError {
    RunnerError {
        code: ErrorCode::Cache,
        message: format!("cannot make a temporary folder: {error}"),
        help: "make room there, or set TMPDIR to a folder that can be written".to_owned(),
    }
}

/// An error the worker itself reported.
pub fn from_worker(fault: Fault) -> RunnerError {
    let Fault { code, message } = fault;
    match code {
        FaultCode::NoJunit => no_junit(message),
        FaultCode::NoLauncher => RunnerError {
            code: ErrorCode::NoLauncher,
            message,
            help: "add junit-platform-launcher of the same version as junit-platform-engine to --classpath"
                .to_owned(),
        },
        FaultCode::JavacArgs => RunnerError {
            code: ErrorCode::JavacArgs,
            message,
            help:
                "check --javac-arg, and the compiler plugin of a Maven project; --java-home names another JDK"
                    .to_owned(),
        },
        FaultCode::Worker => worker(message),
    }
}

/// The tests of the project cannot be run at all.
pub fn cannot_run(message: String) -> RunnerError {
    RunnerError {
        code: ErrorCode::BrokenEnvironment,
        message,
        help: "run the tests by hand on the same class path: they should get as far as the first test"
            .to_owned(),
    }
}

fn no_junit(message: String) -> RunnerError {
    RunnerError { code: ErrorCode::NoJunit, message, help: "add JUnit 3.8, 4 or 5 to --classpath".to_owned() }
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
pub fn at_start(java: &Utf8Path, error: &WorkerError) -> RunnerError {
    match error {
        WorkerError::Start { source, .. } => no_jdk(format!("cannot start {java}: {source}")),
        WorkerError::Ended { said, how } => RunnerError {
            code: ErrorCode::BrokenEnvironment,
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
            code: ErrorCode::BrokenEnvironment,
            message: "the JVM did not get ready within five minutes".to_owned(),
            help: "check the class path: are all of its jars at hand?".to_owned(),
        },
        WorkerError::Interrupted => interrupted(),
        WorkerError::Garbled(what) => worker(format!("the worker's answer makes no sense: {what}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_a_newer_java_is_told_with_both_versions() {
        let said = "line 9: cannot access Cart\n  bad class file: /p/shop/Cart.class\n    class file has wrong version 69.0, should be 61.0\n    Please remove";
        let error = newer_classes(said, Utf8Path::new("/jdk")).expect("an error");
        assert_eq!(error.message, "/p/shop/Cart.class was compiled for Java 25, and /jdk is Java 17");
        assert_eq!(of_compiler("line 9: cannot find symbol", Utf8Path::new("/jdk")), None);
    }

    #[test]
    fn a_package_of_junit_that_is_missing_is_no_fault_of_the_test_file() {
        let code = |said: &str| of_compiler(said, Utf8Path::new("/jdk")).map(|error| error.code);
        assert_eq!(
            code("does not compile\nline 3: package org.junit.jupiter.api does not exist"),
            Some(ErrorCode::NoJunit)
        );
        assert_eq!(code("does not compile\nline 3: package com.acme does not exist"), None);
    }
}
