//! A folder for compiled candidates and what a crashing JVM writes, gone with the runner.

use super::error;
use super::project::JavaProject;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Scratch {
    folder: tempfile::TempDir,
    root: Utf8PathBuf,
    next: AtomicU64,
}

impl Scratch {
    pub fn new(project: &JavaProject) -> Result<Self, RunnerError> {
        let failed = |io: std::io::Error| error::cache(&project.cache_dir, &io);
        fs::create_dir_all(&project.cache_dir).map_err(failed)?;
        let folder =
            tempfile::Builder::new().prefix("scratch-").tempdir_in(&project.cache_dir).map_err(failed)?;
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned())
            .map_err(|path| error::worker(format!("{} is not UTF-8", path.display())))?;
        Ok(Self { folder, root, next: AtomicU64::new(0) })
    }

    pub fn root(&self) -> &Utf8Path {
        debug_assert!(self.folder.path().ends_with(&self.root));
        &self.root
    }

    /// A new folder for class files.
    pub fn classes(&self) -> Result<Utf8PathBuf, RunnerError> {
        let folder = self.root.join(format!("classes-{}", self.next.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&folder).map_err(|io| error::cache(&self.root, &io))?;
        Ok(folder)
    }
}
