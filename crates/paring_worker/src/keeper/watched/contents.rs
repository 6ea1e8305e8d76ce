//! The contents of a project's files as they were before the first run: git has most of them, the others are copied.

use super::listing::{Kind, Listing};
use crate::keeper::put_back::place_file;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::process::{Command, Stdio};

/// Of one file, and of all copies.
const MOST_BYTES_OF_ONE: u64 = 16 << 20;
const MOST_BYTES: u64 = 64 << 20;
const MOST_COPIES: usize = 5_000;

pub struct Contents {
    root: Utf8PathBuf,
    /// Copies, and what git gave back, by number.
    folder: Utf8PathBuf,
    kept: BTreeMap<Utf8PathBuf, Kept>,
}

enum Kept {
    Copy(Utf8PathBuf),
    /// The name of an object.
    Git(String),
}

impl Contents {
    pub fn keep(root: &Utf8Path, listing: &Listing, folder: Utf8PathBuf) -> Self {
        let mut kept: BTreeMap<Utf8PathBuf, Kept> = BTreeMap::new();
        let (mut n_bytes, mut n_copies) = (0, 0);
        let mut clean = clean_objects(root).unwrap_or_default();
        for (path, entry) in listing {
            let Kind::File { length } = entry.kind else { continue };
            if let Some(object) = clean.remove(path) {
                kept.insert(path.clone(), Kept::Git(object));
                continue;
            }
            n_bytes += length;
            if length > MOST_BYTES_OF_ONE || n_bytes > MOST_BYTES || n_copies == MOST_COPIES {
                n_bytes -= length;
                continue;
            }
            let copy = folder.join(n_copies.to_string());
            // One that cannot be read cannot be put back: that is said if a run changes it.
            if place_file(&root.join(path), &copy).is_ok() {
                n_copies += 1;
                kept.insert(path.clone(), Kept::Copy(copy));
            }
        }
        Self { root: root.to_owned(), folder, kept }
    }

    /// A file with the contents that another had.
    pub fn of(&self, path: &Utf8Path, length: u64) -> io::Result<Utf8PathBuf> {
        let copy = match self.kept.get(path) {
            None => return Err(io::Error::other("there is no copy of what was in it")),
            Some(Kept::Copy(copy)) => copy.clone(),
            Some(Kept::Git(object)) => {
                let bytes = git(&self.root, &["cat-file", "--filters", &format!("--path={path}"), object])?;
                let copy = self.folder.join("from-git");
                fs::create_dir_all(&self.folder)?;
                fs::write(&copy, bytes)?;
                copy
            }
        };
        if copy.metadata()?.len() == length {
            Ok(copy)
        } else {
            Err(io::Error::other("what git has of it is not what was in it"))
        }
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
