//! What the statements of tests call and assert, by probes in the classes of the tests: `worker/paring/CallProbes.java`.

use super::project::JavaProject;
use super::ran_test::{RanTest, run_all};
use crate::encoding::decode;
use crate::frontend::code_lines;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Called, Calls, Fact, Outline, RunnerError};
use std::collections::{BTreeMap, BTreeSet};

/// Runs the tests (`com.acme.CartTest`) in one JVM, as far as they let it live, and tells what each of their statements calls and asserts.
/// `code` are the roots of the sources under test: test sources are those of the other roots.
pub fn list_calls(
    project: &JavaProject,
    tests: &[String],
    code: &[Utf8PathBuf],
) -> Result<Vec<Called>, RunnerError> {
    let is_of_tests = |root: &&Utf8PathBuf| !code.contains(root);
    let roots: Vec<String> =
        project.test_source_roots.iter().filter(is_of_tests).map(ToString::to_string).collect();
    let mut outlines = BTreeMap::new();
    let called = |found: RanTest| {
        let file = super::coverage::source_of(project, &found.id);
        let outline = outlines.entry(file.clone()).or_insert_with(|| outline(&file));
        let calls = found.calls.map(|calls| by_statement(calls, outline));
        Called { id: found.id, file, observation: found.observation, calls }
    };
    Ok(run_all(project, tests, &roots)?.into_iter().map(called).collect())
}

fn outline(file: &Utf8Path) -> Outline {
    code_lines(&decode(&std::fs::read(file).unwrap_or_default(), None).0)
}

/// A class file has a line for each part of a long statement.
fn by_statement(calls: Calls, outline: &Outline) -> Calls {
    let start = |line: u32| outline.starts(&[line]).first().copied().unwrap_or(line);
    let statements: BTreeSet<u32> = calls.statements.iter().map(|&line| start(line)).collect();
    let around = |line: u32| {
        let spans =
            outline.functions.iter().filter(|span| (span.first_line..=span.last_line).contains(&line));
        spans.map(|span| span.first_line).max()
    };
    let first_line = statements.first().and_then(|&line| around(line)).unwrap_or(calls.first_line);
    let facts = calls.facts.into_iter().map(|mut fact| {
        fact.line = start(fact.line);
        fact
    });
    // What is asserted of an open end stands on no line.
    debug_assert!(facts.len() == 0 || facts.clone().all(|fact| fact.line > 0 || fact.what == Fact::Assert));
    Calls { first_line, statements: statements.into_iter().collect(), facts: facts.collect(), ..calls }
}
