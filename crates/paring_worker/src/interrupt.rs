//! The user asked to stop: waits that are for nothing then end early.
//!
//! A signal reaches a process as a whole, and so does this: whoever handles the signal says so once, and every wait that
//! [heeds](Patience::Heed) it ends within a moment. Runs whose answer is still wanted (the last check of a result) are
//! waited for all the same.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends every wait that heeds it, those to come included.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Whether a wait ends when the user asks to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    Heed,
    WaitAllTheSame,
}

impl Patience {
    /// Whether the user asked to stop, and that ends this wait.
    pub fn is_over(self) -> bool {
        match self {
            Patience::Heed => INTERRUPTED.load(Ordering::Relaxed),
            Patience::WaitAllTheSame => false,
        }
    }
}
