//! The user's project, as far as running its tests goes.

use camino::{Utf8Path, Utf8PathBuf};
use paring_model::Listening;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Where pytest is started; target ids are relative to it.
    pub cwd: Utf8PathBuf,
    pub python: Utf8PathBuf,
    /// The user's own arguments for pytest.
    pub pytest_args: Vec<String>,
    /// Extends and replaces the inherited environment.
    pub env: Vec<(String, String)>,
    pub good: Option<GoodVersion>,
    /// How many workers run at once.
    pub jobs: usize,
    /// Bytes of data a run may have.
    pub memory_limit: Option<u64>,
    /// Where paring may write: the worker's sources and compiled modules.
    pub cache_dir: Utf8PathBuf,
    /// What traced runs heed beside the test.
    pub listening: Listening,
}

/// A version of the project on which the test passes. The test file is the current one there too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoodVersion {
    pub cwd: Utf8PathBuf,
    pub env: Vec<(String, String)>,
    /// Where its code lies; `None` where the variables alone make it another.
    pub tree: Option<Tree>,
}

/// The folder of the present code, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub present: Utf8PathBuf,
    pub other: Utf8PathBuf,
}

impl Project {
    /// The file of the current version in another: at the same place relative to where pytest is started.
    pub(super) fn file_in(&self, cwd: &Utf8Path, tree: Option<&Tree>, file: &Utf8Path) -> Utf8PathBuf {
        if let Ok(relative) = file.strip_prefix(&self.cwd) {
            return cwd.join(relative);
        }
        let in_tree = tree.and_then(|tree| Some(tree.other.join(file.strip_prefix(&tree.present).ok()?)));
        in_tree.filter(|file| file.is_file()).unwrap_or_else(|| file.to_owned())
    }
}
