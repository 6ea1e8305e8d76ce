//! The suite with its lines recorded: which of its tests run, and whether what they told can be ranked.

use super::is_failed;
use paring_engine::Runs;
use paring_model::{Covered, ErrorCode, Heard, KeptUnit, Known, Observation, RunnerError, Spectra};

/// Which tests are the suite, and who makes its runs.
#[derive(Clone, Copy)]
pub struct Suite<'a> {
    pub runs: &'a Runs<'a>,
    /// As the user named them; none stands for all tests in the folder.
    pub paths: &'a [String],
    /// What earlier runs told.
    pub kept: &'a dyn Spectra,
    /// Whether all tests run, whatever is kept of them.
    pub fresh: bool,
    /// Hears how far the run is.
    pub hear: &'a dyn Fn(Heard<'_>),
}

impl Suite<'_> {
    /// What the tests ran, or why that cannot be ranked.
    pub fn run(&self) -> Result<Covered, RunnerError> {
        let covered = self.believable()?;
        refuse(&covered, self.paths)?;
        Ok(covered)
    }

    /// Runs the tests that nothing is known of, and all of them where that is not to be believed: a test may fail only after others, and
    /// that no test fails is said only of tests that ran.
    fn believable(&self) -> Result<Covered, RunnerError> {
        let mut covered = if self.fresh { self.all()? } else { self.cover(self.kept)? };
        let fails = covered.tests.iter().any(|test| is_failed(&test.observation));
        let turned = std::mem::take(&mut covered.turned);
        if covered.n_kept() > 0 && (!fails || !turned.passing.is_empty()) {
            covered = self.all()?;
            covered.notes.extend(of_tests(&turned.passing).map(|tests| {
                format!("failed before, and not without the tests that had not changed: {tests}; all ran again, as one may depend on others")
            }));
        } else {
            covered.notes.extend(of_tests(&turned.failing).map(|tests| {
                format!("passed before, and failed in a run of changed tests alone: {tests}; where a test needs others to run first, use --fresh")
            }));
        }
        Ok(covered)
    }

    fn all(&self) -> Result<Covered, RunnerError> {
        self.cover(&Afresh(self.kept))
    }

    fn cover(&self, kept: &dyn Spectra) -> Result<Covered, RunnerError> {
        let covered = self.runs.suite(self.paths, kept, self.hear);
        (self.hear)(Heard::Ended);
        covered
    }
}

/// Keeps what is seen, and knows nothing of earlier runs.
struct Afresh<'a>(&'a dyn Spectra);

impl Spectra for Afresh<'_> {
    fn known(&self) -> Vec<Known> {
        Vec::new()
    }

    fn keep(&self, unit: &KeptUnit) {
        self.0.keep(unit);
    }
}

/// Tests in few words: an edit may turn hundreds.
fn of_tests(ids: &[String]) -> Option<String> {
    match ids {
        [] => None,
        [id] => Some(id.clone()),
        [first, rest @ ..] => Some(format!("{first} and {} more", rest.len())),
    }
}

/// What cannot be ranked at all.
fn refuse(covered: &Covered, paths: &[String]) -> Result<(), RunnerError> {
    let place = place(paths);
    let refusal = |code, message, help: &str| Err(RunnerError { code, message, help: help.to_owned() });
    let ran = covered.tests.iter().filter(|test| test.ran.is_some());
    let why = why_without_lines(covered);
    match (ran.clone().next(), &why) {
        (None, Some(why)) => refusal(
            ErrorCode::NoSpectrum,
            format!("no test ran to its end {place}, so nothing can be ranked: {why}"),
            "run the tests by hand first: they must be collected, and end",
        ),
        (None, None) => refusal(
            ErrorCode::NotFound,
            format!("there are no tests {place}"),
            "name files or folders with tests",
        ),
        (Some(_), _) if !covered.tests.iter().any(|test| is_failed(&test.observation)) => refusal(
            ErrorCode::NoFailures,
            format!("no test fails {place} ({} ran), so nothing points to a fault", ran.count()),
            "run the tests that fail, in the environment in which they fail",
        ),
        (Some(_), _) if !ran.clone().any(|test| is_failed(&test.observation)) => refusal(
            ErrorCode::NoSpectrum,
            format!(
                "every failing test ended the process, hung or could not be collected, and what they run is not known: {}",
                why.unwrap_or_default()
            ),
            "pare such a test with `paring minimize` first",
        ),
        (Some(_), _) => Ok(()),
    }
}

/// Where the tests were looked for, in words.
fn place(paths: &[String]) -> String {
    match paths {
        [] => "here".to_owned(),
        [first, .., last] if paths.len() > 3 => {
            format!("in the {} paths from {first} to {last}", paths.len())
        }
        _ => format!("in {}", paths.join(" ")),
    }
}

/// What is known of the first test that has no lines.
fn why_without_lines(covered: &Covered) -> Option<String> {
    covered.tests.iter().filter(|test| test.ran.is_none()).find_map(|test| match &test.observation {
        Observation::Broken { message, .. } => Some(format!("{}: {message}", test.id)),
        Observation::Failed(failure) => Some(format!("{}: {}", test.id, failure.exception().message)),
        Observation::Died { how } => Some(format!("{} ended the process ({how})", test.id)),
        Observation::Hung { .. } => Some(format!("{} did not end in time", test.id)),
        Observation::Passed | Observation::Skipped { .. } => None,
    })
}
