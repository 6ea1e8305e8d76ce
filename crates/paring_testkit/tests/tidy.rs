//! Rules about the files of the project that no compiler checks.

use camino::{Utf8Path, Utf8PathBuf};
use paring_testkit::project::workspace;
use std::collections::BTreeSet;

/// Not ours, or made by tools.
const SKIPPED: &[&str] =
    &["target", ".git", ".tools", ".paring", "work", ".venv", "__pycache__", ".pytest_cache"];
const MAX_LINES: usize = 450;
/// How the header of a longer file says why.
const WHY_LONG: &str = "//! Long because";

fn files() -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![workspace()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            if SKIPPED.contains(&entry.file_name()) {
                continue;
            }
            if entry.path().is_dir() {
                folders.push(entry.into_path());
            } else {
                found.push(entry.into_path());
            }
        }
    }
    found.sort();
    found
}

fn entries(folder: &Utf8Path) -> Vec<camino::Utf8DirEntry> {
    let entries = folder.read_dir_utf8().expect("a folder of the workspace can be read");
    entries.map(|entry| entry.expect("a folder of the workspace can be read")).collect()
}

fn short(path: &Utf8Path) -> &Utf8Path {
    path.strip_prefix(workspace()).expect("it was found in the workspace")
}

/// The text of a file, or nothing where it is not UTF-8.
fn text(path: &Utf8Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn sources() -> impl Iterator<Item = (Utf8PathBuf, String)> {
    let rust = files().into_iter().filter(|path| path.extension() == Some("rs"));
    rust.map(|path| (short(&path).to_owned(), text(&path)))
}

#[track_caller]
fn none(wrong: &[String], rule: &str) {
    assert!(wrong.is_empty(), "{rule}:\n  {}", wrong.join("\n  "));
}

#[test]
fn every_source_file_opens_with_its_job() {
    let wrong = sources().filter(|(_, text)| !text.starts_with("//!")).map(|(path, _)| path.to_string());
    none(&wrong.collect::<Vec<_>>(), "these files do not start with `//!`");
}

#[test]
fn long_source_files_say_why() {
    let long = sources().filter(|(_, text)| text.lines().count() > MAX_LINES && !text.contains(WHY_LONG));
    let wrong = long.map(|(path, text)| format!("{path}: {} lines", text.lines().count()));
    none(
        &wrong.collect::<Vec<_>>(),
        &format!("files over {MAX_LINES} lines need `{WHY_LONG} …`, or a split"),
    );
}

#[test]
fn nothing_names_a_folder_of_one_machine() {
    let folders = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    let mut wrong = Vec::new();
    for path in files() {
        for (idx, line) in text(&path).lines().enumerate() {
            if folders.iter().any(|folder| starts_a_path(line, folder)) {
                wrong.push(format!("{}:{}", short(&path), idx + 1));
            }
        }
    }
    none(&wrong, "machine paths");
}

/// Whether the folder is named as an absolute path: `bench/work/` is none.
fn starts_a_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !(c.is_alphanumeric() || "._-)}/".contains(c)))
    })
}

#[test]
fn nothing_is_left_to_be_done_later() {
    let words = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let ours = |path: &Utf8Path| matches!(path.extension(), Some("rs" | "py" | "md" | "toml" | "sh"));
    let mut wrong = Vec::new();
    for path in files().into_iter().filter(|path| ours(path)) {
        for (idx, line) in text(&path).lines().enumerate() {
            let mut parts = line.split(|c: char| !c.is_alphanumeric());
            if parts.any(|part| words.contains(&part)) {
                wrong.push(format!("{}:{}", short(&path), idx + 1));
            }
        }
    }
    none(&wrong, "marks of unfinished work");
}

#[test]
fn documents_name_files_that_exist() {
    let all: Vec<Utf8PathBuf> = files().iter().map(|path| short(path).to_owned()).collect();
    let known: BTreeSet<&Utf8Path> = all.iter().flat_map(|path| path.ancestors()).collect();
    // `oracle.rs` and `strategy/auto.rs` are enough of a name.
    let exists =
        |span: &str| known.contains(Utf8Path::new(span)) || all.iter().any(|path| path.ends_with(span));
    let mut wrong = Vec::new();
    for path in all.iter().filter(|path| path.extension() == Some("md")) {
        for span in spans(&text(&workspace().join(path))) {
            if is_our_file(&span) && !exists(span.trim_end_matches('/')) {
                wrong.push(format!("{path} names `{span}`"));
            }
        }
    }
    none(&wrong, "files that do not exist");
}

/// What stands between backticks on one line.
fn spans(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("```"));
    lines.flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned)).collect()
}

/// Whether a span claims to be a file of this project, rather than of a user's or a pattern.
fn is_our_file(span: &str) -> bool {
    let plain = !span.contains(|c: char| c.is_whitespace() || "*<>{}…:$=".contains(c));
    let folders = ["crates/", "bench/", "docs/", "demo/", "testdata/", ".ci/"];
    let made = ["bench/work", "demo/work"];
    let ours = folders.iter().any(|folder| span.starts_with(folder))
        || Utf8Path::new(span).extension() == Some("rs");
    plain && ours && !made.iter().any(|folder| span.starts_with(folder))
}
