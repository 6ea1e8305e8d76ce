//! From what the user typed to the test it names, whatever its language.

use crate::language::{FoundTest, Language};
use camino::Utf8PathBuf;
use paring_model::{Failure, TargetSpec};
use paring_tasks::OutcomeError;
use std::rc::Rc;

/// One test to pare, found on disk.
#[derive(Clone)]
pub struct Target {
    pub language: Rc<dyn Language>,
    pub spec: TargetSpec,
    /// The test file, absolute.
    pub file: Utf8PathBuf,
    /// Tests that ran before it in the suite where it failed, in order.
    pub before: Vec<String>,
    /// How it failed there, where paring saw it.
    pub seen: Option<Failure>,
    /// Whether paring saw it fail in a process of its own: that of its suite.
    pub seen_apart: bool,
    /// The report that says it has failed.
    pub reported_in: Option<Utf8PathBuf>,
    /// Things to tell the user with the result.
    pub notes: Vec<String>,
}

/// Finds a test of a language.
pub fn find(language: &Rc<dyn Language>, given: &str, after: &[String]) -> Result<Target, OutcomeError> {
    let FoundTest { id, after, file } = language.find(given, after)?;
    Ok(Target {
        language: Rc::clone(language),
        spec: TargetSpec { id, after },
        file,
        before: Vec::new(),
        seen: None,
        seen_apart: false,
        reported_in: None,
        notes: Vec::new(),
    })
}
