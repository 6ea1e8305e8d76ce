//! The jobs paring does, one module each. A command composes them.

pub mod evaluate;
pub mod group;
pub mod keeping;
pub mod localize;
pub mod merge;
pub mod minimize;
pub mod outcome;
pub mod purify;
pub mod redundancy;
pub mod split;
mod wording;

pub use group::{Group, group};
pub use keeping::{Keeping, MutantReport};
pub use outcome::{
    Assertion, Certainty, Doubt, Good, Kept, Membership, Outcome, OutcomeError, Pared, Reason, ReasonKind,
    Removed, RunsBy, Size, Status, Suspect, Verified,
};
