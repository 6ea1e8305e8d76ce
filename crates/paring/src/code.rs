//! What observations depend on beside the test's own text: the project's files and what its environment has installed, as one
//! digest. A journal belongs to it: what was seen of other code says nothing.
//!
//! Files of the project count by their content, so that a file which a test wrote and paring put back is the same file. What
//! is installed counts by name, size and time: there is too much of it to read. All of it is looked at while workers start.

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs::Metadata;
use std::thread::JoinHandle;
use std::time::UNIX_EPOCH;

/// A larger file counts by its size and time.
const MAX_READ: u64 = 1 << 20;
/// So much is read in all; what comes after counts by size and time.
const MAX_READ_IN_ALL: u64 = 64 << 20;

/// Where code lies that a test may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The user's own.
    Project(Utf8PathBuf),
    /// What somebody else keeps up to date.
    Installed(Utf8PathBuf),
}

/// The digest, which is made in a thread of its own.
pub struct Code(JoinHandle<String>);

impl Code {
    /// Begins to look. The file of the test itself is left out: a journal knows its text.
    pub fn look(roots: Vec<Root>, test_file: Utf8PathBuf) -> Self {
        Self(std::thread::spawn(move || digest(&roots, &test_file)))
    }

    pub fn digest(self) -> String {
        self.0.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn digest(roots: &[Root], test_file: &Utf8Path) -> String {
    let mut seen = Files { hash: Sha256::new(), n_left: MAX_READ_IN_ALL, test_file };
    for root in roots {
        match root {
            Root::Project(path) => seen.walk(path, MAX_READ),
            Root::Installed(path) => seen.walk(path, 0),
        }
    }
    seen.hash.finalize().iter().take(16).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

struct Files<'a> {
    hash: Sha256,
    n_left: u64,
    test_file: &'a Utf8Path,
}

impl Files<'_> {
    /// A file, or all files below a folder, in the order of their names. Links are not followed.
    fn walk(&mut self, path: &Utf8Path, max_read: u64) {
        let Ok(metadata) = path.symlink_metadata() else { return };
        if metadata.is_file() {
            self.file(path, &metadata, max_read);
        }
        if !metadata.is_dir() || is_environment(path) {
            return;
        }
        let Ok(entries) = path.read_dir_utf8() else { return };
        let mut entries: Vec<Utf8PathBuf> = entries.flatten().map(camino::Utf8DirEntry::into_path).collect();
        entries.sort();
        for entry in entries.iter().filter(|entry| !is_by_product(entry)) {
            self.walk(entry, max_read);
        }
    }

    fn file(&mut self, path: &Utf8Path, metadata: &Metadata, max_read: u64) {
        if path == self.test_file {
            return;
        }
        self.hash.update(format!("{path}\n{}\n", metadata.len()));
        let is_read = metadata.len() <= max_read.min(self.n_left);
        if let Some(Ok(content)) = is_read.then(|| std::fs::read(path)) {
            self.n_left -= metadata.len().min(self.n_left);
            self.hash.update(Sha256::digest(content));
        } else {
            let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            self.hash.update(format!("{time:?}\n"));
        }
    }
}

/// What tools make from the rest, and folders that tools keep for themselves.
fn is_by_product(path: &Utf8Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let is_beside = |build_file: &str| path.with_file_name(build_file).is_file();
    match name {
        "__pycache__" | "node_modules" => true,
        "target" => is_beside("pom.xml") || is_beside("Cargo.toml"),
        "build" => is_beside("build.gradle") || is_beside("build.gradle.kts"),
        _ => name.starts_with('.'),
    }
}

/// A virtual environment within the project: what is installed there has a root of its own.
fn is_environment(folder: &Utf8Path) -> bool {
    folder.join("pyvenv.cfg").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_testkit::Project;

    fn of(project: &Project) -> String {
        let root = project.root().to_owned();
        let test_file = root.join("test_a.py");
        Code::look(vec![Root::Project(root)], test_file).digest()
    }

    #[test]
    fn code_and_data_of_the_project_count_and_by_products_do_not() {
        let project = Project::empty();
        for path in ["lib.py", "data/rows.csv", "test_a.py", "venv/pyvenv.cfg", "pom.xml"] {
            project.write(path, "1");
        }
        let before = of(&project);
        for path in ["__pycache__/lib.pyc", ".git/index", "venv/lib.py", "target/a.class", "test_a.py"] {
            project.write(path, "22");
            assert_eq!(of(&project), before, "{path}");
        }
        for path in ["lib.py", "data/rows.csv", "conftest.py"] {
            let before = of(&project);
            project.write(path, "2");
            assert_ne!(of(&project), before, "{path}");
        }
    }

    #[test]
    fn a_file_with_its_old_content_back_is_the_same_file() {
        let project = Project::empty();
        project.write("lib.py", "1");
        let before = of(&project);
        project.write("lib.py", "2");
        project.write("lib.py", "1");
        assert_eq!(of(&project), before);
    }
}
