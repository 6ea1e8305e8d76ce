//! One file per command.

pub mod analyze;
pub mod evaluate;
pub mod minimize;
