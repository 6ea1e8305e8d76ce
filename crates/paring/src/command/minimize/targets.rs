//! What to pare: tests that are named, that fail when their suite is run, or that a report says have failed.

mod pytest_run;
mod shared;

use super::session::Session;
use crate::language::{Language, Seen};
use crate::target::{self, Target};
use camino::Utf8Path;
use paring_model::{ErrorCode, Failure, Observation, RunnerError};
use paring_tasks::OutcomeError;
use paring_tasks::minimize::Hints;
use shared::SharedSetUps;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The id of what was asked for, and why there is no such test.
pub type Unfound = (String, OutcomeError);

/// All targets, each once, in the order they were asked for.
pub fn targets(session: &Session<'_>) -> Vec<Result<Target, Unfound>> {
    let options = session.options;
    let find = |id: &str| {
        let language = session.languages().of_target(id);
        target::find(language, id, &options.after).map_err(|error| (id.to_owned(), error))
    };
    let mut all: Vec<Result<Target, Unfound>> = options.targets.iter().map(|id| find(id)).collect();
    if !options.failing.is_empty() {
        let paths: Vec<String> = options.failing.iter().map(ToString::to_string).collect();
        match failing(session, &paths) {
            Ok(found) if found.is_empty() => all.push(Err((paths.join(" "), no_failures(&paths)))),
            Ok(found) => all.extend(found),
            Err(error) => all.push(Err((paths.join(" "), OutcomeError::from(error)))),
        }
    }
    for path in &options.junit_xml {
        match reported(session, path) {
            Ok(reported) => all.extend(reported.into_iter().map(|reported| {
                let found = target::find(&reported.language, &reported.id, &options.after);
                let mut target = found.map_err(|error| (reported.id, error))?;
                target.before = reported.before;
                target.reported_in = Some(path.clone());
                Ok(target)
            })),
            Err(error) => all.push(Err((path.to_string(), error))),
        }
    }
    if let Some(path) = &options.ran {
        match pytest_run::failed(session, path) {
            Ok(found) => all.extend(found),
            Err(error) => all.push(Err((path.to_string(), error))),
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|target| match target {
        Ok(target) => {
            let name = target.language.in_file(&target.spec.id);
            seen.insert((target.file.to_string(), name.to_owned()))
        }
        Err((id, _)) => seen.insert((id.clone(), String::new())),
    });
    if options.apply {
        last_case_first(&mut all);
    }
    all
}

/// A case that is taken out of a parametrised test leaves those after it with other numbers, and those before it with their own.
fn last_case_first(targets: &mut [Result<Target, Unfound>]) {
    let same_test = |one: &Result<Target, Unfound>, other: &Result<Target, Unfound>| match (one, other) {
        (Ok(one), Ok(other)) => {
            let (one, other) = (one.spec.id.split_once('['), other.spec.id.split_once('['));
            one.zip(other).is_some_and(|((one, _), (other, _))| one == other)
        }
        (Ok(_) | Err(_), _) => false,
    };
    for cases in targets.chunk_by_mut(same_test) {
        cases.reverse();
    }
}

/// Every test that fails when the paths are run, with those that ran before it.
fn failing(session: &Session<'_>, paths: &[String]) -> Result<Vec<Result<Target, Unfound>>, RunnerError> {
    let language = session.languages().of_paths(paths);
    let all = language.run_all(paths)?;
    let mut shared = SharedSetUps::of(&all);
    let mut targets = Vec::new();
    for (idx, Seen { id, observation }) in all.iter().enumerate() {
        let message = match observation {
            Observation::Failed(failure) => failure.exception().message.as_str(),
            Observation::Died { .. } | Observation::Hung { .. } => "",
            Observation::Broken { message, .. } => {
                targets.push(Err((id.clone(), uncollected(language.hints(), message))));
                continue;
            }
            Observation::Passed | Observation::Skipped { .. } => continue,
        };
        if !language.names_a_test(id) {
            targets.push(Err((id.clone(), uncollected(language.hints(), message))));
            continue;
        }
        let Some(notes) = shared.take(observation) else { continue };
        let target = target::find(language, id, &session.options.after);
        targets.push(target.map_err(|error| (id.clone(), error)).map(|mut target| {
            target.notes.extend(notes);
            let before = all[..idx].iter().map(|seen| &seen.id);
            target.before = before.filter(|id| language.names_a_test(id)).cloned().collect();
            target.seen = failed_how(observation);
            target
        }));
    }
    Ok(targets)
}

/// The failure of a test that ran in its suite.
pub fn failed_how(observation: &Observation) -> Option<Failure> {
    match observation {
        Observation::Failed(failure) => Some(failure.clone()),
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => None,
    }
}

fn uncollected(hints: &Hints, message: &str) -> OutcomeError {
    OutcomeError {
        code: ErrorCode::Collection,
        message: format!("the file cannot be collected: {message}"),
        help: hints.must_load.to_owned(),
    }
}

/// A failure in a report.
struct ReportedFailure {
    language: Rc<dyn Language>,
    id: String,
    /// The tests the report has before it.
    before: Vec<String>,
}

/// The failures in a `JUnit` report, or in all reports of a folder.
fn reported(session: &Session<'_>, path: &Utf8Path) -> Result<Vec<ReportedFailure>, OutcomeError> {
    let problem = |message: String| OutcomeError {
        code: ErrorCode::JunitXml,
        message,
        help: "name a JUnit XML report, or a folder with such reports".to_owned(),
    };
    let mut files = vec![session.cwd().join(path)];
    if files[0].is_dir() {
        let entries = files[0].read_dir_utf8().map_err(|error| problem(error.to_string()))?;
        files = entries.flatten().map(|entry| entry.path().to_owned()).collect();
        files.retain(|file| file.extension() == Some("xml"));
        files.sort();
    }
    let mut failures = Vec::new();
    for file in files {
        let xml = std::fs::read_to_string(&file).map_err(|error| problem(format!("{file}: {error}")))?;
        let tests = paring_report::tests_in(&xml).map_err(|error| problem(format!("{file}: {error}")))?;
        let mut before = Vec::new();
        for test in tests {
            let found = session.languages().reported(&test);
            if test.failed {
                let (language, id) = found.clone().unwrap_or_else(|| {
                    let name = format!("{}.{}", test.classname, test.name);
                    (Rc::clone(session.languages().of_target(&name)), name)
                });
                failures.push(ReportedFailure { language, id, before: before.clone() });
            }
            before.extend(found.filter(|(language, id)| language.names_a_test(id)).map(|(_, id)| id));
        }
    }
    if failures.is_empty() {
        return Err(problem(format!("{path} reports no failure")));
    }
    Ok(failures)
}

/// Nothing that was named fails.
pub fn no_failures(paths: &[String]) -> OutcomeError {
    OutcomeError {
        code: ErrorCode::NoFailures,
        message: format!("no test fails in {}", paths.join(" ")),
        help: "nothing to pare: run the tests there to see".to_owned(),
    }
}
