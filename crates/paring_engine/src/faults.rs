//! The faults that the originals catch: the new tests together must catch all of them.
//!
//! Mutants of the lines that the originals run are drawn by a seed, and the originals are run on them until enough of them have
//! made one fail. The written tests then run on those. It is the set that must be the same, not the number.
//!
//! ```text
//! drawn: 14    not noticed: 3    ended by the time limit: 1    caught: 10, of which the written tests have to catch all 10
//! ```
//!
//! A run that the time limit ends is counted apart: it tells neither of the tests nor of the fault. Before a fault counts as lost,
//! both sides run once more.

use crate::keeps::{Keeps, Loss};
use crate::runs::{Ask, Purpose, Runs, Seen, Stop, Trust};
use crate::same_lines::SameLines;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, CodeText, Frontend, Heat, Job, Mutant, Observation, next_random};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

/// How many faults are looked for, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many that the originals catch.
    pub n: usize,
    /// For drawing and checking together.
    pub limit: Duration,
    /// For one run.
    pub timeout: Duration,
    pub seed: u64,
}

/// A fault that an original catches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    pub mutant: Mutant,
    /// Where the first test that fails does so, in its own file.
    pub failed_at: Option<u32>,
    code: CodeText,
}

/// The faults that the originals catch.
#[derive(Clone, Debug)]
pub struct Faults {
    originals: Vec<Candidate>,
    plan: Plan,
    pub caught: Vec<Caught>,
    /// How many mutants could have been drawn.
    pub n_possible: usize,
    pub n_not_noticed: usize,
    pub n_timed_out: usize,
    /// Drawn, and no programs: a compiler refuses them.
    pub n_refused: usize,
    /// Why, of a file that is refused as it is.
    pub refusal: Option<String>,
    /// How many of those that are caught the last check had no time for.
    n_unchecked: Cell<usize>,
}

/// What all tests of some candidates showed on one program.
enum End {
    AllPass,
    /// Some test did not pass; the line of the first that failed.
    Fails(Option<u32>),
    TimedOut,
}

impl Faults {
    /// Draws mutants until the originals, which pass without them, catch enough.
    pub fn drawn(
        runs: &Runs<'_>,
        frontend: &dyn Frontend,
        lines: &SameLines,
        originals: Vec<Candidate>,
        plan: Plan,
    ) -> Result<Self, Stop> {
        let began = runs.elapsed();
        let mutants = shuffled(possible(frontend, lines), plan.seed);
        let mut faults = Self {
            originals,
            plan,
            caught: Vec::new(),
            n_possible: mutants.len(),
            n_not_noticed: 0,
            n_timed_out: 0,
            n_refused: 0,
            refusal: None,
            n_unchecked: Cell::new(0),
        };
        let mut waiting = mutants.into_iter();
        let mut closed = BTreeSet::new();
        while faults.caught.len() < plan.n && runs.elapsed().saturating_sub(began) < plan.limit / 2 {
            let n_wanted = runs.n_parallel().min(plan.n - faults.caught.len());
            let open = waiting.by_ref().filter(|mutant| !closed.contains(&mutant.path)).take(n_wanted);
            let batch: Vec<(Mutant, CodeText)> = open.filter_map(|mutant| in_file(lines, mutant)).collect();
            if batch.is_empty() {
                break;
            }
            let batch = faults.accepted(runs, lines, batch, &mut closed)?;
            let codes: Vec<&CodeText> = batch.iter().map(|(_, code)| code).collect();
            let ends = faults.ends(runs, &faults.originals, &codes, 0)?;
            for ((mutant, code), end) in batch.into_iter().zip(ends) {
                match end {
                    End::AllPass => faults.n_not_noticed += 1,
                    End::TimedOut => faults.n_timed_out += 1,
                    End::Fails(failed_at) => faults.caught.push(Caught { mutant, failed_at, code }),
                }
            }
        }
        Ok(faults)
    }

    /// Those of some mutants that are programs. A file that is refused as it is gets closed: it has no mutants.
    fn accepted(
        &mut self,
        runs: &Runs<'_>,
        lines: &SameLines,
        batch: Vec<(Mutant, CodeText)>,
        closed: &mut BTreeSet<Utf8PathBuf>,
    ) -> Result<Vec<(Mutant, CodeText)>, Stop> {
        let codes: Vec<CodeText> = batch.iter().map(|(_, code)| code.clone()).collect();
        let mut accepted = Vec::new();
        for ((mutant, code), refused) in batch.into_iter().zip(runs.refused_code(&codes)?) {
            if refused.is_none() {
                accepted.push((mutant, code));
                continue;
            }
            self.n_refused += 1;
            let path = mutant.path;
            let text = text_of(lines, &path).to_owned();
            let as_it_is = runs.refused_code(&[CodeText { path: path.clone(), text }])?;
            if let Some(message) = as_it_is.into_iter().flatten().next() {
                self.refusal.get_or_insert(format!("{path} does not compile by itself: {message}"));
                closed.insert(path);
            }
        }
        Ok(accepted)
    }

    /// How many faults the last check was about.
    pub fn n_checked(&self) -> usize {
        self.caught.len() - self.n_unchecked.get()
    }

    /// All that the written tests do not catch and the originals do.
    pub fn lost(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Vec<&Caught>, Stop> {
        let began = runs.elapsed();
        let written = std::slice::from_ref(candidate);
        let mut lost = Vec::new();
        self.n_unchecked.set(0);
        for batch in self.caught.chunks(runs.n_parallel()) {
            if runs.elapsed().saturating_sub(began) >= self.plan.limit / 2 {
                self.n_unchecked.set(self.n_unchecked.get() + batch.len());
                continue;
            }
            let codes: Vec<&CodeText> = batch.iter().map(|caught| &caught.code).collect();
            let ends = self.ends(runs, written, &codes, 0)?;
            let missed = batch.iter().zip(ends).filter(|(_, end)| matches!(end, End::AllPass));
            for (caught, _) in missed {
                if self.is_lost(runs, written, &caught.code)? {
                    lost.push(caught);
                }
            }
        }
        Ok(lost)
    }

    /// Whether the originals catch a fault once more, and the written tests do not.
    fn is_lost(&self, runs: &Runs<'_>, written: &[Candidate], code: &CodeText) -> Result<bool, Stop> {
        let again = |candidates: &[Candidate]| self.ends(runs, candidates, &[code], 1);
        let is_caught = again(&self.originals)?.iter().all(|end| matches!(end, End::Fails(_)));
        Ok(is_caught && again(written)?.iter().all(|end| matches!(end, End::AllPass)))
    }

    /// What the tests of all candidates show on each of some programs.
    fn ends(
        &self,
        runs: &Runs<'_>,
        candidates: &[Candidate],
        codes: &[&CodeText],
        nth: u32,
    ) -> Result<Vec<End>, Stop> {
        let ask = |code: &CodeText, candidate: &Candidate| {
            let job = Job::new(candidate.clone(), Heat::Warm, Some(self.plan.timeout));
            Ask { nth, ..Ask::once(Job { code: Some(code.clone()), ..job }) }
        };
        let asks: Vec<Ask<'_>> =
            codes.iter().flat_map(|code| candidates.iter().map(|candidate| ask(code, candidate))).collect();
        let seen = runs.ask(Purpose::Search, Trust::Replay, &asks)?;
        Ok(seen.chunks(candidates.len().max(1)).map(end).collect())
    }
}

impl Keeps for Faults {
    fn by_runs(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Option<Loss>, Stop> {
        let missed = self.lost(runs, candidate)?;
        Ok(missed.first().map(|it| Loss::Fault { mutant: it.mutant.clone(), failed_at: it.failed_at }))
    }
}

/// Every mutant of the lines that ran.
fn possible(frontend: &dyn Frontend, lines: &SameLines) -> Vec<Mutant> {
    let ran = lines.lines();
    ran.iter().flat_map(|(path, ran)| frontend.mutants(path, text_of(lines, path), ran)).collect()
}

fn text_of<'l>(lines: &'l SameLines, path: &Utf8Path) -> &'l str {
    let file = lines.covered.files.iter().find(|file| file.path == path);
    file.map_or("", |file| file.text.as_str())
}

fn in_file(lines: &SameLines, mutant: Mutant) -> Option<(Mutant, CodeText)> {
    let text = text_of(lines, &mutant.path);
    let code = (!text.is_empty()).then(|| mutant.in_file(text))?;
    Some((mutant, code))
}

/// In an order that a seed draws.
fn shuffled<T>(mut all: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed;
    for last in (1..all.len()).rev() {
        let n = u64::try_from(last + 1).expect("a number of mutants");
        all.swap(last, usize::try_from(next_random(&mut state) % n).expect("less than a number of mutants"));
    }
    all
}

fn end(seen: &[Seen]) -> End {
    let tests: Vec<&Observation> = seen.iter().flat_map(|seen| &seen.tests).collect();
    let fails = |seen: &&&Observation| {
        matches!(seen, Observation::Failed(_) | Observation::Died { .. } | Observation::Broken { .. })
    };
    if let Some(first) = tests.iter().find(fails) {
        let site = match first {
            Observation::Failed(failure) => failure.site().map(|site| site.line),
            _ => None,
        };
        return End::Fails(site);
    }
    if tests.iter().any(|seen| matches!(seen, Observation::Hung { .. })) {
        End::TimedOut
    } else {
        End::AllPass
    }
}
