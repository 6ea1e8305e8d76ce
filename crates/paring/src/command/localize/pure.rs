//! Failing tests purified, one for each assertion that fails, and what the smaller ones run.

use super::super::minimize::{Job, Session, Writer};
use crate::cli::LocalizeArgs;
use crate::language::Language;
use crate::output::Output;
use crate::target::{self, Target};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, Coverage, Covered, CoveredTest, Form, Heat, Observation, RanIn};
use paring_spectrum::Verdict;
use paring_tasks::localize::PureTest;
use paring_tasks::{Outcome, OutcomeError, Pared, Size, Status};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Pure {
    pub tests: Vec<PureTest>,
    pub notes: Vec<String>,
    /// What paring took, and running the pared tests with the recorder.
    pub paring: Duration,
    pub recording: Duration,
}

/// Pares failing tests of the suite. One that cannot be pared is told in a note, and counts as it is.
pub fn pare(
    session: &mut Session<'_>,
    args: &LocalizeArgs,
    language: &Rc<dyn Language>,
    coverage: &dyn Coverage,
    covered: &Covered,
    output: &Output,
) -> Pure {
    let mut pure = Pure::default();
    let writer = Writer::new(session.options, session.cwd());
    let job = if args.needs_holding() { Job::TakeApart } else { Job::Purify };
    let n_failing = covered.tests.iter().filter(|test| is_to_be_pared(test)).count();
    let chosen = chosen(covered, args.n_pared());
    if chosen.len() < n_failing {
        pure.notes.push(format!(
            "{} of {n_failing} failing tests were pared, of every failure those that run the fewest lines; the others count as they \
             are (--pare {n_failing} pares all)",
            chosen.len()
        ));
    }
    session.is_batch = chosen.len() > 1;
    for origin in chosen {
        let test = &covered.tests[origin];
        if session.stopped() {
            break;
        }
        let began = Instant::now();
        let purified = match find(language, covered, origin) {
            Ok(target) => session.work(job, &target, &writer, output),
            Err(error) => {
                pure.notes.push(format!("{} was not pared: {}", test.id, error.message));
                continue;
            }
        };
        pure.paring += began.elapsed();
        let began = Instant::now();
        let first = pure.tests.len();
        for outcome in &purified.outcomes {
            pure.notes.extend(dependence(outcome));
            match record(coverage, origin, test, outcome) {
                Ok(test) => pure.tests.extend(test),
                Err(why) => pure.notes.push(format!("{} counts as it is: {why}", test.id)),
            }
        }
        let holding = purified.holding.iter().take_while(|_| !session.stopped());
        pure.tests.extend(holding.filter_map(|candidate| record_holding(coverage, origin, test, candidate)));
        if pure.tests.len() > first {
            let once = run_once(coverage, covered, test);
            pure.tests[first..].iter_mut().for_each(|made| set_apart(&once, made));
        }
        pure.recording += began.elapsed();
    }
    pure
}

/// Lines that the test runs alone and did not run in the suite, by file: what earlier tests had done for it, a table that is made when it
/// is first asked for. All tests that it was pared to run them too, and no passing test seems to: they would be perfect suspects.
fn run_once(
    coverage: &dyn Coverage,
    covered: &Covered,
    test: &CoveredTest,
) -> HashMap<Utf8PathBuf, HashSet<u32>> {
    let Ok(source) = std::fs::read_to_string(&test.file) else { return HashMap::new() };
    let candidate = Candidate::single(&test.file, source, test.id.clone(), Form::Compact);
    let Ok(alone) = coverage.candidate(&test.file, &candidate, Heat::Warm) else { return HashMap::new() };
    let mut lines: HashMap<Utf8PathBuf, HashSet<u32>> = HashMap::new();
    for ran in failing(&alone).into_iter().flatten() {
        lines.entry(alone.files[ran.file_idx].path.clone()).or_default().extend(&ran.lines);
    }
    for ran in test.ran.iter().flatten() {
        if let Some(lines) = lines.get_mut(&covered.files[ran.file_idx].path) {
            ran.lines.iter().for_each(|line| {
                lines.remove(line);
            });
        }
    }
    lines
}

fn set_apart(once: &HashMap<Utf8PathBuf, HashSet<u32>>, made: &mut PureTest) {
    for (path, lines) in &mut made.ran {
        if let Some(once) = once.get(path) {
            let (apart, own) = std::mem::take(lines).into_iter().partition(|line| once.contains(line));
            *lines = own;
            made.once.push((path.clone(), apart));
        }
    }
}

/// Of the failing tests so many, in the order in which they ran: of every failure the most telling one first.
fn chosen(covered: &Covered, n_most: usize) -> Vec<usize> {
    let mut failing: Vec<(usize, usize, String)> = Vec::new();
    for (idx, test) in covered.tests.iter().enumerate().filter(|(_, test)| is_to_be_pared(test)) {
        let n_lines = test.ran.iter().flatten().map(|ran| ran.lines.len()).sum();
        failing.push((n_lines, idx, kind(test)));
    }
    failing.sort();
    let mut n_of_kind: HashMap<String, usize> = HashMap::new();
    let mut order: Vec<(usize, usize, usize)> = Vec::new();
    for (n_lines, idx, kind) in failing {
        let nth = n_of_kind.entry(kind).or_default();
        order.push((*nth, n_lines, idx));
        *nth += 1;
    }
    order.sort_unstable();
    let mut chosen: Vec<usize> = order.into_iter().take(n_most).map(|(_, _, idx)| idx).collect();
    chosen.sort_unstable();
    chosen
}

/// What tells one failure from another without looking further.
fn kind(test: &CoveredTest) -> String {
    match &test.observation {
        Observation::Failed(failure) => {
            let exception = failure.exception();
            format!("{}: {}", exception.type_name, exception.message)
        }
        other => format!("{other:?}"),
    }
}

/// What ended its process, or was never collected, left no lines to improve on.
fn is_to_be_pared(test: &CoveredTest) -> bool {
    matches!(test.observation, Observation::Failed(_)) && test.ran.is_some()
}

fn find(language: &Rc<dyn Language>, covered: &Covered, origin: usize) -> Result<Target, OutcomeError> {
    let mut target = target::find(language, &covered.tests[origin].id, &[])?;
    let before = covered.tests[..origin].iter().map(|test| &test.id);
    target.seen_apart = true;
    target.before = before.filter(|id| language.names_a_test(id)).cloned().collect();
    Ok(target)
}

/// A test that does not fail alone has its cause in another, whose lines it never ran.
fn dependence(outcome: &Outcome) -> Option<String> {
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

/// Runs a pared test with the recorder.
fn record(
    coverage: &dyn Coverage,
    origin: usize,
    test: &CoveredTest,
    outcome: &Outcome,
) -> Result<Option<PureTest>, String> {
    let Some(pared) = &outcome.pared else {
        return match (&outcome.error, outcome.status) {
            (Some(error), _) => Err(format!("it could not be pared, {}", error.message)),
            (None, Status::Flaky) => Err("it does not fail the same way every time".to_owned()),
            (
                None,
                Status::Passing
                | Status::Minimized
                | Status::Unchanged
                | Status::NotFound
                | Status::Interrupted
                | Status::Error,
            ) => Ok(None),
        };
    };
    let file = Utf8PathBuf::from(&pared.path);
    let candidate = Candidate::single(&file, pared.text.clone(), pared.target.clone(), Form::Compact)
        .with_after(&outcome.after);
    // What an earlier one left behind may be in the way: a process of its own has the last word.
    let record = |heat| coverage.candidate(&file, &candidate, heat).map_err(|error| error.message);
    let mut covered = record(Heat::Warm)?;
    if failing(&covered).is_none() {
        covered = record(Heat::Cold)?;
    }
    let ran = failing(&covered)
        .ok_or_else(|| format!("{} did not fail while its lines were recorded", pared.target))?;
    let lines = ran.iter().map(|ran| {
        let path = &covered.files[ran.file_idx].path;
        (path.clone(), if is_own(path, &file, test) { lines_kept(pared) } else { ran.lines.clone() })
    });
    let mut made = PureTest {
        origin,
        verdict: Verdict::Failed,
        ran: lines.collect(),
        once: Vec::new(),
        text: pared.test.clone(),
        statements: pared.statements,
        idle: pared.suspects.iter().map(|suspect| suspect.text.clone()).collect(),
        ran_idly: Vec::new(),
    };
    for suspect in &pared.suspects {
        let without = candidate.clone().with_text(suspect.without.clone());
        made.ran_idly.extend(ran_only_with(coverage, &file, &made, &without));
    }
    Ok(Some(made))
}

/// What a pared test runs only because of a call without which it fails the same way.
fn ran_only_with(
    coverage: &dyn Coverage,
    file: &Utf8Path,
    made: &PureTest,
    without: &Candidate,
) -> Vec<(Utf8PathBuf, Vec<u32>)> {
    let Ok(covered) = coverage.candidate(file, without, Heat::Warm) else { return Vec::new() };
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

/// Runs the test of an assertion that holds with the recorder: none where it does not pass by itself.
fn record_holding(
    coverage: &dyn Coverage,
    origin: usize,
    test: &CoveredTest,
    candidate: &Candidate,
) -> Option<PureTest> {
    let covered = coverage.candidate(&test.file, candidate, Heat::Warm).ok()?;
    let last = covered.tests.last().filter(|last| last.observation == Observation::Passed)?;
    // The lines of its own file are others by now, and say nothing of the code.
    let ran =
        last.ran.iter().flatten().map(|ran| (covered.files[ran.file_idx].path.clone(), ran.lines.clone()));
    let ran = ran.filter(|(path, _)| *path != test.file).collect();
    Some(PureTest {
        origin,
        verdict: Verdict::Passed,
        ran,
        once: Vec::new(),
        text: candidate.text().to_owned(),
        statements: Size::default(),
        idle: Vec::new(),
        ran_idly: Vec::new(),
    })
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
