//! What a test depends on, as far as can be seen, so that it need not run again while none of that changes.
//!
//! - Of the files whose functions it ran, of its own file and of the conftest files above it: all.
//! - Of the files that these import, and those import in turn: what runs when they are loaded. All of it where functions of such
//!   a file ran while it was loaded, or in a fixture that several tests share: that ran once, for whichever test came first.
//! - Files that were loaded and that nobody imports by name, such as plugins, are in force for all.
//! - The interpreter, what is installed, and the configuration of pytest.
//!
//! Data files, other variables of the environment, what code leaves behind for other tests: nobody sees that.

use super::message::Loaded;
use crate::frontend::{Loading, decode, loading};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Part, Stamp, digest};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

const CONFTEST: &str = "conftest.py";
/// Where pytest looks for its configuration.
const CONFIGURATION: [&str; 7] =
    ["pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];

/// Files as they are, and what imports what among those that are loaded.
pub struct Depends {
    cwd: Utf8PathBuf,
    files: Files,
    surroundings: Arc<Stamp>,
    /// Files with tests, as pytest's ids name them.
    test_files: BTreeSet<Utf8PathBuf>,
    loaded: BTreeSet<Utf8PathBuf>,
    shared: BTreeSet<Utf8PathBuf>,
    /// Of the files that are loaded by now.
    graph: Option<Graph>,
}

impl Depends {
    /// What changed after `began` is not what the tests ran on.
    pub fn new(cwd: &Utf8Path, began: SystemTime, surroundings: &str) -> Self {
        let surroundings = Stamp {
            path: Utf8PathBuf::new(),
            part: Part::Surroundings,
            digest: digest(surroundings.as_bytes()),
        };
        Self {
            cwd: cwd.to_owned(),
            files: Files { began, known: BTreeMap::new() },
            surroundings: Arc::new(surroundings),
            test_files: BTreeSet::new(),
            loaded: BTreeSet::new(),
            shared: BTreeSet::new(),
            graph: None,
        }
    }

    /// Whether all still is as it was.
    pub fn holds(&mut self, stamp: &Stamp) -> bool {
        match stamp.part {
            Part::Surroundings => *stamp == *self.surroundings,
            Part::Whole | Part::Loaded => {
                self.files.stamp(&stamp.path, stamp.part).is_some_and(|now| *now == *stamp)
            }
        }
    }

    pub fn collected(&mut self, nodeids: &[String]) {
        let files = nodeids.iter().filter_map(|id| id.split("::").next());
        self.test_files.extend(files.map(Utf8PathBuf::from));
        self.graph = None;
    }

    pub fn hear(&mut self, told: Loaded) {
        self.loaded.extend(told.paths.into_iter().map(Utf8PathBuf::from));
        self.shared.extend(told.shared.into_iter().map(Utf8PathBuf::from));
        self.graph = None;
    }

    /// The stamps of a test that is over; none where a file has changed meanwhile.
    pub fn stamps<'a>(
        &mut self,
        test_file: &'a Utf8Path,
        ran: impl Iterator<Item = &'a Utf8PathBuf>,
    ) -> Option<Vec<Arc<Stamp>>> {
        let own = std::iter::once(test_file.to_owned()).chain(ran.cloned());
        let own: BTreeSet<Utf8PathBuf> = own.chain(self.conftests(test_file)).collect();
        let n_loaded = self.loaded.len();
        // What ran was loaded, by whatever means.
        self.loaded.extend(own.iter().filter(|path| path.is_file()).cloned());
        if self.loaded.len() > n_loaded {
            self.graph = None;
        }
        let graph =
            self.graph.get_or_insert_with(|| Graph::of(&self.loaded, &self.test_files, &mut self.files));
        let mut parts: BTreeMap<&Utf8Path, Part> =
            graph.reached(&own).map(|path| (path, Part::Loaded)).collect();
        for (path, part) in &mut parts {
            if self.shared.contains(*path) {
                *part = Part::Whole;
            }
        }
        let whole = own.iter().map(Utf8PathBuf::as_path).chain(graph.unnamed());
        parts.extend(whole.map(|path| (path, Part::Whole)));
        let mut stamps = vec![Arc::clone(&self.surroundings)];
        for (path, part) in parts {
            stamps.push(self.files.stamp(path, part)?);
        }
        Some(stamps)
    }

    /// The conftest files above a test file, and those that would be in force if they were there.
    fn conftests(&self, test_file: &Utf8Path) -> Vec<Utf8PathBuf> {
        let folders = test_file.ancestors().skip(1);
        let files = folders.map(|folder| folder.join(CONFTEST));
        files.filter(|file| file.starts_with(&self.cwd) || self.loaded.contains(file)).collect()
    }
}

/// The files of pytest's configuration that may be in force for the paths, with their texts.
pub fn configuration(cwd: &Utf8Path, paths: &[String]) -> String {
    let places = paths.iter().map(|path| cwd.join(path.split("::").next().unwrap_or(path)));
    let places: Vec<Utf8PathBuf> = places.chain([cwd.to_owned()]).collect();
    let folders: BTreeSet<&Utf8Path> = places.iter().flat_map(|place| place.ancestors()).collect();
    let mut all = String::new();
    for file in folders.iter().flat_map(|folder| CONFIGURATION.map(|name| folder.join(name))) {
        if let Ok(bytes) = std::fs::read(&file) {
            let _ = writeln!(all, "{file} {}", digest(&bytes));
        }
    }
    all
}

/// Files as they are, each read once.
struct Files {
    began: SystemTime,
    known: BTreeMap<Utf8PathBuf, Rc<File>>,
}

struct File {
    /// None where it is newer than the run.
    stamps: Option<[Arc<Stamp>; 2]>,
    loading: Option<Loading>,
}

impl Files {
    fn stamp(&mut self, path: &Utf8Path, part: Part) -> Option<Arc<Stamp>> {
        let [whole, loaded] = self.get(path).stamps.clone()?;
        match part {
            Part::Whole => Some(whole),
            Part::Loaded => Some(loaded),
            Part::Surroundings => unreachable!("surroundings are no file"),
        }
    }

    fn get(&mut self, path: &Utf8Path) -> Rc<File> {
        if let Some(file) = self.known.get(path) {
            return Rc::clone(file);
        }
        let file = Rc::new(self.read(path));
        self.known.insert(path.to_owned(), Rc::clone(&file));
        file
    }

    fn read(&self, path: &Utf8Path) -> File {
        let stamp = |part, digest| Arc::new(Stamp { path: path.to_owned(), part, digest });
        let Ok(bytes) = std::fs::read(path) else {
            let absent = "absent".to_owned();
            let stamps = [stamp(Part::Whole, absent.clone()), stamp(Part::Loaded, absent)];
            return File { stamps: Some(stamps), loading: None };
        };
        let is_source = path.extension() == Some("py");
        let text = decode(&bytes).ok().filter(|_| is_source).map(|(text, _)| text);
        let loading = text.map(|text| loading(&text));
        let whole = digest(&bytes);
        let loaded = loading.as_ref().map_or_else(|| whole.clone(), |it| digest(it.text.as_bytes()));
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        let is_older = modified.is_ok_and(|modified| modified <= self.began);
        let stamps = is_older.then(|| [stamp(Part::Whole, whole), stamp(Part::Loaded, loaded)]);
        File { stamps, loading }
    }
}

/// Which of the loaded files imports which.
struct Graph {
    paths: Vec<Utf8PathBuf>,
    /// All that loading a file loads, itself included, by indices.
    reach: Vec<Vec<usize>>,
    /// Those that no test file and no conftest file leads to.
    unnamed: Vec<usize>,
}

impl Graph {
    fn of(loaded: &BTreeSet<Utf8PathBuf>, test_files: &BTreeSet<Utf8PathBuf>, files: &mut Files) -> Self {
        let paths: Vec<Utf8PathBuf> = loaded.iter().cloned().collect();
        let modules = Modules::of(&paths);
        let edges: Vec<Vec<usize>> =
            paths.iter().map(|path| modules.imported(path, files.get(path).loading.as_ref())).collect();
        let is_entry = |path: &Utf8PathBuf| {
            path.file_name() == Some(CONFTEST) || test_files.iter().any(|file| path.ends_with(file))
        };
        let entries: Vec<usize> = (0..paths.len()).filter(|&idx| is_entry(&paths[idx])).collect();
        let named = reached(&edges, &entries);
        let unnamed: Vec<usize> = (0..paths.len()).filter(|idx| named.binary_search(idx).is_err()).collect();
        let reach = (0..paths.len()).map(|idx| reached(&edges, &[idx])).collect();
        Self { unnamed: reached(&edges, &unnamed), reach, paths }
    }

    /// All files that loading these loads.
    fn reached<'a>(&'a self, from: &BTreeSet<Utf8PathBuf>) -> impl Iterator<Item = &'a Utf8Path> {
        let mut is_reached = vec![false; self.paths.len()];
        for path in from {
            let idx = self.paths.binary_search(path);
            for &other in idx.iter().flat_map(|&idx| &self.reach[idx]) {
                is_reached[other] = true;
            }
        }
        self.paths.iter().zip(is_reached).filter(|(_, is)| *is).map(|(path, _)| path.as_path())
    }

    fn unnamed(&self) -> impl Iterator<Item = &Utf8Path> {
        self.unnamed.iter().map(|&idx| self.paths[idx].as_path())
    }
}

/// Sorted.
fn reached(edges: &[Vec<usize>], from: &[usize]) -> Vec<usize> {
    let mut seen: BTreeSet<usize> = from.iter().copied().collect();
    let mut open = from.to_vec();
    while let Some(idx) = open.pop() {
        open.extend(edges[idx].iter().filter(|&&next| seen.insert(next)));
    }
    seen.into_iter().collect()
}

/// Modules by their names, as far as paths tell them: which folder they start in is not known, and all that fit count.
struct Modules {
    /// The path without what makes it a file of Python, and the index.
    places: Vec<(Utf8PathBuf, usize)>,
    /// By the last part of the name.
    by_name: BTreeMap<String, Vec<usize>>,
}

impl Modules {
    fn of(paths: &[Utf8PathBuf]) -> Self {
        let mut modules = Self { places: Vec::new(), by_name: BTreeMap::new() };
        for (idx, path) in paths.iter().enumerate() {
            let folder = path.parent().unwrap_or(path);
            // A library for CPython has a tag behind its name.
            let stem = path.file_name().and_then(|name| name.split('.').next()).unwrap_or_default();
            let place = if stem == "__init__" { folder.to_owned() } else { folder.join(stem) };
            let name = place.file_name().unwrap_or_default().to_owned();
            modules.by_name.entry(name).or_default().push(modules.places.len());
            modules.places.push((place, idx));
        }
        modules
    }

    /// What loading a file loads by name: what it imports, and the packages around it.
    fn imported(&self, path: &Utf8Path, loading: Option<&Loading>) -> Vec<usize> {
        let mut found = BTreeSet::new();
        let folder = path.parent().unwrap_or(path);
        for package in folder.ancestors() {
            found.extend(self.ending(package));
        }
        for import in loading.iter().flat_map(|loading| &loading.imports) {
            let parts: Vec<&str> = import.name.split('.').filter(|part| !part.is_empty()).collect();
            let base = import.level.checked_sub(1).and_then(|n_up| folder.ancestors().nth(n_up));
            for n_parts in 0..=parts.len() {
                let name = parts[..n_parts].join("/");
                match base {
                    Some(base) => found.extend(self.ending(&base.join(name))),
                    None if n_parts > 0 => found.extend(self.ending(Utf8Path::new(&name))),
                    None => {}
                }
            }
        }
        found.into_iter().collect()
    }

    /// Modules whose places end in this one, or are it.
    fn ending(&self, place: &Utf8Path) -> impl Iterator<Item = usize> {
        let same_name = place.file_name().and_then(|name| self.by_name.get(name));
        let fits = same_name.into_iter().flatten().map(|&at| &self.places[at]);
        fits.filter(move |(other, _)| other.ends_with(place))
            .map(|(_, idx)| *idx)
            .collect::<Vec<_>>()
            .into_iter()
    }
}
