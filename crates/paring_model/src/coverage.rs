//! Which lines each test of a suite runs: the nouns, and the port that a language implements.
//!
//! A line stands for the statement that begins on it: a call written over four lines is one place to look at, not four. What
//! runs while a file is loaded belongs to no test, and is left out; the names it gives are told, for whoever reads them.

use crate::candidate::Candidate;
use crate::error::{ErrorCode, RunnerError};
use crate::kept::{Spectra, Turned};
use crate::observation::Observation;
use crate::outline::Outline;
use crate::port::Heat;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Runs tests and tells which lines of the project each of them ran.
pub trait Coverage {
    /// Runs the paths (files, folders, ids; nothing is the whole project) once, in one process, as the framework would. A test
    /// that ends the process is told as that, and the others run on without it. What is known of tests from earlier runs, and
    /// still holds, stands in for them; what is seen is kept.
    fn suite(
        &self,
        paths: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError>;

    /// Runs the test of a candidate of one file, and tells of those before it too: in a process that is kept for such runs, or, where the heat is
    /// [`Heat::Cold`], in one of its own.
    fn candidate(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError>;
}

impl RunnerError {
    /// Lines that were told are no longer where they were.
    pub fn changed(files: &[String]) -> Self {
        Self {
            code: ErrorCode::Changed,
            message: format!(
                "{} changed while the tests ran: lines no longer match what ran",
                files.join(", ")
            ),
            help: "run the command again while nothing writes there".to_owned(),
        }
    }
}

/// What is told of a suite while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    Collected {
        n_tests: usize,
    },
    Began {
        id: &'a str,
    },
    /// The run is over.
    Ended,
}

/// The files and tests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// Every file of which some test ran a line.
    pub files: Vec<SourceFile>,
    /// In the order in which they ran.
    pub tests: Vec<CoveredTest>,
    /// How long tests took, with their set-up and tear-down and without the framework, by their ids: as far as somebody looked.
    pub took: BTreeMap<String, Duration>,
    /// Of a run in which earlier ones stood in for some tests: what is doubtful for that.
    pub turned: Turned,
    /// Things the user should know.
    pub notes: Vec<String>,
}

/// A test with the lines as whoever recorded them has them.
#[derive(Clone, Debug)]
pub struct RawTest {
    pub id: String,
    pub file: Utf8PathBuf,
    pub observation: Observation,
    /// By the indices of files.
    pub lines: Option<Vec<(usize, Vec<u32>)>>,
    /// When it ran, where that was in an earlier run: seconds since 1970.
    pub kept_at: Option<u64>,
}

impl Covered {
    /// Makes statements of lines. Files are given with their texts and outlines; `holds_tests` says so of a file that no test
    /// is in.
    pub fn of(
        mut files: Vec<(Utf8PathBuf, String, Outline)>,
        tests: Vec<RawTest>,
        holds_tests: impl Fn(&Utf8Path) -> bool,
    ) -> Self {
        let of_tests: BTreeSet<Utf8PathBuf> = tests.iter().map(|test| test.file.clone()).collect();
        let mut covered = Self::default();
        for RawTest { id, file, observation, lines, kept_at } in tests {
            let ran = lines.map(|lines| ran_in(lines, &mut files));
            covered.tests.push(CoveredTest { id, file, observation, ran, kept_at });
        }
        for (path, text, outline) in files {
            covered.files.push(SourceFile {
                holds_tests: of_tests.contains(&path) || holds_tests(&path),
                path,
                text,
                constants: outline.constants(),
                statements: outline.statements.into_values().collect(),
                functions: outline.functions,
                taken: outline.taken,
            });
        }
        covered
    }

    /// Adds what another run saw.
    pub fn join(&mut self, other: Self) {
        let indices: Vec<usize> = other.files.into_iter().map(|file| self.add(file)).collect();
        for mut test in other.tests {
            for ran in test.ran.iter_mut().flatten() {
                ran.file_idx = indices[ran.file_idx];
            }
            self.tests.push(test);
        }
        self.took.extend(other.took);
        self.turned.passing.extend(other.turned.passing);
        self.turned.failing.extend(other.turned.failing);
        self.notes.extend(other.notes);
    }

    /// How many tests an earlier run stood in for.
    pub fn n_kept(&self) -> usize {
        self.tests.iter().filter(|test| test.kept_at.is_some()).count()
    }

    /// When the first of those ran, in seconds since 1970.
    pub fn kept_from(&self) -> Option<u64> {
        self.tests.iter().filter_map(|test| test.kept_at).min()
    }

    /// The index of a file, which becomes one of the run's where it was none.
    fn add(&mut self, file: SourceFile) -> usize {
        let Some(idx) = self.files.iter().position(|known| known.path == file.path) else {
            self.files.push(file);
            return self.files.len() - 1;
        };
        let known = &mut self.files[idx];
        known.statements.extend(file.statements);
        known.statements.sort();
        known.statements.dedup();
        idx
    }
}

fn ran_in(lines: Vec<(usize, Vec<u32>)>, files: &mut [(Utf8PathBuf, String, Outline)]) -> Vec<RanIn> {
    let mut ran = Vec::new();
    for (file_idx, lines) in lines {
        let outline = &mut files[file_idx].2;
        let lines = outline.starts(&lines);
        outline.admit(&lines);
        if !lines.is_empty() {
            ran.push(RanIn { file_idx, lines });
        }
    }
    ran
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredTest {
    pub id: String,
    /// The file the test is collected from, absolute.
    pub file: Utf8PathBuf,
    pub observation: Observation,
    /// Statements that ran, by their first lines, for each of the files; `None` where nobody can tell, as of a test that
    /// ended its process.
    pub ran: Option<Vec<RanIn>>,
    /// When it ran, where that was in an earlier run: seconds since 1970.
    pub kept_at: Option<u64>,
}

/// The lines of one file that a test ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RanIn {
    /// Index into the files of the run.
    pub file_idx: usize,
    /// First lines of statements, sorted.
    pub lines: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Absolute.
    pub path: Utf8PathBuf,
    pub text: String,
    /// Whether it is one of the suite's own: with tests in it, or set-up for them.
    pub holds_tests: bool,
    /// What can run, sorted by line.
    pub statements: Vec<CodeLine>,
    pub functions: Vec<FunctionSpan>,
    /// What gives names while the file is loaded, sorted by line.
    pub constants: Vec<Constant>,
    pub taken: Taken,
}

/// A statement, by its first line. Of several on one line the first stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeLine {
    pub line: u32,
    /// Where its own text ends; of a statement with a block, that of its head.
    pub last_line: u32,
    /// Index of the innermost function it is in.
    pub function: Option<usize>,
    /// How much stands in its own text.
    pub n_tokens: u32,
}

/// A statement that runs while its file is loaded, and gives names: `LIMIT = 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub code: CodeLine,
    pub given: Vec<Given>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    pub name: String,
    pub scope: NameScope,
}

/// How a name is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameScope {
    /// By itself in its own file; in others after a dot, or where they take it over.
    File,
    /// After a dot alone: what a class has.
    Member,
}

/// Names of other files that a file uses without saying where they are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    Names(BTreeSet<String>),
    /// Nobody can tell which: all of a module, or what a class inherits.
    Any,
}

impl Default for Taken {
    fn default() -> Self {
        Self::Names(BTreeSet::new())
    }
}

impl Taken {
    pub fn contains(&self, name: &str) -> bool {
        match self {
            Self::Names(names) => names.contains(name),
            Self::Any => true,
        }
    }

    /// Takes one more.
    pub fn add(&mut self, name: &str) {
        if let Self::Names(names) = self {
            names.insert(name.to_owned());
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    /// With the classes and functions around it: `Cart.total`.
    pub name: String,
    pub first_line: u32,
    pub last_line: u32,
}
