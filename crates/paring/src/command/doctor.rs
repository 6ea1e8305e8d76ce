//! `paring doctor`: what was found here, what works, what does not, and what to do about it.

use super::minimize::cache_folder;
use crate::exit_code;
use crate::finding::{Finding, State};
use crate::options::Options;
use crate::registry::Languages;
use camino::Utf8Path;
use std::io::Write;

/// Labels stand in a column of this width.
const LABEL: usize = 12;

/// Prints all findings, and gives the exit code.
pub fn run(options: &Options, cwd: &Utf8Path) -> i32 {
    let cache = cache_folder(cwd);
    let mut findings = vec![Finding::works("paring", version()), examine_cache(&cache)];
    findings.extend(Languages::new(options, cwd, &cache).examine());
    let text: String = findings.iter().map(lines).collect();
    let broken: Vec<&str> =
        findings.iter().filter(|it| it.state == State::Broken).map(|it| it.what).collect();
    let (end, code) = match broken.as_slice() {
        [] => ("Tests can be pared here.".to_owned(), exit_code::DONE),
        broken => {
            (format!("Nothing can be pared here yet. Broken: {}.", broken.join(", ")), exit_code::ENVIRONMENT)
        }
    };
    // A reader that has gone away (`| head`) is no error.
    let _ = write!(std::io::stdout(), "{text}\n{end}\n");
    code
}

fn version() -> String {
    let program = std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    format!("{} ({program})", env!("CARGO_PKG_VERSION"))
}

/// A finding as lines of text: its state, what it is about, what was found, and what to do.
fn lines(finding: &Finding) -> String {
    let Finding { what, state, told, next } = finding;
    let next = (!next.is_empty()).then(|| format!("next: {next}"));
    let rows: Vec<String> = told.lines().map(ToOwned::to_owned).chain(next).collect();
    let indent = format!("\n{}", " ".repeat(8 + LABEL + 1));
    format!("{:<7} {what:<LABEL$} {}\n", state.word(), rows.join(&indent))
}

/// Whether the cache folder can be written.
fn examine_cache(cache: &Utf8Path) -> Finding {
    let is_writable = std::fs::create_dir_all(cache).and_then(|()| tempfile::tempfile_in(cache).map(drop));
    match is_writable {
        Ok(()) => Finding::works("cache", cache.as_str()),
        Err(error) => Finding::broken(
            "cache",
            format!("{cache} cannot be written: {error}"),
            "make room there, or set PARING_CACHE_DIR to a folder that can be written",
        ),
    }
}
