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
use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use paring_report::grouped;
use paring_tasks::{Outcome, OutcomeError, RunsBy, Status, group};
use std::time::Duration;

pub use session::{Job, Session, read};
pub use write::Writer;

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
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut n_printed = 0;
    for target in targets {
        if session.stopped() {
            break;
        }
        let done = match target {
            Ok(target) => {
                let mut done = session.work(job, &target, &writer, &output);
                writer.keep(target.language.as_ref(), &mut done)?;
                done.outcomes
            }
            Err((id, error)) => vec![failed(&id, options, error)],
        };
        for outcome in done {
            // Results wait for those that show the same.
            if options.group && outcome.pared.is_some() {
                output.tell_ci(&outcome);
            } else {
                output.report(&outcome, n_printed);
                n_printed += 1;
            }
            outcomes.push(outcome);
        }
        writer.report(&outcomes)?;
    }
    if options.group {
        let groups = group(&mut outcomes);
        let gap = if n_printed > 0 { "\n" } else { "" };
        output.print(&format!("{gap}{}", grouped(&outcomes, &groups, output.style)));
        writer.report(&outcomes)?;
    }
    writer.finish(&outcomes)?;
    let codes = outcomes.iter().map(exit_code::of_outcome);
    // Stopped before the first target, or between two: that is how it ended, whatever came of those before.
    let interrupted = session.stopped().then_some(exit_code::INTERRUPTED);
    Ok(exit_code::combine(codes.chain(interrupted)))
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
        group: None,
        assertion: None,
    }
}
