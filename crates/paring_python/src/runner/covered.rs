//! From what a worker tells of lines to [`Covered`]: lines become statements, by the outlines of their files.

use super::depends::Depends;
use super::message::{CollectionFailure, Item};
use super::observation::{of_collection, of_item};
use super::side::Told;
use crate::frontend::{decode, outline};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Covered, Heard, KeptTest, KeptUnit, Known, Observation, RawTest, RunnerError};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// What was told of a run so far.
#[derive(Default)]
pub struct Gathered {
    /// Paths in the order of their numbers; numbers start anew with each process.
    paths: Vec<Utf8PathBuf>,
    numbers: BTreeMap<u32, usize>,
    pub tests: Vec<Raw>,
    /// How long tests took, by their node ids.
    took: BTreeMap<String, (Utf8PathBuf, Duration)>,
    /// The test that runs now.
    pub current: Option<(String, Utf8PathBuf)>,
    /// The ids of all tests that were collected first, in the order in which they run.
    pub order: Vec<String>,
}

/// A test with lines as the interpreter has them.
pub struct Raw {
    pub nodeid: String,
    pub path: Utf8PathBuf,
    pub observation: Observation,
    pub lines: Option<Vec<(usize, Vec<u32>)>>,
    /// When it ran, where that was in an earlier run.
    pub kept_at: Option<u64>,
}

impl Gathered {
    /// Takes what the worker tells, and hands on what a user may want to see at once.
    pub fn hear(&mut self, told: Told, tell: &dyn Fn(Heard<'_>)) {
        match told {
            Told::Collected { n_tests, nodeids } => {
                if self.order.is_empty() {
                    self.order = nodeids;
                }
                tell(Heard::Collected { n_tests });
            }
            Told::Begins(current) => {
                tell(Heard::Began { id: &current.nodeid });
                self.current = Some((current.nodeid, current.path.into()));
            }
            Told::File { number, path } => {
                let idx = self.idx(&Utf8PathBuf::from(path));
                self.numbers.insert(number, idx);
            }
            // Names that a file gives may be read where none of its functions runs.
            Told::Loaded(loaded) => loaded.paths.iter().for_each(|path| {
                self.idx(&Utf8PathBuf::from(path));
            }),
            Told::Over(item) => {
                self.current = None;
                self.item(*item);
            }
        }
    }

    fn idx(&mut self, path: &Utf8PathBuf) -> usize {
        let known = self.paths.iter().position(|known| known == path);
        known.unwrap_or_else(|| {
            self.paths.push(path.clone());
            self.paths.len() - 1
        })
    }

    fn item(&mut self, mut item: Item) {
        let covered = std::mem::take(&mut item.covered);
        if let Some(took) = item.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            self.took.insert(item.nodeid.clone(), (Utf8PathBuf::from(&item.path), took));
        }
        let known = |(number, lines): (u32, Vec<u32>)| Some((*self.numbers.get(&number)?, lines));
        self.tests.push(Raw {
            nodeid: item.nodeid.clone(),
            path: Utf8PathBuf::from(&item.path),
            lines: Some(covered.into_iter().filter_map(known).collect()),
            observation: of_item(item),
            kept_at: None,
        });
    }

    /// The unit that the test which is just over makes. None where what it depends on cannot be told.
    pub fn last_unit(&self, cwd: &Utf8Path, depends: &mut Depends) -> Option<KeptUnit> {
        let test = self.tests.last()?;
        let lines = test.lines.as_ref()?;
        let ran = lines.iter().map(|(idx, lines)| (self.paths[*idx].clone(), lines.clone()));
        let stamps = depends.stamps(&test.path, lines.iter().map(|(idx, _)| &self.paths[*idx]))?;
        let kept = KeptTest {
            id: super::ran_test::test_id(cwd, &test.nodeid, &test.path),
            file: test.path.clone(),
            observation: test.observation.clone(),
            lines: ran.collect(),
        };
        Some(KeptUnit { name: test.nodeid.clone(), tests: vec![kept], stamps })
    }

    /// Adds the tests of earlier runs that were collected again, and puts all in the order in which they run.
    pub fn add_kept(&mut self, known: &BTreeMap<String, Known>) {
        let collected: Vec<&Known> = self.order.iter().filter_map(|nodeid| known.get(nodeid)).collect();
        for Known { unit, at } in collected {
            for test in &unit.tests {
                let lines = test.lines.iter().map(|(path, lines)| (self.idx(path), lines.clone())).collect();
                self.tests.push(Raw {
                    nodeid: unit.name.clone(),
                    path: test.file.clone(),
                    observation: test.observation.clone(),
                    lines: Some(lines),
                    kept_at: Some(*at),
                });
            }
        }
        let places = self.order.iter().enumerate().map(|(place, nodeid)| (nodeid.as_str(), place));
        let places: BTreeMap<&str, usize> = places.collect();
        // What was never collected comes last.
        self.tests.sort_by_key(|test| places.get(test.nodeid.as_str()).copied().unwrap_or(usize::MAX));
    }

    /// A test that never came to its end.
    pub fn lost(&mut self, observation: Observation) {
        if let Some((nodeid, path)) = self.current.take() {
            self.tests.push(Raw { nodeid, path, observation, lines: None, kept_at: None });
        }
    }

    /// A file that could not be collected, as a failed test named like the file.
    pub fn uncollected(&mut self, collection: CollectionFailure) {
        let (nodeid, path) = (collection.nodeid.clone(), Utf8PathBuf::from(&collection.path));
        if self.tests.iter().all(|test| test.nodeid != nodeid) {
            self.tests.push(Raw {
                nodeid,
                path,
                observation: of_collection(collection),
                lines: None,
                kept_at: None,
            });
        }
    }

    /// Reads the files and makes statements of lines. `instead` is a text that took the place of a file. Files must not have
    /// changed since `began`.
    pub fn finish(
        self,
        cwd: &Utf8Path,
        began: SystemTime,
        instead: Option<(&Utf8Path, &str)>,
    ) -> Result<Covered, RunnerError> {
        let Self { paths, tests, took, .. } = self;
        let replaced = |path: &Utf8Path| instead.filter(|(file, _)| *file == path).map(|(_, text)| text);
        refuse_changed(cwd, paths.iter().filter(|path| replaced(path).is_none()), began)?;
        let files = paths.into_iter().map(|path| {
            let text = replaced(&path).map_or_else(|| read(&path), str::to_owned);
            let outline = outline(&text);
            (path, text, outline)
        });
        let tests = tests.into_iter().map(|test| RawTest {
            id: super::ran_test::test_id(cwd, &test.nodeid, &test.path),
            file: test.path,
            observation: test.observation,
            lines: test.lines,
            kept_at: test.kept_at,
        });
        let is_set_up = |path: &Utf8Path| path.file_name() == Some("conftest.py");
        let id = |nodeid: &str, path: &Utf8Path| super::ran_test::test_id(cwd, nodeid, path);
        let took = took.into_iter().map(|(nodeid, (path, took))| (id(&nodeid, &path), took)).collect();
        Ok(Covered { took, ..Covered::of(files.collect(), tests.collect(), is_set_up) })
    }
}

/// What cannot be read has no statements: a test may write modules and remove them.
fn read(path: &Utf8Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    decode(&bytes).map(|(text, _)| text).unwrap_or_default()
}

fn refuse_changed<'a>(
    cwd: &Utf8Path,
    paths: impl Iterator<Item = &'a Utf8PathBuf>,
    began: SystemTime,
) -> Result<(), RunnerError> {
    let is_newer = |path: &&Utf8PathBuf| {
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified > began)
    };
    let short = |path: &Utf8PathBuf| path.strip_prefix(cwd).unwrap_or(path).to_string();
    let changed: Vec<String> = paths.filter(is_newer).map(short).collect();
    if changed.is_empty() { Ok(()) } else { Err(RunnerError::changed(&changed)) }
}
