//! Which lines each test of a suite runs: the nouns, and the port that a language implements.
//!
//! A line stands for the statement that begins on it: a call written over four lines is one place to look at, not four. What
//! runs while a file is loaded belongs to no test, and is left out.

use crate::candidate::Candidate;
use crate::observation::Observation;
use crate::port::RunnerError;
use camino::{Utf8Path, Utf8PathBuf};

/// Runs tests and tells which lines of the project each of them ran.
pub trait Coverage {
    /// Runs the paths (files, folders, ids; nothing is the whole project) once, in one process, as the framework would. A test
    /// that ends the process is told as that, and the others run on without it.
    fn suite(&self, paths: &[String], tell: &dyn Fn(Heard<'_>)) -> Result<Covered, RunnerError>;

    /// Runs one test with another text in the place of its file.
    fn candidate(&self, file: &Utf8Path, candidate: &Candidate) -> Result<Covered, RunnerError>;
}

/// What is told of a suite while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    Collected { n_tests: usize },
    Began { id: &'a str },
}

/// The files and tests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// Every file of which some test ran a line.
    pub files: Vec<SourceFile>,
    /// In the order in which they ran.
    pub tests: Vec<CoveredTest>,
    /// Things the user should know.
    pub notes: Vec<String>,
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
}

/// A statement, by its first line. Of several on one line the first stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeLine {
    pub line: u32,
    /// Where its own text ends; of a statement with a block, that of its head.
    pub last_line: u32,
    /// Index of the innermost function it is in.
    pub function: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    /// With the classes and functions around it: `Cart.total`.
    pub name: String,
    pub first_line: u32,
    pub last_line: u32,
}
