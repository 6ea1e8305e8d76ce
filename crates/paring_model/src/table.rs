//! A loop over values that are written out in the test: each value could be a case of a parametrised test.
//!
//! ```java
//! int[] primes = {2, 13};                       // `named_by`
//! for (int n : primes) {                        // one parameter, two rows
//!     assertTrue(Primes.prime(n));              // `body`
//! }
//! ```

use crate::draft::Cases;
use crate::unit::StmtId;

/// A loop as cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub cases: Cases,
    /// The statement that does no more than give the values a name.
    pub named_by: Option<StmtId>,
    /// The statements that run for each case.
    pub body: Vec<StmtId>,
}
