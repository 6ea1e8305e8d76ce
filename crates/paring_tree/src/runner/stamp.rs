//! What the entries of a folder look like from outside: enough to see that one was written to.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::time::SystemTime;

/// Entries by their paths below the folder.
pub type Stamps = BTreeMap<Utf8PathBuf, Stamp>;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stamp {
    Folder,
    File {
        length: u64,
        modified: Option<SystemTime>,
    },
    /// A link, a pipe, a device.
    Other,
}

impl Stamp {
    pub fn of(metadata: &Metadata) -> Self {
        if metadata.is_dir() {
            Stamp::Folder
        } else if metadata.is_file() {
            Stamp::File { length: metadata.len(), modified: metadata.modified().ok() }
        } else {
            Stamp::Other
        }
    }
}

/// Every entry below a folder, versions kept by git not among them; `None` where there are more than `most`.
pub fn stamps(folder: &Utf8Path, most: usize) -> std::io::Result<Option<Stamps>> {
    let mut found = Stamps::new();
    let mut open = vec![Utf8PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in folder.join(&below).read_dir_utf8()? {
            let entry = entry?;
            if is_skipped(entry.file_name()) {
                continue;
            }
            let path = below.join(entry.file_name());
            // A file may go while one looks.
            let Ok(metadata) = std::fs::symlink_metadata(entry.path()) else { continue };
            let stamp = Stamp::of(&metadata);
            if stamp == Stamp::Folder {
                open.push(path.clone());
            }
            found.insert(path, stamp);
            if found.len() > most {
                return Ok(None);
            }
        }
    }
    Ok(Some(found))
}

/// What no command needs to show a failure, and what may be large.
pub fn is_skipped(name: &str) -> bool {
    name == ".git"
}

/// Paths that are not the same, or not there, before and after; of a new folder only itself.
pub fn changes(before: &Stamps, after: &Stamps) -> Vec<Utf8PathBuf> {
    let is_new = |path: &Utf8Path| !before.contains_key(path);
    let is_within_new =
        |path: &Utf8Path| path.parent().is_some_and(|up| !up.as_str().is_empty() && is_new(up));
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let other = after.iter().filter(|(path, stamp)| before.get(*path) != Some(stamp) && !is_within_new(path));
    gone.chain(other.map(|(path, _)| path)).cloned().collect()
}
