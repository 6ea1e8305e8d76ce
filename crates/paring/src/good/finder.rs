//! Older versions of a repository in the order in which they are tried, without those whose code is no other. All targets of one
//! invocation share what was found.

use super::candidates::{Candidates, Place};
use super::part::Parts;
use super::repo::Repo;
use super::tree::{Difference, difference};
use camino::Utf8Path;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

/// After so many targets for which there was no good version only the likeliest is tried.
const N_FRUITLESS: usize = 3;

/// Finds versions for the tests of one project.
pub struct Finder {
    repo: Result<Repo, Option<String>>,
    state: RefCell<State>,
}

struct State {
    /// The one that was good for an earlier target, and is tried first.
    kept: Option<Place>,
    first: Option<Place>,
    candidates: Candidates,
    last: Option<Place>,
    /// Code that was tried already for this target.
    seen: BTreeSet<String>,
    n_tried: usize,
    n_fruitless: usize,
    cold: Option<Duration>,
}

/// A version to try.
pub struct Other {
    pub place: Place,
    pub difference: Difference,
}

impl Finder {
    pub fn new(cwd: &Utf8Path) -> Self {
        let env = |name: &str| std::env::var(name).ok();
        let state = State {
            kept: None,
            first: None,
            candidates: Candidates::new(env),
            last: None,
            seen: BTreeSet::new(),
            n_tried: 0,
            n_fruitless: 0,
            cold: None,
        };
        Self { repo: Repo::find(cwd), state: RefCell::new(state) }
    }

    pub fn repo(&self) -> Option<&Repo> {
        self.repo.as_ref().ok()
    }

    /// Begins anew, for another target.
    pub fn begin(&self) {
        let state = &mut *self.state.borrow_mut();
        state.first.clone_from(&state.kept);
        state.candidates = Candidates::new(|name| std::env::var(name).ok());
        state.seen.clear();
        state.last = None;
        state.n_tried = 0;
    }

    /// The next version whose code is neither the present one nor one that was tried.
    pub fn next(&self, parts: &Parts) -> Option<Other> {
        let repo = self.repo()?;
        let mut state = self.state.borrow_mut();
        if state.n_fruitless >= N_FRUITLESS && state.n_tried > 0 {
            return None;
        }
        loop {
            let place = match state.first.take() {
                Some(kept) => kept,
                None => state.candidates.next(repo)?,
            };
            let Some(difference) = difference(repo, &place.commit, parts) else { continue };
            if difference.code.is_empty() || !state.seen.insert(difference.key.clone()) {
                continue;
            }
            state.n_tried += 1;
            state.last = Some(place.clone());
            return Some(Other { place, difference });
        }
    }

    /// The last one is good.
    pub fn keep(&self) {
        let state = &mut *self.state.borrow_mut();
        state.kept.clone_from(&state.last);
        state.n_fruitless = 0;
    }

    /// None was.
    pub fn give_up(&self) {
        self.state.borrow_mut().n_fruitless += 1;
    }

    /// What a run in a fresh process cost the first target.
    pub fn cold(&self, seen: Duration) -> Duration {
        *self.state.borrow_mut().cold.get_or_insert(seen)
    }

    /// What a user should know where none was found.
    pub fn end(&self) -> Option<String> {
        match &self.repo {
            Err(why) => why.clone(),
            Ok(repo) if repo.is_shallow() => {
                Some("the clone is shallow: `git fetch --unshallow` brings older commits".to_owned())
            }
            Ok(_) => None,
        }
    }
}
