//! What other Python files of a project take of a test file.

use crate::project_files::project_files;
use camino::Utf8Path;
use paring_python::frontend::{TakenNames, taken_names};
use paring_tasks::merge::Borrowed;

/// The classes and functions that other files below a folder import from a file; `decode` reads a source.
pub fn borrowed(root: &Utf8Path, file: &Utf8Path, decode: impl Fn(&[u8]) -> Option<String>) -> Vec<Borrowed> {
    let Some(module) = module(file) else { return Vec::new() };
    let mut found = Vec::new();
    let is_python = |entry: &camino::Utf8DirEntry| entry.path().extension() == Some("py");
    for path in project_files(root, is_python).into_iter().filter(|path| path != file) {
        let text = std::fs::read(&path).ok().and_then(|bytes| decode(&bytes));
        let Some(text) = text.filter(|text| text.contains(module)) else { continue };
        let by = path.strip_prefix(root).unwrap_or(&path).to_string();
        match taken_names(&text, module) {
            TakenNames::All => found.push(Borrowed { name: None, by }),
            TakenNames::Some(names) => {
                let one = |name| Borrowed { name: Some(name), by: by.clone() };
                found.extend(names.into_iter().map(one));
            }
        }
    }
    found
}

/// The last part of a file's name as a module.
fn module(file: &Utf8Path) -> Option<&str> {
    match file.file_stem()? {
        "__init__" => file.parent()?.file_name(),
        stem => Some(stem),
    }
}
