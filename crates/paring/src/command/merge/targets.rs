//! Which files to merge the tests of, and which of their tests pass.

use crate::command::minimize::Session;
use crate::language::{Language, Seen};
use crate::target::{self, Target};
use paring_model::{ErrorCode, Observation};
use paring_tasks::OutcomeError;
use std::rc::Rc;

/// A test file with the tests that ran in it.
pub struct TestFile {
    /// The first of them: what the workers of the file are started for.
    pub target: Target,
    /// The ids of those that pass, in order.
    pub tests: Vec<String>,
    /// Those that do not, and why.
    pub left_out: Vec<(String, String)>,
}

/// The files of what was given, in the order in which their tests ran; of what cannot be tried, the name and why.
pub fn test_files(session: &Session<'_>, given: &[String]) -> Vec<Result<TestFile, (String, OutcomeError)>> {
    let mut found = Vec::new();
    for id in given {
        match run(session, id) {
            Ok(files) => found.extend(files.into_iter().map(Ok)),
            Err(error) => found.push(Err((id.clone(), error))),
        }
    }
    found
}

fn run(session: &Session<'_>, given: &str) -> Result<Vec<TestFile>, OutcomeError> {
    let what = [given.to_owned()];
    let language = session.languages().of_paths(&what);
    let not_found = || OutcomeError {
        code: ErrorCode::NotFound,
        message: format!("there are no tests in {given}"),
        help: language.hints().list_tests.to_owned(),
    };
    if language.names_a_test(given) {
        return Err(OutcomeError {
            code: ErrorCode::NotFound,
            message: format!("{given} names one test, and one alone cannot be merged"),
            help: "name its file or class".to_owned(),
        });
    }
    let ran = language.run_all(&what)?;
    let mut files: Vec<TestFile> = Vec::new();
    let mut refused = None;
    for Seen { id, observation } in ran {
        if !language.names_a_test(&id) {
            refused = refused.or_else(|| why(&observation));
            continue;
        }
        if let Ok(target) = target::find(language, without_case(language, &id), &[]) {
            take(&mut files, target, id, &observation);
        }
    }
    if files.is_empty() {
        return Err(match refused {
            Some(message) => OutcomeError {
                code: ErrorCode::Collection,
                message,
                help: language.hints().must_load.to_owned(),
            },
            None => not_found(),
        });
    }
    Ok(files)
}

/// Adds a test that ran to its file. Cases of one test are told apart.
fn take(files: &mut Vec<TestFile>, target: Target, id: String, observation: &Observation) {
    let at = files.iter().position(|file| file.target.file == target.file).unwrap_or_else(|| {
        files.push(TestFile { target, tests: Vec::new(), left_out: Vec::new() });
        files.len() - 1
    });
    match why(observation) {
        None => files[at].tests.push(id),
        Some(why) => files[at].left_out.push((id, why)),
    }
}

fn without_case<'i>(language: &Rc<dyn Language>, id: &'i str) -> &'i str {
    let in_file = language.in_file(id);
    let n_before = id.len() - in_file.len();
    in_file.find('[').map_or(id, |at| &id[..n_before + at])
}

/// Why a test is no passing one.
fn why(observation: &Observation) -> Option<String> {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    match observation {
        Observation::Passed => None,
        Observation::Skipped { reason } => Some(format!("skipped: {}", first(reason))),
        Observation::Failed(failure) => {
            let exception = failure.exception();
            Some(format!("fails: {}: {}", exception.type_name, first(&exception.message)))
        }
        Observation::Broken { message, .. } => Some(first(message)),
        Observation::Hung { .. } => Some("it does not end".to_owned()),
        Observation::Died { how } => Some(format!("the process ended ({how})")),
    }
}
