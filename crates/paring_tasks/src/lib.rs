//! The jobs paring does, one module each. A command composes them.

pub mod evaluate;
pub mod minimize;
pub mod outcome;

pub use outcome::{
    Doubt, Kept, Outcome, OutcomeError, Pared, Reason, ReasonKind, Removed, RunsBy, Size, Status, Suspect,
    Verified,
};
