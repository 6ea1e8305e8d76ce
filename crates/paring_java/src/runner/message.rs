//! The messages between the runner and its Java worker, as `worker/paring/Server.java` reads and writes them.

use camino::Utf8PathBuf;
use paring_model::{Calls, Exception, Failure, FailureKind, Frame, Phase, Position};
use paring_worker::Ended;
use serde::{Deserialize, Serialize};

/// What a worker is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Compiles, and runs in class loaders of its own.
    Warm,
    /// Runs what was compiled elsewhere, each in a class loader that shares nothing with any other.
    Apart,
    /// Runs what is on the process's class path.
    Cold,
}

#[derive(Clone, Debug, Serialize)]
pub struct Start<'a> {
    pub op: &'static str,
    pub protocol: u32,
    pub mode: Mode,
    pub classpath: &'a [String],
    /// What is saved, where, before it is touched.
    #[serde(flatten)]
    pub saves: Saves<'a>,
    /// Entries of the class path that are code under test for certain.
    pub fresh: &'a [String],
    pub javac_args: &'a [String],
    pub source_roots: &'a [String],
    /// Roots of the sources whose lines are recorded; none where no lines are.
    pub coverage: &'a [String],
    /// Roots of the sources of tests whose calls are followed; none where no calls are.
    pub calls: &'a [String],
}

/// What a worker saves before a test touches it, as [`paring_worker::keeper::manifest`] says.
#[derive(Clone, Debug, Serialize)]
pub struct Saves<'a> {
    pub roots: &'a [Utf8PathBuf],
    /// Folders that are not saved.
    pub except: &'a [Utf8PathBuf],
    pub claims: &'a str,
    /// Where files are saved while no run is made.
    pub loading: &'a str,
}

/// The worker's first message.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Greeting {
    Hello { protocol: u32 },
    Error(Fault),
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Request<'a> {
    /// `run`, or `compile`, which writes class files, or `compile_code`, which does so for a file of the code under test, or `build`,
    /// which does what javac does with `sources` and `args`.
    pub op: &'static str,
    pub id: u64,
    /// The test file in its source root, and the package of the test; none where nothing is compiled.
    pub file: Option<&'a str>,
    pub package: &'a str,
    pub text: Option<&'a str>,
    pub sources: &'a [String],
    pub args: &'a [String],
    /// Where class files are written.
    pub to: Option<&'a str>,
    /// Where class files were written that come before the class path.
    pub from: Option<&'a str>,
    /// Where those of a mutant of the code under test were written.
    pub code: Option<&'a str>,
    pub tests: &'a [String],
    pub after: &'a [String],
    /// Seconds, for each test.
    pub timeout: f64,
    pub facts: bool,
    /// The test file's classes, where they were compiled before.
    pub own: &'a [String],
    /// The folder in which the run saves files.
    pub saves: &'a str,
    /// Whether no other run may be made meanwhile.
    #[serde(skip)]
    pub is_alone: bool,
    /// Tells of every test before it runs.
    pub many: bool,
    /// Of those, tests that are done already.
    pub done: &'a [String],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Answer {
    /// A test begins, of many.
    Begin {
        test: String,
    },
    Ran(Box<Ran>),
}

/// What happened in one run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Ran {
    pub id: u64,
    pub items: Vec<Item>,
    /// `done`, `hung`, `exit 3`, `signal 11`.
    pub ended: String,
    /// The test that was running when the process ended.
    pub current: Option<String>,
    /// Of a hang: where in the test file, outermost first, and what was called from there.
    pub stack: Vec<Position>,
    pub below: Vec<Frame>,
    /// The text does not compile.
    pub broken: Option<Broken>,
    /// Why there are no items.
    pub message: Option<String>,
    /// Whether that is because there is no such class.
    pub missing: bool,
    /// Names of the classes that were compiled.
    pub own: Vec<String>,
    /// Why the process should not serve on.
    pub worn: Option<String>,
    pub facts: Option<FactReport>,
    /// Of a run whose lines are recorded, the sources by their numbers.
    pub files: Vec<String>,
    pub error: Option<Fault>,
    /// Whether it may have written what the worker did not see; none where it did not come to its end.
    pub may_hide: Option<bool>,
    /// What it changed in the project, and gave way to; all of it is undone.
    #[serde(skip)]
    pub undone: Ended,
}

impl Ran {
    /// Whether nothing of the run is left in its process.
    pub fn serves_on(&self) -> bool {
        self.worn.is_none() && self.ended == "done"
    }
}

/// What a traced run saw, by offsets (in characters of UTF-16) and names; [`super::fact_map`] says what they are in the unit.
///
/// A name is told with its scope: `l:x` a local, `m:x` a field of the test object or of an object around it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct FactReport {
    /// Of each method, lambda or initialiser, the brace that opens its body.
    pub frames: Vec<u32>,
    /// Those that ran, in the order in which they first did.
    pub entered: Vec<usize>,
    /// Statements that ran, in the order in which they first did.
    pub points: Vec<PointReport>,
    pub immutable: Vec<(usize, String)>,
    pub mutable: Vec<(usize, String)>,
    pub opaque: Vec<(usize, String)>,
    pub reaches: Vec<(usize, String, String)>,
    /// The statement that threw, and the handler.
    pub transfers: Vec<(u32, u32)>,
    /// Whether the test started threads.
    pub threads: bool,
    pub resources: Vec<ResourceReport>,
    /// In order of time.
    pub touches: Vec<TouchReport>,
    /// Whether every use of a resource by every statement is among those.
    pub complete: bool,
}

/// Its kind, and up to two names.
#[derive(Clone, Debug, Deserialize)]
pub struct ResourceReport(pub ResourceKind, pub String, pub String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceKind {
    File,
    Env,
    Table,
    Attribute,
    Logger,
    Output,
    Socket,
    Clock,
    Random,
    Unknown,
}

/// The offset of a point in the report, which of its executions, whether that was over already, the offset of a resource, and
/// what was done to it.
#[derive(Clone, Debug, Deserialize)]
pub struct TouchReport(pub usize, pub u32, pub bool, pub usize, pub HowReport);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HowReport {
    Use,
    Define,
    Kill,
    Clear,
}

#[derive(Clone, Debug, Deserialize)]
pub struct PointReport {
    pub kind: PointKind,
    pub start: u32,
    pub end: u32,
    pub hits: u32,
    pub changed: Vec<String>,
    /// Code outside the test file ran in it.
    pub ran_code: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    Stmt,
    Handler,
    Case,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Broken {
    pub message: String,
    pub line: Option<u32>,
}

/// Why the worker could not run anything.
#[derive(Clone, Debug, Deserialize)]
pub struct Fault {
    pub code: FaultCode,
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    NoJunit,
    NoLauncher,
    JavacArgs,
    /// The worker itself failed, or it says a word that is not known here.
    #[serde(other)]
    Worker,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Item {
    pub id: String,
    /// What was asked for when it turned up.
    #[serde(default)]
    pub of: String,
    #[serde(default)]
    pub failure: Option<FailureReport>,
    #[serde(default)]
    pub skipped: Option<String>,
    #[serde(default)]
    pub passed: bool,
    /// Lines that ran, by the number of their file; none where nobody recorded them, or the test never came to its end.
    #[serde(default)]
    pub covered: Option<Vec<(usize, Vec<u32>)>>,
    /// What its statements called and asserted, where somebody followed them.
    #[serde(default)]
    pub calls: Option<Calls>,
    /// How long it took, where lines were recorded; negative where it did not end.
    #[serde(default)]
    pub nanos: Option<i64>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct FailureReport {
    pub phase: Phase,
    pub kind: FailureKind,
    pub exceptions: Vec<Exception>,
    pub stack: Vec<Position>,
    pub below: Vec<Frame>,
    #[serde(default)]
    pub notes: Vec<String>,
    #[serde(default)]
    pub left: Vec<String>,
}

impl From<FailureReport> for Failure {
    fn from(report: FailureReport) -> Self {
        let FailureReport { phase, kind, exceptions, stack, below, notes, left } = report;
        Self { phase, kind, exceptions, stack, below, notes, left }
    }
}
