//! What a traced run heeds beside the test itself: who watches files below the interpreter, and which logs tell of resources.

use crate::resource::How;
use camino::Utf8PathBuf;

/// Who is to see which files native code and child processes touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// The first of the others that can be had, where there is something to see.
    Auto,
    /// System calls, with who made them.
    Strace,
    /// What happens in the folders that the test has to do with, whoever did it.
    Inotify,
    /// Sizes and times of files, compared between statements.
    Scan,
    #[default]
    Off,
}

impl Watch {
    pub const ALL: [Self; 5] = [Watch::Auto, Watch::Strace, Watch::Inotify, Watch::Scan, Watch::Off];

    pub fn word(self) -> &'static str {
        match self {
            Watch::Auto => "auto",
            Watch::Strace => "strace",
            Watch::Inotify => "inotify",
            Watch::Scan => "scan",
            Watch::Off => "off",
        }
    }
}

/// A message of a log that says what happened to a resource: `read file {file}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTemplate {
    /// Names in braces stand for what changes from message to message; the first is the resource, and its kind.
    pub text: String,
    pub how: How,
}

/// What a traced run is to heed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listening {
    pub watch: Watch,
    /// Files that something appends to while the test runs.
    pub logs: Vec<Utf8PathBuf>,
    pub templates: Vec<LogTemplate>,
}

/// What a traced run relied on for what the interpreter does not see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// `strace`, `inotify` or `scan`; `None` where there was nothing to watch, or nobody could.
    pub by: Option<String>,
    /// Why others could not, and what the one that watched did not see.
    pub why: Vec<String>,
    /// Whether the watcher that was asked for could not be had.
    pub refused: bool,
    /// Files that the test read and nobody was seen to write.
    pub unexplained: Vec<Utf8PathBuf>,
    /// Messages of logs that were taken for uses and changes of resources.
    pub n_logged: usize,
}
