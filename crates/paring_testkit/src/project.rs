//! Copies of the projects in `testdata/`, so that no test ever touches the originals.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use tempfile::TempDir;

/// A project in a temporary folder, gone at the end of the test.
#[derive(Debug)]
pub struct Project {
    _folder: TempDir,
    root: Utf8PathBuf,
}

impl Project {
    /// Copies `testdata/<scenario>`, such as `python/flaky`.
    pub fn copy(scenario: &str) -> Self {
        let source = workspace().join("testdata").join(scenario);
        assert!(source.is_dir(), "there is no testdata/{scenario}");
        let project = Self::empty();
        copy(&source, &project.root);
        project
    }

    /// A folder with nothing in it.
    pub fn empty() -> Self {
        let folder = TempDir::with_prefix("paring-project-").expect("a temporary folder can be made");
        let real = folder.path().canonicalize().expect("the folder was just made");
        let root =
            Utf8PathBuf::from_path_buf(real).expect("temporary folders have UTF-8 names").join("project");
        std::fs::create_dir(&root).expect("the folder is ours");
        Self { _folder: folder, root }
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    pub fn read(&self, path: &str) -> String {
        let path = self.root.join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is ours");
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Every file with its content: equal before and after where nothing was touched. What interpreters and test runners
    /// leave behind does not count.
    pub fn files(&self) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.root, &self.root, &mut found);
        found
    }
}

/// The folder of the workspace.
pub fn workspace() -> Utf8PathBuf {
    let here = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate is two folders below the workspace").to_owned()
}

/// The interpreter for tests that need a real pytest: `make test` makes it and names it.
pub fn python() -> Utf8PathBuf {
    std::env::var("PARING_TEST_PYTHON").map_or_else(
        |_| {
            let made = workspace().join(".tools/venv/bin/python");
            if made.exists() { made } else { Utf8PathBuf::from("python3") }
        },
        Utf8PathBuf::from,
    )
}

fn is_left_behind(name: &str) -> bool {
    matches!(name, "__pycache__" | ".pytest_cache" | ".hypothesis" | ".paring")
}

fn entries(folder: &Utf8Path) -> Vec<camino::Utf8DirEntry> {
    let entries = folder.read_dir_utf8().unwrap_or_else(|error| panic!("{folder}: {error}"));
    entries.map(|entry| entry.expect("a folder of ours can be read")).collect()
}

fn copy(from: &Utf8Path, to: &Utf8Path) {
    for entry in entries(from) {
        let there = to.join(entry.file_name());
        if is_left_behind(entry.file_name()) {
            continue;
        }
        if entry.path().is_dir() {
            std::fs::create_dir(&there).expect("the folder is ours");
            copy(entry.path(), &there);
        } else {
            std::fs::copy(entry.path(), &there).unwrap_or_else(|error| panic!("{there}: {error}"));
        }
    }
}

fn collect(root: &Utf8Path, folder: &Utf8Path, found: &mut BTreeMap<Utf8PathBuf, Vec<u8>>) {
    for entry in entries(folder) {
        if is_left_behind(entry.file_name()) {
            continue;
        }
        if entry.path().is_dir() {
            collect(root, entry.path(), found);
        } else {
            let name = entry.path().strip_prefix(root).expect("it is below the root").to_owned();
            found.insert(name, std::fs::read(entry.path()).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_can_be_changed_without_the_original() {
        let (one, other) = (Project::copy("python/passing"), Project::copy("python/passing"));
        assert_eq!(one.files(), other.files());
        one.write("new/file.txt", "text");
        assert_ne!(one.files(), other.files());
        assert_eq!(one.read("new/file.txt"), "text");
    }

    #[test]
    fn what_an_interpreter_leaves_behind_is_no_change() {
        let project = Project::empty();
        project.write("__pycache__/a.pyc", "");
        project.write(".paring/journal", "");
        assert!(project.files().is_empty());
    }
}
