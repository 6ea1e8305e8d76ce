//! The user's command as a runner: which failure it shows on a candidate.

mod command_runner;
mod observation;
mod private_copy;
mod stamp;
mod watch;

pub use command_runner::{Command, CommandRunner};
