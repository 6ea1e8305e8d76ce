//! How good the results are, on a collection of failing tests: the format of the cases, what a judge found out about each
//! result, and the tables made of that.
//!
//! Pure: reading cases, running paring on them and running the judge are the command's. Nothing here takes the engine's
//! word for whether a failure is the same or a result valid.

mod case;
mod figures;
mod judged;
mod tables;

pub use case::{Case, JavaCase, Side};
pub use figures::Figures;
pub use judged::{Judged, Kind, Pair};
pub use tables::tables;
