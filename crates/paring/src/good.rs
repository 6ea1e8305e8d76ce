//! The version that passes: a folder with the same project, a git revision, or one that is found.
//!
//! [`repo`] reads git, [`candidates`] says which commits to look at, [`finder`] hands over those whose code differs, [`part`] tells
//! tests from code, [`tree`] lays a version out.
//!
//! The test files are always the current ones. The pared file itself is handed to the runner as text; its companions
//! (`conftest.py`, helpers beside it) are laid over a copy where they differ, so that the folder given by the user is never touched.
//! What runs write there is undone by the runner.

mod candidates;
mod finder;
mod part;
mod repo;
mod tree;

pub use candidates::Place;
pub use finder::Finder;
pub use part::Parts;
pub use repo::Repo;
pub use tree::Difference;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{ErrorCode, VersionName};
use paring_tasks::OutcomeError;
use std::fs;
use std::process::Command;
use tempfile::TempDir;
use tree::{difference, lay_out};

/// A good version on disk. Temporary folders live as long as this.
pub struct Good {
    pub cwd: Utf8PathBuf,
    /// The folder of the present code, and what takes its place.
    pub tree: (Utf8PathBuf, Utf8PathBuf),
    pub version: VersionName,
    /// What it has not got, in sentences.
    pub lacks: Vec<String>,
    _temporary: Vec<TempDir>,
}

/// Finds or makes the good version that the user has named, for a project in `cwd` whose test file is `test_file`.
pub fn prepare(given: &str, cwd: &Utf8Path, test_file: &Utf8Path, cache: &Utf8Path) -> Result<Good> {
    let folder = cwd.join(given);
    if !folder.is_dir() {
        return revision(given, cwd, test_file, cache);
    }
    let mut temporary = Vec::new();
    let good_cwd = lay_over(cwd, &folder, test_file, &mut temporary)?;
    let version = VersionName { name: given.to_owned(), ..VersionName::default() };
    let tree = (real(cwd), real(&good_cwd));
    Ok(Good { cwd: good_cwd, tree, version, lacks: Vec::new(), _temporary: temporary })
}

fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}

/// The revision that the user has named.
fn revision(given: &str, cwd: &Utf8Path, test_file: &Utf8Path, cache: &Utf8Path) -> Result<Good> {
    let nothing = || format!("--good {given} is neither a folder nor a git revision here");
    let repo = Repo::find(cwd).map_err(|why| anyhow::anyhow!(why.unwrap_or_else(nothing)))?;
    let commit = repo.commit(given).with_context(nothing)?;
    let parts = python_parts(&repo, test_file);
    let difference =
        difference(&repo, &commit, &parts).with_context(|| format!("git cannot tell what {given} holds"))?;
    let place = Place { commit, way: String::new() };
    let mut good = laid_out(&repo, &place, &difference, &parts, cache)?;
    given.clone_into(&mut good.version.name);
    Ok(good)
}

/// How files are told apart for a test file.
pub fn python_parts(repo: &Repo, test_file: &Utf8Path) -> Parts {
    Parts::python(test_file.strip_prefix(&repo.top).unwrap_or(test_file), &repo.prefix)
}

/// A commit, in a folder of its own.
pub fn laid_out(
    repo: &Repo,
    place: &Place,
    difference: &Difference,
    parts: &Parts,
    cache: &Utf8Path,
) -> Result<Good> {
    fs::create_dir_all(cache)?;
    let made = tempfile::Builder::new().prefix("good-").tempdir_in(cache)?;
    let root =
        Utf8Path::from_path(made.path()).context("the cache's path is not UTF-8")?.canonicalize_utf8()?;
    let laid = lay_out(repo, difference, parts, &root)
        .with_context(|| format!("failed to lay out {} apart", place.commit))?;
    Ok(Good {
        cwd: root.join(&repo.prefix),
        tree: (repo.top.clone(), root),
        version: repo.name(&place.commit, &place.way),
        lacks: laid.lacks,
        _temporary: vec![made],
    })
}

/// A good version that cannot be used, as the end of a target.
pub fn unusable(error: &anyhow::Error) -> OutcomeError {
    OutcomeError {
        code: ErrorCode::Good,
        message: format!("{error:#}"),
        help: "give --good a git revision of this repository, or a folder with the same project".to_owned(),
    }
}

/// The tree of a revision, in a temporary folder: the part of it that `cwd` is in.
pub fn check_out(revision: &str, cwd: &Utf8Path, temporary: &mut Vec<TempDir>) -> Result<Utf8PathBuf> {
    let git = |args: &[&str]| -> Result<Vec<u8>> {
        let output =
            Command::new("git").args(args).current_dir(cwd).output().context("failed to start git")?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(output.stdout)
    };
    let commit = git(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .with_context(|| format!("--good {revision} is neither a folder nor a git revision here"))?;
    let commit = String::from_utf8(commit)?.trim().to_owned();
    let prefix = String::from_utf8(git(&["rev-parse", "--show-prefix"])?)?.trim().to_owned();
    let folder = temporary_folder(temporary)?;
    let archive = folder.join("good.tar");
    let top = String::from_utf8(git(&["rev-parse", "--show-toplevel"])?)?.trim().to_owned();
    let made = Command::new("git")
        .args(["archive", "--format=tar", "-o", archive.as_str(), &commit])
        .current_dir(top)
        .status()
        .context("failed to start git archive")?;
    let tree = folder.join("tree");
    fs::create_dir_all(&tree)?;
    let unpacked = Command::new("tar")
        .args(["-xf", archive.as_str(), "-C", tree.as_str()])
        .status()
        .context("failed to start tar")?;
    if !made.success() || !unpacked.success() {
        bail!("failed to check out {revision} apart");
    }
    fs::remove_file(archive)?;
    Ok(tree.join(prefix))
}

/// The good folder itself where its test files are the current ones, else a copy with the current ones laid over.
fn lay_over(
    cwd: &Utf8Path,
    good: &Utf8Path,
    test_file: &Utf8Path,
    temporary: &mut Vec<TempDir>,
) -> Result<Utf8PathBuf> {
    let parts = Parts::python(test_file.strip_prefix(cwd).unwrap_or(test_file), Utf8Path::new(""));
    // What stands beside a test may be the code under test.
    let is_of_test = |path: &Utf8PathBuf| {
        parts.is_test(path) || path.extension() != Some("py") && !good.join(path).exists()
    };
    let differing: Vec<Utf8PathBuf> = companions(cwd, test_file)
        .into_iter()
        .filter(is_of_test)
        .filter(|relative| fs::read(cwd.join(relative)).ok() != fs::read(good.join(relative)).ok())
        .collect();
    if differing.is_empty() {
        return Ok(good.to_owned());
    }
    let copy = temporary_folder(temporary)?.join("copy");
    copy_tree(good, good, &copy).with_context(|| format!("failed to copy {good}"))?;
    for relative in differing {
        let target = copy.join(&relative);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        // There may be a link, which leads to a file of the user's, or nothing.
        drop(fs::remove_file(&target));
        fs::copy(cwd.join(&relative), &target)?;
    }
    Ok(copy)
}

/// Files of the test tree that the test file may need, relative to `cwd`: all beside and below its folder, and every
/// `conftest.py` on the way up.
fn companions(cwd: &Utf8Path, test_file: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let Some(folder) = test_file.parent() else { return found };
    let Ok(relative) = folder.strip_prefix(cwd) else { return found };
    if !relative.as_str().is_empty() {
        collect(cwd, relative, &mut found);
    }
    for up in relative.ancestors() {
        let conftest = up.join("conftest.py");
        if cwd.join(&conftest).is_file() && !found.contains(&conftest) {
            found.push(conftest);
        }
    }
    found
}

fn collect(cwd: &Utf8Path, relative: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    let Ok(entries) = cwd.join(relative).read_dir_utf8() else { return };
    for entry in entries.flatten() {
        let path = relative.join(entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && entry.file_name() != "__pycache__" && !entry.file_name().starts_with('.') {
            collect(cwd, &path, found);
        } else if kind.is_file() && path.extension() != Some("pyc") {
            found.push(path);
        }
    }
}

/// Copies the folder `from`, which is `good` or in it. Environments are large and nobody's code: they are linked to.
fn copy_tree(good: &Utf8Path, from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            match entry.file_name() {
                ".git" | "__pycache__" => {}
                _ if is_environment(source) => link(source, &target)?,
                _ => copy_tree(good, source, &target)?,
            }
        } else if kind.is_file() {
            fs::copy(source, &target)?;
        } else if kind.is_symlink() {
            copy_link(good, source, &target)?;
        }
    }
    Ok(())
}

fn is_environment(folder: &Utf8Path) -> bool {
    folder.join("pyvenv.cfg").is_file() || folder.file_name() == Some("node_modules")
}

/// A link to something in the good folder leads to its copy; one that leads nowhere is left out.
fn copy_link(good: &Utf8Path, source: &Utf8Path, target: &Utf8Path) -> std::io::Result<()> {
    let (Ok(end), Ok(real)) = (source.canonicalize_utf8(), good.canonicalize_utf8()) else { return Ok(()) };
    let Ok(inside) = end.strip_prefix(&real) else { return link(&end, target) };
    let depth = source.strip_prefix(good).map_or(0, |path| path.components().count().saturating_sub(1));
    let up: Utf8PathBuf = std::iter::repeat_n("..", depth).collect();
    link(&up.join(inside), target)
}

#[cfg(unix)]
fn link(end: &Utf8Path, at: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(end, at)
}

#[cfg(not(unix))]
fn link(end: &Utf8Path, at: &Utf8Path) -> std::io::Result<()> {
    if end.is_dir() { copy_tree(end, end, at) } else { fs::copy(end, at).map(drop) }
}

fn temporary_folder(temporary: &mut Vec<TempDir>) -> Result<Utf8PathBuf> {
    let made = tempfile::Builder::new().prefix("paring-good-").tempdir()?;
    let path =
        Utf8Path::from_path(made.path()).context("the temporary folder's path is not UTF-8")?.to_owned();
    temporary.push(made);
    Ok(path)
}
