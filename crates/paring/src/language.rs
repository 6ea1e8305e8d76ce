//! What the program asks of a language beyond the ports of the model: finding tests, reading files, starting a runner.
//!
//! One file per language below this one implements [`Language`]; `registry.rs` is the only file that names them. An
//! implementation knows the user's options and the project it is used in.

pub mod command;
pub mod java;
pub mod python;

use crate::code::Root;
use crate::finding::Finding;
use crate::target::Target;
use camino::Utf8Path;
use paring_engine::Same;
use paring_model::{Coverage, Facts, Follower, Frontend, Observation, Runner, RunnerError, Unit, Versions};
use paring_report::Reported;
use paring_tasks::OutcomeError;
use paring_tasks::merge::Borrowed;
use paring_tasks::minimize::Hints;
use std::collections::BTreeMap;
use std::time::Duration;

/// A language in the user's project.
pub trait Language {
    fn frontend(&self) -> &'static dyn Frontend;

    /// What users of the language are told where all languages fail alike.
    fn hints(&self) -> &'static Hints;

    /// The test that an id names, and its file.
    fn find(&self, given: &str, after: &[String]) -> Result<FoundTest, OutcomeError>;

    /// The id of a test in a report, where it is a test of this language and there is a file for it.
    fn reported(&self, test: &Reported) -> Option<String>;

    /// Whether an id names a single test, rather than a file or a folder that was to be run whole.
    fn names_a_test(&self, id: &str) -> bool;

    /// The text of a file, in whatever encoding it is.
    fn decode(&self, bytes: &[u8]) -> Result<String, String>;

    /// A text in the encoding that the file had so far.
    fn encode(&self, text: &str, so_far: &[u8]) -> Result<Vec<u8>, String>;

    /// Whether the id may stand for several cases: of one test function, or all tests of a class.
    fn may_stand_for_several(&self, id: &str, source: &str) -> bool;

    /// The part of an id that tells the tests of one file apart: the file may be written in several ways.
    fn in_file<'a>(&self, id: &'a str) -> &'a str;

    /// Runs tests, files and folders whole, once, and tells every test that ran, in order.
    fn run_all(&self, what: &[String]) -> Result<Vec<Seen>, RunnerError>;

    /// The same, with what a light tracer tells of each test, where the language has one.
    fn tell_all(&self, what: &[String]) -> Result<Vec<ToldTest>, RunnerError> {
        let seen = self.run_all(what)?.into_iter();
        Ok(seen
            .map(|seen| ToldTest {
                id: seen.id,
                observation: seen.observation,
                seconds: 0.0,
                told: Box::new(|_| Default::default()),
            })
            .collect())
    }

    /// What runs tests and tells which lines each of them ran; `None` where the language has nothing of the kind.
    fn coverage(&self) -> Option<Result<Box<dyn Coverage + '_>, RunnerError>> {
        None
    }

    /// Who follows what tests call of the code under test; `None` where nobody does.
    fn follower(&self) -> Option<&dyn Follower> {
        None
    }

    /// Gets ready to run candidates for the target's file.
    fn start(&self, target: &Target, timeout: Duration) -> Result<Box<dyn Running>, OutcomeError>;

    /// Lets go of workers that targets share, so that the next start makes new ones; whether there are any that one target
    /// could have left something behind in for another.
    fn retire(&self) -> bool {
        false
    }

    /// The tests of other classes that run the code of a test of this file, since they inherit it.
    fn heirs(&self, _id: &str, _file: &Utf8Path) -> Vec<String> {
        Vec::new()
    }

    /// What other files of the project take of a test file: they run its tests too, or need them by name.
    fn borrowed(&self, _file: &Utf8Path) -> Vec<Borrowed> {
        Vec::new()
    }

    /// A name for the file of a test among those of other tests; `test_file` is the name of the file it is from.
    fn file_for(&self, id: &str, test_file: &str) -> String;

    /// What a result does as a file of its own, where it was written; `None` where that cannot be told.
    fn run_alone(&self, file: &Utf8Path, id: &str) -> Option<Observation>;

    /// The path that programs know a test file by: relative to where its names start.
    fn short_path(&self, file: &Utf8Path) -> String;

    /// What must stay the same of a failure, where the user asks for this.
    fn same(&self, asked: Same) -> Same {
        asked
    }

    /// What tests of the language need, and whether it is here.
    fn examine(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// All settings on which observations depend: a journal belongs to them.
    fn settings(&self) -> String;

    /// Where the code and data lie on which observations depend: a journal belongs to what is there.
    fn code(&self) -> Vec<Root>;
}

/// A test that was found on disk by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTest {
    /// The id in its full form.
    pub id: String,
    /// Those of the tests that run before it.
    pub after: Vec<String>,
    /// The file in which the test is written, absolute.
    pub file: camino::Utf8PathBuf,
}

/// A test that ran in its suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub id: String,
    pub observation: Observation,
}

/// A test that ran in its suite, and how to find out what its statements did, and how many seconds those on each line took.
pub struct ToldTest {
    pub id: String,
    pub observation: Observation,
    pub seconds: f64,
    pub told: Box<Tells>,
}

pub type Tells = dyn Fn(&Unit) -> (Facts, BTreeMap<u32, f64>);

/// Workers that are ready for a file.
pub trait Running {
    fn runner(&self) -> &dyn Runner;

    /// Who tells which lines candidates run; `None` where nobody does.
    fn recorder(&self) -> Option<&dyn Coverage> {
        None
    }

    /// Versions on which the test may pass; `None` where there are none to try.
    fn versions(&self) -> Option<&dyn Versions> {
        None
    }

    /// What had to be done otherwise than usual.
    fn remarks(&self) -> Vec<String>;
}
