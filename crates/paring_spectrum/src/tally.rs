//! [`Tally`]: what all spectra together say of each line.
//!
//! Lines that the same numbers of tests ran cannot be told apart by any formula. They are one *class*, and are scored once: a
//! program has far fewer classes than lines.

use crate::counts::Counts;
use crate::formula::Formula;
use crate::ranking::{Ranking, rank_classes};
use crate::spectrum::{LineId, Spectrum, Verdict};
use std::collections::HashMap;
use std::sync::Arc;

/// Lines over all tests from which on several threads count them.
const MANY_PAIRS: u64 = 4_000_000;
/// Each needs an array of all lines.
const MAX_THREADS: usize = 8;

/// What tests that ran the very same lines count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equal {
    /// Each of them counts.
    Each,
    /// Those of one verdict count once: twenty cases of one test are one piece of evidence.
    Once,
}

/// What is known of all lines of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Evidence {
    ef: u32,
    ep: u32,
    /// Purified tests that ran it.
    pure: u32,
}

#[derive(Clone, Debug)]
pub struct Tally {
    n_failed: u32,
    n_passed: u32,
    n_pure: u32,
    /// Invariant: sorted, and each once.
    classes: Vec<Evidence>,
    /// How many lines each class has.
    n_lines_of: Vec<u32>,
    class_of: Arc<[u32]>,
}

impl Tally {
    /// Counts over the lines `0..n_lines`.
    pub fn of<'a>(n_lines: usize, tests: impl IntoIterator<Item = &'a Spectrum>, equal: Equal) -> Self {
        Self::with_pure(n_lines, tests, equal, [])
    }

    /// Counts purified tests beside the others. They all fail, and equal ones count once, as their paper has it.
    pub fn with_pure<'a>(
        n_lines: usize,
        tests: impl IntoIterator<Item = &'a Spectrum>,
        equal: Equal,
        pure: impl IntoIterator<Item = &'a Spectrum>,
    ) -> Self {
        let tests = counted(tests, equal);
        let of = |verdict: Verdict| tests.iter().copied().filter(move |test| test.verdict == verdict);
        let [failed, passed] =
            [Verdict::Failed, Verdict::Passed].map(|verdict| of(verdict).collect::<Vec<_>>());
        let pure = counted(pure, Equal::Once);
        let [n_failed, n_passed, n_pure] = [&failed, &passed, &pure]
            .map(|tests| u32::try_from(tests.len()).expect("tests are numbered in 32 bits"));
        let [ef, ep, pure_runs] = [&failed, &passed, &pure].map(|tests| runs(tests, n_lines));
        let evidence: Vec<Evidence> = (ef.into_iter().zip(ep).zip(pure_runs))
            .map(|((ef, ep), pure)| Evidence { ef, ep, pure })
            .collect();
        let (classes, n_lines_of, class_of) = classify(&evidence);
        Self { n_failed, n_passed, n_pure, classes, n_lines_of, class_of }
    }

    /// Failing tests, as they were counted.
    pub fn n_failed(&self) -> u32 {
        self.n_failed
    }

    /// Passing tests, as they were counted.
    pub fn n_passed(&self) -> u32 {
        self.n_passed
    }

    pub fn n_lines(&self) -> usize {
        self.class_of.len()
    }

    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    pub fn counts(&self, line: LineId) -> Counts {
        self.counts_of(self.classes[self.class_of[line.idx()] as usize])
    }

    /// The score of each class.
    pub fn scores(&self, formula: Formula) -> Vec<f64> {
        self.classes.iter().map(|&evidence| formula.score(self.counts_of(evidence))).collect()
    }

    /// Of each class, the share of the purified tests that ran it: `None` where there are no purified tests.
    pub fn pure_shares(&self) -> Option<Vec<f64>> {
        let n_pure = f64::from(self.n_pure);
        let share = |evidence: &Evidence| f64::from(evidence.pure) / n_pure;
        (self.n_pure > 0).then(|| self.classes.iter().map(share).collect())
    }

    /// The order of all lines by the scores of their classes.
    pub fn rank(&self, scores: &[f64]) -> Ranking {
        rank_classes(scores, &self.n_lines_of, &self.class_of)
    }

    fn counts_of(&self, evidence: Evidence) -> Counts {
        let Evidence { ef, ep, pure: _ } = evidence;
        Counts { ef, nf: self.n_failed - ef, ep, np: self.n_passed - ep }
    }
}

/// How many of the tests ran each line. Many are shared out among the processors.
fn runs(tests: &[&Spectrum], n_lines: usize) -> Vec<u32> {
    let n_pairs: u64 = tests.iter().map(|test| test.lines.n_lines()).sum();
    let n_processors = || std::thread::available_parallelism().map_or(1, usize::from);
    runs_by(if n_pairs < MANY_PAIRS { 1 } else { n_processors().min(MAX_THREADS) }, tests, n_lines)
}

fn runs_by(n_threads: usize, tests: &[&Spectrum], n_lines: usize) -> Vec<u32> {
    let count = |tests: &[&Spectrum]| {
        let mut runs = vec![0_u32; n_lines];
        for test in tests {
            test.lines.each(|line| runs[line] += 1);
        }
        runs
    };
    if n_threads == 1 {
        return count(tests);
    }
    let share = tests.len().div_ceil(n_threads).max(1);
    let parts: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let counting: Vec<_> = tests.chunks(share).map(|tests| scope.spawn(move || count(tests))).collect();
        let joined = counting.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut all = vec![0; n_lines];
    for part in parts {
        for (all, more) in all.iter_mut().zip(part) {
            *all += more;
        }
    }
    all
}

/// The tests that count.
fn counted<'a>(tests: impl IntoIterator<Item = &'a Spectrum>, equal: Equal) -> Vec<&'a Spectrum> {
    let tests: Vec<&Spectrum> = tests.into_iter().collect();
    match equal {
        Equal::Each => tests,
        Equal::Once => distinct(tests),
    }
}

/// The first of each set of tests that ran the very same lines, by verdict.
pub fn distinct(tests: Vec<&Spectrum>) -> Vec<&Spectrum> {
    let mut seen: HashMap<(Verdict, u64), Vec<&Spectrum>> = HashMap::new();
    let mut kept = Vec::new();
    for test in tests {
        let alike = seen.entry((test.verdict, test.lines.fingerprint())).or_default();
        if alike.iter().all(|other| other.lines != test.lines) {
            alike.push(test);
            kept.push(test);
        }
    }
    kept
}

/// Sorts lines into classes: the classes, their sizes, and the class of each line.
fn classify(evidence: &[Evidence]) -> (Vec<Evidence>, Vec<u32>, Arc<[u32]>) {
    let mut classes = evidence.to_vec();
    classes.sort_unstable();
    classes.dedup();
    let mut n_lines_of = vec![0; classes.len()];
    let class_of = evidence.iter().map(|evidence| {
        let class = classes.binary_search(evidence).expect("every line's evidence is a class");
        n_lines_of[class] += 1;
        u32::try_from(class).expect("lines are numbered in 32 bits, and classes are no more")
    });
    let class_of = class_of.collect();
    (classes, n_lines_of, class_of)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "halves are exact")]
mod tests {
    use super::*;
    use crate::spectrum::LineSet;
    use proptest::prelude::*;

    fn test(verdict: Verdict, lines: &[u32]) -> Spectrum {
        Spectrum { verdict, lines: lines.iter().copied().map(LineId).collect() }
    }

    /// The example at the top of the crate.
    fn example() -> [Spectrum; 3] {
        [test(Verdict::Passed, &[0, 1]), test(Verdict::Failed, &[0, 2, 3]), test(Verdict::Passed, &[0, 1, 3])]
    }

    #[test]
    fn lines_are_counted_by_verdict() {
        let tally = Tally::of(4, &example(), Equal::Each);
        let counts: Vec<[u32; 4]> = (0..4)
            .map(|line| tally.counts(LineId(line)))
            .map(|counts| [counts.ef, counts.nf, counts.ep, counts.np])
            .collect();
        assert_eq!(counts, [[1, 0, 2, 0], [0, 1, 2, 0], [1, 0, 0, 2], [1, 0, 1, 1]]);
        for formula in Formula::ALL {
            let ranking = tally.rank(&tally.scores(formula));
            assert_eq!(ranking.best().next(), Some(LineId(2)), "{formula:?}");
        }
    }

    #[test]
    fn threads_count_what_one_counts() {
        let tests: Vec<Spectrum> = (0..7)
            .map(|n| test(Verdict::Passed, &(0..20).filter(|line| line % (n + 1) == 0).collect::<Vec<_>>()))
            .collect();
        let tests: Vec<&Spectrum> = tests.iter().collect();
        for n_threads in [2, 3, 7, 20] {
            assert_eq!(runs_by(n_threads, &tests, 20), runs_by(1, &tests, 20), "{n_threads}");
        }
        assert_eq!(runs_by(2, &[], 3), [0, 0, 0]);
    }

    #[test]
    fn equal_spectra_count_once_where_that_is_asked_for() {
        let [one, failed, other] = example();
        let tests = [one.clone(), one.clone(), failed, one, other];
        let all = Tally::of(4, &tests, Equal::Each);
        assert_eq!((all.n_passed(), all.counts(LineId(1)).ep), (4, 4));
        let distinct = Tally::of(4, &tests, Equal::Once);
        assert_eq!((distinct.n_passed(), distinct.counts(LineId(1)).ep), (2, 2));
    }

    #[test]
    fn a_passing_and_a_failing_test_of_the_same_lines_both_count() {
        let tests = [test(Verdict::Passed, &[0]), test(Verdict::Failed, &[0])];
        let tally = Tally::of(1, &tests, Equal::Once);
        assert_eq!((tally.n_passed(), tally.n_failed()), (1, 1));
    }

    #[test]
    fn equal_purified_tests_always_count_once() {
        let pure = [test(Verdict::Failed, &[2]), test(Verdict::Failed, &[2]), test(Verdict::Failed, &[2, 3])];
        let tally = Tally::with_pure(4, &example(), Equal::Each, &pure);
        let shares = tally.pure_shares().expect("there are purified tests");
        let of = |line: u32| shares[tally.class_of[line as usize] as usize];
        assert_eq!([of(0), of(1), of(2), of(3)], [0.0, 0.0, 1.0, 0.5]);
        assert!(Tally::of(4, &example(), Equal::Each).pure_shares().is_none());
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_plain_table(
            table in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<bool>(), 40)), 0..12),
        ) {
            let tests: Vec<Spectrum> = table.iter().map(|(failed, row)| Spectrum {
                verdict: if *failed { Verdict::Failed } else { Verdict::Passed },
                lines: (0..40).map(LineId).filter(|line| row[line.idx()]).collect::<LineSet>(),
            }).collect();
            let tally = Tally::of(40, &tests, Equal::Each);
            for line in 0..40_u32 {
                let of = |failed: bool, ran: bool| {
                    let n = table.iter().filter(|row| row.0 == failed && row.1[line as usize] == ran).count();
                    u32::try_from(n).expect("a few")
                };
                let expected =
                    Counts { ef: of(true, true), nf: of(true, false), ep: of(false, true), np: of(false, false) };
                prop_assert_eq!(tally.counts(LineId(line)), expected);
            }
        }
    }
}
