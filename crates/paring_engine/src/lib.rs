//! The search for a smaller test that fails the same way: oracle, order, laboratory, rules, passes, strategies.
//!
//! The [`Oracle`] knows the original's failure, the [`Lab`] judges drafts and remembers their verdicts, [`rules`] says what an
//! experiment may remove. A [`Search`] holds the best draft so far; the [`passes`] of the default search and the strategies of
//! the literature decide what it tries. Nothing here does IO: runs, clock and journal are ports.

mod bold;
pub mod budget;
pub mod criterion;
mod domain;
pub mod drafts;
pub mod faults;
mod hang;
pub mod keeps;
pub mod lab;
pub mod normal;
pub mod ops;
pub mod oracle;
pub mod order;
pub mod passes;
mod prevent;
pub mod rules;
pub mod runs;
pub mod same_lines;
pub mod search;
pub mod several;
pub mod strategy;
mod unordered;
mod users;

pub use budget::Budget;
pub use criterion::{Criterion, criterion};
pub use faults::{Caught, Faults, Plan};
pub use keeps::{EachOnce, Keeps, Loss, LostLine, Somewhere};
pub use lab::Lab;
pub use oracle::{Baseline, Oracle, Same, Shows};
pub use order::Score;
pub use runs::{Ports, Runs, RunsBy, Stop};
pub use same_lines::{Recorded, SameLines, Times};
pub use search::{Search, SearchResult, Suspect};
pub use several::{Expectation, Judgement, Order, Several};
pub use strategy::{Level, Strategy};
