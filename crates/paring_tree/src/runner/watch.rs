//! The user's folder while a command runs in it: whether the command writes there.
//!
//! Only with `{}` in the command does it run in the user's folder. The file itself is put back where it was changed.

use super::stamp::{Stamps, changes, stamps};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{ErrorCode, RunnerError};

/// Of larger folders only the file itself is watched.
const MOST: usize = 20_000;

pub struct Watch {
    folder: Utf8PathBuf,
    before: Option<Stamps>,
    file: Utf8PathBuf,
    /// Not the command's: paring writes there.
    cache: Utf8PathBuf,
    bytes: Vec<u8>,
}

impl Watch {
    pub fn start(folder: &Utf8Path, file: &Utf8Path, cache: &Utf8Path) -> std::io::Result<Self> {
        let before = stamps(folder, MOST).ok().flatten();
        let bytes = std::fs::read(file)?;
        Ok(Self { folder: folder.to_owned(), before, file: file.to_owned(), cache: cache.to_owned(), bytes })
    }

    /// An error where something was written, the user's file as it was.
    pub fn check(&self) -> Result<(), RunnerError> {
        if std::fs::read(&self.file).ok().as_ref() != Some(&self.bytes) {
            // The error below is the better one to tell.
            let _ = std::fs::write(&self.file, &self.bytes);
            return Err(self.writes_to_file());
        }
        let after = stamps(&self.folder, MOST).ok().flatten();
        if let (Some(before), Some(after)) = (&self.before, &after) {
            let mut changed = changes(before, after);
            changed.retain(|path| !self.is_own(&self.folder.join(path)));
            // Another run that was made at once may have put it back already.
            if changed.iter().any(|path| self.folder.join(path) == self.file) {
                return Err(self.writes_to_file());
            }
            if !changed.is_empty() {
                return Err(writes(&listed(&changed)));
            }
        }
        Ok(())
    }

    /// Of a new folder only itself is told: the cache may be deeper in it.
    fn is_own(&self, path: &Utf8Path) -> bool {
        path.starts_with(&self.cache) || self.cache.starts_with(path)
    }

    fn writes_to_file(&self) -> RunnerError {
        writes(&format!("{} (put back as it was)", self.file))
    }
}

/// The first few of several paths.
pub fn listed(paths: &[Utf8PathBuf]) -> String {
    const FEW: usize = 3;
    let few: Vec<&str> = paths.iter().take(FEW).map(|path| path.as_str()).collect();
    let more = if paths.len() > FEW { format!(" and {} more", paths.len() - FEW) } else { String::new() };
    few.join(", ") + &more
}

fn writes(what: &str) -> RunnerError {
    RunnerError {
        code: ErrorCode::WritesIntoTree,
        message: format!("the command writes into your folder: {what}"),
        help: "leave {} out of the command: then it runs in a private copy of the folder; or let it write elsewhere".to_owned(),
    }
}
