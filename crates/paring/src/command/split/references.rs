//! Who names a test that is no longer there: deselect lists, `dependency` marks of other tests, includes of a build.
//!
//! A name is looked for as a word in the text files of the project. A method of Java is looked for with its class, since its name
//! alone may be any word.

use crate::project_files::project_files;
use crate::target::Target;
use camino::{Utf8DirEntry, Utf8Path};
use paring_tasks::split::Reference;
use std::fs;

/// Larger files are no lists that somebody wrote.
const MAX_BYTES: u64 = 512 * 1024;
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

/// The lines of a project that name the test of a target, other than where it stands.
pub fn references(root: &Utf8Path, target: &Target) -> Vec<Reference> {
    let Some(wanted) = Wanted::of(&target.spec.id) else { return Vec::new() };
    let mut found = Vec::new();
    for path in project_files(root, is_list) {
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

fn is_list(entry: &Utf8DirEntry) -> bool {
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
