//! The interfaces between the engine and the world: front end, runner, clock, journal.

use crate::candidate::{Candidate, Form};
use crate::draft::{Draft, EditSet, Rounds};
use crate::error::{ErrorCode, RunnerError};
use crate::facts::Facts;
use crate::mutant::{CodeText, Mutant};
use crate::observation::{Failure, Observation};
use crate::survey::Merger;
use crate::table::Table;
use crate::target::TargetSpec;
use crate::text::{TextRange, Token};
use crate::unit::{Problem, StmtId, Unit};
use crate::working::{Pinned, WorkingText};
use crate::write::{Unwritable, Written};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::time::Duration;

/// Parses and renders one language. Does no IO.
pub trait Frontend: Sync {
    /// Never fails: broken input gives a unit and problems.
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>);

    /// The unit with its literals, and the trims that make them smaller. Asked for only where literals may change.
    fn with_literals(&self, unit: Unit) -> Unit {
        unit
    }

    /// Writes a draft out as files with its tests in the place of the tests of the units. The first unit of a file is the file as
    /// it is. A draft that reaches no further than its tests is written compactly, whatever the form. [`crate::write`] has what
    /// all languages have in common.
    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable>;

    /// One unit's file with its edits: a draft that always has a text.
    fn edited(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let written = self.write(&[unit], &Draft::edited(edits.clone()), form);
        written.expect("the edits of one unit always have a text").candidate
    }

    /// The texts that pin what the framework makes up for each run, as the failure tells it; the best first.
    fn pin(&self, source: &str, target: &TargetSpec, failure: &Failure) -> Vec<Pinned> {
        let _ = (source, target, failure);
        Vec::new()
    }

    /// The parts of the test that fail it by a verdict of their own: statements, or what a lambda does. In source order; one may
    /// stand within another, and comes after it.
    fn assertions(&self, unit: &Unit) -> Vec<TextRange> {
        let _ = unit;
        Vec::new()
    }

    /// What a loop of the test goes through, where that is written out and every round could be a test. Nothing is said of whether
    /// one round needs another.
    fn rounds(&self, unit: &Unit, stmt: StmtId) -> Option<Rounds> {
        let _ = (unit, stmt);
        None
    }

    /// The unit's text with parts of the test turned off: they run as they did, and a verdict of theirs does not count. `None`
    /// where one of them cannot be turned off.
    fn turned_off(&self, unit: &Unit, off: &[TextRange]) -> Option<WorkingText> {
        let _ = (unit, off);
        None
    }

    /// A file, without the imports that were read in what it was before and are not any more.
    fn without_unused_imports(&self, before: &str, after: &str) -> String {
        let _ = before;
        after.to_owned()
    }

    /// Whether a node is only there to turn off what stands in it.
    fn turns_off(&self, unit: &Unit, id: StmtId) -> bool {
        let _ = (unit, id);
        false
    }

    /// A loop of the test over values that are written out, as the cases of a parametrised test. `None` where it is none, or the
    /// framework has no such tests.
    fn table(&self, unit: &Unit, id: StmtId) -> Option<Table> {
        let _ = (unit, id);
        None
    }

    /// The test alone, decorators included, indented as at the top of a file.
    fn test_text(&self, unit: &Unit) -> String {
        let def = unit.test.and_then(|test| unit.routine(test).def);
        def.map(|def| unit.stmt(def).range.of(&unit.source).to_owned()).unwrap_or_default()
    }

    /// The tokens of a text, comments and white space left out.
    fn tokens(&self, text: &str) -> Vec<Token>;

    fn count_tokens(&self, text: &str) -> usize {
        self.tokens(text).len()
    }

    /// What the nodes of its units are.
    fn grain(&self) -> Grain {
        Grain::Statements
    }

    /// Whether a candidate of the unit is worth a run: not where its syntax is wrong in a way that the unit's is not.
    fn is_well_formed(&self, unit: &Unit, candidate: &Candidate) -> bool {
        let _ = (unit, candidate);
        true
    }

    /// Whether a statement reads all it names whenever it runs: no short circuit, no lambda. Where it is not known, it does not.
    fn reads_all(&self, unit: &Unit, id: StmtId) -> bool {
        let _ = (unit, id);
        false
    }

    /// Where a unit fails that no stack tells it of: of a generated sequence, the last instruction.
    fn fails_at(&self, unit: &Unit) -> Option<StmtId> {
        let _ = unit;
        None
    }

    /// The faults that could be put into some lines of a file of the code under test, in source order. None where the language
    /// has no mutants.
    fn mutants(&self, path: &Utf8Path, source: &str, lines: &BTreeSet<u32>) -> Vec<Mutant> {
        let _ = (path, source, lines);
        Vec::new()
    }

    /// Who merges tests of the language; `None` where nobody does.
    fn merger(&self) -> Option<&dyn Merger> {
        None
    }

    /// A text with nothing in it that could fail. What fails on it too does not look at the text at all.
    fn control(&self, unit: &Unit) -> Option<Candidate> {
        let _ = unit;
        None
    }
}

/// What the nodes of a unit are, and so how it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Statements, with what each reads and writes.
    Statements,
    /// All of the syntax, down to names, and names are all that is known of what a node reads and writes.
    Tree { unused: Unused },
}

/// What a language makes of a name that is defined and never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    Allowed,
    /// It does not compile: a definition goes with the last that reads it.
    Refused,
}

/// Which program the test runs against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// The one the test fails on.
    Faulty,
    /// The known-good one.
    Good,
}

/// How fresh the process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heat {
    /// In a warm worker.
    Warm,
    /// Runs asked for at once are made in processes that were started apart (and may go on as warm workers): what differs
    /// from process to process shows.
    Fresh,
    /// In a process in which nothing is searched. It may have run other results, which it keeps from each other as far as
    /// one process can: what does not hold there is to be asked of a cold one.
    Apart,
    /// In a process that has run nothing else, by the user's own runner.
    Cold,
}

/// One run to make.
#[derive(Clone, Debug)]
pub struct Job {
    pub candidate: Candidate,
    pub version: Version,
    pub heat: Heat,
    pub timeout: Option<Duration>,
    /// A file of the code under test that has another text in this run: a mutant.
    pub code: Option<CodeText>,
}

impl Job {
    /// A run on the current program as it is.
    pub fn new(candidate: Candidate, heat: Heat, timeout: Option<Duration>) -> Self {
        Self { candidate, version: Version::Faulty, heat, timeout, code: None }
    }
}

/// Runs candidates.
pub trait Runner: Sync {
    /// Runs the jobs, at once where that cannot change what is seen, and answers in their order: for each job one
    /// observation per target of its candidate, in the order of the targets.
    fn observe(&self, jobs: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError>;

    /// Runs the unit's own text once under a tracer.
    fn facts(&self, unit: &Unit, candidate: &Candidate) -> Result<Facts, RunnerError>;

    /// Whether it has a tracer: without one, `facts` tells nothing and runs nothing.
    fn traces(&self) -> bool {
        true
    }

    /// Whether it heeds [`Job::code`]: without that there are no mutants.
    fn replaces_code(&self) -> bool {
        false
    }

    /// Of texts for [`Job::code`], why a program cannot have one at all: what a compiler refuses is no fault that a test could
    /// catch. In their order.
    fn refused_code(&self, codes: &[CodeText]) -> Result<Vec<Option<String>>, RunnerError> {
        Ok(vec![None; codes.len()])
    }

    /// Whether there is a good version to run on.
    fn has_good(&self) -> bool;

    /// How many runs it makes at once.
    fn n_parallel(&self) -> usize;
}

/// Runs nothing: for jobs that only have lines recorded.
pub struct NoRunner;

impl Runner for NoRunner {
    fn observe(&self, _: &[Job]) -> Result<Vec<Vec<Observation>>, RunnerError> {
        Err(RunnerError::nobody("to run tests"))
    }

    fn facts(&self, _: &Unit, _: &Candidate) -> Result<Facts, RunnerError> {
        Err(RunnerError::nobody("to trace tests"))
    }

    fn traces(&self) -> bool {
        false
    }

    fn has_good(&self) -> bool {
        false
    }

    fn n_parallel(&self) -> usize {
        1
    }
}

impl RunnerError {
    /// A job asked for what it was not started with.
    pub fn nobody(to_do: &str) -> Self {
        Self {
            code: ErrorCode::Worker,
            message: format!("there is nobody {to_do} here"),
            help: "this is a bug in paring".to_owned(),
        }
    }
}

impl Candidate {
    /// The text of a candidate of one file, for a runner that replaces no more than one.
    pub fn single_text(&self) -> Result<&str, RunnerError> {
        self.single_file().map(|(_, text)| text)
    }

    /// The same with the path.
    pub fn single_file(&self) -> Result<(&Utf8Path, &str), RunnerError> {
        if let (1, Some((path, text))) = (self.files.len(), self.files.first_key_value()) {
            return Ok((path, text));
        }
        Err(RunnerError {
            code: ErrorCode::Worker,
            message: format!("{} files are to be replaced in one run", self.files.len()),
            help: "this is a bug in paring".to_owned(),
        })
    }
}

/// Time since the job began.
pub trait Clock: Sync {
    fn elapsed(&self) -> Duration;
    /// Whether the user asked to stop.
    fn interrupted(&self) -> bool;
}

/// Observations kept on disk, so that an interrupted search can be taken up: the search is deterministic, and replays.
pub trait Journal: Sync {
    fn lookup(&self, key: &str) -> Option<Observation>;
    fn record(&self, key: &str, observation: &Observation);
}

/// Keeps nothing: for runs that nobody takes up.
pub struct NoJournal;

impl Journal for NoJournal {
    fn lookup(&self, _: &str) -> Option<Observation> {
        None
    }

    fn record(&self, _: &str, _: &Observation) {}
}
