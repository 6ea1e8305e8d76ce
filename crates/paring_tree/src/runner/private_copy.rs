//! A copy of the user's folder for the command to run in, put back after each run to what it was.
//!
//! The command may write what it likes there. What one run leaves behind must not reach the next: of `gcc x.c -o x; ./x` the
//! second half would run the program of an earlier candidate where this one does not compile.

use super::stamp::{Stamp, Stamps, changes, is_skipped, stamps};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{ErrorCode, RunnerError};
use std::fs::{File, FileTimes};
use std::io;
use tempfile::TempDir;

/// Larger folders are not copied for every worker.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 512 << 20;

pub struct PrivateCopy {
    /// Gone when dropped.
    _folder: TempDir,
    original: Utf8PathBuf,
    root: Utf8PathBuf,
    stamps: Stamps,
    /// Put back by the caller.
    except: Utf8PathBuf,
}

impl PrivateCopy {
    /// Copies a folder. `except` is the path below it that candidates are written to.
    pub fn make(original: &Utf8Path, except: &Utf8Path) -> Result<Self, RunnerError> {
        let failed = |error: io::Error| copy_failed(original, &error);
        let folder = TempDir::with_prefix("paring-").map_err(failed)?;
        let path = folder.path().canonicalize().map_err(failed)?;
        let temporary = Utf8PathBuf::try_from(path).map_err(|error| failed(error.into_io_error()))?;
        // Error messages hold the folder's name: it stays.
        let root = temporary.join(original.file_name().unwrap_or("folder"));
        std::fs::create_dir(&root).map_err(failed)?;
        let mut copying = Copying { n_files: 0, n_bytes: 0, original, root: &root };
        if !copying.all_below(Utf8Path::new("")).map_err(failed)? {
            return Err(too_large(original));
        }
        let stamps = stamps(&root, MOST_FILES * 2).map_err(failed)?.unwrap_or_default();
        let original = original.to_owned();
        Ok(Self { _folder: folder, original, root, stamps, except: except.to_owned() })
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Undoes what a run changed, and tells it.
    pub fn restore(&self) -> Result<Vec<Utf8PathBuf>, RunnerError> {
        let failed = |error: io::Error| copy_failed(&self.original, &error);
        let now = stamps(&self.root, usize::MAX).map_err(failed)?.unwrap_or_default();
        let mut changed = changes(&self.stamps, &now);
        changed.retain(|path| *path != self.except);
        for path in &changed {
            self.put_back(path, now.get(path)).map_err(failed)?;
        }
        Ok(changed)
    }

    fn put_back(&self, path: &Utf8Path, now: Option<&Stamp>) -> io::Result<()> {
        let there = self.root.join(path);
        let removed = match now {
            Some(Stamp::Folder) => std::fs::remove_dir_all(&there),
            Some(Stamp::File { .. } | Stamp::Other) => std::fs::remove_file(&there),
            None => Ok(()),
        };
        // It may have gone with the folder around it.
        removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        match self.stamps.get(path) {
            Some(Stamp::Folder) => std::fs::create_dir_all(&there),
            Some(Stamp::File { .. }) => copy_file(&self.original.join(path), &there).map(drop),
            Some(Stamp::Other) => copy_link(&self.original, &self.root, path),
            None => Ok(()),
        }
    }
}

struct Copying<'a> {
    n_files: usize,
    n_bytes: u64,
    original: &'a Utf8Path,
    root: &'a Utf8Path,
}

impl Copying<'_> {
    /// Whether all was copied: not where there is too much.
    fn all_below(&mut self, below: &Utf8Path) -> io::Result<bool> {
        for entry in self.original.join(below).read_dir_utf8()? {
            let entry = entry?;
            if is_skipped(entry.file_name()) {
                continue;
            }
            let path = below.join(entry.file_name());
            let metadata = std::fs::symlink_metadata(entry.path())?;
            self.n_files += 1;
            self.n_bytes += if metadata.is_file() { metadata.len() } else { 0 };
            if self.n_files > MOST_FILES || self.n_bytes > MOST_BYTES {
                return Ok(false);
            }
            match Stamp::of(&metadata) {
                Stamp::Folder => {
                    std::fs::create_dir(self.root.join(&path))?;
                    if !self.all_below(&path)? {
                        return Ok(false);
                    }
                }
                Stamp::File { .. } => copy_file(entry.path(), &self.root.join(&path))?,
                Stamp::Other => copy_link(self.original, self.root, &path)?,
            }
        }
        Ok(true)
    }
}

/// With permissions and times: build tools go by them.
fn copy_file(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    std::fs::copy(from, to)?;
    let metadata = std::fs::metadata(from)?;
    if let Ok(modified) = metadata.modified() {
        // A read-only file keeps the time of the copy.
        let _ = File::options()
            .append(true)
            .open(to)
            .and_then(|file| file.set_times(FileTimes::new().set_modified(modified)));
    }
    Ok(())
}

/// A link into the folder leads into the copy; any other leads where it led. Pipes and devices are left out.
fn copy_link(original: &Utf8Path, root: &Utf8Path, path: &Utf8Path) -> io::Result<()> {
    let Ok(target) = original.join(path).read_link_utf8() else { return Ok(()) };
    let folder = original.join(path.parent().unwrap_or(Utf8Path::new("")));
    let real = folder.join(&target).canonicalize_utf8().unwrap_or_else(|_| folder.join(&target));
    let target = match real.strip_prefix(original) {
        Ok(inside) => root.join(inside),
        Err(_) => real,
    };
    link(&target, &root.join(path))
}

#[cfg(unix)]
fn link(target: &Utf8Path, at: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(target: &Utf8Path, at: &Utf8Path) -> io::Result<()> {
    if target.is_file() { copy_file(target, at) } else { Ok(()) }
}

fn copy_failed(original: &Utf8Path, error: &io::Error) -> RunnerError {
    RunnerError {
        code: ErrorCode::Copy,
        message: format!("failed to copy {original}: {error}"),
        help: "check that the folder can be read and that the temporary folder has room".to_owned(),
    }
}

fn too_large(original: &Utf8Path) -> RunnerError {
    RunnerError {
        code: ErrorCode::Copy,
        message: format!(
            "{original} is too large to copy for every run (over {MOST_FILES} files or {} MB)",
            MOST_BYTES >> 20
        ),
        help: "start paring in the folder that has what the command needs and no more, or name the file in the command \
               with {}: then nothing is copied"
            .to_owned(),
    }
}
