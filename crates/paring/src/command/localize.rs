//! `paring localize`: a suite with failing tests in, the lines they point to out.
//!
//! The suite runs once with a recorder of lines, and `store` keeps what was seen for the next time; `pure` pares the failing tests and
//! has what the pared ones run recorded; `paring_tasks` ranks; then it is written where it was asked for. All runs with the recorder go
//! through one [`Runs`].

mod chosen;
mod pure;
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
use paring_engine::{Budget, Ports, Runs};
use paring_model::{
    Covered, ErrorCode, Heard, NoJournal, NoRunner, Observation, RunnerError, SourceFile, digest,
};
use paring_report::{Shown, Spent, localized, page, sarif};
use paring_tasks::localize::{fault_ranks, is_failed, localize};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use store::SpectrumStore;

/// Localizes, and gives the exit code.
pub fn run(options: &Options, args: &LocalizeArgs) -> Result<i32> {
    let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let output = Output::of_process(options);
    let cache = cache_folder(&cwd);
    let mut session = Session::new(options, stop_on_signal(), Log::of_process(), cache.clone(), cwd.clone());
    match found(&mut session, args, &cache, &output) {
        Ok(found) => tell(&found, &cwd, options, args, &output),
        Err(failed) => {
            eprintln!("error: {}\nnext: {}", failed.message, failed.help);
            Ok(exit_code::of_error(failed.code))
        }
    }
}

/// The suite's spectra, those of the pared tests, and whether the user asked to stop before all were pared.
struct Found {
    covered: Covered,
    /// What the suite took.
    suite: Duration,
    pure: pure::Pure,
    stopped: bool,
}

fn found(
    session: &mut Session<'_>,
    args: &LocalizeArgs,
    cache: &Utf8Path,
    output: &Output,
) -> Result<Found, RunnerError> {
    let here = [".".to_owned()];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths[..] };
    let language = Rc::clone(session.languages().of_paths(paths));
    let coverage = language.coverage().unwrap_or_else(|| Err(unknown_language()))?;
    let store = SpectrumStore::open(&cache.join("spectrum"), &suite_name(session.cwd(), language.as_ref()));
    if args.fresh {
        store.ignore();
    }
    let clock = WallClock::start(session.stop());
    let runs = Runs::new(Ports {
        runner: &NoRunner,
        recorder: Some(coverage.as_ref()),
        clock: &clock,
        journal: &NoJournal,
        tell: &|_| {},
        budget: Budget::default(),
    });
    let began = Instant::now();
    let mut covered = believable(&runs, &args.paths, &store, output)?;
    let suite = began.elapsed();
    refuse(&covered, &args.paths)?;
    chosen::keep_chosen(&mut covered, &args.for_tests)?;
    let pure = if args.no_purify {
        pure::Pure::default()
    } else {
        pure::pare(session, args, &language, &runs, &covered, output)
    };
    still_the_same(&covered.files, session.cwd())?;
    Ok(Found { covered, suite, pure, stopped: session.stopped() })
}

/// What is kept belongs to one folder and one setting.
fn suite_name(cwd: &Utf8Path, language: &dyn Language) -> String {
    digest(format!("{cwd}\n{}", language.settings()))
}

/// Runs the tests that nothing is known of, and all of them where that is not to be believed: a test may fail only after others, and
/// that no test fails is said only of tests that ran.
fn believable(
    runs: &Runs<'_>,
    paths: &[String],
    store: &SpectrumStore,
    output: &Output,
) -> Result<Covered, RunnerError> {
    let mut covered = cover(runs, paths, store, output)?;
    let fails = covered.tests.iter().any(|test| is_failed(&test.observation));
    let turned = std::mem::take(&mut covered.turned);
    if covered.n_kept() > 0 && (!fails || !turned.passing.is_empty()) {
        store.ignore();
        covered = cover(runs, paths, store, output)?;
        covered.notes.extend(of_tests(&turned.passing).map(|tests| {
            format!("failed before, and not without the tests that had not changed: {tests}; all ran again, as one may depend on others")
        }));
    } else {
        covered.notes.extend(of_tests(&turned.failing).map(|tests| {
            format!("passed before, and failed in a run of changed tests alone: {tests}; where a test needs others to run first, use --fresh")
        }));
    }
    covered.notes.extend(store.note.clone());
    Ok(covered)
}

/// Tests in few words: an edit may turn hundreds.
fn of_tests(ids: &[String]) -> Option<String> {
    match ids {
        [] => None,
        [id] => Some(id.clone()),
        [first, rest @ ..] => Some(format!("{first} and {} more", rest.len())),
    }
}

/// Runs the suite, and shows how far it is.
fn cover(
    runs: &Runs<'_>,
    paths: &[String],
    store: &SpectrumStore,
    output: &Output,
) -> Result<Covered, RunnerError> {
    let progress = output.progress();
    let (n_begun, n_tests) = (Cell::new(0), Cell::new(0));
    let show = |heard: Heard<'_>| match heard {
        // After a test that ended the process only those that are left are collected again.
        Heard::Collected { n_tests: found } => n_tests.set(n_begun.get() + found),
        Heard::Began { id } => {
            n_begun.set(n_begun.get() + 1);
            let of = if n_tests.get() > 0 { format!("of {}  ", n_tests.get()) } else { String::new() };
            progress.at("running tests", n_begun.get(), &format!("{of}{id}"));
        }
    };
    progress.at("starting", 0, "");
    runs.suite(paths, store, &show)
}

/// What cannot be ranked at all.
fn refuse(covered: &Covered, paths: &[String]) -> Result<(), RunnerError> {
    let place = match paths {
        [] => "here".to_owned(),
        [first, .., last] if paths.len() > 3 => {
            format!("in the {} paths from {first} to {last}", paths.len())
        }
        _ => format!("in {}", paths.join(" ")),
    };
    let refusal = |code, message, help: &str| RunnerError { code, message, help: help.to_owned() };
    let ran = covered.tests.iter().filter(|test| test.ran.is_some());
    // What is known of the first test that has no lines.
    let why =
        covered.tests.iter().filter(|test| test.ran.is_none()).find_map(|test| match &test.observation {
            Observation::Broken { message, .. } => Some(format!("{}: {message}", test.id)),
            Observation::Failed(failure) => Some(format!("{}: {}", test.id, failure.exception().message)),
            Observation::Died { how } => Some(format!("{} ended the process ({how})", test.id)),
            Observation::Hung { .. } => Some(format!("{} did not end in time", test.id)),
            Observation::Passed | Observation::Skipped { .. } => None,
        });
    if ran.clone().next().is_none() {
        return Err(match why {
            Some(why) => refusal(
                ErrorCode::NoSpectrum,
                format!("no test ran to its end {place}, so nothing can be ranked: {why}"),
                "run the tests by hand first: they must be collected, and end",
            ),
            None => refusal(
                ErrorCode::NotFound,
                format!("there are no tests {place}"),
                "name files or folders with tests",
            ),
        });
    }
    if !covered.tests.iter().any(|test| is_failed(&test.observation)) {
        let n_tests = ran.count();
        return Err(refusal(
            ErrorCode::NoFailures,
            format!("no test fails {place} ({n_tests} ran), so nothing points to a fault"),
            "run the tests that fail, in the environment in which they fail",
        ));
    }
    if !ran.clone().any(|test| is_failed(&test.observation)) {
        return Err(refusal(
            ErrorCode::NoSpectrum,
            format!(
                "every failing test ended the process, hung or could not be collected, and what they run is not known: {}",
                why.unwrap_or_default()
            ),
            "pare such a test with `paring minimize` first",
        ));
    }
    Ok(())
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
    found: &Found,
    cwd: &Utf8Path,
    options: &Options,
    args: &LocalizeArgs,
    output: &Output,
) -> Result<i32> {
    let mut localization = localize(&found.covered, &found.pure.tests, args.plan());
    localization.notes.extend(found.pure.notes.iter().cloned());
    if found.stopped {
        localization
            .notes
            .push("stopped before all failing tests were pared: the others count as they are".to_owned());
    }
    let paths: Vec<String> = found.covered.files.iter().map(|file| short(&file.path, cwd)).collect();
    let faulty: Vec<(Utf8PathBuf, u32)> =
        args.fault.iter().map(|(path, line)| (real(&cwd.join(path)), *line)).collect();
    let ranks = fault_ranks(&found.covered, &found.pure.tests, args.plan(), &faulty);
    if ranks.is_empty() && !faulty.is_empty() {
        localization
            .notes
            .push("no test ran a line of the fault, or no failing test did: it has no rank".to_owned());
    }
    let shown = Shown {
        localization: &localization,
        files: &found.covered.files,
        paths: &paths,
        top: args.top(),
        faults: &ranks,
        spent: Spent { suite: found.suite, ..found.pure.spent },
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
        let page = page(shown, &found.covered.tests);
        write::file(&cwd.join(file), page.as_bytes()).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(if found.stopped { exit_code::INTERRUPTED } else { exit_code::DONE })
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
