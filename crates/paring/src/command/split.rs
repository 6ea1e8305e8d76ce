//! `paring split`: passing tests in, several tests of each out.

use crate::cli::SplitArgs;
use crate::clock::{WallClock, stop_on_signal};
use crate::command::minimize::{Session, cache_folder, read};
use crate::exit_code;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::target::{self, Target};
use crate::value::Sink;
use crate::write::{self, patch_name, to_sink};
use anyhow::{Context, Result};
use camino::Utf8PathBuf;
use paring_report::{patch, split_document, split_text};
use paring_tasks::OutcomeError;
use paring_tasks::split::{Request, SplitOutcome, split};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Splits every target, and gives the exit code.
pub fn run(options: &Options, args: &SplitArgs) -> Result<i32> {
    let cwd = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let output = Output::of_process(options);
    let stop = stop_on_signal();
    let cache = cache_folder(&cwd);
    let mut session =
        Session::new(options, std::sync::Arc::clone(&stop), Log::of_process(), cache, cwd.clone());
    let mut files: BTreeMap<Utf8PathBuf, (String, String)> = BTreeMap::new();
    let mut outcomes = Vec::new();
    for (idx, given) in args.targets.iter().enumerate() {
        if session.stopped() {
            break;
        }
        let clock = WallClock::start(std::sync::Arc::clone(&stop));
        let outcome = split_one(&mut session, given, args, &clock, &output, &files)
            .unwrap_or_else(|error| SplitOutcome::failed(given, args.strategy(), error));
        if let Some(file) = &outcome.file {
            let path = Utf8PathBuf::from(&file.path);
            let entry = files.entry(path).or_insert_with(|| (file.original.clone(), String::new()));
            entry.1.clone_from(&file.text);
            if options.apply {
                apply(&session, given, file.path.as_str().into(), &file.text)?;
            }
        }
        let gap = if idx > 0 { "\n" } else { "" };
        output.print(&format!("{gap}{}", split_text(&outcome, output.style)));
        outcomes.push(outcome);
        if let Some(sink @ Sink::File(_)) = &options.json {
            to_sink(sink, &split_document(&outcomes))?;
        }
    }
    if let Some(sink @ Sink::Stdout) = &options.json {
        to_sink(sink, &split_document(&outcomes))?;
    }
    if let Some(sink) = &options.patch {
        let patches =
            files.iter().map(|(file, (original, text))| patch(&patch_name(file, &cwd), original, text));
        to_sink(sink, &patches.collect::<String>())?;
    }
    let codes = outcomes.iter().map(exit_code::of_split);
    let interrupted = session.stopped().then_some(exit_code::INTERRUPTED);
    Ok(exit_code::combine(codes.chain(interrupted)))
}

fn split_one(
    session: &mut Session<'_>,
    given: &str,
    args: &SplitArgs,
    clock: &WallClock,
    output: &Output,
    files: &BTreeMap<Utf8PathBuf, (String, String)>,
) -> Result<SplitOutcome, OutcomeError> {
    let language = Rc::clone(session.languages().of_target(given));
    let target: Target = target::find(&language, given, &[])?;
    let source = match files.get(&target.file) {
        Some((_, text)) => text.clone(),
        None => read(&target)?,
    };
    let options = session.options;
    let short_path = language.short_path(&target.file);
    let (mut outcome, remarks) = session.at_work(&target, &source, clock, output, |ports| {
        let outcome = split(&Request {
            ports,
            frontend: language.frontend(),
            target: &target.spec,
            path: &target.file,
            short_path: &short_path,
            source: &source,
            hints: language.hints(),
            grouping: args.grouping(),
            strategy: args.strategy(),
            drop_unasserted: args.drop_unasserted,
            timeout: options.timeout,
            seed: options.seed,
        });
        let is_finished = !outcome.unfinished;
        (outcome, is_finished)
    })?;
    outcome.notes.extend(remarks);
    Ok(outcome)
}

/// Rewrites the user's file, in its own encoding.
fn apply(session: &Session<'_>, given: &str, path: &camino::Utf8Path, text: &str) -> Result<()> {
    let language = session.languages().of_target(given);
    let bytes = language.encode(text, &std::fs::read(path)?).map_err(anyhow::Error::msg)?;
    write::file(path, &bytes).with_context(|| format!("failed to write {path}"))
}
