//! A temporary folder of one worker.

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::io;

/// Removed when dropped, or by the next start where paring was killed.
#[derive(Debug)]
pub struct Temporary {
    folder: Utf8PathBuf,
}

impl Temporary {
    pub fn create(folder: Utf8PathBuf) -> io::Result<Self> {
        fs::create_dir(&folder)?;
        Ok(Self { folder })
    }

    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// The variables by which programs find the folder for temporary files.
    pub fn env(&self) -> Vec<(String, String)> {
        ["TMPDIR", "TEMP", "TMP"].map(|name| (name.to_owned(), self.folder.to_string())).to_vec()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed now goes with the folder around it.
        let _ = super::put_back::remove(&self.folder);
    }
}
