//! `paring merge`: passing tests in, fewer out that lose nothing.
//!
//! Tests meet within a file. Each file is run once to see which of its tests pass, then merged; what is written is written as soon as
//! it is known.

mod report;
mod targets;

use crate::cli::MergeArgs;
use crate::clock::{WallClock, stop_on_signal};
use crate::command::minimize::{Session, cache_folder, read};
use crate::exit_code;
use crate::language::Language;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::value::Sink;
use crate::write::{self, patch_name, to_sink};
use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::Ports;
use paring_report::{merge_document, merge_summary, merge_text, patch};
use paring_tasks::OutcomeError;
use paring_tasks::merge::{How, MergeOutcome, Request, merge};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use targets::{TestFile, test_files};

/// Merges the tests of every file, and gives the exit code.
pub fn run(options: &Options, args: &MergeArgs) -> Result<i32> {
    let cwd = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let stop = stop_on_signal();
    let session =
        Session::new(options, Arc::clone(&stop), Log::of_process(), cache_folder(&cwd), cwd.clone());
    if args.report {
        return report::run(session.languages(), options, args, &cwd);
    }
    let output = Output::of_process(options);
    let hows = args.hows();
    let mut work = Work { session, args, hows, stop, output, cwd, outcomes: Vec::new() };
    for found in test_files(&work.session, &args.targets) {
        if work.session.stopped() {
            break;
        }
        let outcome = match found {
            Ok(file) => work.merge(&file)?,
            Err((given, error)) => MergeOutcome::failed(&given, error),
        };
        work.report(outcome)?;
    }
    work.finish()
}

/// What the files of one invocation share.
struct Work<'a> {
    session: Session<'a>,
    args: &'a MergeArgs,
    hows: Vec<How>,
    stop: Arc<AtomicBool>,
    output: Output,
    cwd: Utf8PathBuf,
    outcomes: Vec<MergeOutcome>,
}

impl Work<'_> {
    /// Merges the tests of one file, and writes the result to where `--apply` and `--out` say.
    fn merge(&mut self, file: &TestFile) -> Result<MergeOutcome> {
        let short_path = file.target.language.short_path(&file.target.file);
        let mut outcome = self
            .try_merge(file, &short_path)
            .unwrap_or_else(|error| MergeOutcome::failed(&short_path, error));
        outcome.left_out.clone_from(&file.left_out);
        if let Some(written) = &outcome.file {
            self.write(file.target.language.as_ref(), &file.target.file, &written.text)?;
        }
        Ok(outcome)
    }

    fn try_merge(&mut self, file: &TestFile, short_path: &str) -> Result<MergeOutcome, OutcomeError> {
        let target = &file.target;
        let source = read(target)?;
        let clock = WallClock::start(Arc::clone(&self.stop));
        let language = Rc::clone(&target.language);
        let (args, options, hows) = (self.args, self.session.options, &self.hows);
        let borrowed = language.borrowed(&target.file);
        let job = |ports: Ports<'_>| {
            let outcome = merge(&Request {
                ports,
                frontend: language.frontend(),
                path: &target.file,
                short_path,
                source: &source,
                tests: &file.tests,
                hows,
                borrowed: &borrowed,
                max_statements: args.max_statements(),
                may_hide: args.no_soft,
                n_mutants: args.n_mutants(),
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

    fn report(&mut self, outcome: MergeOutcome) -> Result<()> {
        let gap = if self.outcomes.is_empty() { "" } else { "\n" };
        self.output.print(&format!("{gap}{}", merge_text(&outcome)));
        self.outcomes.push(outcome);
        match &self.session.options.json {
            Some(sink @ Sink::File(_)) => Ok(to_sink(sink, &merge_document(&self.outcomes))?),
            Some(Sink::Stdout) | None => Ok(()),
        }
    }

    /// Writes what can only be written once all is known.
    fn finish(&self) -> Result<i32> {
        if self.outcomes.len() != 1 {
            self.output.print(&merge_summary(&self.outcomes));
        }
        let json = self.session.options.json.as_ref();
        if let Some(sink) = json.filter(|sink| **sink == Sink::Stdout || self.outcomes.is_empty()) {
            to_sink(sink, &merge_document(&self.outcomes))?;
        }
        if let Some(sink) = &self.session.options.patch {
            let files = self.outcomes.iter().filter_map(|outcome| outcome.file.as_ref());
            let name = |path: &str| patch_name(Utf8Path::new(path), &self.cwd);
            let patches = files.map(|file| patch(&name(&file.path), &file.original, &file.text));
            to_sink(sink, &patches.collect::<String>())?;
        }
        let codes = self.outcomes.iter().map(exit_code::of_merge);
        Ok(match self.session.stopped() {
            true => exit_code::INTERRUPTED,
            false if self.outcomes.is_empty() => exit_code::NOTHING_TO_DO,
            false => exit_code::of_splits(codes),
        })
    }
}
