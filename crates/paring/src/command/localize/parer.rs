//! [`SessionParer`]: failing tests of the suite go through a session, one by one, as those of `paring purify` do.

use super::super::minimize::{Job, Session, Writer};
use crate::cli::LocalizeArgs;
use crate::language::Language;
use crate::output::Output;
use crate::target::{self, Target};
use camino::Utf8Path;
use paring_model::Covered;
use paring_tasks::OutcomeError;
use paring_tasks::localize::{Failing, Parer};
use paring_tasks::purify::Purified;
use std::rc::Rc;

pub struct SessionParer<'a, 's> {
    session: &'a mut Session<'s>,
    job: Job,
    language: &'a Rc<dyn Language>,
    output: &'a Output,
}

impl<'a, 's> SessionParer<'a, 's> {
    pub fn new(
        session: &'a mut Session<'s>,
        args: &LocalizeArgs,
        language: &'a Rc<dyn Language>,
        output: &'a Output,
    ) -> Self {
        let job = if args.needs_holding() { Job::TakeApart } else { Job::Purify };
        Self { session, job, language, output }
    }
}

impl Parer for SessionParer<'_, '_> {
    fn pare(&mut self, failing: Failing<'_>) -> Result<Purified, OutcomeError> {
        let target = find(self.language, failing.covered, failing.idx)?;
        self.session.is_batch = failing.n_chosen > 1;
        let writer = Writer::new(self.session.options, self.session.cwd());
        Ok(self.session.work(self.job, &target, &writer, self.output))
    }

    fn text(&self, file: &Utf8Path) -> Option<String> {
        std::fs::read_to_string(file).ok()
    }
}

fn find(language: &Rc<dyn Language>, covered: &Covered, origin: usize) -> Result<Target, OutcomeError> {
    let mut target = target::find(language, &covered.tests[origin].id, &[])?;
    let before = covered.tests[..origin].iter().map(|test| &test.id);
    target.seen_apart = true;
    target.before = before.filter(|id| language.names_a_test(id)).cloned().collect();
    Ok(target)
}
