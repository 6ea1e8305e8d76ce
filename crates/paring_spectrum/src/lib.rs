//! Which lines failing tests run and passing ones do not, and what that says of each line.
//!
//! A [`Spectrum`] is the set of lines that one test ran. Over all of them a [`Tally`] counts, line by line, the failing and the
//! passing tests that ran it; a [`Formula`] makes a score of the four counts; a [`Ranking`] orders the scores. [`refine`]
//! is the second look of test case purification, [`effort`] what a ranking is worth where the fault is known.
//!
//! Of three tests on four lines, the second of which fails:
//!
//! | line | t1 passes | t2 fails | t3 passes | ef | nf | ep | np |
//! |--:|:-:|:-:|:-:|--:|--:|--:|--:|
//! | 0 | ● | ● | ● | 1 | 0 | 2 | 0 |
//! | 1 | ● |   | ● | 0 | 1 | 2 | 0 |
//! | 2 |   | ● |   | 1 | 0 | 0 | 2 |
//! | 3 |   | ● | ● | 1 | 0 | 1 | 1 |
//!
//! Every formula puts line 2 first: the failing test ran it, and no passing one. Nothing here knows files or tests by name,
//! and nothing is read or written.

pub mod counts;
pub mod effort;
pub mod formula;
pub mod gather;
pub mod ranking;
pub mod refine;
pub mod spectrum;
pub mod tally;

pub use counts::Counts;
pub use formula::Formula;
pub use gather::gather;
pub use ranking::{Ranking, TIE_RULE, rank};
pub use refine::refine;
pub use spectrum::{LineId, LineSet, Spectrum, Verdict};
pub use tally::{Equal, Tally, distinct};
