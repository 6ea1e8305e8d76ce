//! What the entries of a folder look like from outside: enough to see that one was written to.

use crate::system;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fs::Metadata;

/// Entries by their paths below the folder.
pub type Listing = BTreeMap<Utf8PathBuf, Entry>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub kind: Kind,
    pub mode: u32,
    /// Nanoseconds since 1970.
    pub modified: i64,
    /// When the entry itself was last changed: nobody can set that.
    pub touched: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    File { length: u64 },
    Folder,
    Link { target: Utf8PathBuf },
    Other,
}

impl Entry {
    fn of(path: &Utf8Path, metadata: &Metadata) -> Self {
        let kind = if metadata.is_dir() {
            Kind::Folder
        } else if metadata.is_file() {
            Kind::File { length: metadata.len() }
        } else if let Ok(target) = path.read_link_utf8() {
            Kind::Link { target }
        } else {
            Kind::Other
        };
        let (mode, modified) = (system::mode(metadata), system::modified(metadata));
        Self { kind, mode, modified, touched: system::touched(metadata) }
    }

    /// A folder's own time changes with what is in it, which has entries of its own.
    pub fn is_like(&self, other: &Self) -> bool {
        let same_time = self.modified == other.modified || !matches!(self.kind, Kind::File { .. });
        self.kind == other.kind && self.mode == other.mode && same_time
    }
}

/// Every entry below a folder; `None` where there are more than `most`. Of git's own folder, of environments and of caches that say
/// they are such only the folder itself.
pub fn list(root: &Utf8Path, except: &[Utf8PathBuf], most: usize) -> Option<Listing> {
    let mut found = Listing::new();
    let mut open = vec![Utf8PathBuf::new()];
    while let Some(below) = open.pop() {
        // A folder may go while one looks.
        let Ok(entries) = root.join(&below).read_dir_utf8() else { continue };
        for entry in entries.flatten() {
            if except.iter().any(|path| path == entry.path()) {
                continue;
            }
            let path = below.join(entry.file_name());
            let Ok(metadata) = entry.metadata() else { continue };
            let listed = Entry::of(entry.path(), &metadata);
            if listed.kind == Kind::Folder && !is_closed(entry.file_name(), entry.path()) {
                open.push(path.clone());
            }
            found.insert(path, listed);
            if found.len() > most {
                return None;
            }
        }
    }
    Some(found)
}

fn is_closed(name: &str, path: &Utf8Path) -> bool {
    matches!(name, ".git" | ".hg" | ".svn" | "node_modules")
        || ["pyvenv.cfg", "CACHEDIR.TAG"].iter().any(|mark| path.join(mark).exists())
}
