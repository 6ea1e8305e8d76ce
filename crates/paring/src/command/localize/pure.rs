//! Failing tests purified, one for each assertion that fails, and what the smaller ones run.

use super::super::minimize::{Job, Session, Writer};
use crate::cli::LocalizeArgs;
use crate::language::Language;
use crate::output::Output;
use crate::target::{self, Target};
use paring_engine::Runs;
use paring_model::Covered;
use paring_report::Spent;
use paring_tasks::OutcomeError;
use paring_tasks::localize::{Origin, PureTest, choose, dependence, n_parable};
use std::rc::Rc;
use std::time::Instant;

#[derive(Default)]
pub struct Pure {
    pub tests: Vec<PureTest>,
    pub notes: Vec<String>,
    /// What paring took, and running the pared tests with the recorder.
    pub spent: Spent,
}

/// Pares failing tests of the suite. One that cannot be pared is told in a note, and counts as it is.
pub fn pare(
    session: &mut Session<'_>,
    args: &LocalizeArgs,
    language: &Rc<dyn Language>,
    runs: &Runs<'_>,
    covered: &Covered,
    output: &Output,
) -> Pure {
    let mut pure = Pure::default();
    let writer = Writer::new(session.options, session.cwd());
    let job = if args.needs_holding() { Job::TakeApart } else { Job::Purify };
    let n_failing = n_parable(covered);
    let n_suite = runs.counts().recorded;
    let chosen = choose(covered, args.n_pared());
    if chosen.len() < n_failing {
        pure.notes.push(format!(
            "{} of {n_failing} failing tests were pared, of every failure those that run the fewest lines; the others count as they \
             are (--pare {n_failing} pares all)",
            chosen.len()
        ));
    }
    session.is_batch = chosen.len() > 1;
    for idx in chosen {
        let (test, origin) = (&covered.tests[idx], Origin { runs, covered, idx });
        if session.stopped() {
            break;
        }
        let began = Instant::now();
        let purified = match find(language, covered, idx) {
            Ok(target) => session.work(job, &target, &writer, output),
            Err(error) => {
                pure.notes.push(format!("{} was not pared: {}", test.id, error.message));
                continue;
            }
        };
        pure.spent.paring += began.elapsed();
        let began = Instant::now();
        let first = pure.tests.len();
        for outcome in &purified.outcomes {
            pure.notes.extend(dependence(outcome));
            match origin.record(outcome) {
                Ok(test) => pure.tests.extend(test),
                Err(why) => pure.notes.push(format!("{} counts as it is: {why}", test.id)),
            }
        }
        pure.tests.extend(purified.holding.iter().filter_map(|candidate| origin.record_holding(candidate)));
        if pure.tests.len() > first {
            let once = std::fs::read_to_string(&test.file).map(|source| origin.run_once(&source));
            pure.tests[first..].iter_mut().for_each(|made| once.iter().for_each(|once| once.set_apart(made)));
        }
        pure.spent.recording += began.elapsed();
    }
    pure.spent.n_recorded = runs.counts().recorded - n_suite;
    pure
}

fn find(language: &Rc<dyn Language>, covered: &Covered, origin: usize) -> Result<Target, OutcomeError> {
    let mut target = target::find(language, &covered.tests[origin].id, &[])?;
    let before = covered.tests[..origin].iter().map(|test| &test.id);
    target.seen_apart = true;
    target.before = before.filter(|id| language.names_a_test(id)).cloned().collect();
    Ok(target)
}
