//! A clock that only moves when it is told to, and a journal that lives as long as its test.

use paring_model::{Clock, Journal, Observation};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Stands still until [`FakeClock::advance`].
#[derive(Debug, Default)]
pub struct FakeClock {
    millis: AtomicU64,
    /// Added at every look, so that a budget of seconds can run out.
    step: u64,
    interrupted: AtomicBool,
}

impl FakeClock {
    /// A clock that moves on by this at every look.
    pub fn stepping(step: Duration) -> Self {
        let step = u64::try_from(step.as_millis()).expect("a test's step is short");
        Self { step, ..Self::default() }
    }

    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).expect("a test's time is short");
        self.millis.fetch_add(millis, Ordering::Relaxed);
    }

    /// As if the user had pressed Ctrl-C.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }
}

impl Clock for FakeClock {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.millis.fetch_add(self.step, Ordering::Relaxed))
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Keeps observations in memory.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    kept: Mutex<BTreeMap<String, Observation>>,
}

impl MemoryJournal {
    pub fn len(&self) -> usize {
        self.kept.lock().expect("no test panics while it records").len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Journal for MemoryJournal {
    fn lookup(&self, key: &str) -> Option<Observation> {
        self.kept.lock().expect("no test panics while it records").get(key).cloned()
    }

    fn record(&self, key: &str, observation: &Observation) {
        let mut kept = self.kept.lock().expect("no test panics while it records");
        kept.insert(key.to_owned(), observation.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stepping_clock_moves_at_every_look() {
        let clock = FakeClock::stepping(Duration::from_secs(1));
        assert_eq!(clock.elapsed(), Duration::ZERO);
        assert_eq!(clock.elapsed(), Duration::from_secs(1));
        clock.advance(Duration::from_secs(5));
        assert_eq!(clock.elapsed(), Duration::from_secs(7));
    }

    #[test]
    fn a_journal_gives_back_what_was_recorded() {
        let journal = MemoryJournal::default();
        assert_eq!(journal.lookup("a"), None);
        journal.record("a", &Observation::Passed);
        assert_eq!(journal.lookup("a"), Some(Observation::Passed));
        assert_eq!(journal.len(), 1);
    }
}
