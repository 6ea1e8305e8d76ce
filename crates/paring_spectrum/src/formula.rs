//! [`Formula`]: from four counts to a score.
//!
//! With `F = ef + nf` and `P = ep + np`:
//!
//! | formula | score |
//! |---|---|
//! | Tarantula | (ef/F) / (ef/F + ep/P) |
//! | SBI | ef / (ef + ep) |
//! | Ochiai | ef / √(F · (ef + ep)) |
//! | Jaccard | ef / (F + ep) |
//! | Ochiai2 | ef · np / √((ef + ep)(np + nf) · F · P) |
//! | Kulczynski2 | ½ (ef/F + ef/(ef + ep)) |
//! | `DStar` | ef² / (ep + nf) |
//! | Op2 | ef − ep/(P + 1) |
//!
//! A share of nothing is nothing: a line that no failing test ran scores 0 (by Op2: not more than 0), and without passing tests
//! ep/P is 0. `DStar` is infinite where every failing test and nothing else ran the line: the perfect suspect is above all others.
//! Scores are made by one division of whole numbers, so that what is equal on paper is equal here, and is a tie.

use crate::counts::Counts;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    Tarantula,
    Sbi,
    Ochiai,
    Jaccard,
    Ochiai2,
    Kulczynski2,
    Dstar,
    Op2,
}

impl Formula {
    pub const ALL: [Formula; 8] = [
        Formula::Tarantula,
        Formula::Sbi,
        Formula::Ochiai,
        Formula::Jaccard,
        Formula::Ochiai2,
        Formula::Kulczynski2,
        Formula::Dstar,
        Formula::Op2,
    ];

    /// Its name on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Formula::Tarantula => "tarantula",
            Formula::Sbi => "sbi",
            Formula::Ochiai => "ochiai",
            Formula::Jaccard => "jaccard",
            Formula::Ochiai2 => "ochiai2",
            Formula::Kulczynski2 => "kulczynski2",
            Formula::Dstar => "dstar",
            Formula::Op2 => "op2",
        }
    }

    /// Higher is more suspicious; never NaN.
    pub fn score(self, counts: Counts) -> f64 {
        let [ef, nf, ep, np] = [counts.ef, counts.nf, counts.ep, counts.np].map(u128::from);
        let (failed, passed) = (ef + nf, ep + np);
        match self {
            // Times F · P above and below the line. Without a passing test only the failing ones are left.
            Formula::Tarantula if passed == 0 => share(ef, ef),
            Formula::Tarantula => share(ef * passed, ef * passed + ep * failed),
            Formula::Sbi => share(ef, ef + ep),
            Formula::Ochiai => share(ef * ef, failed * (ef + ep)).sqrt(),
            Formula::Jaccard => share(ef, failed + ep),
            Formula::Ochiai2 => {
                let below = (ef + ep) * (np + nf) * failed * passed;
                share(ef * ef * np * np, below).sqrt()
            }
            Formula::Kulczynski2 => share(ef * (ef + ep + failed), 2 * failed * (ef + ep)),
            Formula::Dstar if ef > 0 && ep + nf == 0 => f64::INFINITY,
            Formula::Dstar => share(ef * ef, ep + nf),
            Formula::Op2 if ef * (passed + 1) >= ep => share(ef * (passed + 1) - ep, passed + 1),
            Formula::Op2 => -share(ep - ef * (passed + 1), passed + 1),
        }
    }
}

/// Whole numbers up to here are exact as floats: a division of two of them is rounded once.
const EXACT: u128 = 1 << f64::MANTISSA_DIGITS;

/// The quotient, or 0 where there is nothing to divide. Equal fractions give the same bits.
fn share(above: u128, below: u128) -> f64 {
    if above == 0 || below == 0 {
        return 0.0;
    }
    let common = if above <= EXACT && below <= EXACT { 1 } else { greatest_common_divisor(above, below) };
    #[expect(
        clippy::cast_precision_loss,
        reason = "as near as a number can be, and the same for equal fractions"
    )]
    let quotient = (above / common) as f64 / (below / common) as f64;
    quotient
}

fn greatest_common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "an infinite score is told by nothing else")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(ef: u32, nf: u32, ep: u32, np: u32) -> Counts {
        Counts { ef, nf, ep, np }
    }

    /// Scores in the order of [`Formula::ALL`].
    #[track_caller]
    fn check(ef: u32, nf: u32, ep: u32, np: u32, expected: [f64; 8]) {
        for (formula, expected) in Formula::ALL.into_iter().zip(expected) {
            let score = formula.score(counts(ef, nf, ep, np));
            let near = score == expected || (score - expected).abs() < 1e-12;
            assert!(near, "{formula:?} of ef {ef} nf {nf} ep {ep} np {np}: {score}, not {expected}");
        }
    }

    const INF: f64 = f64::INFINITY;

    #[test]
    fn every_zero_case_has_its_score() {
        // Every choice of which of the four counts are 0; those that are not are 1, 2, 3, 4 in the order ef, nf, ep, np.
        // ef, nf, ep, np     tarantula sbi ochiai jaccard ochiai2 kulczynski2 dstar op2
        check(0, 0, 0, 0, [0.0; 8]);
        check(0, 0, 0, 4, [0.0; 8]);
        check(0, 0, 3, 0, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0 / 4.0]);
        check(0, 0, 3, 4, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0 / 8.0]);
        check(0, 2, 0, 0, [0.0; 8]);
        check(0, 2, 0, 4, [0.0; 8]);
        check(0, 2, 3, 0, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0 / 4.0]);
        check(0, 2, 3, 4, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0 / 8.0]);
        check(1, 0, 0, 0, [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, INF, 1.0]);
        check(1, 0, 0, 4, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, INF, 1.0]);
        check(1, 0, 3, 0, [0.5, 0.25, 0.5, 0.25, 0.0, 0.625, 1.0 / 3.0, 0.25]);
        check(
            1,
            0,
            3,
            4,
            [0.7, 0.25, 0.5, 0.25, 4.0 / (4.0 * 4.0 * 7.0_f64).sqrt(), 0.625, 1.0 / 3.0, 1.0 - 3.0 / 8.0],
        );
        let third: f64 = 1.0 / 3.0;
        check(1, 2, 0, 0, [1.0, 1.0, third.sqrt(), third, 0.0, 2.0 * third, 0.5, 1.0]);
        check(
            1,
            2,
            0,
            4,
            [1.0, 1.0, third.sqrt(), third, 4.0 / (6.0 * 3.0 * 4.0_f64).sqrt(), 2.0 * third, 0.5, 1.0],
        );
        check(1, 2, 3, 0, [0.25, 0.25, 1.0 / 12.0_f64.sqrt(), 1.0 / 6.0, 0.0, 7.0 / 24.0, 0.2, 0.25]);
        let tarantula = third / (third + 3.0 / 7.0);
        let ochiai2 = 4.0 / (4.0 * 6.0 * 3.0 * 7.0_f64).sqrt();
        check(
            1,
            2,
            3,
            4,
            [tarantula, 0.25, 1.0 / 12.0_f64.sqrt(), 1.0 / 6.0, ochiai2, 7.0 / 24.0, 0.2, 1.0 - 3.0 / 8.0],
        );
    }

    #[test]
    fn the_perfect_suspect_is_above_all_others_whatever_the_formula() {
        for formula in Formula::ALL {
            let perfect = formula.score(counts(3, 0, 0, 5));
            for (ef, ep) in (0..=3).flat_map(|ef| (0..=5).map(move |ep| (ef, ep))) {
                let other = formula.score(counts(ef, 3 - ef, ep, 5 - ep));
                assert!(other <= perfect, "{formula:?} of ef {ef} ep {ep}: {other}");
            }
        }
    }

    #[test]
    fn words_are_told_apart() {
        let words: std::collections::BTreeSet<&str> = Formula::ALL.map(Formula::word).into();
        assert_eq!(words.len(), Formula::ALL.len());
    }

    #[test]
    fn what_is_equal_on_paper_is_equal_in_bits() {
        // 1/3 of the failing and 1/3 of the passing tests, in suites where no float is exact.
        for factor in [1, 3, 7, 11, 9973, 99_991] {
            let score = Formula::Ochiai2.score(counts(factor, 2 * factor, 5 * factor, 10 * factor));
            assert_eq!(score.to_bits(), Formula::Ochiai2.score(counts(1, 2, 5, 10)).to_bits(), "{factor}");
        }
        assert_eq!(
            Formula::Tarantula.score(counts(1, 2, 1, 4)).to_bits(),
            Formula::Tarantula.score(counts(2, 1, 2, 3)).to_bits()
        );
    }

    proptest! {
        #[test]
        fn scores_are_numbers_and_grow_with_failing_and_shrink_with_passing_tests(
            failed in 0_u32..3000, passed in 0_u32..3000, ef in 0_u32..3000, ep in 0_u32..3000,
        ) {
            let (ef, ep) = (ef.min(failed), ep.min(passed));
            let of = |ef: u32, ep: u32| counts(ef, failed - ef, ep, passed - ep);
            for formula in Formula::ALL {
                let score = formula.score(of(ef, ep));
                prop_assert!(!score.is_nan());
                if ef < failed {
                    prop_assert!(formula.score(of(ef + 1, ep)) >= score, "{:?}", formula);
                }
                if ep < passed {
                    prop_assert!(formula.score(of(ef, ep + 1)) <= score, "{:?}", formula);
                }
            }
        }

        #[test]
        fn tarantula_and_sbi_rank_alike(
            failed in 1_u32..50, passed in 1_u32..50, one in (0_u32..50, 0_u32..50), other in (0_u32..50, 0_u32..50),
        ) {
            let of = |(ef, ep): (u32, u32)| {
                let (ef, ep) = (ef.min(failed), ep.min(passed));
                counts(ef, failed - ef, ep, passed - ep)
            };
            let by = |formula: Formula| formula.score(of(one)).total_cmp(&formula.score(of(other)));
            prop_assert_eq!(by(Formula::Tarantula), by(Formula::Sbi));
        }
    }
}
