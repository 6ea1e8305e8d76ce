//! The lines of the code under test that the originals run: the new tests together must run all of them.
//!
//! A recorder tells lines of the project; those of files with tests do not count. What runs the one time and not the other (a
//! cache, a thread, the clock) is not lost where a second run of the originals does without it, too.

use crate::keeps::{Keeps, Loss, LostLine};
use crate::runs::{Ask, Purpose, Runs, Stop, Trust};
use camino::Utf8PathBuf;
use paring_model::{Candidate, Covered, CoveredTest, Heat, Observation};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Lines by file.
pub type Lines = BTreeMap<Utf8PathBuf, BTreeSet<u32>>;

#[derive(Clone, Debug)]
pub struct SameLines {
    originals: Vec<Candidate>,
    /// What the recorder told of the originals.
    pub covered: Covered,
}

impl SameLines {
    /// Records the originals. `None` where there is no recorder.
    pub fn of(runs: &Runs<'_>, originals: Vec<Candidate>) -> Result<Option<Self>, Stop> {
        if !runs.records() {
            return Ok(None);
        }
        let covered = recorded(runs, &originals)?;
        Ok(Some(Self { originals, covered }))
    }

    /// The lines of the code under test that the originals run.
    pub fn lines(&self) -> Lines {
        lines(&self.covered)
    }
}

/// How long tests took in one more run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The originals together.
    pub original: Duration,
    /// The written tests, by their ids.
    pub written: BTreeMap<String, Duration>,
}

/// What a recorded run of written tests showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub loss: Option<Loss>,
    /// Whether each of them passed, too.
    pub all_pass: bool,
    /// How long tests took, by their ids: as far as the recorder tells.
    pub took: BTreeMap<String, Duration>,
}

impl SameLines {
    /// Whether the originals passed where they were recorded.
    pub fn all_pass(&self) -> bool {
        all_pass(&self.covered)
    }

    /// How long the originals took together, as far as the recorder tells.
    pub fn took(&self) -> Option<Duration> {
        (!self.covered.took.is_empty()).then(|| self.covered.took.values().sum())
    }

    /// How long the originals and the written tests take in another run with the recorder.
    pub fn take_again(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Times, Stop> {
        let original = recorded(runs, &self.originals)?.took.values().sum();
        Ok(Times { original, written: recorded(runs, std::slice::from_ref(candidate))?.took })
    }

    /// Has written tests run with the recorder, in the order of their targets.
    pub fn check(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Recorded, Stop> {
        let covered = recorded(runs, std::slice::from_ref(candidate))?;
        let mut missing = without(&self.lines(), &lines(&covered));
        if !missing.is_empty() {
            let again = lines(&recorded(runs, &self.originals)?);
            missing.retain(|line| has(&again, line));
        }
        let loss = (!missing.is_empty()).then_some(Loss::Lines(missing));
        Ok(Recorded { loss, all_pass: all_pass(&covered), took: covered.took })
    }
}

impl Keeps for SameLines {
    fn by_runs(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Option<Loss>, Stop> {
        Ok(self.check(runs, candidate)?.loss)
    }
}

fn all_pass(covered: &Covered) -> bool {
    let passes = |test: &CoveredTest| test.observation == Observation::Passed;
    !covered.tests.is_empty() && covered.tests.iter().all(passes)
}

fn recorded(runs: &Runs<'_>, candidates: &[Candidate]) -> Result<Covered, Stop> {
    let asks: Vec<Ask<'_>> = candidates.iter().map(|candidate| Ask::lines(candidate, Heat::Warm)).collect();
    let mut covered = Covered::default();
    for seen in runs.ask(Purpose::Search, Trust::Live, &asks)? {
        covered.join(seen.lines.expect("lines were asked for"));
    }
    Ok(covered)
}

/// The lines that any of the tests ran, of files that hold no tests.
fn lines(covered: &Covered) -> Lines {
    let mut lines = Lines::new();
    for ran in covered.tests.iter().flat_map(|test| test.ran.iter().flatten()) {
        let file = &covered.files[ran.file_idx];
        if !file.holds_tests {
            lines.entry(file.path.clone()).or_default().extend(&ran.lines);
        }
    }
    lines
}

fn without(before: &Lines, after: &Lines) -> Vec<LostLine> {
    let all = before
        .iter()
        .flat_map(|(path, lines)| lines.iter().map(|&line| LostLine { path: path.clone(), line }));
    all.filter(|line| !has(after, line)).collect()
}

fn has(lines: &Lines, line: &LostLine) -> bool {
    lines.get(&line.path).is_some_and(|lines| lines.contains(&line.line))
}
