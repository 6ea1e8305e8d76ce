//! [`SpectrumStore`]: what each test of a suite ran, on disk, so that only tests whose files changed run again.
//!
//! One file per suite in the cache folder, to which a test is added as soon as it is over; of several with one name the last counts.
//! A line is the beginning of its SHA-256 and a JSON value. Paths and stamps are written once and named by their numbers. Nothing
//! here is worth an error: what cannot be read is run again.

use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{KeptTest, KeptUnit, Known, Observation, Part, Spectra, Stamp, digest};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::time::SystemTime;

/// What a file of this form starts with.
const HEADER: &str = concat!("paring.spectrum/2 of ", env!("CARGO_PKG_VERSION"));
/// Characters of the digest before each line.
const N_CHECK: usize = 16;
/// So many units that others have taken the place of are borne.
const MAX_OUTDATED: usize = 1000;

pub struct SpectrumStore {
    known: BTreeMap<String, Known>,
    /// `None` where nothing can be written.
    writer: RefCell<Option<Writer>>,
    /// Why nothing is known, where that is worth a word.
    pub note: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Header(String),
    /// Has the next number.
    Path(Utf8PathBuf),
    /// Has the next number; its path is one.
    Stamp(usize, Part, String),
    Unit(UnitLine),
}

#[derive(Serialize, Deserialize)]
struct UnitLine {
    name: String,
    at: u64,
    tests: Vec<TestLine>,
    stamps: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
struct TestLine {
    id: String,
    file: usize,
    observation: Observation,
    /// Of each file the first lines and lengths of stretches.
    lines: Vec<(usize, Vec<(u32, u32)>)>,
}

impl SpectrumStore {
    /// Opens the file of a suite, or makes it.
    pub fn open(folder: &Utf8Path, suite: &str) -> Self {
        let path = folder.join(format!("{suite}.jsonl"));
        let nothing =
            |note: String| Self { known: BTreeMap::new(), writer: RefCell::new(None), note: Some(note) };
        let opened = std::fs::create_dir_all(folder).and_then(|()| {
            OpenOptions::new().create(true).read(true).write(true).truncate(false).open(&path)
        });
        let mut file = match opened {
            Ok(file) => file,
            Err(error) => {
                return nothing(format!("what tests run is not kept, {path} cannot be opened: {error}"));
            }
        };
        // Where there are no locks, two at once write what the checks find out.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return nothing(
                "another paring works on this suite: all tests ran, and nothing of that is kept".to_owned(),
            );
        }
        let mut bytes = Vec::new();
        let read =
            file.read_to_end(&mut bytes).map_err(|_| "cannot be read").and_then(|_| Contents::read(&bytes));
        let (contents, note) = match read {
            Ok(contents) => (contents, None),
            Err(why) => {
                (Contents::default(), Some(format!("what was kept of earlier runs {why}: all tests ran")))
            }
        };
        let writer = Writer::start(file, &contents).ok();
        Self { known: contents.known, writer: RefCell::new(writer), note }
    }
}

impl Spectra for SpectrumStore {
    fn known(&self) -> Vec<Known> {
        self.known.values().cloned().collect()
    }

    fn keep(&self, unit: &KeptUnit) {
        let mut writer = self.writer.borrow_mut();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        if writer.as_mut().is_some_and(|writer| writer.unit(unit, now).is_err()) {
            *writer = None;
        }
    }
}

/// What a file holds.
#[derive(Default)]
struct Contents {
    paths: Vec<Utf8PathBuf>,
    stamps: Vec<Arc<Stamp>>,
    known: BTreeMap<String, Known>,
    n_units: usize,
    /// Bytes of whole lines.
    n_bytes: usize,
}

impl Contents {
    /// A last line that a kill has cut is left out; anything else that is wrong spoils all.
    fn read(bytes: &[u8]) -> Result<Self, &'static str> {
        const DAMAGED: &str = "is damaged";
        let mut contents = Self::default();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let Some(line) = line.strip_suffix(b"\n") else { break };
            let (told, json) = line.split_at_checked(N_CHECK).ok_or(DAMAGED)?;
            if told != check(json).as_bytes() {
                return Err(DAMAGED);
            }
            let line = serde_json::from_slice::<Line>(json).map_err(|_| "is of another version")?;
            contents.take(line, contents.n_bytes == 0)?;
            contents.n_bytes += N_CHECK + json.len() + 1;
        }
        Ok(contents)
    }

    fn take(&mut self, line: Line, is_first: bool) -> Result<(), &'static str> {
        const LOST: &str = "is damaged";
        match line {
            Line::Header(header) if is_first && header == HEADER => {}
            Line::Header(_) => return Err("is of another version"),
            Line::Path(_) | Line::Stamp(..) | Line::Unit(_) if is_first => return Err(LOST),
            Line::Path(path) => self.paths.push(path),
            Line::Stamp(path, part, digest) => {
                let path = self.paths.get(path).ok_or(LOST)?.clone();
                self.stamps.push(Arc::new(Stamp { path, part, digest }));
            }
            Line::Unit(unit) => {
                let known = self.unit(unit).ok_or(LOST)?;
                self.n_units += 1;
                self.known.insert(known.unit.name.clone(), known);
            }
        }
        Ok(())
    }

    fn unit(&self, unit: UnitLine) -> Option<Known> {
        let at = unit.at;
        let stamps = unit.stamps.iter().map(|&idx| self.stamps.get(idx).cloned());
        let tests = unit.tests.into_iter().map(|test| {
            let lines =
                test.lines.iter().map(|(path, runs)| Some((self.paths.get(*path)?.clone(), lines(runs))));
            Some(KeptTest {
                id: test.id,
                file: self.paths.get(test.file)?.clone(),
                observation: test.observation,
                lines: lines.collect::<Option<_>>()?,
            })
        });
        let unit = KeptUnit {
            name: unit.name,
            tests: tests.collect::<Option<_>>()?,
            stamps: stamps.collect::<Option<_>>()?,
        };
        Some(Known { unit, at })
    }
}

struct Writer {
    file: File,
    paths: HashMap<Utf8PathBuf, usize>,
    stamps: HashMap<Arc<Stamp>, usize>,
}

impl Writer {
    /// Goes on behind what the file holds. Starts anew where that is nothing, or mostly outdated.
    fn start(mut file: File, contents: &Contents) -> std::io::Result<Self> {
        let is_outdated = contents.n_units > 2 * contents.known.len() + MAX_OUTDATED;
        let n_kept = if is_outdated { 0 } else { contents.n_bytes };
        file.set_len(n_kept as u64)?;
        file.seek(SeekFrom::Start(n_kept as u64))?;
        let mut writer = Self { file, paths: HashMap::new(), stamps: HashMap::new() };
        if n_kept > 0 {
            let paths = contents.paths.iter().enumerate().map(|(idx, path)| (path.clone(), idx));
            let stamps = contents.stamps.iter().enumerate().map(|(idx, stamp)| (Arc::clone(stamp), idx));
            (writer.paths, writer.stamps) = (paths.collect(), stamps.collect());
            return Ok(writer);
        }
        writer.file.write_all(text(&Line::Header(HEADER.to_owned()))?.as_bytes())?;
        // Tests that were removed go with the rest.
        let is_there = |known: &&Known| known.unit.tests.iter().all(|test| test.file.is_file());
        for Known { unit, at } in contents.known.values().filter(is_there) {
            writer.unit(unit, *at)?;
        }
        Ok(writer)
    }

    fn unit(&mut self, unit: &KeptUnit, at: u64) -> std::io::Result<()> {
        let mut new = String::new();
        let mut tests = Vec::new();
        for test in &unit.tests {
            let mut lines = Vec::new();
            for (path, those) in &test.lines {
                lines.push((self.path(path, &mut new)?, stretches(those)));
            }
            let file = self.path(&test.file, &mut new)?;
            tests.push(TestLine { id: test.id.clone(), file, observation: test.observation.clone(), lines });
        }
        let stamps = unit.stamps.iter().map(|stamp| self.stamp(stamp, &mut new)).collect::<Result<_, _>>()?;
        new += &text(&Line::Unit(UnitLine { name: unit.name.clone(), at, tests, stamps }))?;
        self.file.write_all(new.as_bytes())
    }

    fn path(&mut self, path: &Utf8PathBuf, new: &mut String) -> std::io::Result<usize> {
        if let Some(&idx) = self.paths.get(path) {
            return Ok(idx);
        }
        *new += &text(&Line::Path(path.clone()))?;
        self.paths.insert(path.clone(), self.paths.len());
        Ok(self.paths.len() - 1)
    }

    fn stamp(&mut self, stamp: &Arc<Stamp>, new: &mut String) -> std::io::Result<usize> {
        if let Some(&idx) = self.stamps.get(stamp) {
            return Ok(idx);
        }
        let path = self.path(&stamp.path, new)?;
        *new += &text(&Line::Stamp(path, stamp.part, stamp.digest.clone()))?;
        self.stamps.insert(Arc::clone(stamp), self.stamps.len());
        Ok(self.stamps.len() - 1)
    }
}

fn text(line: &Line) -> std::io::Result<String> {
    let json = serde_json::to_string(line)?;
    Ok(format!("{}{json}\n", check(json.as_bytes())))
}

fn check(json: &[u8]) -> String {
    digest(json)[..N_CHECK].to_owned()
}

/// Sorted lines as stretches without a gap.
fn stretches(lines: &[u32]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match runs.last_mut() {
            Some((first, n_lines)) if *first + *n_lines == line => *n_lines += 1,
            Some(_) | None => runs.push((line, 1)),
        }
    }
    runs
}

fn lines(stretches: &[(u32, u32)]) -> Vec<u32> {
    stretches.iter().flat_map(|&(first, n_lines)| first..first.saturating_add(n_lines)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn open(&self) -> SpectrumStore {
            SpectrumStore::open(Utf8Path::from_path(self.0.path()).unwrap(), "suite")
        }

        fn file(&self) -> std::path::PathBuf {
            self.0.path().join("suite.jsonl")
        }
    }

    fn unit(name: &str, digest: &str) -> KeptUnit {
        let stamp = |path: &str, part| Arc::new(Stamp { path: path.into(), part, digest: digest.to_owned() });
        let test = KeptTest {
            id: name.to_owned(),
            file: "/p/test_a.py".into(),
            observation: Observation::Passed,
            lines: vec![("/p/a.py".into(), vec![1, 2, 3, 7, 9, 10]), ("/p/b.py".into(), vec![])],
        };
        let stamps = vec![
            stamp("", Part::Surroundings),
            stamp("/p/a.py", Part::Whole),
            stamp("/p/a.py", Part::Loaded),
        ];
        KeptUnit { name: name.to_owned(), tests: vec![test], stamps }
    }

    fn units(store: &SpectrumStore) -> Vec<KeptUnit> {
        store.known().into_iter().map(|known| known.unit).collect()
    }

    #[test]
    fn what_was_kept_is_known_again_and_the_last_of_a_name_counts() {
        let place = Place::new();
        let store = place.open();
        store.keep(&unit("one", "old"));
        store.keep(&unit("two", "old"));
        store.keep(&unit("one", "new"));
        assert_eq!(units(&store), [], "what this run sees is for the next");
        drop(store);
        let store = place.open();
        assert_eq!(store.note, None);
        assert_eq!(units(&store), [unit("one", "new"), unit("two", "old")]);
        store.keep(&unit("three", "old"));
        drop(store);
        assert_eq!(units(&place.open()).len(), 3, "it goes on where it was");
    }

    #[test]
    fn a_line_cut_by_a_kill_is_left_out_and_overwritten() {
        let place = Place::new();
        place.open().keep(&unit("one", "old"));
        let mut bytes = std::fs::read(place.file()).unwrap();
        bytes.extend(b"0123456789abcdef{\"unit\":{\"na");
        std::fs::write(place.file(), &bytes).unwrap();
        let store = place.open();
        assert_eq!((store.note.as_ref(), units(&store).len()), (None, 1));
        store.keep(&unit("two", "old"));
        drop(store);
        assert_eq!(units(&place.open()).len(), 2);
    }

    #[test]
    fn a_damaged_store_and_one_of_another_version_are_told_and_start_anew() {
        let place = Place::new();
        let other = "{\"header\":\"paring.spectrum/0 of 0.0.1\"}";
        let other = format!("{}{other}\n", check(other.as_bytes()));
        place.open().keep(&unit("one", "old"));
        let good = std::fs::read_to_string(place.file()).unwrap();
        let cases = [
            (good.replace("a.py", "c.py"), "is damaged"),
            ("\0\0\0\n".to_owned(), "is damaged"),
            (other, "is of another version"),
        ];
        for (text, why) in cases {
            std::fs::write(place.file(), &text).unwrap();
            let store = place.open();
            assert_eq!(
                store.note,
                Some(format!("what was kept of earlier runs {why}: all tests ran")),
                "{text}"
            );
            assert_eq!(units(&store), []);
            store.keep(&unit("two", "old"));
            drop(store);
            assert_eq!(units(&place.open()).len(), 1);
        }
    }

    #[test]
    fn a_store_that_another_holds_is_left_alone() {
        let place = Place::new();
        let first = place.open();
        first.keep(&unit("one", "old"));
        let second = place.open();
        assert!(
            second.note.as_ref().is_some_and(|note| note.starts_with("another paring")),
            "{:?}",
            second.note
        );
        second.keep(&unit("two", "old"));
        assert_eq!(units(&second), []);
        drop((first, second));
        assert_eq!(units(&place.open()).len(), 1);
    }

    #[test]
    fn outdated_units_are_not_kept_for_ever() {
        let place = Place::new();
        let store = place.open();
        for _ in 0..MAX_OUTDATED + 10 {
            store.keep(&unit("one", "old"));
        }
        drop(store);
        let n_bytes = std::fs::metadata(place.file()).unwrap().len();
        drop(place.open());
        assert!(std::fs::metadata(place.file()).unwrap().len() < n_bytes / 100);
    }
}
