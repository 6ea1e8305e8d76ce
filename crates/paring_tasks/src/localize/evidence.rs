//! [`Evidence`]: the spectra that count, with pared tests where they belong.

use super::lines::Lines;
use super::{Combine, FailingTest, ParedTest, PureTest, SpectrumOf, is_failed, is_skipped};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Covered, CoveredTest, Observation, RanIn};
use paring_spectrum::{LineSet, Spectrum, Verdict, distinct};

pub struct Evidence {
    /// What is counted by verdict.
    pub counted: Vec<Spectrum>,
    /// What refines the ranking.
    pub pure: Vec<Spectrum>,
    pub failing: Vec<FailingTest>,
    /// What each failing test ran, or the tests it was pared to.
    pub ran_by: Vec<LineSet>,
    /// What only calls without effect ran, in pared tests.
    pub ran_without_effect: LineSet,
    pub n_passed: usize,
}

pub fn evidence(covered: &Covered, pure: &[PureTest], lines: &Lines<'_>, combine: Combine) -> Evidence {
    let mut evidence = Evidence {
        counted: Vec::new(),
        pure: Vec::new(),
        failing: Vec::new(),
        ran_by: Vec::new(),
        ran_without_effect: lines.set_by_path(pure.iter().flat_map(|test| by_path(&test.ran_without_effect))),
        n_passed: 0,
    };
    let mut instead = Vec::new();
    let shared = shared(covered, pure, lines);
    for (idx, test) in covered.tests.iter().enumerate() {
        if is_skipped(&test.observation) {
            continue;
        }
        let own = test.ran.as_ref().map(|ran| lines.set(by_file(ran)));
        if !is_failed(&test.observation) {
            evidence.n_passed += 1;
            let own = own.map(|own| own.iter().chain(shared.iter()).collect());
            evidence.counted.extend(own.map(|lines| Spectrum { verdict: Verdict::Passed, lines }));
            continue;
        }
        let made = pure.iter().filter(|pure| pure.origin == idx);
        let once = lines.set_by_path(made.clone().flat_map(|pure| by_path(&pure.once)));
        let own = own.map(|own| own.iter().chain(once.iter()).collect());
        let (pared, holding): (Vec<_>, Vec<_>) = made
            .map(|test| pared_test(test, lines))
            .partition(|(_, spectrum)| spectrum.verdict == Verdict::Failed);
        if combine.counts_holding() {
            instead.extend(holding.into_iter().map(|(_, spectrum)| spectrum));
        }
        evidence.add_failing(test, own, pared, combine, &mut instead);
    }
    // Assertions of one test that run the same lines are one piece of evidence.
    evidence.counted.extend(distinct(instead.iter().collect()).into_iter().cloned());
    evidence
}

/// Lines that ran once, for all, in some test that passes or in none. Who else would run them alone is not known: all passing tests count
/// as if they did, or such a line would seem to be run by failing tests only.
fn shared(covered: &Covered, pure: &[PureTest], lines: &Lines<'_>) -> LineSet {
    let once = lines.set_by_path(pure.iter().flat_map(|test| by_path(&test.once)));
    if once.is_empty() {
        return once;
    }
    let ran_by = |failed: bool| {
        let tests = covered.tests.iter().filter(|test| is_failed(&test.observation) == failed);
        lines.set(tests.flat_map(|test| test.ran.iter().flat_map(|ran| by_file(ran))))
    };
    let (failing, passing) = (ran_by(true), ran_by(false));
    once.iter().filter(|line| passing.contains(*line) || !failing.contains(*line)).collect()
}

fn by_file(ran: &[RanIn]) -> impl Iterator<Item = (usize, &[u32])> {
    ran.iter().map(|ran| (ran.file_idx, ran.lines.as_slice()))
}

fn by_path(ran: &[(Utf8PathBuf, Vec<u32>)]) -> impl Iterator<Item = (&Utf8Path, &[u32])> {
    ran.iter().map(|(path, lines)| (path.as_path(), lines.as_slice()))
}

impl Evidence {
    fn add_failing(
        &mut self,
        test: &CoveredTest,
        own: Option<LineSet>,
        pared: Vec<(ParedTest, Spectrum)>,
        combine: Combine,
        instead: &mut Vec<Spectrum>,
    ) {
        let (pared, spectra): (Vec<ParedTest>, Vec<Spectrum>) = pared.into_iter().unzip();
        let replaces = match combine {
            Combine::Replace | Combine::Both => !spectra.is_empty(),
            Combine::Refine | Combine::Clear | Combine::Settle => false,
        };
        let spectrum = match &own {
            _ if replaces => SpectrumOf::Pared,
            Some(_) => SpectrumOf::Original,
            None => SpectrumOf::Nobody,
        };
        // What stands behind an assertion that fails first: the test as it is never gets there.
        let is_beyond = |test: &&Spectrum| {
            own.as_ref().is_some_and(|own| test.lines.iter().any(|line| !own.contains(line)))
        };
        let beyond: Vec<Spectrum> = match combine {
            Combine::Clear | Combine::Settle => spectra.iter().filter(is_beyond).cloned().collect(),
            Combine::Replace | Combine::Refine | Combine::Both => Vec::new(),
        };
        let counts = if replaces { &spectra } else { &beyond };
        let own_lines = own.iter().filter(|_| !replaces).flat_map(LineSet::iter);
        self.ran_by.push(counts.iter().flat_map(|test| test.lines.iter()).chain(own_lines).collect());
        self.failing.push(FailingTest {
            id: test.id.clone(),
            failure: words(&test.observation),
            spectrum,
            pared,
        });
        match combine {
            Combine::Refine | Combine::Both | Combine::Clear | Combine::Settle => {
                self.pure.extend(spectra.iter().cloned());
            }
            Combine::Replace => {}
        }
        if replaces {
            instead.extend(spectra);
        } else {
            self.counted.extend(own.map(|lines| Spectrum { verdict: Verdict::Failed, lines }));
            instead.extend(beyond);
        }
    }
}

fn pared_test(test: &PureTest, lines: &Lines<'_>) -> (ParedTest, Spectrum) {
    let lines = lines.set_by_path(by_path(&test.ran).chain(by_path(&test.once)));
    let n_lines = usize::try_from(lines.n_lines()).unwrap_or(usize::MAX);
    let pared = ParedTest {
        text: test.text.clone(),
        statements: test.statements,
        n_lines,
        without_effect: test.without_effect.clone(),
    };
    (pared, Spectrum { verdict: test.verdict, lines })
}

/// How a test failed, in a line.
fn words(observation: &Observation) -> String {
    match observation {
        Observation::Failed(failure) => {
            let exception = failure.exception();
            let message =
                exception.message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            let separator = if message.is_empty() { "" } else { ": " };
            format!("{}{separator}{message}", exception.type_name)
        }
        Observation::Broken { message, .. } => message.clone(),
        Observation::Hung { .. } => "it did not end in time".to_owned(),
        Observation::Died { how } => format!("it ended its process ({how})"),
        Observation::Passed | Observation::Skipped { .. } => String::new(),
    }
}
