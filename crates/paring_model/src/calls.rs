//! What each statement of a test calls of the code under test, and what it asserts: by fingerprints of the objects involved.
//!
//! ```text
//! cart.add("pen", 2)       call    Cart.add   inputs: cart, "pen", 2 before     after: the same and the result
//! assert cart.n == 2       assert  _0.n == 2  inputs: cart
//! ```
//!
//! A fingerprint that is not there equals nothing: mocks, open files, lambdas, native handles.

use crate::error::RunnerError;
use crate::observation::Observation;
use camino::Utf8PathBuf;
use serde::Deserialize;

/// Of a graph of objects: with types, identities, aliases and cycles; floats by their bits.
pub type Fingerprint = Option<String>;

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    Call,
    Assert,
}

/// One outermost call into the code under test, or one assertion.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CallFact {
    /// The first line of the statement of the test.
    pub line: u32,
    /// In which of its executions, from 1.
    pub nth: u32,
    pub what: Fact,
    /// The method, with parameter types where the language has them; of an assertion what it says, without its names.
    pub callee: String,
    /// Receiver and arguments before, by value and without identities.
    pub value: Fingerprint,
    /// The same as a graph.
    pub inputs: Fingerprint,
    /// Receiver, arguments and result after.
    pub after: Fingerprint,
}

/// What a test did, in order.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Calls {
    /// For its body, with what it takes to follow it.
    pub seconds: f64,
    /// The line its function begins on; 0 where that is not known.
    pub first_line: u32,
    /// The first lines of the statements of its own function that ran.
    pub statements: Vec<u32>,
    pub facts: Vec<CallFact>,
    /// Whether code under test may have run that nobody sees.
    pub native: bool,
}

/// A test that ran while its calls were followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    pub id: String,
    /// Where its function is written.
    pub file: Utf8PathBuf,
    pub observation: Observation,
    /// None where nothing is known of it.
    pub calls: Option<Calls>,
}

/// Runs tests and follows their calls into the code under test.
pub trait Follower {
    /// All tests of the paths (files, folders, classes), in one process as far as they let it live.
    fn follow(&self, paths: &[String]) -> Result<Vec<Called>, RunnerError>;
}
