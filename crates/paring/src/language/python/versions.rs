//! Versions for the tests of one Python file: the one the user has named, or older ones of the repository.

use super::{Started, version};
use crate::good::{Finder, Good, laid_out, python_parts};
use crate::target::Target;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Tried, VersionName, Versions};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// What is known of the versions of a file.
pub struct PythonVersions {
    finder: Rc<Finder>,
    /// The user has named it.
    is_given: bool,
    /// The one at hand.
    good: RefCell<Option<Good>>,
    file: Utf8PathBuf,
    id: String,
    cache: Utf8PathBuf,
    env: Vec<(String, String)>,
    budget: Option<Duration>,
}

impl PythonVersions {
    pub fn new(
        finder: Rc<Finder>,
        good: Option<Good>,
        target: &Target,
        cache: &Utf8Path,
        env: &[(String, String)],
        budget: Option<Duration>,
    ) -> Self {
        Self {
            finder,
            is_given: good.is_some(),
            good: RefCell::new(good),
            file: target.file.clone(),
            id: target.spec.id.clone(),
            cache: cache.to_owned(),
            env: env.to_vec(),
            budget,
        }
    }
}

impl Started {
    fn of(&self) -> &PythonVersions {
        self.versions.as_ref().expect("nobody asks for versions where there are none")
    }

    /// Runs on the good version are made on this one from here on. The one before goes after its workers.
    fn take(&self, good: Option<Good>) -> Result<(), String> {
        let of = self.of();
        let taken = good.as_ref().map(|good| version(good, &of.env));
        self.runner.set_good(taken.as_ref(), &of.id).map_err(|error| error.message)?;
        *of.good.borrow_mut() = good;
        Ok(())
    }
}

impl Versions for Started {
    fn given(&self) -> Option<Tried> {
        let of = self.of();
        let good = of.good.borrow();
        let good = good.as_ref().filter(|_| of.is_given)?;
        Some(Tried::Ready { version: good.version.clone(), lacks: good.lacks.clone() })
    }

    fn begin(&self) {
        self.of().finder.begin();
    }

    fn next(&self) -> Option<Tried> {
        let of = self.of();
        let repo = of.finder.repo()?;
        let parts = python_parts(repo, &of.file);
        let other = of.finder.next(&parts)?;
        let named = repo.name(&other.place.commit, &other.place.way);
        let at_hand = of.good.borrow().as_ref().map(|good| good.version.commit.clone());
        if at_hand.is_some_and(|commit| commit == named.commit) {
            return Some(Tried::Ready { version: named, lacks: Vec::new() });
        }
        let unusable = |why: String| Some(Tried::Unusable { version: named.clone(), why });
        match laid_out(repo, &other.place, &other.difference, &parts, &of.cache) {
            Err(error) => unusable(format!("{error:#}")),
            Ok(good) => {
                let lacks = good.lacks.clone();
                match self.take(Some(good)) {
                    Err(why) => unusable(why),
                    Ok(()) => Some(Tried::Ready { version: named, lacks }),
                }
            }
        }
    }

    fn keep(&self, version: &mut VersionName) {
        let of = self.of();
        of.finder.keep();
        if let Some(repo) = of.finder.repo() {
            repo.describe(version);
        }
    }

    fn drop_last(&self) {
        self.of().finder.give_up();
        let _ = self.take(None);
    }

    fn cold(&self, seen: Duration) -> Duration {
        self.of().finder.cold(seen)
    }

    fn budget(&self) -> Option<Duration> {
        self.of().budget
    }

    fn end(&self) -> Option<String> {
        self.of().finder.end()
    }
}
