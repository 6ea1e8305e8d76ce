//! A folder for what runs leave behind and what only paring needs, gone with the runner; and the keeper of the project's files.

use super::error;
use super::project::{GoodVersion, Project};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use paring_worker::Keeper;
use std::fs;
use std::io;
use std::sync::Arc;

const STORAGE: &str = "HYPOTHESIS_STORAGE_DIRECTORY";

pub struct Scratch {
    folder: tempfile::TempDir,
    root: Utf8PathBuf,
    keeper: Arc<Keeper>,
}

impl Scratch {
    pub fn new(project: &Project) -> Result<Self, RunnerError> {
        let failed = |io: io::Error| error::cache(&project.cache_dir, &io);
        let keeper = keeper(project).map_err(failed)?;
        let folder =
            tempfile::Builder::new().prefix("scratch-").tempdir_in(&project.cache_dir).map_err(failed)?;
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned())
            .map_err(|path| error::worker(format!("{} is not UTF-8", path.display())))?;
        let examples = project.cwd.join(".hypothesis/examples");
        if examples.is_dir() {
            copy(&examples, &root.join("hypothesis/examples")).map_err(failed)?;
        }
        Ok(Self { folder, root, keeper })
    }

    pub fn root(&self) -> &Utf8Path {
        debug_assert!(self.folder.path().ends_with(&self.root));
        &self.root
    }

    pub fn keeper(&self) -> &Arc<Keeper> {
        &self.keeper
    }

    /// Hypothesis keeps its examples in the project: here it gets a copy of them, unless the user has set another place.
    pub fn hypothesis(&self, project: &Project) -> Option<(String, String)> {
        let is_set = project.env.iter().any(|(key, _)| key == STORAGE) || std::env::var_os(STORAGE).is_some();
        (!is_set).then(|| (STORAGE.to_owned(), self.root.join("hypothesis").into_string()))
    }

    /// What runs do to a good version is undone too.
    pub fn keep(&self, project: &Project, good: &GoodVersion) -> Result<(), RunnerError> {
        let is_own = good.tree.as_ref().filter(|tree| tree.other.starts_with(&project.cache_dir));
        let kept = match is_own {
            Some(tree) if self.keeper.roots().contains(&tree.other) => Ok(()),
            Some(tree) => self.keeper.protect_own(&tree.other),
            None => self.keeper.protect(&good.cwd, &except(project)),
        };
        kept.map_err(|io| error::cache(&project.cache_dir, &io))
    }

    /// A folder like `cwd` that has the test file, whose text does not matter. `cwd` itself, if it has the file;
    /// otherwise a stand-in of links.
    pub fn with_file(
        &self,
        project: &Project,
        cwd: &Utf8Path,
        file: &Utf8Path,
    ) -> Result<Utf8PathBuf, RunnerError> {
        let Ok(relative) = file.strip_prefix(&project.cwd) else { return Ok(cwd.to_owned()) };
        if cwd.join(relative).is_file() {
            return Ok(cwd.to_owned());
        }
        let stand_in = self.root.join("good");
        lay_over(cwd, &stand_in, relative)
            .and_then(|()| self.keeper.protect_own(&stand_in))
            .map_err(|io| error::cache(&project.cache_dir, &io))?;
        Ok(stand_in)
    }
}

/// Keeps the files of the project, but for what paring itself writes there.
fn keeper(project: &Project) -> io::Result<Arc<Keeper>> {
    let keeper = Keeper::open(&project.cache_dir)?;
    keeper.protect(&project.cwd, &except(project))?;
    Ok(keeper)
}

fn except(project: &Project) -> Vec<Utf8PathBuf> {
    let cache = project.cache_dir.parent().filter(|cache| !project.cwd.starts_with(cache));
    cache.into_iter().map(Utf8Path::to_owned).collect()
}

/// Links everything in `from`, but for the folders on the way to `file`, which are real, and the file, which is new.
fn lay_over(from: &Utf8Path, to: &Utf8Path, file: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let mut parts = file.components();
    let first = parts.next().map_or("", |part| part.as_str());
    let rest = parts.as_path();
    if from.is_dir() {
        for entry in from.read_dir_utf8()? {
            let entry = entry?;
            if entry.file_name() != first {
                link(entry.path(), &to.join(entry.file_name()))?;
            }
        }
    }
    if rest.as_str().is_empty() {
        fs::write(to.join(first), "")
    } else {
        lay_over(&from.join(first), &to.join(first), rest)
    }
}

#[cfg(unix)]
fn link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    if from.is_dir() { copy(from, to) } else { fs::copy(from, to).map(|_| ()) }
}

fn copy(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(entry.path(), &there)?;
        } else {
            fs::copy(entry.path(), there)?;
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_has_the_file_and_all_that_is_around_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        fs::create_dir_all(root.join("good/tests/data")).expect("folders");
        fs::create_dir_all(root.join("good/lib")).expect("folders");
        for file in ["good/tests/conftest.py", "good/tests/data/one.txt", "good/lib/code.py"] {
            fs::write(root.join(file), file).expect("a file");
        }
        lay_over(&root.join("good"), &root.join("other"), Utf8Path::new("tests/new/test_a.py"))
            .expect("links");
        for file in ["tests/conftest.py", "tests/data/one.txt", "lib/code.py", "tests/new/test_a.py"] {
            assert!(root.join("other").join(file).is_file(), "{file}");
        }
        assert!(!root.join("good/tests/new").exists());
    }
}
