//! What earlier runs of a suite saw, as far as it still holds: the nouns, and the port to whoever keeps them.
//!
//! A unit is what a runner can leave out: a test of pytest, a class of `JUnit`. It holds as long as all of its stamps do, and only
//! one in which nothing failed stands in for a run: a failing test is run again, since its failure is what the user asks about.

use crate::coverage::Covered;
use crate::observation::Observation;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Spectra on disk.
pub trait Spectra {
    /// What was kept of this suite, the newest of each name.
    fn known(&self) -> Vec<Known>;

    /// Keeps what was seen. An interruption from here on does not lose it.
    fn keep(&self, unit: &KeptUnit);
}

/// Keeps nothing, knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unkept;

impl Spectra for Unkept {
    fn known(&self) -> Vec<Known> {
        Vec::new()
    }

    fn keep(&self, _unit: &KeptUnit) {}
}

/// A unit of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub unit: KeptUnit,
    /// When it ran, in seconds since 1970.
    pub at: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptUnit {
    /// As the runner asks for it.
    pub name: String,
    pub tests: Vec<KeptTest>,
    /// All that its outcome is known to depend on.
    pub stamps: Vec<Arc<Stamp>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTest {
    pub id: String,
    pub file: Utf8PathBuf,
    pub observation: Observation,
    /// As whoever recorded them had them.
    pub lines: Vec<(Utf8PathBuf, Vec<u32>)>,
}

/// How something was when a test ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    /// Empty for the surroundings.
    pub path: Utf8PathBuf,
    pub part: Part,
    pub digest: String,
}

/// What of a file a test depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// All of it. Of a file that is not there, that it is not there.
    Whole,
    /// What runs when it is loaded.
    Loaded,
    /// No file: the interpreter, what is installed, the configuration.
    Surroundings,
}

/// What earlier runs have to say about the next one.
#[derive(Debug, Default)]
pub struct Earlier {
    usable: BTreeMap<String, Known>,
    /// Tests that failed, and none of their stamps has changed since.
    failed: BTreeSet<String>,
    /// Tests that passed, whatever has changed since.
    passed: BTreeSet<String>,
}

impl Earlier {
    /// Asks of each stamp once whether it still is as it was.
    pub fn of(spectra: &dyn Spectra, mut holds: impl FnMut(&Stamp) -> bool) -> Self {
        let mut earlier = Self::default();
        let mut asked: HashMap<Arc<Stamp>, bool> = HashMap::new();
        for known in spectra.known() {
            let mut is_as_it_was = |stamp: &Arc<Stamp>| match asked.get(stamp) {
                Some(&holds) => holds,
                None => *asked.entry(Arc::clone(stamp)).or_insert(holds(stamp)),
            };
            let holds = known.unit.stamps.iter().all(&mut is_as_it_was);
            for test in &known.unit.tests {
                match test.observation {
                    Observation::Passed => drop(earlier.passed.insert(test.id.clone())),
                    Observation::Skipped { .. } => {}
                    Observation::Failed(_)
                    | Observation::Broken { .. }
                    | Observation::Hung { .. }
                    | Observation::Died { .. } => {
                        if holds {
                            earlier.failed.insert(test.id.clone());
                        }
                    }
                }
            }
            if holds && known.unit.tests.iter().all(|test| is_harmless(&test.observation)) {
                earlier.usable.insert(known.unit.name.clone(), known);
            }
        }
        earlier
    }

    /// The units that need not run, by their names.
    pub fn usable(&self) -> &BTreeMap<String, Known> {
        &self.usable
    }

    /// What a run without some of the tests cannot be believed in. Says nothing of a run of all tests.
    pub fn turned(&self, covered: &Covered) -> Turned {
        let mut turned = Turned::default();
        if covered.n_kept() == 0 {
            return turned;
        }
        for test in covered.tests.iter().filter(|test| test.kept_at.is_none()) {
            let (was_failed, was_passed) = (self.failed.contains(&test.id), self.passed.contains(&test.id));
            if was_failed && test.observation == Observation::Passed {
                turned.passing.push(test.id.clone());
            }
            if was_passed && !is_harmless(&test.observation) {
                turned.failing.push(test.id.clone());
            }
        }
        turned
    }
}

/// Tests that did otherwise than in the run before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turned {
    /// They failed on the very same files: a test that was left out now may have made them.
    pub passing: Vec<String>,
    /// They passed: what changed may have done it, or that a test they need was left out.
    pub failing: Vec<String>,
}

fn is_harmless(observation: &Observation) -> bool {
    match observation {
        Observation::Passed | Observation::Skipped { .. } => true,
        Observation::Failed(_)
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::CoveredTest;

    struct Fixed(Vec<Known>);

    impl Spectra for Fixed {
        fn known(&self) -> Vec<Known> {
            self.0.clone()
        }

        fn keep(&self, _unit: &KeptUnit) {}
    }

    fn died() -> Observation {
        Observation::Died { how: "exit 3".to_owned() }
    }

    fn known(name: &str, observations: &[Observation], paths: &[&str]) -> Known {
        let test = |(idx, observation): (usize, &Observation)| KeptTest {
            id: format!("{name}-{idx}"),
            file: "/p/test_a.py".into(),
            observation: observation.clone(),
            lines: Vec::new(),
        };
        let stamp = |path: &&str| Stamp { path: (*path).into(), part: Part::Whole, digest: "old".to_owned() };
        let unit = KeptUnit {
            name: name.to_owned(),
            tests: observations.iter().enumerate().map(test).collect(),
            stamps: paths.iter().map(stamp).map(Arc::new).collect(),
        };
        Known { unit, at: 7 }
    }

    fn earlier(known: Vec<Known>) -> Earlier {
        Earlier::of(&Fixed(known), |stamp| stamp.path != "changed")
    }

    fn ran(id: &str, observation: Observation, kept_at: Option<u64>) -> CoveredTest {
        let file = "/p/test_a.py".into();
        CoveredTest { id: id.to_owned(), file, observation, ran: None, kept_at }
    }

    #[test]
    fn a_unit_stands_in_where_nothing_failed_and_no_stamp_changed() {
        let skipped = Observation::Skipped { reason: String::new() };
        let earlier = earlier(vec![
            known("same", &[Observation::Passed, skipped], &["a", "b"]),
            known("changed", &[Observation::Passed], &["a", "changed"]),
            known("failed", &[Observation::Passed, died()], &["a"]),
        ]);
        assert_eq!(earlier.usable().keys().collect::<Vec<_>>(), ["same"]);
    }

    #[test]
    fn each_stamp_is_asked_about_once() {
        let mut n_asked = 0;
        let unit = |name| known(name, &[Observation::Passed], &["a", "b"]);
        Earlier::of(&Fixed(vec![unit("one"), unit("two")]), |_| {
            n_asked += 1;
            true
        });
        assert_eq!(n_asked, 2);
    }

    #[test]
    fn what_turns_without_the_others_is_told() {
        let earlier = earlier(vec![
            known("failed", &[died()], &["a"]),
            known("fixed", &[died()], &["changed"]),
            known("passed", &[Observation::Passed], &["changed"]),
        ]);
        let tests = vec![
            ran("failed-0", Observation::Passed, None),
            ran("fixed-0", Observation::Passed, None),
            ran("passed-0", died(), None),
        ];
        let mut covered = Covered { tests, ..Covered::default() };
        assert_eq!(earlier.turned(&covered), Turned::default(), "all tests ran");
        covered.tests.push(ran("other", Observation::Passed, Some(7)));
        let turned = Turned { passing: vec!["failed-0".to_owned()], failing: vec!["passed-0".to_owned()] };
        assert_eq!(earlier.turned(&covered), turned);
    }
}
