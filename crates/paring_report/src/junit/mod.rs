//! `JUnit` XML, which every CI system reads: outcomes as a report, and failures out of the reports others left behind.

mod out;
mod reported;

pub use out::junit_out;
pub use reported::{Reported, tests_in};
