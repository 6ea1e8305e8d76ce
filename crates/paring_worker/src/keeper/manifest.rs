//! What a worker writes down of a file before the test touches it.
//!
//! The folder of a run has a file `manifest`: one JSON object per line, in the order in which they were saved, and the copies that
//! the lines name. A copy is complete before its line is written, and the line is written, by one `write` in append mode, before
//! the file is touched. So the first line of a path tells what it was, whoever else writes lines at the same time.
//!
//! An empty file `pid-N` names each process that saves there. A run that is about to write what another run has claimed (a file in
//! the folder of claims, named by a hash of the path, holding the name of the run's folder) writes an empty file `met` and ends
//! itself.

use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

/// What was at one path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// Absolute, with no link in it but perhaps the last part.
    pub path: Utf8PathBuf,
    #[serde(flatten)]
    pub was: Was,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "was", rename_all = "snake_case")]
pub enum Was {
    /// Nothing.
    Absent,
    File {
        /// The name of the copy, in the folder of the run.
        copy: String,
        /// Permission bits.
        mode: u32,
        /// Nanoseconds since 1970.
        modified: i64,
        /// 0 where it is not known.
        #[serde(default)]
        inode: u64,
    },
    Folder {
        mode: u32,
    },
    Link {
        target: Utf8PathBuf,
    },
    /// Something that was not saved.
    Unsaved {
        why: String,
    },
    /// Not in a project: it is not saved.
    Outside,
}

/// The lines of a run's folder; none where nothing was saved. What a kill cut off is left out: its file was not touched.
pub fn read(folder: &Utf8Path) -> Vec<Line> {
    let bytes = std::fs::read(folder.join("manifest")).unwrap_or_default();
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Whether something of a project was saved in a run's folder, and so may be written by now.
pub fn tells_of_project(folder: &Utf8Path) -> bool {
    read(folder).iter().any(|line| line.was != Was::Outside)
}
