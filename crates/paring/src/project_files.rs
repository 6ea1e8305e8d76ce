//! The files of a project that somebody wrote: no hidden ones, none that a build made, none of what is installed.

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};

/// So many files are looked at.
const MAX_FILES: usize = 5_000;
const NO_SOURCES: [&str; 9] =
    ["__pycache__", "build", "dist", "env", "node_modules", "out", "site-packages", "target", "venv"];

/// The files below a folder that are asked for, in the order of their paths.
pub fn project_files(root: &Utf8Path, is_wanted: impl Fn(&Utf8DirEntry) -> bool) -> Vec<Utf8PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = folder.read_dir_utf8() else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            let is_hidden = name.starts_with('.') && name != ".github" && name != ".gitlab-ci.yml";
            if kind.is_dir() && !is_hidden && !NO_SOURCES.contains(&name) {
                waiting.push(entry.path().to_owned());
            } else if kind.is_file() && !is_hidden && is_wanted(&entry) {
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
