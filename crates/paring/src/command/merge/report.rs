//! `paring merge --report`: how much the tests of a suite repeat each other. Nothing is rewritten.

use crate::cli::MergeArgs;
use crate::exit_code;
use crate::language::Language;
use crate::options::Options;
use crate::output::Output;
use crate::registry::Languages;
use crate::write::{self, to_sink};
use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Called, RunnerError};
use paring_report::{About, Sources, redundancy_document, redundancy_page, redundancy_text};
use paring_tasks::merge::Borrowed;
use paring_tasks::redundancy::{Redundancy, redundancy};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Instant, SystemTime};

/// Follows the tests of what was given, tells what they have in common, and gives the exit code.
pub fn run(languages: &Languages, options: &Options, args: &MergeArgs, cwd: &Utf8Path) -> Result<i32> {
    let output = Output::of_process(options);
    let language = languages.of_paths(&args.targets);
    let began = Instant::now();
    let Some(follower) = language.follower() else {
        return Ok(refused(
            &output,
            "calls of tests in this language cannot be followed",
            "name tests of pytest, unittest or JUnit",
        ));
    };
    let called = match follower.follow(&args.targets) {
        Ok(called) => called,
        Err(RunnerError { code, message, help }) => {
            refused(&output, &message, &help);
            return Ok(exit_code::of_error(code));
        }
    };
    let took = began.elapsed();
    let known: RefCell<BTreeMap<Utf8PathBuf, Vec<Borrowed>>> = RefCell::default();
    let is_borrowed = |test: &Called| {
        let mut known = known.borrow_mut();
        let all = known.entry(test.file.clone()).or_insert_with(|| language.borrowed(&test.file));
        all.iter().any(|it| it.holds_test(&test.id))
    };
    let mut found = redundancy(called, &is_borrowed);
    found.phases = vec![("following the tests", took), ("model", began.elapsed().saturating_sub(took))];
    tell(&found, language, &output, options, args, cwd)
}

fn tell(
    found: &Redundancy,
    language: &Rc<dyn Language>,
    output: &Output,
    options: &Options,
    args: &MergeArgs,
    cwd: &Utf8Path,
) -> Result<i32> {
    if found.tests.is_empty() {
        let why = found.left_out.first().map(|(id, why)| format!(": {id}: {why}")).unwrap_or_default();
        output.print(&format!("error: no test that passes was followed{why}\n"));
        return Ok(exit_code::NOT_FOUND);
    }
    output.print(&redundancy_text(found));
    if let Some(sink) = &options.json {
        to_sink(sink, &redundancy_document(found))?;
    }
    if let Some(file) = &args.html {
        let page = redundancy_page(found, &sources(found, language.as_ref()), about(cwd));
        write::file(&cwd.join(file), page.as_bytes()).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(if found.ours.n_redundant == 0 { exit_code::NOTHING_TO_DO } else { exit_code::DONE })
}

fn refused(output: &Output, message: &str, help: &str) -> i32 {
    output.print(&format!("error: {message}\nnext: {help}\n"));
    exit_code::USAGE
}

/// The texts of the files that tests are written in, as far as they can be read.
fn sources(found: &Redundancy, language: &dyn Language) -> Sources {
    let mut sources = Sources::new();
    for test in &found.tests {
        if !sources.contains_key(test.file.as_str())
            && let Some(text) = std::fs::read(&test.file).ok().and_then(|bytes| language.decode(&bytes).ok())
        {
            sources.insert(test.file.to_string(), text);
        }
    }
    sources
}

fn about(cwd: &Utf8Path) -> About<'_> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let project = cwd.file_name().unwrap_or("project");
    About { project, version: env!("CARGO_PKG_VERSION"), made: now.as_secs() }
}
