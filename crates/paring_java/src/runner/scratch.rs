//! A folder for compiled candidates and what a crashing JVM writes, gone with the runner; and the keeper of the project's files.

use super::error;
use super::project::{GoodClasspath, JavaProject};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use paring_worker::Keeper;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Scratch {
    folder: tempfile::TempDir,
    root: Utf8PathBuf,
    next: AtomicU64,
    keeper: Arc<Keeper>,
}

impl Scratch {
    pub fn new(project: &JavaProject) -> Result<Self, RunnerError> {
        let failed = |io: io::Error| error::cache(&project.cache_dir, &io);
        fs::create_dir_all(&project.cache_dir).map_err(failed)?;
        let keeper = keeper(project).map_err(failed)?;
        let folder =
            tempfile::Builder::new().prefix("scratch-").tempdir_in(&project.cache_dir).map_err(failed)?;
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned())
            .map_err(|path| error::worker(format!("{} is not UTF-8", path.display())))?;
        Ok(Self { folder, root, next: AtomicU64::new(0), keeper })
    }

    pub fn root(&self) -> &Utf8Path {
        debug_assert!(self.folder.path().ends_with(&self.root));
        &self.root
    }

    pub fn keeper(&self) -> &Arc<Keeper> {
        &self.keeper
    }

    /// What runs do to the class files of a version that was found meanwhile is undone too.
    pub fn keep(&self, good: &GoodClasspath) -> Result<(), RunnerError> {
        let roots = self.keeper.roots();
        let folders = good.classpath.iter().filter(|entry| entry.is_dir());
        for folder in folders.filter(|folder| !roots.iter().any(|root| folder.starts_with(root))) {
            self.keeper.protect_own(folder).map_err(|io| error::cache(&self.root, &io))?;
        }
        Ok(())
    }

    /// A new folder for class files.
    pub fn classes(&self) -> Result<Utf8PathBuf, RunnerError> {
        let folder = self.root.join(format!("classes-{}", self.next.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&folder).map_err(|io| error::cache(&self.root, &io))?;
        Ok(folder)
    }
}

/// Keeps the files of both versions: where they run, and the folders of their class paths. Jars are nobody's to write.
fn keeper(project: &JavaProject) -> io::Result<Arc<Keeper>> {
    let keeper = Keeper::open(&project.cache_dir)?;
    let cache = project.cache_dir.parent().filter(|cache| !project.cwd.starts_with(cache));
    let except: Vec<Utf8PathBuf> = cache.into_iter().map(Utf8Path::to_owned).collect();
    keeper.protect(&project.cwd, &except)?;
    if let Some(cwd) = project.good.as_ref().and_then(|good| good.cwd.as_ref()) {
        keeper.protect(cwd, &except)?;
    }
    let good = project.good.iter().flat_map(|good| &good.classpath);
    for folder in project.classpath.iter().chain(good).filter(|entry| entry.is_dir()) {
        keeper.protect(folder, &except)?;
    }
    Ok(keeper)
}
