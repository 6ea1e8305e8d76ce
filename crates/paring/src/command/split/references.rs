//! Who names a test that is no longer there: deselect lists, `dependency` marks of other tests, includes of a build.
//!
//! A name is looked for as a word in the text files of the project. A method of Java is looked for with its class, since its name
//! alone may be any word.

use crate::target::Target;
use camino::{Utf8Path, Utf8PathBuf};
use paring_tasks::split::Reference;
use std::fs;

/// Larger files are no lists that somebody wrote.
const MAX_BYTES: u64 = 512 * 1024;
/// So many files are looked at.
const MAX_FILES: usize = 5_000;
const ENDINGS: [&str; 16] = [
    "cfg",
    "gradle",
    "ini",
    "json",
    "java",
    "kts",
    "md",
    "properties",
    "py",
    "rst",
    "sh",
    "toml",
    "txt",
    "xml",
    "yaml",
    "yml",
];
const NO_SOURCES: [&str; 9] =
    ["__pycache__", "build", "dist", "env", "node_modules", "out", "site-packages", "target", "venv"];

/// The lines of a project that name the test of a target, other than where it stands.
pub fn references(root: &Utf8Path, target: &Target) -> Vec<Reference> {
    let Some(wanted) = Wanted::of(&target.spec.id) else { return Vec::new() };
    let mut found = Vec::new();
    for path in files(root) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let is_own = path == target.file;
        let lines = text.lines().zip(1..).filter(|(line, _)| wanted.is_in(line, is_own));
        let file = path.strip_prefix(root).unwrap_or(&path).to_string();
        found.extend(lines.map(|(line, number)| Reference {
            file: file.clone(),
            line: number,
            text: line.trim().to_owned(),
        }));
    }
    found
}

/// How a test is named elsewhere.
struct Wanted<'a> {
    /// The simple name of its class, in Java.
    class: Option<&'a str>,
    name: &'a str,
}

impl<'a> Wanted<'a> {
    fn of(id: &'a str) -> Option<Self> {
        if let Some((class, name)) = id.split_once('#') {
            let class = class.rsplit(['.', '$']).next()?;
            return Some(Self { class: Some(class), name: plain(name) });
        }
        let (_, name) = id.rsplit_once("::")?;
        Some(Self { class: None, name: plain(name) })
    }

    fn is_in(&self, line: &str, is_own_file: bool) -> bool {
        let is_definition = is_own_file && line.trim_start().starts_with(&format!("def {}(", self.name));
        !is_definition
            && has_word(line, self.name)
            && self.class.is_none_or(|class| has_word(line, class) && (line.contains('#') || !is_own_file))
    }
}

/// A name without its case.
fn plain(name: &str) -> &str {
    name.split(['[', '(']).next().unwrap_or(name)
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    line.match_indices(word).any(|(at, _)| {
        let (before, behind) = (line[..at].chars().next_back(), line[at + word.len()..].chars().next());
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

/// The text files below a folder, in the order of their paths.
fn files(root: &Utf8Path) -> Vec<Utf8PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = folder.read_dir_utf8() else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            let is_hidden = name.starts_with('.') && name != ".github" && name != ".gitlab-ci.yml";
            if kind.is_dir() && !is_hidden && !NO_SOURCES.contains(&name) {
                waiting.push(entry.path().to_owned());
            } else if kind.is_file() && !is_hidden && is_list(&entry) {
                found.push(entry.path().to_owned());
            }
            if found.len() >= MAX_FILES {
                break;
            }
        }
    }
    found.sort();
    found
}

fn is_list(entry: &camino::Utf8DirEntry) -> bool {
    let path = entry.path();
    let is_text = path.extension().is_none_or(|ending| ENDINGS.contains(&ending));
    is_text && entry.metadata().is_ok_and(|metadata| metadata.len() <= MAX_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(id: &str, line: &str) -> bool {
        Wanted::of(id).is_some_and(|wanted| wanted.is_in(line, false))
    }

    #[test]
    fn a_test_is_named_by_a_deselect_list_and_by_a_mark() {
        let id = "tests/test_cart.py::test_all";
        assert!(names(id, "    --deselect tests/test_cart.py::test_all"));
        assert!(names(id, "@pytest.mark.dependency(depends=[\"test_all\"])"));
        assert!(!names(id, "def test_all_but_one():"));
    }

    #[test]
    fn a_method_is_named_with_its_class() {
        let id = "com.acme.CartTest#total";
        assert!(names(id, "<include>**/CartTest.java#total</include>"));
        assert!(!names(id, "int total = cart.total();"));
    }
}
