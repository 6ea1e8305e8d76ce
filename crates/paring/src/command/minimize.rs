//! `paring minimize`: targets in, pared tests out, one by one. `paring purify` differs in what is done with each.
//!
//! `targets` finds what to pare, `session` pares one after the other, `write` puts results where they were asked for. What
//! is written is written as soon as it is known, so that a crash on a later target loses nothing.

mod session;
pub mod targets;
mod write;

use crate::clock::stop_on_signal;
use crate::exit_code;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use paring_report::grouped;
use paring_tasks::{Outcome, OutcomeError, RunsBy, Status, group};
use std::collections::BTreeSet;
use std::time::Duration;

pub use session::{Job, Session, read};
pub use write::Writer;

/// So many of the tests that nobody got to are named.
const N_NAMED: usize = 10;

/// Does the job on every target, and gives the exit code.
pub fn run(options: &Options, job: Job) -> Result<i32> {
    let cwd = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let cache = cache_folder(&cwd);
    let output = Output::of_process(options);
    let mut session = Session::new(options, stop_on_signal(), Log::of_process(), cache, cwd);
    let mut writer = Writer::new(options, session.cwd());
    let targets = targets::targets(&session);
    session.is_batch = targets.len() > 1;
    if let Some(refusal) = writer.refuse(&targets) {
        eprintln!("error: {refusal}");
        return Ok(exit_code::USAGE);
    }
    if let Some(problem) = writer.check(&targets) {
        eprintln!("error: {problem}");
        return Ok(exit_code::FAILED);
    }
    let mut batch = Batch { outcomes: Vec::new(), n_printed: 0, troubles: BTreeSet::new() };
    let mut targets = targets.into_iter();
    while !session.stopped() && session.time_left().is_none_or(|left| !left.is_zero()) {
        session.n_left = targets.len();
        let Some(target) = targets.next() else { break };
        let done = match target {
            Ok(target) => {
                let mut done = session.work(job, &target, &writer, &output);
                // A result that cannot be written is shown all the same.
                batch.note(writer.keep(target.language.as_ref(), &mut done));
                done.outcomes
            }
            Err((id, error)) => vec![failed(&id, options, error)],
        };
        batch.add(done, options, &output);
        batch.note(writer.report(&batch.outcomes));
    }
    if options.group {
        let groups = group(&mut batch.outcomes);
        let gap = if batch.n_printed > 0 { "\n" } else { "" };
        output.print(&format!("{gap}{}", grouped(&batch.outcomes, &groups, output.style)));
        batch.note(writer.report(&batch.outcomes));
    }
    batch.note(writer.finish(&batch.outcomes));
    tell_untried(targets, session.stopped());
    Ok(batch.end(session.stopped()))
}

/// What came of the targets so far.
struct Batch {
    outcomes: Vec<Outcome>,
    n_printed: usize,
    /// What could not be written.
    troubles: BTreeSet<String>,
}

impl Batch {
    fn note(&mut self, written: Result<()>) {
        self.troubles.extend(written.err().map(|error| format!("{error:#}")));
    }

    /// Prints what came of one target, unless results wait for those that show the same.
    fn add(&mut self, done: Vec<Outcome>, options: &Options, output: &Output) {
        for outcome in done {
            if options.group && outcome.pared.is_some() {
                output.tell_ci(&outcome);
            } else {
                output.report(&outcome, self.n_printed);
                self.n_printed += 1;
            }
            self.outcomes.push(outcome);
        }
    }

    /// The exit code.
    fn end(&self, stopped: bool) -> i32 {
        for trouble in &self.troubles {
            eprintln!("error: {trouble}");
        }
        let codes = self.outcomes.iter().map(exit_code::of_outcome);
        // Stopped before the first target, or between two: that is how it ended, whatever came of those before.
        let interrupted = stopped.then_some(exit_code::INTERRUPTED);
        let unwritten = (!self.troubles.is_empty()).then_some(exit_code::FAILED);
        exit_code::combine(codes.chain(interrupted).chain(unwritten))
    }
}

/// Names the targets that nobody got to.
fn tell_untried(targets: impl ExactSizeIterator<Item = Result<Target, targets::Unfound>>, stopped: bool) {
    let n_targets = targets.len();
    if n_targets == 0 {
        return;
    }
    let ids = targets.take(N_NAMED).map(|target| target.map_or_else(|(id, _)| id, |target| target.spec.id));
    let ids = ids.collect::<Vec<_>>().join(", ");
    let more = if n_targets > N_NAMED { format!(" and {} more", n_targets - N_NAMED) } else { String::new() };
    let why = if stopped { "stopped" } else { "the time for all tests is up" };
    eprintln!("{why}: {n_targets} not tried: {ids}{more}");
}

/// Where workers and journals live: the user's cache folder.
pub fn cache_folder(cwd: &Utf8Path) -> Utf8PathBuf {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty()).map(Utf8PathBuf::from);
    set("PARING_CACHE_DIR")
        .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("paring")))
        .or_else(|| set("HOME").map(|path| path.join(".cache/paring")))
        .or_else(|| set("LOCALAPPDATA").map(|path| path.join("paring")))
        .unwrap_or_else(|| cwd.join(".paring"))
}

/// The outcome of a target that could not be tried.
pub fn failed(id: &str, options: &Options, error: OutcomeError) -> Outcome {
    let status = match exit_code::of_error(error.code) {
        exit_code::NOT_FOUND => Status::NotFound,
        exit_code::PASSING => Status::Passing,
        _ => Status::Error,
    };
    Outcome {
        target: id.to_owned(),
        status,
        failure: None,
        pared: None,
        after: Vec::new(),
        strategy: options.strategy.word().to_owned(),
        level: String::new(),
        runs: RunsBy::default(),
        elapsed: Duration::ZERO,
        notes: Vec::new(),
        unfinished: false,
        error: Some(error),
        good: None,
        group: None,
        assertion: None,
    }
}
