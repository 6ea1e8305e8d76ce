//! [`Doubts`]: whether the test changed a file, or somebody else did while it ran.
//!
//! Nothing tells who wrote a file that no worker saw written: a child process of the test, or the user's editor. So a change is
//! undone, and the run is made again with no other beside it. What changes again is the test's own, from then on. What does not was
//! somebody else's, who gets it back.

use super::listing::Entry;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// What stands in the place of a new file's name, which may be another each time.
const ANY_NEW: &str = "*";

#[derive(Debug, Default)]
pub struct Doubts {
    /// What the test changes, for certain.
    own: BTreeSet<Utf8PathBuf>,
    open: BTreeMap<Utf8PathBuf, Doubt>,
}

/// A change that is undone for now.
#[derive(Debug)]
struct Doubt {
    /// Runs that may have made it, and were not made again yet.
    by: BTreeSet<u64>,
    /// The paths, and what was found there; `None` for what was gone.
    found: BTreeMap<Utf8PathBuf, Option<Entry>>,
}

impl Doubts {
    /// Of what the questions are that a run made again will answer.
    pub fn asked_of(&self, run: u64) -> Vec<Utf8PathBuf> {
        let asked = self.open.iter().filter(|(_, doubt)| doubt.by.contains(&run));
        asked.map(|(key, _)| key.clone()).collect()
    }

    /// A path was not as it had been after these runs, of which one is asked about some keys. Whether the test itself has changed it.
    pub fn is_own(
        &mut self,
        path: &Utf8Path,
        is_new: bool,
        found: Option<&Entry>,
        runs: &BTreeSet<u64>,
        asked: &[Utf8PathBuf],
    ) -> bool {
        let key = if is_new { path.with_file_name(ANY_NEW) } else { path.to_owned() };
        if self.own.contains(&key) || self.own.contains(path) {
            return true;
        }
        if let Some(doubt) = self.open.get_mut(&key).filter(|_| asked.contains(&key)) {
            let is_known = doubt.found.remove(path).is_some();
            if !is_known || doubt.found.is_empty() {
                self.open.remove(&key);
            }
            self.own.insert(if is_known { path.to_owned() } else { key });
            return true;
        }
        let doubt = self.open.entry(key).or_insert(Doubt { by: BTreeSet::new(), found: BTreeMap::new() });
        doubt.by.extend(runs);
        doubt.found.insert(path.to_owned(), found.cloned());
        false
    }

    /// The run was made again, and did not change these: what nobody is left to have changed.
    pub fn answer(&mut self, run: u64, asked: &[Utf8PathBuf]) -> Vec<(Utf8PathBuf, Option<Entry>)> {
        let mut others = Vec::new();
        for key in asked {
            let Some(doubt) = self.open.get_mut(key) else { continue };
            doubt.by.remove(&run);
            if doubt.by.is_empty() {
                others.extend(self.open.remove(key).into_iter().flat_map(|doubt| doubt.found));
            }
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After one run, which found these paths changed: those it has changed itself.
    fn own<'a>(doubts: &mut Doubts, run: u64, changed: &[&'a str], is_new: bool) -> Vec<&'a str> {
        let asked = doubts.asked_of(run);
        let runs = BTreeSet::from([run]);
        let is_own = |path: &&&str| doubts.is_own((**path).into(), is_new, None, &runs, &asked);
        changed.iter().filter(is_own).copied().collect()
    }

    #[test]
    fn what_a_run_made_again_changes_again_is_its_own() {
        let mut doubts = Doubts::default();
        assert!(own(&mut doubts, 1, &["data/one"], false).is_empty());
        assert!(own(&mut doubts, 2, &["data/one"], false).is_empty(), "another run tells nothing");
        assert_eq!(doubts.asked_of(1), ["data/one"]);
        assert_eq!(own(&mut doubts, 1, &["data/one"], false), ["data/one"]);
        assert_eq!(own(&mut doubts, 3, &["data/one"], false), ["data/one"], "it is known from then on");
        assert!(doubts.asked_of(1).is_empty());
    }

    #[test]
    fn a_new_file_may_have_another_name_the_next_time() {
        let mut doubts = Doubts::default();
        assert!(own(&mut doubts, 1, &["data/out-17"], true).is_empty());
        assert_eq!(own(&mut doubts, 1, &["data/out-18"], true), ["data/out-18"]);
        assert!(own(&mut doubts, 1, &["out", "made by hand"], true).is_empty());
        assert_eq!(own(&mut doubts, 1, &["out"], true), ["out"]);
        assert_eq!(doubts.answer(1, &doubts.asked_of(1)), [("made by hand".into(), None)]);
    }

    #[test]
    fn what_none_of_several_runs_changes_again_was_somebody_elses() {
        let mut doubts = Doubts::default();
        assert!(!doubts.is_own("one".into(), false, None, &BTreeSet::from([1, 2]), &[]));
        assert_eq!(doubts.answer(1, &doubts.asked_of(1)), []);
        assert_eq!(doubts.answer(2, &doubts.asked_of(2)), [("one".into(), None)]);
        assert!(doubts.asked_of(2).is_empty());
    }
}
