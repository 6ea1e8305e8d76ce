//! Rank refinement: what purified tests say of lines that a formula has scored (Xuan and Monperrus, 2014, section 3.4).
//!
//! `score = norm · (1 + ratio) / 2`, where `norm` is the formula's score stretched to 0..1 over all lines, and `ratio` the share of
//! the purified tests that ran the line. A line that every one of them ran keeps its score; one that none of them ran loses half.
//!
//! The paper says nothing of two cases. An infinite `DStar` is taken as twice the largest finite score (or as 1, where no finite
//! score is above 0: it must stay above). Where all scores are equal, `norm` is 1 for all, and the ratio alone decides.

use crate::tally::Tally;

/// Refines the scores of a tally's classes; they stay as they are where there are no purified tests.
pub fn refine(tally: &Tally, scores: &[f64]) -> Vec<f64> {
    let Some(ratios) = tally.pure_shares() else { return scores.to_vec() };
    let norms = normalized(scores);
    norms.into_iter().zip(ratios).map(|(norm, ratio)| norm * f64::midpoint(1.0, ratio)).collect()
}

/// Scores stretched to 0..1.
pub fn normalized(scores: &[f64]) -> Vec<f64> {
    let finite = || scores.iter().copied().filter(|score| score.is_finite());
    let largest = finite().fold(f64::NEG_INFINITY, f64::max);
    let infinite = if largest > 0.0 { 2.0 * largest } else { 1.0 };
    let scores = scores.iter().map(|&score| if score.is_finite() { score } else { infinite });
    let (low, high) = scores
        .clone()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| (low.min(score), high.max(score)));
    scores.map(|score| if high > low { (score - low) / (high - low) } else { 1.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::spectrum::{LineId, Spectrum, Verdict};
    use crate::tally::Equal;

    #[test]
    fn scores_are_stretched_from_the_lowest_to_the_highest() {
        const INF: f64 = f64::INFINITY;
        for (scores, norms) in [
            (vec![], vec![]),
            (vec![0.2, 0.6, 0.4], vec![0.0, 1.0, 0.5]),
            (vec![-1.0, 1.0, 0.0], vec![0.0, 1.0, 0.5]),
            // Infinite is twice the largest finite score.
            (vec![0.0, INF, 2.0, 4.0], vec![0.0, 1.0, 0.25, 0.5]),
            (vec![0.0, INF], vec![0.0, 1.0]),
            // All alike.
            (vec![INF, INF], vec![1.0, 1.0]),
            (vec![0.0, 0.0], vec![1.0, 1.0]),
            (vec![0.7], vec![1.0]),
        ] {
            let found = normalized(&scores);
            assert_eq!(found.len(), norms.len());
            for (found, norm) in found.iter().zip(&norms) {
                assert!((found - norm).abs() < 1e-12, "{scores:?}: {found} is not {norm}");
            }
        }
    }

    /// Figure 1 of the paper in small: the failing test runs all four lines, its two purified tests share only the last.
    #[test]
    fn what_all_purified_tests_ran_comes_first() {
        let test =
            |verdict, lines: &[u32]| Spectrum { verdict, lines: lines.iter().copied().map(LineId).collect() };
        let tests = [test(Verdict::Failed, &[0, 1, 2, 3]), test(Verdict::Passed, &[4])];
        let pure = [test(Verdict::Failed, &[1, 3]), test(Verdict::Failed, &[2, 3])];
        let tally = Tally::with_pure(5, &tests, Equal::Each, &pure);
        for formula in Formula::ALL {
            let ranking = tally.rank(&refine(&tally, &tally.scores(formula)));
            let scores: Vec<f64> = (0..5).map(|line| ranking.place(LineId(line)).score).collect();
            assert_eq!(scores, [0.5, 0.75, 0.75, 1.0, 0.0], "{formula:?}");
        }
    }

    #[test]
    fn without_purified_tests_nothing_changes() {
        let tests = [Spectrum { verdict: Verdict::Failed, lines: [LineId(0)].into_iter().collect() }];
        let tally = Tally::of(2, &tests, Equal::Each);
        let scores = tally.scores(Formula::Dstar);
        assert_eq!(refine(&tally, &scores), scores);
    }
}
