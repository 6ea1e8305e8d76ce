//! Child processes that serve runs: how to talk to one, how to keep one, how to keep several, and how to undo what runs write
//! into a project.
//!
//! Knows nothing of any language. A worker is a separate process with a version handshake; it is killed with its
//! children and replaced when it dies.

pub mod interrupt;
pub mod keeper;
pub mod pool;
pub mod process;
pub mod protocol;
pub mod run;

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod system;

pub use interrupt::{Patience, interrupt};
pub use keeper::{Doing, Ended, Keeper, Saving, Temporary};
pub use pool::{Pool, in_order};
pub use process::{Launch, Worker, WorkerError};
pub use run::{End, Ran, run};
