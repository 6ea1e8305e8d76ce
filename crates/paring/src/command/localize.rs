//! `paring localize`: a suite with failing tests in, the lines they point to out.
//!
//! `paring_tasks` drives: it has the suite run with a recorder of lines, while `store` keeps what was seen for the next time, asks `parer` to
//! pare failing tests, and ranks. Here the result is written where it was asked for.

mod parer;
mod store;

use super::minimize::{Session, cache_folder};
use crate::cli::LocalizeArgs;
use crate::clock::{WallClock, stop_on_signal};
use crate::exit_code;
use crate::language::Language;
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::value::Sink;
use crate::write::{self, to_sink};
use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use parer::SessionParer;
use paring_engine::{Budget, Ports, Runs};
use paring_model::{ErrorCode, Heard, NoJournal, NoRunner, RunnerError, SourceFile, digest};
use paring_report::{About, Progress, Shown, localized, page, sarif};
use paring_tasks::localize::{Localized, Parer, Request, Suite, localize};
use std::cell::Cell;
use std::rc::Rc;
use std::time::SystemTime;
use store::SpectrumStore;

/// Localizes, and gives the exit code.
pub fn run(options: &Options, args: &LocalizeArgs) -> Result<i32> {
    let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let output = Output::of_process(options);
    let cache = cache_folder(&cwd);
    let mut session = Session::new(options, stop_on_signal(), Log::of_process(), cache.clone(), cwd.clone());
    match located(&mut session, args, &cache, &output) {
        Ok(found) => tell(&found, &cwd, options, args, &output),
        Err(failed) => {
            eprintln!("error: {}\nnext: {}", failed.message, failed.help);
            Ok(exit_code::of_error(failed.code))
        }
    }
}

fn located(
    session: &mut Session<'_>,
    args: &LocalizeArgs,
    cache: &Utf8Path,
    output: &Output,
) -> Result<Localized, RunnerError> {
    let here = [".".to_owned()];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths[..] };
    let language = Rc::clone(session.languages().of_paths(paths));
    let coverage = language.coverage().unwrap_or_else(|| Err(unknown_language()))?;
    let cwd = session.cwd().to_owned();
    let store = SpectrumStore::open(&cache.join("spectrum"), &suite_name(&cwd, language.as_ref()));
    let clock = WallClock::start(session.stop());
    let runs = Runs::new(Ports {
        runner: &NoRunner,
        recorder: Some(coverage.as_ref()),
        clock: &clock,
        journal: &NoJournal,
        tell: &|_| {},
        budget: Budget::default(),
    });
    let shown = ShownTests::new(output);
    let hear = |heard: Heard<'_>| shown.hear(heard);
    let faulty: Vec<(Utf8PathBuf, u32)> =
        args.fault.iter().map(|(path, line)| (real(&cwd.join(path)), *line)).collect();
    let request = Request {
        suite: Suite { runs: &runs, paths: &args.paths, kept: &store, fresh: args.fresh, hear: &hear },
        only: &args.for_tests,
        n_pared: args.n_pared(),
        plan: args.plan(),
        faulty: &faulty,
    };
    let mut parer = SessionParer::new(session, args, &language, output);
    let parer = (!args.no_purify).then_some(&mut parer as &mut dyn Parer);
    let mut located = localize(&request, parer)?;
    still_the_same(&located.covered.files, &cwd)?;
    located.localization.notes.extend(store.note.clone());
    Ok(located)
}

/// How far the suite is, for the user to see.
struct ShownTests {
    progress: Progress,
    n_begun: Cell<usize>,
    n_tests: Cell<usize>,
}

impl ShownTests {
    fn new(output: &Output) -> Self {
        let progress = output.progress();
        progress.at("starting", 0, "");
        Self { progress, n_begun: Cell::new(0), n_tests: Cell::new(0) }
    }

    fn hear(&self, heard: Heard<'_>) {
        match heard {
            // After a test that ended the process only those that are left are collected again.
            Heard::Collected { n_tests } => self.n_tests.set(self.n_begun.get() + n_tests),
            Heard::Began { id } => {
                self.n_begun.set(self.n_begun.get() + 1);
                let n_tests = self.n_tests.get();
                let of = if n_tests > 0 { format!("of {n_tests}  ") } else { String::new() };
                self.progress.at("running tests", self.n_begun.get(), &format!("{of}{id}"));
            }
            Heard::Ended => self.progress.clear(),
        }
    }
}

/// What is kept belongs to one folder and one setting.
fn suite_name(cwd: &Utf8Path, language: &dyn Language) -> String {
    digest(format!("{cwd}\n{}", language.settings()))
}

/// Lines are only worth showing in the text that ran.
fn still_the_same(files: &[SourceFile], cwd: &Utf8Path) -> Result<(), RunnerError> {
    let has_changed = |file: &&SourceFile| {
        let bytes = std::fs::read(&file.path).unwrap_or_default();
        // Texts in other encodings than UTF-8 are told apart by what both sides can read.
        std::str::from_utf8(&bytes)
            .is_ok_and(|text| text.trim_start_matches('\u{feff}') != file.text.trim_start_matches('\u{feff}'))
    };
    let changed = files.iter().filter(has_changed).map(|file| short(&file.path, cwd));
    let changed: Vec<String> = changed.collect();
    if changed.is_empty() { Ok(()) } else { Err(RunnerError::changed(&changed)) }
}

fn unknown_language() -> RunnerError {
    RunnerError {
        code: ErrorCode::NoCoverage,
        message: "`paring localize` cannot record which lines the tests of this language run".to_owned(),
        help: "it works for Python and Java; `paring minimize` pares the failing tests all the same"
            .to_owned(),
    }
}

fn tell(
    found: &Localized,
    cwd: &Utf8Path,
    options: &Options,
    args: &LocalizeArgs,
    output: &Output,
) -> Result<i32> {
    let paths: Vec<String> = found.covered.files.iter().map(|file| short(&file.path, cwd)).collect();
    let shown = Shown {
        localization: &found.localization,
        files: &found.covered.files,
        paths: &paths,
        top: args.top(),
        faults: &found.ranks,
        spent: found.spent,
    };
    output.print(&localized(shown, output.style));
    if let Some(sink) = &options.json {
        to_sink(sink, &format!("{:#}\n", paring_report::localization(shown)))
            .with_context(|| format!("cannot write {}", name(sink)))?;
    }
    if let Some(file) = &args.sarif {
        let log = format!("{:#}\n", sarif(shown, env!("CARGO_PKG_VERSION")));
        write::file(&cwd.join(file), log.as_bytes()).with_context(|| format!("cannot write {file}"))?;
    }
    if let Some(file) = &args.html {
        let page = page(shown, &found.covered.tests, about(cwd));
        write::file(&cwd.join(file), page.as_bytes()).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(if found.stopped { exit_code::INTERRUPTED } else { exit_code::DONE })
}

fn about(cwd: &Utf8Path) -> About<'_> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let project = cwd.file_name().unwrap_or("project");
    About { project, version: env!("CARGO_PKG_VERSION"), made: now.as_secs() }
}

fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}

fn short(path: &Utf8Path, cwd: &Utf8Path) -> String {
    path.strip_prefix(cwd).unwrap_or(path).to_string()
}

fn name(sink: &Sink) -> &str {
    match sink {
        Sink::Stdout => "standard output",
        Sink::File(path) => path.as_str(),
    }
}
