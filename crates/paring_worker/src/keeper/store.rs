//! The folder in which a process keeps what runs save: `<cache>/saved/<name>`, locked for as long as the process lives.
//!
//! It holds `lock`, `roots` (the projects), `temporary` (where the temporary folders are), `loading`, `claims` and a folder per run.

use super::temporary::Temporary;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, File};
use std::io;
use std::time::{Duration, SystemTime};

pub const LOCK: &str = "lock";
pub const ROOTS: &str = "roots";
pub const TEMPORARY: &str = "temporary";
pub const LOADING: &str = "loading";
pub const CLAIMS: &str = "claims";
pub const MET: &str = "met";
/// Beside the stores: what was found in the place of what was put back.
pub const REPLACED: &str = "replaced";
/// Not finished, or not a store.
pub const HIDDEN: char = '.';
/// How long that is kept.
const KEPT: Duration = Duration::from_hours(24 * 7);

pub struct Store {
    base: Utf8PathBuf,
    folder: Utf8PathBuf,
    /// All temporary folders are in it.
    temporary: Utf8PathBuf,
    /// Locked: whoever finds it unlocked may take the store apart.
    _lock: File,
}

impl Store {
    pub fn create(base: &Utf8Path) -> io::Result<Self> {
        fs::create_dir_all(base.join(REPLACED))?;
        let base = base.canonicalize_utf8()?;
        forget_replaced(&base.join(REPLACED));
        let aside = tempfile::Builder::new().prefix(".new-").tempdir_in(&base)?;
        let aside = utf8(aside.keep())?;
        let lock = File::create(aside.join(LOCK))?;
        lock.lock()?;
        fs::create_dir(aside.join(CLAIMS))?;
        let temporary =
            utf8(tempfile::Builder::new().prefix("paring-").tempdir()?.keep())?.canonicalize_utf8()?;
        fs::write(aside.join(TEMPORARY), temporary.as_str())?;
        fs::write(aside.join(ROOTS), "[]")?;
        let name = aside.file_name().unwrap_or_default().trim_start_matches(".new-");
        let folder = base.join(name);
        fs::rename(&aside, &folder)?;
        Ok(Self { base, folder, temporary, _lock: lock })
    }

    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Folders that are not the user's: the cache, and that of temporary files.
    pub fn own(&self) -> Vec<Utf8PathBuf> {
        self.base.parent().into_iter().chain([&*self.temporary]).map(Utf8Path::to_owned).collect()
    }

    /// Where files are kept that had to give way to what was there before.
    pub fn replaced(&self) -> Utf8PathBuf {
        replaced(&self.base, &self.folder)
    }

    pub fn note_roots<'a>(&self, roots: impl Iterator<Item = &'a Utf8Path>) -> io::Result<()> {
        let roots: Vec<&str> = roots.map(Utf8Path::as_str).collect();
        let aside = self.folder.join(".roots");
        fs::write(&aside, serde_json::to_vec(&roots)?)?;
        fs::rename(aside, self.folder.join(ROOTS))
    }

    pub fn temporary(&self, number: u64) -> io::Result<Temporary> {
        Temporary::create(self.temporary.join(number.to_string()))
    }

    /// Lets go of the paths that a run has claimed.
    pub fn release(&self, run: &Utf8Path) {
        let claims = self.folder.join(CLAIMS).read_dir_utf8().into_iter().flatten().flatten();
        let name = run.file_name().unwrap_or_default();
        for claim in claims.filter(|claim| fs::read_to_string(claim.path()).is_ok_and(|held| held == name)) {
            // Gone is as good as removed.
            let _ = fs::remove_file(claim.path());
        }
    }

    /// Removes all but what could not be put back.
    pub fn close(&self) {
        // What cannot be removed now is removed by the next start.
        let _ = fs::remove_dir_all(&self.temporary);
        let names = self.folder.read_dir_utf8().into_iter().flatten().flatten();
        let is_unsettled = names.into_iter().any(|entry| entry.path().join("manifest").exists());
        if !is_unsettled {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

pub fn replaced(base: &Utf8Path, store: &Utf8Path) -> Utf8PathBuf {
    base.join(REPLACED).join(store.file_name().unwrap_or_default())
}

fn forget_replaced(folder: &Utf8Path) {
    let is_old = |entry: &camino::Utf8DirEntry| {
        let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        modified.and_then(|then| SystemTime::now().duration_since(then).ok()).is_some_and(|age| age > KEPT)
    };
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten().filter(is_old) {
        // One that stays is tried again by the next start.
        let _ = fs::remove_dir_all(entry.path());
    }
}

pub fn utf8(path: std::path::PathBuf) -> io::Result<Utf8PathBuf> {
    Utf8PathBuf::try_from(path).map_err(camino::FromPathBufError::into_io_error)
}
