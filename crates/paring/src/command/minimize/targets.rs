//! What to pare: tests that are named, that fail when their suite is run, or that a report says have failed.

use super::runner_error;
use super::session::Session;
use crate::target::{self, Target};
use camino::Utf8Path;
use paring_model::{Observation, RunnerError};
use paring_python::runner::{Found, list_failures};
use paring_tasks::OutcomeError;
use std::collections::BTreeSet;

/// The id of what was asked for, and why there is no such test.
pub type Unfound = (String, OutcomeError);

/// All targets, each once, in the order they were asked for.
pub fn targets(session: &Session<'_>) -> Vec<Result<Target, Unfound>> {
    let options = session.options;
    let find =
        |id: &str| target::find(id, &options.after, session.cwd()).map_err(|error| (id.to_owned(), error));
    let mut all: Vec<Result<Target, Unfound>> = options.targets.iter().map(|id| find(id)).collect();
    if !options.failing.is_empty() {
        let paths: Vec<String> = options.failing.iter().map(ToString::to_string).collect();
        match failing(session, &paths) {
            Ok(found) if found.is_empty() => all.push(Err((paths.join(" "), no_failures(&paths)))),
            Ok(found) => all.extend(found),
            Err(error) => all.push(Err((paths.join(" "), runner_error(&error)))),
        }
    }
    for path in &options.junit_xml {
        match reported(session.cwd(), path) {
            Ok(reported) => all.extend(reported.into_iter().map(|reported| {
                let mut target = find(&reported.id)?;
                target.before = reported.before;
                target.reported_in = Some(path.clone());
                Ok(target)
            })),
            Err(error) => all.push(Err((path.to_string(), error))),
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|target| match target {
        Ok(target) => seen.insert((target.file.to_string(), names(&target.spec.id).to_owned())),
        Err((id, _)) => seen.insert((id.clone(), String::new())),
    });
    all
}

fn names(id: &str) -> &str {
    id.split_once("::").map_or("", |(_, names)| names)
}

/// The id of a test by the file it is collected from: pytest's own is relative to its root folder, not to where it is
/// started.
pub fn id_of(cwd: &Utf8Path, found: &Found) -> String {
    let path = found.path.strip_prefix(cwd).unwrap_or(&found.path);
    match found.nodeid.split_once("::") {
        Some((_, names)) => format!("{path}::{names}"),
        None => path.to_string(),
    }
}

/// Every test that fails when the paths are run, with those that ran before it.
fn failing(session: &Session<'_>, paths: &[String]) -> Result<Vec<Result<Target, Unfound>>, RunnerError> {
    let found = list_failures(&session.project(None)?, paths)?;
    let ids: Vec<String> = found.iter().map(|found| id_of(session.cwd(), found)).collect();
    let mut targets = Vec::new();
    for (idx, found) in found.iter().enumerate() {
        let id = &ids[idx];
        match &found.observation {
            Observation::Failed(_) | Observation::Died { .. } | Observation::Hung { .. } => {}
            Observation::Broken { message, .. } => {
                targets.push(Err((id.clone(), uncollected(message))));
                continue;
            }
            Observation::Passed | Observation::Skipped { .. } => continue,
        }
        if !id.contains("::") {
            let message = match &found.observation {
                Observation::Failed(failure) => failure.exception().message.clone(),
                _ => String::new(),
            };
            targets.push(Err((id.clone(), uncollected(&message))));
            continue;
        }
        let target = target::find(id, &session.options.after, session.cwd());
        targets.push(target.map_err(|error| (id.clone(), error)).map(|mut target| {
            target.before = ids[..idx].iter().filter(|id| id.contains("::")).cloned().collect();
            target
        }));
    }
    Ok(targets)
}

fn uncollected(message: &str) -> OutcomeError {
    OutcomeError {
        code: "collection".to_owned(),
        message: format!("the file cannot be collected: {message}"),
        help: "the test file must be importable before a test in it can be pared".to_owned(),
    }
}

/// A failure in a report.
struct ReportedFailure {
    id: String,
    /// The tests the report has before it.
    before: Vec<String>,
}

/// The failures in a `JUnit` report, or in all reports of a folder.
fn reported(cwd: &Utf8Path, path: &Utf8Path) -> Result<Vec<ReportedFailure>, OutcomeError> {
    let problem = |message: String| OutcomeError {
        code: "junit_xml".to_owned(),
        message,
        help: "name a JUnit XML report, or a folder with such reports".to_owned(),
    };
    let mut files = vec![cwd.join(path)];
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
            let id = test.node_id(|path| cwd.join(path).is_file());
            if test.failed {
                let id = id.clone().unwrap_or_else(|| format!("{}.{}", test.classname, test.name));
                failures.push(ReportedFailure { id, before: before.clone() });
            }
            before.extend(id.filter(|id| id.contains("::")));
        }
    }
    if failures.is_empty() {
        return Err(problem(format!("{path} reports no failure")));
    }
    Ok(failures)
}

fn no_failures(paths: &[String]) -> OutcomeError {
    OutcomeError {
        code: "no_failures".to_owned(),
        message: format!("no test fails in {}", paths.join(" ")),
        help: "nothing to pare: run pytest there to see".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_told_from_where_the_user_stands() {
        let found = |path: &str| Found {
            nodeid: "sub/tests/test_a.py::TestA::test_b[x::y]".to_owned(),
            path: path.into(),
            observation: Observation::Passed,
        };
        let cwd = Utf8Path::new("/project/sub");
        assert_eq!(
            id_of(cwd, &found("/project/sub/tests/test_a.py")),
            "tests/test_a.py::TestA::test_b[x::y]"
        );
        assert_eq!(id_of(cwd, &found("/other/test_a.py")), "/other/test_a.py::TestA::test_b[x::y]");
    }
}
