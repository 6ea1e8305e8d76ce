//! One file per command.

pub mod analyze;
pub mod compare;
pub mod completions;
pub mod doctor;
pub mod evaluate;
pub mod localize;
pub mod merge;
pub mod minimize;
pub mod split;
