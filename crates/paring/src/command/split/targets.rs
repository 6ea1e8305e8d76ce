//! What to split: tests that are named, and those of files, classes and folders that check more than one thing.

use crate::command::minimize::{Session, read};
use crate::language::{Language, Seen};
use crate::target::{self, Target};
use paring_model::{ErrorCode, Observation, RunnerError};
use paring_tasks::OutcomeError;
use paring_tasks::split::checks_much;
use std::collections::{BTreeMap, BTreeSet};

/// The targets of an invocation.
pub struct Targets {
    /// In the order they were asked for, each once. Of what cannot be tried, the id and why.
    pub found: Vec<Result<Target, (String, OutcomeError)>>,
    /// Passing tests of files, classes and folders that check one thing, or nothing that paring can see.
    pub n_with_one_check: usize,
}

pub fn targets(session: &Session<'_>, given: &[String]) -> Targets {
    let mut all = Targets { found: Vec::new(), n_with_one_check: 0 };
    for id in given {
        let language = session.languages().of_target(id);
        match target::find(language, id, &[]) {
            // A class, or nothing of that name in the file.
            Ok(target) if !is_one(&target) && all.expand(session, id).is_ok() => {}
            Ok(target) => all.found.push(Ok(target)),
            Err(error) if is_several(language.as_ref(), session, id) => {
                if let Err(failed) = all.expand(session, id) {
                    let error = if failed.code == ErrorCode::NotFound { error } else { failed.into() };
                    all.found.push(Err((id.clone(), error)));
                }
            }
            Err(error) => all.found.push(Err((id.clone(), error))),
        }
    }
    let mut seen = BTreeSet::new();
    all.found.retain(|target| match target {
        Ok(target) => seen.insert((target.file.to_string(), target.spec.id.clone())),
        Err((id, _)) => seen.insert((String::new(), id.clone())),
    });
    all
}

/// Whether the file has a test of that name.
fn is_one(target: &Target) -> bool {
    let unit = |text: String| target.language.frontend().parse(&target.file, &text, &target.spec).0;
    read(target).is_ok_and(|text| unit(text).test.is_some())
}

/// Whether something names more than one test.
fn is_several(language: &dyn Language, session: &Session<'_>, id: &str) -> bool {
    session.cwd().join(id).exists() || !language.names_a_test(id)
}

impl Targets {
    /// Runs a file, class or folder once, and adds its passing tests that check more than one thing.
    fn expand(&mut self, session: &Session<'_>, path: &str) -> Result<(), RunnerError> {
        let paths = [path.to_owned()];
        let language = session.languages().of_paths(&paths);
        let ran = language.run_all(&paths)?;
        let mut texts = BTreeMap::new();
        for id in passing(language.as_ref(), ran) {
            let Ok(target) = target::find(language, &id, &[]) else { continue };
            let text = texts.entry(target.file.clone()).or_insert_with(|| read(&target).unwrap_or_default());
            if checks_much(language.frontend(), &target.file, text, &target.spec) {
                self.found.push(Ok(target));
            } else {
                self.n_with_one_check += 1;
            }
        }
        Ok(())
    }
}

/// The tests all of whose cases pass, each once, without its case, in the order in which they ran.
fn passing(language: &dyn Language, ran: Vec<Seen>) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    let mut fails: BTreeSet<String> = BTreeSet::new();
    for Seen { id, observation } in ran.into_iter().filter(|seen| language.names_a_test(&seen.id)) {
        let name = id.split_once('[').map_or(id.as_str(), |(name, _)| name).to_owned();
        if observation != Observation::Passed {
            fails.insert(name.clone());
        }
        if !order.contains(&name) {
            order.push(name);
        }
    }
    order.retain(|name| !fails.contains(name));
    order
}
