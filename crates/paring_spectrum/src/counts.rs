//! [`Counts`]: the four numbers that every formula looks at.

/// How many tests of each verdict ran a line (`e`), and how many did not (`n`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts {
    /// Failing tests that ran it.
    pub ef: u32,
    /// Failing tests that did not.
    pub nf: u32,
    /// Passing tests that ran it.
    pub ep: u32,
    /// Passing tests that did not.
    pub np: u32,
}

impl Counts {
    pub fn n_failed(self) -> u64 {
        u64::from(self.ef) + u64::from(self.nf)
    }

    pub fn n_passed(self) -> u64 {
        u64::from(self.ep) + u64::from(self.np)
    }
}
