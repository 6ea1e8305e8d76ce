//! What all tests of a draft together must keep of the tests that they take the place of.
//!
//! | what | who | found |
//! |---|---|---|
//! | every assertion, in exactly one test | [`EachOnce`] | on the draft |
//! | every call into the code under test, in some test | [`Somewhere`] | on the draft |
//! | the lines of the code under test that run | [`SameLines`](crate::SameLines) | by a run with a recorder |
//! | the faults that are caught | [`Faults`](crate::Faults) | by runs on mutants |
//!
//! The first loss that is found is told; what costs no run comes first.

use crate::runs::{Runs, Stop};
use camino::Utf8PathBuf;
use paring_model::{Body, Candidate, Draft, Mutant, StmtId, TestDraft, Unit};

/// Something that all tests of a draft together must keep.
pub trait Keeps {
    /// What the draft loses, as far as it can be told without a run.
    fn before_run(&self, units: &[&Unit], draft: &Draft) -> Option<Loss> {
        let _ = (units, draft);
        None
    }

    /// What the written tests lose, by runs of its own. Asked for once every test shows what is expected of it.
    fn by_runs(&self, runs: &Runs<'_>, candidate: &Candidate) -> Result<Option<Loss>, Stop> {
        let _ = (runs, candidate);
        Ok(None)
    }
}

/// Something that the originals had and the draft has not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// No test has the assertion.
    Missing { unit: usize, stmt: StmtId },
    /// More than one test has the assertion.
    Repeated { unit: usize, stmt: StmtId },
    /// No test has the call.
    Call { unit: usize, stmt: StmtId },
    /// No test runs these lines of the code under test. Never empty.
    Lines(Vec<LostLine>),
    /// No test fails with this fault, and an original does: where, if its own file tells.
    Fault { mutant: Mutant, failed_at: Option<u32> },
}

/// A line of the code under test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LostLine {
    pub path: Utf8PathBuf,
    pub line: u32,
}

/// Each of these statements of a unit stands in exactly one test.
#[derive(Clone, Debug)]
pub struct EachOnce {
    pub unit: usize,
    pub stmts: Vec<StmtId>,
}

impl Keeps for EachOnce {
    fn before_run(&self, units: &[&Unit], draft: &Draft) -> Option<Loss> {
        let unit = self.unit;
        self.stmts.iter().find_map(|&stmt| {
            match draft.tests.iter().filter(|test| has(test, units, unit, stmt)).count() {
                0 => Some(Loss::Missing { unit, stmt }),
                1 => None,
                _ => Some(Loss::Repeated { unit, stmt }),
            }
        })
    }
}

/// Each of these statements of a unit stands in at least one test.
#[derive(Clone, Debug)]
pub struct Somewhere {
    pub unit: usize,
    pub stmts: Vec<StmtId>,
}

impl Keeps for Somewhere {
    fn before_run(&self, units: &[&Unit], draft: &Draft) -> Option<Loss> {
        let unit = self.unit;
        let is_lost = |stmt: &&StmtId| !draft.tests.iter().any(|test| has(test, units, unit, **stmt));
        self.stmts.iter().find(is_lost).map(|&stmt| Loss::Call { unit, stmt })
    }
}

/// Whether a test has a statement of a unit written out, by itself or as part of another.
fn has(test: &TestDraft, units: &[&Unit], unit: usize, stmt: StmtId) -> bool {
    match &test.body {
        Body::Edited { unit: of, edits } | Body::Rounds { unit: of, edits, .. } => {
            *of == unit && edits.kept.contains(stmt) && !edits.unwrapped.contains(stmt)
        }
        Body::Composed(composed) => composed.setup.iter().chain(&composed.pieces).any(|piece| {
            let is_within = || units[unit].ancestors(stmt).any(|up| up == piece.stmt);
            piece.unit == unit && (piece.stmt == stmt || is_within())
        }),
    }
}
