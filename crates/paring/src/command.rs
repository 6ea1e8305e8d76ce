//! One file per command.

pub mod analyze;
pub mod compare;
pub mod evaluate;
pub mod minimize;
