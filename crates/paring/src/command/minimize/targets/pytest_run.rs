//! What `pytest --pare` notes of the run it was part of: which tests failed, and which ran, in order.

use super::Unfound;
use crate::command::minimize::session::Session;
use crate::target::{self, Target};
use camino::Utf8Path;
use paring_model::ErrorCode;
use paring_tasks::OutcomeError;
use serde::Deserialize;

/// The plugin and the binary come in one wheel and check each other's version: a file of another kind is a mistake of the user's.
const SCHEMA: &str = "paring.run/1";

#[derive(Deserialize)]
struct Run {
    schema: String,
    /// Ids of the tests to pare.
    failed: Vec<String>,
    /// Ids of all tests that ran, in order.
    ran: Vec<String>,
}

/// The tests to pare, each with those that ran before it.
pub fn failed(session: &Session<'_>, path: &Utf8Path) -> Result<Vec<Result<Target, Unfound>>, OutcomeError> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error.to_string()))?;
    let run: Run = serde_json::from_str(&text).map_err(|error| unreadable(path, &error.to_string()))?;
    if run.schema != SCHEMA {
        return Err(unreadable(path, &format!("its schema is {}, not {SCHEMA}", run.schema)));
    }
    let find = |id: &String| {
        let language = session.languages().of_target(id);
        let found = target::find(language, id, &session.options.after);
        let mut target = found.map_err(|error| (id.clone(), error))?;
        target.before = run.ran.iter().take_while(|ran| *ran != id).cloned().collect();
        Ok(target)
    };
    Ok(run.failed.iter().map(find).collect())
}

fn unreadable(path: &Utf8Path, problem: &str) -> OutcomeError {
    OutcomeError {
        code: ErrorCode::Io,
        message: format!("cannot read {path}: {problem}"),
        help: "`pytest --pare` writes this file and starts paring itself".to_owned(),
    }
}
