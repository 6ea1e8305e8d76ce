//! The numbers of one group of cases, ready to be shown. Shares are between 0 and 1; `None` where nothing can be said.

use super::judged::{Judged, Pair};
use std::collections::BTreeMap;

/// How one size went down over a group of results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    pub mean: f64,
    pub median: f64,
    /// Share of results that lost at least a quarter, at least half.
    pub quarter: f64,
    pub half: f64,
    /// Mean of the packages' means: every package counts once.
    pub by_package: f64,
}

/// What is to be said about a group of cases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    pub n_cases: usize,
    /// Cases for which paring handed a test back.
    pub n_results: usize,
    pub n_minimized: usize,
    pub n_same: usize,
    /// Results with a good version to be valid on, and those that are.
    pub n_checked: usize,
    pub n_valid: usize,
    /// Valid results that carry a doubt.
    pub n_doubted: usize,
    pub levels: BTreeMap<String, usize>,
    pub statements: Option<Reduction>,
    pub until_failing: Option<Reduction>,
    pub tokens: Option<Reduction>,
    pub trace: Option<Reduction>,
    pub instructions: Option<Reduction>,
    pub runs: Vec<f64>,
    pub seconds: Vec<f64>,
    pub multiples: Vec<f64>,
    /// Searches within 10 + 1.3 × statements runs, of those whose runs are known.
    pub frugal: Option<f64>,
}

impl Figures {
    pub fn of<'a>(group: impl IntoIterator<Item = &'a Judged>) -> Self {
        let all: Vec<&Judged> = group.into_iter().collect();
        let results: Vec<&Judged> = all.iter().copied().filter(|judged| judged.has_result()).collect();
        let valid: Vec<&Judged> =
            results.iter().copied().filter(|judged| judged.valid == Some(true)).collect();
        let frugal: Vec<bool> = results.iter().filter_map(|judged| judged.is_frugal()).collect();
        let mut levels = BTreeMap::new();
        for judged in &results {
            *levels.entry(judged.level.clone()).or_default() += 1;
        }
        Self {
            n_cases: all.len(),
            n_results: results.len(),
            n_minimized: all.iter().filter(|judged| judged.status == "minimized").count(),
            n_same: results.iter().filter(|judged| judged.same == Some(true)).count(),
            n_checked: results.iter().filter(|judged| judged.valid.is_some()).count(),
            n_valid: valid.len(),
            n_doubted: valid.iter().filter(|judged| !judged.doubts.is_empty()).count(),
            levels,
            statements: reduction(&results, |judged| judged.statements),
            until_failing: reduction(&results, |judged| judged.until_failing),
            tokens: reduction(&results, |judged| judged.tokens),
            trace: reduction(&results, |judged| judged.trace),
            instructions: reduction(&results, |judged| judged.instructions),
            runs: sorted(results.iter().filter_map(|judged| judged.runs.map(as_float))),
            seconds: sorted(results.iter().map(|judged| judged.seconds)),
            multiples: sorted(results.iter().filter_map(|judged| judged.multiple())),
            frugal: (!frugal.is_empty())
                .then(|| share(frugal.iter().filter(|&&yes| yes).count(), frugal.len())),
        }
    }
}

fn reduction(results: &[&Judged], size: impl Fn(&Judged) -> Option<Pair>) -> Option<Reduction> {
    let mut packages: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for judged in results {
        if let Some(pair) = size(judged) {
            packages.entry(&judged.package).or_default().push(pair.reduction());
        }
    }
    let means: Vec<f64> = packages.values().filter_map(|values| mean(values)).collect();
    let all = sorted(packages.into_values().flatten());
    let at_least = |bound: f64| share(all.iter().filter(|&&value| value >= bound - 1e-9).count(), all.len());
    Some(Reduction {
        mean: mean(&all)?,
        median: quantile(&all, 0.5)?,
        quarter: at_least(0.25),
        half: at_least(0.5),
        by_package: mean(&means)?,
    })
}

pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / as_float(values.len() as u64))
}

/// Of sorted values, between two of them in proportion.
pub fn quantile(values: &[f64], at: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let position = at * as_float(last as u64);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index between 0 and last"
    )]
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(values[below] + (values[above] - values[below]) * position.fract())
}

pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { as_float(part as u64) / as_float(whole as u64) }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(package: &str, before: u64, after: u64) -> Judged {
        Judged {
            package: package.to_owned(),
            status: "minimized".to_owned(),
            statements: Some(Pair { before, after }),
            same: Some(true),
            valid: Some(true),
            seconds: 2.0,
            cold_seconds: Some(0.5),
            level: "O".to_owned(),
            ..Judged::default()
        }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn a_large_package_does_not_speak_for_all() {
        let group = [result("big", 4, 4), result("big", 4, 4), result("big", 4, 4), result("small", 4, 0)];
        let statements = Figures::of(&group).statements.unwrap();
        near(statements.mean, 0.25);
        near(statements.by_package, 0.5);
        near(statements.median, 0.0);
        near(statements.quarter, 0.25);
    }

    #[test]
    fn cases_without_a_result_count_as_cases_only() {
        let crash = Judged { status: "crash".to_owned(), ..Judged::default() };
        let figures = Figures::of(&[result("a", 8, 2), crash]);
        assert_eq!((figures.n_cases, figures.n_results, figures.n_same), (2, 1, 1));
        near(figures.statements.unwrap().mean, 0.75);
        near(figures.multiples[0], 4.0);
    }

    #[test]
    fn a_doubt_counts_where_the_result_is_valid() {
        let doubts = vec!["a call may matter".to_owned()];
        let valid = Judged { doubts: doubts.clone(), ..result("a", 8, 2) };
        let invalid = Judged { doubts, valid: Some(false), ..result("a", 8, 2) };
        let figures = Figures::of(&[valid, invalid]);
        assert_eq!((figures.n_checked, figures.n_valid, figures.n_doubted), (2, 1, 1));
    }

    #[test]
    fn an_empty_group_has_no_figures() {
        let figures = Figures::of(&[]);
        assert_eq!(figures.statements, None);
        assert_eq!(quantile(&figures.seconds, 0.5), None);
    }

    #[test]
    fn a_quantile_lies_between_two_values() {
        near(quantile(&[1.0, 2.0, 4.0], 0.5).unwrap(), 2.0);
        near(quantile(&[1.0, 3.0], 0.5).unwrap(), 2.0);
        near(quantile(&[1.0, 3.0], 0.9).unwrap(), 2.8);
    }
}
