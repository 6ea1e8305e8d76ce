//! `paring split`: passing tests in, several tests of each out.
//!
//! What is written is written as soon as it is known, so that a crash on a later target loses nothing.

mod references;
mod report;
mod targets;

use crate::cli::SplitArgs;
use crate::clock::{WallClock, stop_on_signal};
use crate::command::minimize::{Session, cache_folder, read};
use crate::exit_code;
use crate::language::Language;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::target::Target;
use crate::value::Sink;
use crate::write::{self, patch_name, to_sink};
use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::Ports;
use paring_report::{patch, split_document, split_summary, split_text};
use paring_tasks::OutcomeError;
use paring_tasks::split::{Request, SplitOutcome, split};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Splits every target, and gives the exit code.
pub fn run(options: &Options, args: &SplitArgs) -> Result<i32> {
    let cwd = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let stop = stop_on_signal();
    let session =
        Session::new(options, Arc::clone(&stop), Log::of_process(), cache_folder(&cwd), cwd.clone());
    let output = Output::of_process(options);
    if let Some(page) = &args.report {
        let mut session = session;
        return report::run(&mut session, args, &output, page.as_deref());
    }
    let mut work = Work { session, args, stop, output, cwd, files: BTreeMap::new(), outcomes: Vec::new() };
    let all = targets::targets(&work.session, &args.targets);
    for target in all.found {
        if work.session.stopped() {
            break;
        }
        let outcome = match target {
            Ok(target) => work.split(&target)?,
            Err((id, error)) => SplitOutcome::failed(&id, args.strategy(), error),
        };
        work.report(outcome)?;
    }
    work.finish(all.n_with_one_check)
}

/// What the targets of one invocation share.
struct Work<'a> {
    session: Session<'a>,
    args: &'a SplitArgs,
    stop: Arc<AtomicBool>,
    output: Output,
    cwd: Utf8PathBuf,
    /// What was rewritten so far: the next target of the same file is split in the file as it is then.
    files: BTreeMap<Utf8PathBuf, Rewritten>,
    outcomes: Vec<SplitOutcome>,
}

struct Rewritten {
    original: String,
    text: String,
}

impl Work<'_> {
    /// Splits one target, and writes the result to where `--apply` and `--out` say.
    fn split(&mut self, target: &Target) -> Result<SplitOutcome> {
        let outcome = self.try_split(target);
        let outcome = outcome
            .unwrap_or_else(|error| SplitOutcome::failed(&target.spec.id, self.args.strategy(), error));
        let mut outcome = outcome;
        if outcome.file.is_some() {
            outcome.references = references::references(&self.cwd, target);
        }
        if let Some(file) = &outcome.file {
            let entry = self.files.entry(target.file.clone());
            let original = file.original.clone();
            entry.or_insert_with(|| Rewritten { original, text: String::new() }).text.clone_from(&file.text);
            self.write(target.language.as_ref(), &target.file, &file.text)?;
        }
        Ok(outcome)
    }

    fn try_split(&mut self, target: &Target) -> Result<SplitOutcome, OutcomeError> {
        let source = match self.files.get(&target.file) {
            Some(rewritten) => rewritten.text.clone(),
            None => read(target)?,
        };
        let clock = WallClock::start(Arc::clone(&self.stop));
        let language = Rc::clone(&target.language);
        let (args, options) = (self.args, self.session.options);
        let short_path = language.short_path(&target.file);
        let job = |ports: Ports<'_>| {
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
                set_up: args.set_up(),
                max_cost: args.max_cost(),
                n_mutants: args.n_mutants(),
                watch: options.listening.watch,
                verifies: !args.no_verify,
                timeout: options.timeout,
                seed: options.seed,
            });
            let is_finished = !outcome.unfinished;
            (outcome, is_finished)
        };
        let (mut outcome, remarks) = self.session.at_work(target, &source, &clock, &self.output, job)?;
        outcome.notes.extend(remarks);
        Ok(outcome)
    }

    /// Writes a rewritten file, in its own encoding.
    fn write(&self, language: &dyn Language, path: &Utf8Path, text: &str) -> Result<()> {
        let beside = self.args.out.as_ref().map(|out| {
            let below =
                path.strip_prefix(&self.cwd).unwrap_or_else(|_| path.file_name().unwrap_or_default().into());
            self.cwd.join(out).join(below)
        });
        let in_place = self.session.options.apply.then(|| path.to_owned());
        for to in beside.into_iter().chain(in_place) {
            let bytes = language.encode(text, &std::fs::read(path)?).map_err(anyhow::Error::msg)?;
            write::file(&to, &bytes).with_context(|| format!("failed to write {to}"))?;
        }
        Ok(())
    }

    fn report(&mut self, outcome: SplitOutcome) -> Result<()> {
        let gap = if self.outcomes.is_empty() { "" } else { "\n" };
        self.output.print(&format!("{gap}{}", split_text(&outcome, self.output.style)));
        self.outcomes.push(outcome);
        match &self.session.options.json {
            Some(sink @ Sink::File(_)) => Ok(to_sink(sink, &split_document(&self.outcomes))?),
            Some(Sink::Stdout) | None => Ok(()),
        }
    }

    /// Writes what can only be written once all is known.
    fn finish(&self, n_with_one_check: usize) -> Result<i32> {
        if self.outcomes.len() != 1 {
            self.output.print(&split_summary(&self.outcomes, n_with_one_check));
        }
        let json = self.session.options.json.as_ref();
        if let Some(sink) = json.filter(|sink| **sink == Sink::Stdout || self.outcomes.is_empty()) {
            to_sink(sink, &split_document(&self.outcomes))?;
        }
        if let Some(sink) = &self.session.options.patch {
            let files = self.files.iter();
            let patches = files.map(|(file, it)| patch(&patch_name(file, &self.cwd), &it.original, &it.text));
            to_sink(sink, &patches.collect::<String>())?;
        }
        let codes = self.outcomes.iter().map(exit_code::of_split);
        Ok(match self.session.stopped() {
            true => exit_code::INTERRUPTED,
            false if self.outcomes.is_empty() => exit_code::NOTHING_TO_DO,
            false => exit_code::of_splits(codes),
        })
    }
}
