//! Records what pared tests run, to rank by.
//!
//! What runs here are results that were verified already, so nothing is charged to a budget.

use super::PureTest;
use crate::outcome::{Outcome, Pared, Size, Status};
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::runs::{Ask, Purpose, Runs, Stop, Trust};
use paring_model::{Candidate, Covered, CoveredTest, Form, Heat, Observation, RanIn};
use paring_spectrum::Verdict;
use std::collections::{HashMap, HashSet};

/// A failing test of the suite that was pared, and who makes runs with the recorder.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    pub runs: &'a Runs<'a>,
    pub covered: &'a Covered,
    /// Its index in the suite.
    pub idx: usize,
}

impl Origin<'_> {
    /// Runs a pared test with the recorder: none where there is nothing to run, an error where its origin has to count as it is.
    pub fn record(&self, outcome: &Outcome) -> Result<Option<PureTest>, String> {
        let Some(pared) = &outcome.pared else {
            return match (&outcome.error, outcome.status) {
                (Some(error), _) => Err(format!("it could not be pared, {}", error.message)),
                (None, Status::Flaky) => Err("it does not fail the same way every time".to_owned()),
                (
                    None,
                    Status::Passing
                    | Status::Minimized
                    | Status::Unchanged
                    | Status::NotGood
                    | Status::NotFound
                    | Status::Interrupted
                    | Status::Error,
                ) => Ok(None),
            };
        };
        let file = Utf8PathBuf::from(&pared.path);
        let candidate = Candidate::single(&file, pared.text.clone(), pared.target.clone(), Form::Compact)
            .with_after(&outcome.after);
        // What an earlier one left behind may be in the way: a process of its own decides.
        let mut covered = self.lines(&candidate, Heat::Warm)?;
        if failing(&covered).is_none() {
            covered = self.lines(&candidate, Heat::Cold)?;
        }
        let ran = failing(&covered)
            .ok_or_else(|| format!("{} did not fail while its lines were recorded", pared.target))?;
        let lines = ran.iter().map(|ran| {
            let path = &covered.files[ran.file_idx].path;
            (
                path.clone(),
                if is_own(path, &file, self.test()) { lines_kept(pared) } else { ran.lines.clone() },
            )
        });
        let mut made = PureTest {
            origin: self.idx,
            verdict: Verdict::Failed,
            ran: lines.collect(),
            once: Vec::new(),
            text: pared.test.clone(),
            statements: pared.statements,
            without_effect: pared.suspects.iter().map(|suspect| suspect.text.clone()).collect(),
            ran_without_effect: Vec::new(),
        };
        for suspect in &pared.suspects {
            let without = candidate.clone().with_text(suspect.without.clone());
            made.ran_without_effect.extend(self.ran_only_with(&made, &without));
        }
        Ok(Some(made))
    }

    /// Runs the test of an assertion that holds with the recorder: none where it does not pass by itself, or the user has
    /// asked to stop.
    pub fn record_holding(&self, candidate: &Candidate) -> Option<PureTest> {
        self.runs.not_interrupted().ok()?;
        let test = self.test();
        let covered = self.lines(candidate, Heat::Warm).ok()?;
        let last = covered.tests.last().filter(|last| last.observation == Observation::Passed)?;
        // The lines of its own file are others by now, and say nothing of the code.
        let ran = last
            .ran
            .iter()
            .flatten()
            .map(|ran| (covered.files[ran.file_idx].path.clone(), ran.lines.clone()));
        let ran = ran.filter(|(path, _)| *path != test.file).collect();
        Some(PureTest {
            origin: self.idx,
            verdict: Verdict::Passed,
            ran,
            once: Vec::new(),
            text: candidate.text().to_owned(),
            statements: Size::default(),
            without_effect: Vec::new(),
            ran_without_effect: Vec::new(),
        })
    }

    /// Lines that the test runs alone and did not run in the suite, by file: what earlier tests had done for it, a table that is made when it
    /// is first asked for. All tests that it was pared to run them too, and no passing test seems to: they would rank first.
    pub fn run_once(&self, source: &str) -> RunOnce {
        let test = self.test();
        let candidate = Candidate::single(&test.file, source.to_owned(), test.id.clone(), Form::Compact);
        let Ok(alone) = self.lines(&candidate, Heat::Warm) else { return RunOnce::default() };
        let mut lines: HashMap<Utf8PathBuf, HashSet<u32>> = HashMap::new();
        for ran in failing(&alone).into_iter().flatten() {
            lines.entry(alone.files[ran.file_idx].path.clone()).or_default().extend(&ran.lines);
        }
        for ran in test.ran.iter().flatten() {
            if let Some(lines) = lines.get_mut(&self.covered.files[ran.file_idx].path) {
                ran.lines.iter().for_each(|line| {
                    lines.remove(line);
                });
            }
        }
        RunOnce(lines)
    }

    /// What a pared test runs only because of a call without which it fails the same way.
    fn ran_only_with(&self, made: &PureTest, without: &Candidate) -> Vec<(Utf8PathBuf, Vec<u32>)> {
        let Ok(covered) = self.lines(without, Heat::Warm) else { return Vec::new() };
        let Some(ran) = failing(&covered) else { return Vec::new() };
        let also = |path: &Utf8Path, line: u32| {
            ran.iter()
                .any(|ran| covered.files[ran.file_idx].path == path && ran.lines.binary_search(&line).is_ok())
        };
        let only = |(path, lines): &(Utf8PathBuf, Vec<u32>)| {
            let lines = lines.iter().copied().filter(|&line| !also(path, line));
            (path.clone(), lines.collect())
        };
        made.ran.iter().map(only).collect()
    }

    /// What a run with the recorder tells, or why there is none. What is verified is recorded even for a user who has asked to
    /// stop.
    fn lines(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, String> {
        match self.runs.ask(Purpose::Final, Trust::Live, &[Ask::lines(candidate, heat)]) {
            Ok(mut seen) => Ok(seen.remove(0).lines.expect("lines were asked for")),
            Err(Stop::Failed(error)) => Err(error.message),
            Err(Stop::Interrupted | Stop::Budget) => Err("the run was stopped".to_owned()),
        }
    }

    fn test(&self) -> &CoveredTest {
        &self.covered.tests[self.idx]
    }
}

/// Lines that run once in a process, by file.
#[derive(Debug, Default)]
pub struct RunOnce(HashMap<Utf8PathBuf, HashSet<u32>>);

impl RunOnce {
    /// Takes these lines out of those that a pared test ran.
    pub fn set_apart(&self, made: &mut PureTest) {
        for (path, lines) in &mut made.ran {
            if let Some(once) = self.0.get(path) {
                let (apart, own) = std::mem::take(lines).into_iter().partition(|line| once.contains(line));
                *lines = own;
                made.once.push((path.clone(), apart));
            }
        }
    }
}

/// What to tell of a test that does not fail alone: its cause is in another test, whose lines it never ran.
pub fn dependence(outcome: &Outcome) -> Option<String> {
    let target = &outcome.target;
    match (outcome.status, outcome.after.as_slice()) {
        (Status::Passing, _) => Some(format!(
            "{target} fails in the suite and passes alone: it depends on what ran before it, and the fault may be in lines that \
             only those tests run"
        )),
        (_, []) => None,
        (_, after) => Some(format!(
            "{target} fails only after {}: the fault may be in lines that only those tests run",
            after.join(", ")
        )),
    }
}

/// What the failing test ran.
fn failing(covered: &Covered) -> Option<&Vec<RanIn>> {
    covered.tests.iter().rev().find_map(|test| match &test.observation {
        Observation::Failed(_) => test.ran.as_ref(),
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => None,
    })
}

fn is_own(path: &Utf8Path, file: &Utf8Path, test: &CoveredTest) -> bool {
    path == file || path == test.file
}

/// The lines that what is left of the test had in its file.
fn lines_kept(pared: &Pared) -> Vec<u32> {
    let mut lines: Vec<u32> = pared.kept.iter().map(|kept| kept.line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
