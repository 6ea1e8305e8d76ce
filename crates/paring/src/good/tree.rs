//! Lays a commit out in a folder of paring's own, with the present tests over it.
//!
//! What is the same in the work tree is copied from there, with its time, so that compiled modules of the present version serve both;
//! what differs comes out of git's objects. Nothing is checked out, and the user's folders are only read.

use super::part::Parts;
use super::repo::{Entry, Repo};
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::time::{Duration, SystemTime};

/// Of a larger repository only the folder at hand is laid out.
const MOST_FILES: usize = 30_000;
/// The end of files that are compiled, or that code is generated from.
const COMPILED: [&str; 34] = [
    "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "pyx", "pxd", "pxi", "rs", "f", "f90", "go", "zig", "m", "mm",
    "s", "asm", "cu", "proto", "g4", "thrift", "capnp", "fbs", "y", "l", "lark", "in", "j2", "tmpl",
    "template", "ui", "xsd",
];
/// Files that say how it is built.
const BUILD_FILES: [&str; 4] = ["CMakeLists.txt", "meson.build", "Cargo.toml", "Cargo.lock"];
/// Programs that may generate code.
const GENERATORS: [&str; 5] = ["setup.py", "build.py", "hatch_build.py", "Makefile", "_build.py"];
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// A commit that is laid out.
pub struct Laid {
    /// What the version has not got, in sentences.
    pub lacks: Vec<String>,
}

/// The files of a commit, and which of them differ in the work tree.
pub struct Difference {
    pub entries: Vec<Entry>,
    pub changed: BTreeSet<Utf8PathBuf>,
    /// Of those, code under test.
    pub code: Vec<Utf8PathBuf>,
    /// The same for commits that have the same code.
    pub key: String,
}

/// `None` where git cannot tell.
pub fn difference(repo: &Repo, commit: &str, parts: &Parts) -> Option<Difference> {
    let entries = repo.entries(commit)?;
    let changed = repo.changed_since(commit, &entries)?;
    let code: Vec<Utf8PathBuf> = changed.iter().filter(|path| parts.is_code(path)).cloned().collect();
    let mut hash = Sha256::new();
    for entry in entries.iter().filter(|entry| parts.is_code(&entry.path)) {
        hash.update(format!("{} {} {}\n", entry.mode, entry.id, entry.path));
    }
    let key = hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    Some(Difference { entries, changed, code, key })
}

/// Writes the version to `to`, a new folder.
pub fn lay_out(repo: &Repo, difference: &Difference, parts: &Parts, to: &Utf8Path) -> io::Result<Laid> {
    let mut layer = Layer { repo, to, changed: &difference.changed, lacks: Vec::new() };
    let is_large = parts.is_whole() && difference.entries.len() > MOST_FILES;
    let is_wanted = |path: &Utf8Path| !is_large || path.starts_with(&repo.prefix);
    let own = difference.entries.iter().filter(|entry| is_wanted(&entry.path));
    let own = own.filter(|entry| !parts.is_test(&entry.path) && !parts.is_configuration(&entry.path));
    fs::create_dir_all(to)?;
    layer.files(&own.collect::<Vec<_>>())?;
    if !parts.is_whole() {
        return Ok(Laid { lacks: layer.lacks });
    }
    let present = repo.present();
    let tests = present.files.iter().filter(|path| is_wanted(path));
    for path in tests.filter(|path| parts.is_test(path) || parts.is_configuration(path)) {
        layer.copy(path)?;
    }
    if let Parts::Python { tests: Some(folder), .. } = parts {
        layer.folder(folder)?;
    }
    layer.built(difference, parts, &present.built)?;
    Ok(Laid { lacks: layer.lacks })
}

struct Layer<'a> {
    repo: &'a Repo,
    to: &'a Utf8Path,
    changed: &'a BTreeSet<Utf8PathBuf>,
    lacks: Vec<String>,
}

impl Layer<'_> {
    fn files(&mut self, entries: &[&Entry]) -> io::Result<()> {
        let mut open: Vec<&Entry> = Vec::new();
        for entry in entries {
            if entry.mode == "160000" {
                self.submodule(entry)?;
            } else if self.changed.contains(&entry.path) || !self.copy(&entry.path)? {
                open.push(entry);
            }
        }
        let ids: Vec<String> = open.iter().map(|entry| entry.id.clone()).collect();
        let (repo, to) = (self.repo, self.to);
        let mut lacks = Vec::new();
        repo.contents(&ids, |idx, content| write(repo, open[idx], &content, to, &mut lacks))?;
        self.lacks.extend(lacks);
        Ok(())
    }

    /// Copies a file of the work tree with its time, or a link; whether it was there.
    fn copy(&self, path: &Utf8Path) -> io::Result<bool> {
        let (from, to) = (self.repo.top.join(path), self.to.join(path));
        let Ok(about) = from.symlink_metadata() else { return Ok(false) };
        if about.is_dir() {
            return Ok(false);
        }
        make_room(&to)?;
        if about.is_symlink() {
            let end = from.read_link_utf8()?;
            link(self.repo, path, &end, self.to)?;
        } else {
            fs::copy(&from, &to)?;
            if let Ok(time) = about.modified() {
                set_time(&to, time);
            }
        }
        Ok(true)
    }

    /// Copies what lies in a folder of tests, known to git or not.
    fn folder(&self, folder: &Utf8Path) -> io::Result<()> {
        for entry in self.repo.top.join(folder).read_dir_utf8()?.flatten() {
            let path = folder.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() && entry.file_name() != "__pycache__" && !entry.file_name().starts_with('.') {
                if !entry.path().join("pyvenv.cfg").is_file() && !entry.path().join(".git").exists() {
                    self.folder(&path)?;
                }
            } else if !kind.is_dir() && self.to.join(&path).symlink_metadata().is_err() {
                self.copy(&path)?;
            }
        }
        Ok(())
    }

    /// The commit of a submodule, where the submodule is here and has it.
    fn submodule(&mut self, entry: &Entry) -> io::Result<()> {
        let lacking = format!("the submodule {} is not here as that commit has it", entry.path);
        let inner = Repo::find(&self.repo.top.join(&entry.path)).ok();
        let inner = inner.filter(|inner| inner.top != self.repo.top);
        let found = inner.and_then(|inner| {
            let entries = inner.entries(&entry.id)?;
            let changed = inner.changed_since(&entry.id, &entries)?;
            Some((inner, entries, changed))
        });
        let Some((inner, entries, changed)) = found else {
            self.lacks.push(lacking);
            return fs::create_dir_all(self.to.join(&entry.path));
        };
        let to = self.to.join(&entry.path);
        let mut layer = Layer { repo: &inner, to: &to, changed: &changed, lacks: Vec::new() };
        layer.files(&entries.iter().collect::<Vec<_>>())?;
        self.lacks.append(&mut layer.lacks);
        Ok(())
    }

    /// What builds left in the work tree, where the version has nothing there and it was built from the same sources.
    fn built(&mut self, difference: &Difference, parts: &Parts, built: &[Utf8PathBuf]) -> io::Result<()> {
        let differing =
            |is_source: fn(&Utf8Path) -> bool| difference.code.iter().find(|path| is_source(path));
        let compiled = differing(is_compiled);
        let generating = compiled.or_else(|| differing(is_generator));
        for path in built {
            if parts.is_test(path) || self.to.join(path).symlink_metadata().is_ok() {
                continue;
            }
            let is_python = path.extension() == Some("py");
            let is_about_version = path.file_stem().is_some_and(|stem| stem.contains("version"));
            let source = match (is_python, is_about_version) {
                _ if path.as_str().contains(".egg-info/") => None,
                (true, false) => generating,
                (true, true) | (false, _) => compiled,
            };
            match source {
                Some(source) => self.lacks.push(format!(
                    "{path} is not in git, and {source}, which it may be built from, differs there"
                )),
                None => {
                    self.copy(path)?;
                }
            }
        }
        Ok(())
    }
}

fn is_compiled(path: &Utf8Path) -> bool {
    path.extension().is_some_and(|extension| COMPILED.contains(&extension))
        || path.file_name().is_some_and(|name| BUILD_FILES.contains(&name))
}

fn is_generator(path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    GENERATORS.contains(&name) || name.contains("gen") && path.extension() == Some("py")
}

/// Writes the content of an object.
fn write(
    repo: &Repo,
    entry: &Entry,
    content: &[u8],
    to: &Utf8Path,
    lacks: &mut Vec<String>,
) -> io::Result<()> {
    let target = to.join(&entry.path);
    make_room(&target)?;
    if entry.mode == "120000" {
        let end = String::from_utf8_lossy(content).into_owned();
        return link(repo, &entry.path, Utf8Path::new(&end), to);
    }
    match content.starts_with(LFS).then(|| of_lfs(repo, content)) {
        None => fs::write(&target, content)?,
        Some(Some(kept)) => drop(fs::copy(kept, &target)?),
        Some(None) => {
            lacks.push(format!("{} is kept by LFS, and is not here as that commit has it", entry.path));
            fs::write(&target, content)?;
        }
    }
    if entry.mode == "100755" {
        set_executable(&target)?;
    }
    // A compiled module belongs to a time and a size: another text has another time.
    let present = repo.top.join(&entry.path).metadata().and_then(|about| about.modified());
    let aside = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 11_000);
    set_time(
        &target,
        if present.is_ok_and(|time| time == aside) { aside + Duration::from_mins(1) } else { aside },
    );
    Ok(())
}

/// Where LFS keeps the file that a pointer stands for.
fn of_lfs(repo: &Repo, pointer: &[u8]) -> Option<Utf8PathBuf> {
    let text = String::from_utf8_lossy(pointer);
    let id = text.lines().find_map(|line| line.strip_prefix("oid sha256:"))?.trim().to_owned();
    let common = repo.ask(&["rev-parse", "--git-common-dir"])?;
    let folder = repo.top.join(common).join("lfs/objects");
    let kept = folder.join(id.get(..2)?).join(id.get(2..4)?).join(&id);
    kept.is_file().then_some(kept)
}

/// A link within the tree stays one; one that leads out of it leads where it led.
fn link(repo: &Repo, path: &Utf8Path, end: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Utf8Path::new(""));
    let mut depth = folder.components().count();
    let mut leaves = false;
    for part in end.components() {
        match part {
            camino::Utf8Component::ParentDir if depth == 0 => leaves = true,
            camino::Utf8Component::ParentDir => depth -= 1,
            camino::Utf8Component::CurDir => {}
            _ => depth += 1,
        }
    }
    let end = match end.strip_prefix(&repo.top) {
        Ok(inside) => to.join(inside),
        Err(_) if leaves && end.is_relative() => repo.top.join(folder).join(end),
        Err(_) => end.to_owned(),
    };
    super::link(&end, &to.join(path))
}

fn make_room(target: &Utf8Path) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    // There may be a link, which leads to a file of the user's, or nothing.
    drop(fs::remove_file(target));
    Ok(())
}

/// That it cannot be set costs a compilation.
fn set_time(path: &Utf8Path, time: SystemTime) {
    if let Ok(file) = fs::File::options().append(true).open(path) {
        let _ = file.set_modified(time);
    }
}

#[cfg(unix)]
fn set_executable(path: &Utf8Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn set_executable(_: &Utf8Path) -> io::Result<()> {
    Ok(())
}
