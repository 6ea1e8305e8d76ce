//! What came of one case: what paring said, and what the judge found out about it.

use super::case::Case;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One line of `results.jsonl`. Absent values are those of cases that came to no result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judged {
    pub id: String,
    pub package: String,
    pub kind: Option<Kind>,
    /// paring's word, or `crash` where it left no result.
    pub status: String,
    /// Statements of the original test's body, result or not.
    pub size: Option<u64>,
    /// Of the test's body, counted by the judge; so are the next two.
    pub statements: Option<Pair>,
    /// Those up to the failing one.
    pub until_failing: Option<Pair>,
    pub tokens: Option<Pair>,
    /// Bytecode instructions of the test method, where the language has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Pair>,
    /// Executed statements of the test, as paring traced them.
    pub trace: Option<Pair>,
    /// The level of dependence the result stands on, as paring says it.
    pub level: String,
    pub runs: Option<u64>,
    pub runs_by: BTreeMap<String, u64>,
    /// Wall clock of the whole program.
    pub seconds: f64,
    /// Wall clock of one cold run of the original by the user's own runner.
    pub cold_seconds: Option<f64>,
    /// The judge's word: it fails as the original does.
    pub same: Option<bool>,
    /// The judge's word: it also passes on the good version. `None` where there is none.
    pub valid: Option<bool>,
    /// What paring says it could not rule out.
    pub doubts: Vec<String>,
    /// Why there is no result, or what the judge objects to.
    pub error: String,
}

/// A size before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    pub before: u64,
    pub after: u64,
}

impl Pair {
    /// What share is gone; nothing of nothing is 0.
    #[expect(clippy::cast_precision_loss, reason = "sizes of tests are far below 2^52")]
    pub fn reduction(self) -> f64 {
        if self.before == 0 { 0.0 } else { 1.0 - self.after as f64 / self.before as f64 }
    }
}

/// How it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Assertion,
    Exception,
    DidNotRaise,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Assertion, Self::Exception, Self::DidNotRaise];

    pub fn word(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Exception => "exception",
            Self::DidNotRaise => "did-not-raise",
        }
    }

    fn is_called(self, word: &str) -> bool {
        word == self.word() || (self == Self::DidNotRaise && word == "omission")
    }

    /// What the collection says, else what the failure looks like.
    pub fn of(case: &Case, type_name: &str, message: &str) -> Self {
        let told = [Self::DidNotRaise, Self::Assertion, Self::Exception]
            .into_iter()
            .find(|kind| [&case.kind, &case.category].into_iter().flatten().any(|word| kind.is_called(word)));
        if let Some(kind) = told {
            return kind;
        }
        if message.starts_with("DID NOT")
            || message.ends_with(" not raised")
            || message.contains(" not raised by ")
        {
            Self::DidNotRaise
        } else if type_name == "AssertionError" || type_name == "Failed" {
            Self::Assertion
        } else {
            Self::Exception
        }
    }
}

impl Judged {
    /// Whether paring handed a test back, be it the original.
    pub fn has_result(&self) -> bool {
        self.same.is_some()
    }

    /// Whether it is one to name: no result, not the same failure, not valid, or nothing removed.
    pub fn is_listed(&self) -> bool {
        self.status != "minimized" || self.same != Some(true) || self.valid == Some(false)
    }

    /// The whole cost as a multiple of one cold run.
    pub fn multiple(&self) -> Option<f64> {
        self.cold_seconds.filter(|&cold| cold > 0.0).map(|cold| self.seconds / cold)
    }

    /// Whether the search kept to 10 + 1.3 × statements runs.
    #[expect(clippy::cast_precision_loss, reason = "counts of runs and statements are far below 2^52")]
    pub fn is_frugal(&self) -> Option<bool> {
        let search = *self.runs_by.get("search")?;
        Some(search as f64 <= 10.0 + 1.3 * self.statements?.before as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(case: &Case, type_name: &str, message: &str, expected: Kind) {
        assert_eq!(Kind::of(case, type_name, message), expected);
    }

    #[test]
    fn the_collection_tells_the_kind_and_else_the_failure_does() {
        let told = |kind: &str, category: &str| Case {
            kind: Some(kind.to_owned()),
            category: Some(category.to_owned()),
            ..Case::default()
        };
        check(&told("did-not-raise", "assertion"), "Failed", "DID NOT RAISE", Kind::DidNotRaise);
        check(&told("assert", "assertion"), "AssertionError", "assert 1 == 2", Kind::Assertion);
        check(&told("raised-in-library", "exception"), "AssertionError", "", Kind::Exception);
        check(&Case::default(), "Failed", "DID NOT RAISE <class 'ValueError'>", Kind::DidNotRaise);
        check(&Case::default(), "AssertionError", "KeyError not raised", Kind::DidNotRaise);
        check(&Case::default(), "AssertionError", "1 != 2", Kind::Assertion);
        check(&Case::default(), "KeyError", "'a'", Kind::Exception);
    }

    #[test]
    fn a_reduction_is_the_share_that_went() {
        assert!((Pair { before: 8, after: 2 }.reduction() - 0.75).abs() < 1e-9);
        assert!(Pair { before: 0, after: 0 }.reduction().abs() < 1e-9);
    }

    #[test]
    fn a_search_is_frugal_up_to_its_bound() {
        let with = |search| Judged {
            statements: Some(Pair { before: 20, after: 5 }),
            runs_by: BTreeMap::from([("search".to_owned(), search)]),
            ..Judged::default()
        };
        assert_eq!(with(36).is_frugal(), Some(true));
        assert_eq!(with(37).is_frugal(), Some(false));
        assert_eq!(Judged::default().is_frugal(), None);
    }
}
