//! Puts back what a manifest tells.
//!
//! In this order: folders are made accessible, what should not be there is removed, folders are made, files and links are written,
//! folders get their modes. Nothing outside of the projects is touched, whatever a manifest says.

use super::manifest::{Line, Was};
use crate::system;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::io;
use std::time::{Duration, UNIX_EPOCH};

#[derive(Debug, Default)]
pub struct Put {
    /// Paths that were not as they had been saved.
    pub changed: Vec<Utf8PathBuf>,
    /// Paths that could not be put back, and why.
    pub failed: Vec<(Utf8PathBuf, String)>,
}

/// Puts back what the lines tell, of paths below the roots. What it replaces is kept in the folder `aside` where there is one.
pub fn put_back(lines: &[Line], copies: &Utf8Path, roots: &[Utf8PathBuf], aside: Option<&Utf8Path>) -> Put {
    let mut first: BTreeMap<&Utf8Path, &Was> = BTreeMap::new();
    for line in lines.iter().filter(|line| is_ours(&line.path, roots)) {
        first.entry(&line.path).or_insert(&line.was);
    }
    let mut put = Put::default();
    let mut attempt = |path: &Utf8Path, result: io::Result<bool>| match result {
        Ok(true) if !put.changed.iter().any(|known| known == path) => put.changed.push(path.to_owned()),
        Ok(_) => {}
        Err(error) => put.failed.push((path.to_owned(), error.to_string())),
    };
    for (path, was) in &first {
        if matches!(was, Was::Folder { .. }) && path.is_dir() {
            attempt(path, make_accessible(path).map(|()| false));
        }
    }
    for (path, was) in &first {
        attempt(path, remove_what_differs(path, was, aside));
    }
    // A parent comes before what is in it.
    for (path, was) in &first {
        attempt(path, write(path, was, copies, aside));
    }
    for (path, was) in first.iter().rev() {
        if let Was::Folder { mode } = was {
            attempt(path, system::set_mode(path, *mode).map(|()| false));
        }
    }
    put
}

/// Below a root, and not git's own.
fn is_ours(path: &Utf8Path, roots: &[Utf8PathBuf]) -> bool {
    roots.iter().filter_map(|root| path.strip_prefix(root).ok()).any(|inside| {
        let mut parts = inside.components();
        let is_git = parts.next().is_some_and(|part| part.as_str() == ".git");
        !inside.as_str().is_empty() && !is_git && !inside.components().any(|part| part.as_str() == "..")
    })
}

/// Removes what is in the place of something else, or of nothing. Whether there was such a thing.
fn remove_what_differs(path: &Utf8Path, was: &Was, aside: Option<&Utf8Path>) -> io::Result<bool> {
    let Ok(now) = path.symlink_metadata() else { return Ok(false) };
    let fits = match was {
        Was::Absent => false,
        Was::File { inode, .. } => now.is_file() && system::inode(&now) == *inode,
        Was::Folder { .. } => now.is_dir(),
        Was::Link { target } => path.read_link_utf8().is_ok_and(|found| found == *target),
        Was::Unsaved { .. } | Was::Outside => true,
    };
    if !fits {
        keep_aside(path, aside)?;
        remove(path)?;
    }
    Ok(!fits)
}

/// Removes whatever is there: of a link only the link.
pub fn remove(path: &Utf8Path) -> io::Result<()> {
    let now = path.symlink_metadata()?;
    if !now.is_dir() {
        return fs::remove_file(path);
    }
    fs::remove_dir_all(path).or_else(|_| {
        make_all_accessible(path)?;
        fs::remove_dir_all(path)
    })
}

/// Makes what is missing, and gives a file its contents, mode and time. Whether anything had to be done.
fn write(path: &Utf8Path, was: &Was, copies: &Utf8Path, aside: Option<&Utf8Path>) -> io::Result<bool> {
    match was {
        Was::File { copy, mode, modified, .. } => {
            let copy = copies.join(copy);
            let is_same = path.symlink_metadata().is_ok() && same_contents(path, &copy)?;
            if !is_same {
                keep_aside(path, aside)?;
                place_file(&copy, path)?;
            }
            settle(path, *mode, *modified).map(|is_changed| is_changed || !is_same)
        }
        Was::Folder { .. } => match path.symlink_metadata() {
            Ok(_) => Ok(false),
            Err(_) => fs::create_dir_all(path).map(|()| true),
        },
        Was::Link { target } => match path.symlink_metadata() {
            Ok(_) => Ok(false),
            Err(_) => system::link(target, path).map(|()| true),
        },
        Was::Absent | Was::Unsaved { .. } | Was::Outside => Ok(false),
    }
}

/// Writes a file with the contents of another; a file that is there stays the same one.
pub fn place_file(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    if fs::copy(from, to).is_ok() {
        return Ok(());
    }
    if to.symlink_metadata().is_ok_and(|now| now.is_file()) {
        system::set_mode(to, 0o600)?;
    }
    fs::copy(from, to).map(drop)
}

/// Gives a file its mode and its time. Whether one of them was another.
pub fn settle(path: &Utf8Path, mode: u32, modified: i64) -> io::Result<bool> {
    let now = path.symlink_metadata()?;
    let (had_mode, had_time) = (system::mode(&now), system::modified(&now));
    if had_time != modified {
        // To set the time, the file must be open for writing, where the system wants that.
        let open = || File::options().append(true).open(path);
        let file = open().or_else(|_| system::set_mode(path, 0o600).and_then(|()| open()))?;
        let time = UNIX_EPOCH + Duration::from_nanos(u64::try_from(modified).unwrap_or(0));
        file.set_times(FileTimes::new().set_modified(time))?;
    }
    if system::mode(&path.symlink_metadata()?) != mode {
        system::set_mode(path, mode)?;
    }
    Ok(had_mode != mode || had_time != modified)
}

fn same_contents(one: &Utf8Path, other: &Utf8Path) -> io::Result<bool> {
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    // One that cannot be read is written anew.
    Ok(fs::read(one).ok().as_deref() == Some(&fs::read(other)?[..]))
}

/// Keeps a copy of what is about to be replaced or removed.
pub fn keep_aside(path: &Utf8Path, aside: Option<&Utf8Path>) -> io::Result<()> {
    let (Some(aside), Ok(now)) = (aside, path.symlink_metadata()) else { return Ok(()) };
    let there = kept_aside(path, aside);
    if now.is_file() {
        place_file(path, &there)
    } else if now.is_dir() {
        fs::create_dir_all(&there)?;
        path.read_dir_utf8()?.try_for_each(|entry| keep_aside(entry?.path(), Some(aside)))
    } else {
        Ok(())
    }
}

/// Where that copy is.
pub fn kept_aside(path: &Utf8Path, aside: &Utf8Path) -> Utf8PathBuf {
    aside.join(path.as_str().trim_start_matches('/').replace(':', ""))
}

fn make_accessible(folder: &Utf8Path) -> io::Result<()> {
    let mode = system::mode(&folder.symlink_metadata()?);
    if mode & 0o700 == 0o700 { Ok(()) } else { system::set_mode(folder, mode | 0o700) }
}

fn make_all_accessible(folder: &Utf8Path) -> io::Result<()> {
    make_accessible(folder)?;
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_all_accessible(entry.path())?;
        }
    }
    Ok(())
}
