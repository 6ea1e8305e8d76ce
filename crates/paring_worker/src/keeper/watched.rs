//! A project's files by size and time, for what no worker sees: child processes, native code.
//!
//! The list is made, and what git could not give back is read, while the workers start. What differs after a run and was touched
//! since the run began is undone, and kept aside. Somebody else may have touched it, such as the user in an editor: that is found out
//! by making the run again ([`doubts`]).

mod contents;
mod doubts;
mod listing;

use super::put_back::{keep_aside, kept_aside, place_file, remove, settle};
use crate::system;
use camino::{Utf8Path, Utf8PathBuf};
use contents::Contents;
use doubts::Doubts;
use listing::{Entry, Listing, list};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

/// Of more files no list is made.
const MOST: usize = 50_000;

pub struct Watched {
    root: Utf8PathBuf,
    /// Made by paring, which may take it away again.
    is_own: bool,
    except: Vec<Utf8PathBuf>,
    making: Mutex<Option<JoinHandle<Option<Known>>>>,
    known: OnceLock<Option<Mutex<Known>>>,
}

/// The files as they were before the first run.
struct Known {
    listing: Listing,
    contents: Contents,
    doubts: Doubts,
}

/// The runs after which one looks.
pub struct Runs {
    /// When the first of them began, as files tell the time.
    pub began: i64,
    /// What identifies each.
    pub which: BTreeSet<u64>,
    /// Whether it was only one.
    pub is_single: bool,
}

/// What was found to be changed.
#[derive(Debug, Default)]
pub struct Undone {
    pub changed: Vec<Utf8PathBuf>,
    /// The runs have to be made again, to learn whether they changed some of it or somebody else did.
    pub is_doubtful: bool,
    /// Changes of somebody else's, which were undone for a while and are there again.
    pub others: Vec<Utf8PathBuf>,
    /// What could not be undone, and why.
    pub lost: Vec<(Utf8PathBuf, String)>,
    /// The project, where it has no list.
    pub unwatched: Option<Utf8PathBuf>,
}

impl Watched {
    /// Begins to list the files below `root`, but for those below one of `except`. The folder `copies` is for
    /// contents that are put back.
    pub fn start(root: Utf8PathBuf, is_own: bool, except: Vec<Utf8PathBuf>, copies: Utf8PathBuf) -> Self {
        let (listed, excepted) = (root.clone(), except.clone());
        let making = std::thread::spawn(move || {
            let listing = list(&listed, &excepted, MOST)?;
            let contents = Contents::keep(&listed, &listing, copies);
            Some(Known { listing, contents, doubts: Doubts::default() })
        });
        Self { root, is_own, except, making: Mutex::new(Some(making)), known: OnceLock::new() }
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    pub fn except(&self) -> &[Utf8PathBuf] {
        &self.except
    }

    /// Whether paring itself has taken it away.
    pub fn is_gone(&self) -> bool {
        self.is_own && !self.root.exists()
    }

    pub fn wait_until_listed(&self) {
        self.known();
    }

    fn known(&self) -> Option<&Mutex<Known>> {
        let made = || {
            let making = self.making.lock().unwrap_or_else(PoisonError::into_inner).take();
            making.and_then(|thread| thread.join().ok().flatten()).map(Mutex::new)
        };
        self.known.get_or_init(made).as_ref()
    }

    /// Undoes what was changed since the runs began, but for what was `loaded`, which is put back later. What else differs is the
    /// user's own work.
    pub fn undo(&self, runs: &Runs, loaded: &[Utf8PathBuf], aside: &Utf8Path) -> Undone {
        let now = list(&self.root, &self.except, MOST);
        if self.is_gone() {
            return Undone::default();
        }
        let (Some(known), Some(now)) = (self.known(), now) else {
            return Undone { unwatched: Some(self.root.clone()), ..Undone::default() };
        };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = &mut *known;
        let single = runs.which.first().copied().filter(|_| runs.is_single);
        let asked = single.map(|run| known.doubts.asked_of(run)).unwrap_or_default();
        let mut undone = Undone::default();
        for path in differing(&known.listing, &now) {
            let (was, is) = (known.listing.get(&path), now.get(&path));
            let there = self.root.join(&path);
            if loaded.iter().any(|path| there.starts_with(path)) {
                continue;
            }
            if let Some(is) = is.filter(|is| is.touched < runs.began) {
                known.contents.read(&path, is);
                known.listing.insert(path, is.clone());
                continue;
            }
            undone.is_doubtful |= !known.doubts.is_own(&path, was.is_none(), is, &runs.which, &asked);
            match self.undo_one(&path, was, &known.contents, aside) {
                Ok(()) => undone.changed.push(there),
                Err(error) => undone.lost.push((there, error.to_string())),
            }
        }
        let others = single.map(|run| known.doubts.answer(run, &asked)).unwrap_or_default();
        for (path, found) in others {
            let there = self.root.join(&path);
            match give_back(&there, found.as_ref(), aside) {
                Ok(()) => undone.others.push(there),
                Err(error) => undone.lost.push((there, error.to_string())),
            }
            if let Some(found) = found {
                known.contents.read(&path, &found);
            }
        }
        let is_as_known = undone.changed.is_empty() && undone.lost.is_empty() && undone.others.is_empty();
        if !is_as_known || known.listing.len() != now.len() {
            known.listing = list(&self.root, &self.except, usize::MAX).unwrap_or_default();
        }
        undone
    }

    fn undo_one(
        &self,
        path: &Utf8Path,
        was: Option<&Entry>,
        contents: &Contents,
        aside: &Utf8Path,
    ) -> io::Result<()> {
        let there = self.root.join(path);
        // First what is to be put back: without it nothing is taken away.
        let copy = match was {
            Some(Entry { kind: listing::Kind::File { length }, .. }) => Some(contents.of(path, *length)?),
            Some(_) | None => None,
        };
        keep_aside(&there, Some(aside))?;
        let is_folder = was.is_some_and(|was| was.kind == listing::Kind::Folder);
        if there
            .symlink_metadata()
            .is_ok_and(|now| !(now.is_file() && copy.is_some() || now.is_dir() && is_folder))
        {
            remove(&there)?;
        }
        match was.map(|was| (&was.kind, was)) {
            Some((listing::Kind::File { .. }, was)) => {
                let copy = copy.expect("a file's contents were just looked up");
                place_file(&copy, &there)?;
                settle(&there, was.mode, was.modified).map(drop)
            }
            Some((listing::Kind::Folder, was)) => {
                fs::create_dir_all(&there)?;
                system::set_mode(&there, was.mode)
            }
            Some((listing::Kind::Link { target }, _)) => system::link(target, &there),
            Some((listing::Kind::Other, _)) => Err(io::Error::other("it is no file, folder or link")),
            None => Ok(()),
        }
    }
}

/// Makes again what somebody else had changed, from what was kept aside.
fn give_back(there: &Utf8Path, found: Option<&Entry>, aside: &Utf8Path) -> io::Result<()> {
    let Some(found) = found else { return remove(there) };
    match &found.kind {
        listing::Kind::File { .. } => {
            place_file(&kept_aside(there, aside), there)?;
            settle(there, found.mode, found.modified).map(drop)
        }
        listing::Kind::Folder => {
            place_all(&kept_aside(there, aside), there)?;
            system::set_mode(there, found.mode)
        }
        listing::Kind::Link { target } => system::link(target, there),
        listing::Kind::Other => Err(io::Error::other("it is no file, folder or link")),
    }
}

fn place_all(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let (entry, inner) = entry.map(|entry| (entry.path().to_owned(), to.join(entry.file_name())))?;
        if entry.is_dir() { place_all(&entry, &inner)? } else { place_file(&entry, &inner)? }
    }
    Ok(())
}

/// Paths that are not the same, or not there, before and after, parents first. Of a new folder only itself.
fn differing(before: &Listing, after: &Listing) -> Vec<Utf8PathBuf> {
    let is_new = |path: &Utf8Path| !path.as_str().is_empty() && !before.contains_key(path);
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let other = after.iter().filter(|(path, now)| match before.get(*path) {
        Some(was) => !was.is_like(now),
        None => !path.parent().is_some_and(is_new),
    });
    let mut paths: Vec<Utf8PathBuf> = gone.chain(other.map(|(path, _)| path)).cloned().collect();
    paths.sort();
    paths
}
