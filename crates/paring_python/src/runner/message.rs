//! The messages between the runner and its Python worker, as `worker/paring_server.py` and `worker/paring_child.py`
//! read and write them.

use camino::Utf8PathBuf;
use paring_model::{Calls, Exception, Failure, FailureKind, Frame, How, Listening, Phase, Position, Watched};
use serde::{Deserialize, Serialize};

/// What a worker is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Holds a session and forks it.
    Warm,
    /// Holds nothing; each run opens its own session.
    Cold,
}

#[derive(Clone, Debug, Serialize)]
pub struct Start<'a> {
    pub op: &'static str,
    pub protocol: u32,
    pub mode: Mode,
    /// The test file, whose text candidates replace.
    pub file: Option<&'a str>,
    pub nodeid: &'a str,
    pub args: &'a [String],
    /// Where compiled modules are kept.
    pub bytecode: &'a str,
    /// A folder of paring's own, which runs may write to at once.
    pub scratch: &'a str,
    /// The folder for temporary files.
    pub temporary: &'a str,
    pub saves: Saves<'a>,
    pub moved: Option<Moved<'a>>,
}

/// Code that is run in the place of the project's own.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Moved<'a> {
    pub from: &'a str,
    pub to: &'a str,
}

/// Whose files are saved before they are touched, and where.
#[derive(Clone, Debug, Serialize)]
pub struct Saves<'a> {
    pub roots: &'a [Utf8PathBuf],
    pub except: &'a [Utf8PathBuf],
    pub claims: &'a str,
    /// Where the worker saves what it changes while it loads the project.
    pub loading: &'a str,
}

/// The worker's first message.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Greeting {
    Hello(Hello),
    Error(Fault),
}

#[derive(Clone, Debug, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub can_fork: bool,
    /// Why forks of this session cannot be trusted.
    pub colder: Option<String>,
    /// Options of the project's configuration that belong to plugins which are not installed.
    #[serde(default)]
    pub dropped: Vec<String>,
    /// Changes with the interpreter, with what is installed and with the environment.
    pub surroundings: String,
}

#[derive(Clone, Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each asks for a thing of its own")]
pub struct Run<'a> {
    pub op: &'static str,
    pub id: u64,
    /// None runs the file as it is.
    pub text: Option<&'a str>,
    pub nodeids: &'a [String],
    pub after: &'a [String],
    /// Seconds, for the collection and for each test.
    pub timeout: f64,
    pub memory: Option<u64>,
    pub facts: bool,
    /// Who sees below the interpreter, in a traced run.
    pub watch: &'static str,
    /// Of each of many tests, what audit events tell and how long statements take.
    pub light: bool,
    pub logs: Option<Logs<'a>>,
    /// Runs everything it collects rather than the one test named.
    pub many: bool,
    /// Of those, tests that are done already.
    pub done: &'a [String],
    /// Tells the production calls that each statement of a test made.
    pub calls: bool,
    /// Tells the lines that each test ran, and of each test as it comes rather than of all at the end.
    pub coverage: bool,
    /// Folders whose code is looked at wherever they are, beside that of the project.
    pub sources: &'a [String],
    /// Where files are saved before the run touches them.
    pub saves: &'a str,
    /// A file of the code under test that has another text in this run.
    pub code: Option<Code<'a>>,
}

/// Logs that tell of resources.
#[derive(Clone, Debug, Serialize)]
pub struct Logs<'a> {
    pub files: &'a [Utf8PathBuf],
    /// Their texts, and what they do.
    pub templates: Vec<(&'a str, &'static str)>,
}

impl<'a> Logs<'a> {
    pub fn of(listening: &'a Listening) -> Option<Self> {
        let how = |how: How| match how {
            How::Use => "use",
            How::Kill => "kill",
            How::Define | How::Clear | How::Undo => "define",
        };
        let templates = listening.templates.iter().map(|it| (it.text.as_str(), how(it.how))).collect();
        (!listening.templates.is_empty()).then(|| Self { files: &listening.logs, templates })
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Code<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Answer {
    Ran(Box<Ran>),
    /// With `coverage`: all tests are found. With `many`, the ids of all, those that are done included.
    Collected {
        n_tests: usize,
        #[serde(default)]
        nodeids: Vec<String>,
    },
    /// With `coverage`: a test begins.
    Begin(Current),
    /// With `coverage`: the number that a file has from here on.
    File {
        number: u32,
        path: String,
    },
    /// With `coverage`: files of the project that have been loaded, and files whose functions ran for many tests at once.
    Loaded(Loaded),
    /// With `coverage`: a test is over.
    Item(Box<Item>),
    Error(Fault),
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
    pub current: Option<Current>,
    /// Of a hang: file, line and function, innermost last.
    pub stack: Vec<(String, u32, String)>,
    pub collection: Option<CollectionFailure>,
    /// The module asked to be skipped.
    pub skipped: Option<String>,
    /// Why pytest stopped.
    pub message: Option<String>,
    /// Whether that is because it finds no such test.
    pub missing: bool,
    /// What two runs at once would share.
    pub shares: Vec<String>,
    /// Whether it may have written files that its process did not see written. Not known where that was killed.
    pub hides: Option<bool>,
    /// Code of the present version that was in use where another was to run.
    pub strays: Vec<String>,
    pub facts: Option<FactReport>,
    pub coverage: Option<CoverageReport>,
    /// Options of the project's configuration that belong to plugins which are not installed.
    pub dropped: Vec<String>,
    pub error: Option<Fault>,
}

/// How the lines were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CoverageReport {
    /// `sys.monitoring` or `sys.settrace`.
    pub recorder: String,
    /// What the recorder could not see, and why.
    pub lost: Option<String>,
    /// Tools that measure coverage, and were switched off for this run.
    pub switched_off: Vec<String>,
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
    NoPytest,
    BrokenEnvironment,
    /// The worker itself failed, or it says a word that is not known here.
    #[serde(other)]
    Worker,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Current {
    pub nodeid: String,
    pub path: String,
    /// Which of the tests that were asked for it belongs to; none of those that run before them.
    #[serde(default)]
    pub of: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Loaded {
    pub paths: Vec<String>,
    pub shared: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Item {
    pub nodeid: String,
    pub path: String,
    /// Which of the tests that were asked for it belongs to.
    #[serde(default)]
    pub of: usize,
    #[serde(default)]
    pub failure: Option<FailureReport>,
    #[serde(default)]
    pub skipped: Option<String>,
    #[serde(default)]
    pub passed: bool,
    /// Lines that ran, by the numbers of their files.
    #[serde(default)]
    pub covered: Vec<(u32, Vec<u32>)>,
    /// With `calls`: what its statements called and asserted.
    #[serde(default)]
    pub calls: Option<Calls>,
    /// With `light`.
    #[serde(default)]
    pub facts: Option<FactReport>,
    /// How long it took, where lines were recorded, and with `light`.
    #[serde(default)]
    pub seconds: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct CollectionFailure {
    #[serde(flatten)]
    pub failure: FailureReport,
    /// The line of the test file that does not compile.
    pub broken: Option<u32>,
    pub nodeid: String,
    pub path: String,
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

/// What a traced run saw, by frames, lines and names; [`super::fact_map`] says what they are in the unit.
///
/// A name is told with its scope: `l:x` a local, `f:x` a local of an enclosing function, `m:x` an attribute of the
/// test object, `g:x` a global of the test module.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct FactReport {
    pub frames: Vec<FrameReport>,
    /// In the order in which they first ran.
    pub lines: Vec<LineReport>,
    pub immutable: Vec<(usize, String)>,
    pub mutable: Vec<(usize, String)>,
    pub opaque: Vec<(usize, String)>,
    pub reaches: Vec<(usize, String, String)>,
    /// Frame, line that raised, line of the handler.
    pub transfers: Vec<(usize, u32, u32)>,
    /// In order of time.
    pub touches: Vec<TouchReport>,
    /// Whether the test started threads.
    pub threads: bool,
    pub watch: Option<WatchReport>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WatchReport {
    pub by: Option<String>,
    pub why: Vec<String>,
    pub refused: bool,
    pub unexplained: Vec<Utf8PathBuf>,
    pub logged: usize,
}

impl From<WatchReport> for Watched {
    fn from(report: WatchReport) -> Self {
        let WatchReport { by, why, refused, unexplained, logged } = report;
        Self { by, why, refused, unexplained, n_logged: logged }
    }
}

/// One function of the test file.
#[derive(Clone, Debug, Deserialize)]
pub struct FrameReport {
    /// Of its first decorator, or its `def`.
    pub line: u32,
}

/// Frame, line, execution, what was done, and the kind of the resource with its names.
#[derive(Clone, Debug, Deserialize)]
pub struct TouchReport(pub usize, pub u32, pub u32, pub HowReport, pub Vec<String>);

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HowReport {
    Use,
    Define,
    Kill,
    Clear,
    Undo,
}

#[derive(Clone, Debug, Deserialize)]
pub struct LineReport {
    pub frame: usize,
    pub line: u32,
    pub hits: u32,
    /// With `light`: for all its executions.
    #[serde(default)]
    pub seconds: f64,
    #[serde(default)]
    pub changed: Vec<String>,
    /// Not all that it may have used of resources is told.
    #[serde(default)]
    pub partial: bool,
    /// Code outside the test file and the standard library ran in it.
    #[serde(default)]
    pub ran_code: bool,
    /// A call's result was stored, and was None every time.
    #[serde(default)]
    pub void: bool,
}
