//! Runs candidates with the user's own pytest.
//!
//! A [`PytestRunner`] keeps worker processes that have the project loaded and fork per run; cold runs get a process
//! of their own. The Python side is in `worker/`, embedded here and written to a cache at run time.

mod coverage;
mod covered;
mod depends;
mod error;
mod fact_map;
mod interpreter;
mod message;
mod observation;
mod project;
mod pytest_runner;
mod ran_test;
mod recording;
mod scratch;
mod side;
mod sources;

#[cfg(test)]
mod conformance;

pub use coverage::PytestCoverage;
pub use interpreter::find_python;
pub use project::{GoodVersion, Project, Tree};
pub use pytest_runner::PytestRunner;
pub use ran_test::{RanTest, ToldTest, list_calls, list_failures, tell_all, test_id};
