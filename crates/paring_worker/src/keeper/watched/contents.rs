//! The contents of a project's files as they were before the first run: git has most of them, the others are read.

use super::listing::{Entry, Kind, Listing};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::process::{Command, Stdio};

/// Of one file, and of all that are read.
const MOST_BYTES_OF_ONE: u64 = 16 << 20;
const MOST_BYTES: u64 = 64 << 20;
const MOST_FILES: usize = 5_000;

pub struct Contents {
    root: Utf8PathBuf,
    /// Where contents are written that are asked for.
    folder: Utf8PathBuf,
    kept: BTreeMap<Utf8PathBuf, Kept>,
    n_bytes: u64,
    n_files: usize,
}

enum Kept {
    /// In memory: hardly ever is one of them asked for, and thousands of small files take long to make and to remove.
    Bytes(Vec<u8>),
    /// The name of an object.
    Git(String),
}

impl Contents {
    pub fn keep(root: &Utf8Path, listing: &Listing, folder: Utf8PathBuf) -> Self {
        let mut clean = clean_objects(root).unwrap_or_default();
        let mut contents =
            Self { root: root.to_owned(), folder, kept: BTreeMap::new(), n_bytes: 0, n_files: 0 };
        for (path, entry) in listing {
            match clean.remove(path) {
                Some(object) => drop(contents.kept.insert(path.clone(), Kept::Git(object))),
                None => contents.read(path, entry),
            }
        }
        contents
    }

    /// Keeps what is in a file now. Of one that is too large, or cannot be read, nothing is known: that is said if a run changes it.
    pub fn read(&mut self, path: &Utf8Path, entry: &Entry) {
        self.kept.remove(path);
        let Kind::File { length } = entry.kind else { return };
        if length > MOST_BYTES_OF_ONE || self.n_bytes + length > MOST_BYTES || self.n_files == MOST_FILES {
            return;
        }
        if let Ok(bytes) = fs::read(self.root.join(path)) {
            (self.n_bytes, self.n_files) = (self.n_bytes + length, self.n_files + 1);
            self.kept.insert(path.to_owned(), Kept::Bytes(bytes));
        }
    }

    /// A file with the contents that another had.
    pub fn of(&self, path: &Utf8Path, length: u64) -> io::Result<Utf8PathBuf> {
        let from_git;
        let bytes = match self.kept.get(path) {
            None => return Err(io::Error::other("nobody knows what was in it")),
            Some(Kept::Bytes(bytes)) => bytes,
            Some(Kept::Git(object)) => {
                from_git = git(&self.root, &["cat-file", "--filters", &format!("--path={path}"), object])?;
                &from_git
            }
        };
        if u64::try_from(bytes.len()) != Ok(length) {
            return Err(io::Error::other("what is known of it is not what was in it"));
        }
        let copy = self.folder.join("copy");
        fs::create_dir_all(&self.folder)?;
        fs::write(&copy, bytes)?;
        Ok(copy)
    }
}

/// The objects of the files that git knows and that nobody has edited, by path.
fn clean_objects(root: &Utf8Path) -> Option<BTreeMap<Utf8PathBuf, String>> {
    if !root.join(".git").exists() {
        return None;
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let staged = text(git(root, &["ls-files", "--stage", "-z"]).ok()?);
    let edited = text(git(root, &["diff-files", "--name-only", "-z"]).ok()?);
    let edited: BTreeSet<&str> = edited.split('\0').collect();
    let files = staged.split('\0').filter_map(|line| {
        let (head, path) = line.split_once('\t')?;
        let mut head = head.split(' ');
        let (mode, object, stage) = (head.next()?, head.next()?, head.next()?);
        let is_plain = mode.starts_with("100") && stage == "0" && !edited.contains(path);
        is_plain.then(|| (Utf8PathBuf::from(path), object.to_owned()))
    });
    Some(files.collect())
}

/// What git answers. It writes nothing: not even the times it has looked up.
fn git(root: &Utf8Path, args: &[&str]) -> io::Result<Vec<u8>> {
    let output = Command::new("git")
        .args(args)
        .current_dir(root)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    if output.status.success() { Ok(output.stdout) } else { Err(io::Error::other("git does not have it")) }
}
