//! Source texts to run, and the tests to run in them.

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a draft is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Form {
    /// Removed text is blanked and newlines are kept, so that lines and columns stay comparable.
    Blanked,
    /// As a person would commit it.
    Compact,
}

/// Complete texts for one or more test files, and the tests to run in them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// The texts, by the paths of the files they take the place of. At least one.
    pub files: BTreeMap<Utf8PathBuf, String>,
    /// The tests to run, in the order in which they run, in one process. At least one.
    pub targets: Vec<Target>,
    /// Tests that run before the targets in the same process, in order.
    pub after: Vec<String>,
    pub form: Form,
}

/// One test of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Target {
    /// The test's id in the written file; another than the original's where a parameter list shrank.
    pub id: String,
    /// Which test of the draft it is.
    pub test: usize,
}

impl Candidate {
    /// One file and one test.
    pub fn single(path: &Utf8Path, text: String, target: impl Into<String>, form: Form) -> Self {
        Self {
            files: BTreeMap::from([(path.to_owned(), text)]),
            targets: vec![Target { id: target.into(), test: 0 }],
            after: Vec::new(),
            form,
        }
    }

    /// The same under another id.
    #[must_use]
    pub fn with_target(self, target: impl Into<String>) -> Self {
        Self { targets: vec![Target { id: target.into(), test: 0 }], ..self }
    }

    /// Other tests of the same files: their ids, in the order in which they run.
    #[must_use]
    pub fn with_targets(self, ids: impl IntoIterator<Item = String>) -> Self {
        let targets = ids.into_iter().enumerate().map(|(test, id)| Target { id, test });
        Self { targets: targets.collect(), ..self }
    }

    #[must_use]
    pub fn with_after(self, after: &[String]) -> Self {
        Self { after: after.to_vec(), ..self }
    }

    /// The text of the only file (of several, of the first).
    pub fn text(&self) -> &str {
        self.files.values().next().expect("a candidate has a file")
    }

    /// The text of the only file, for whoever keeps it.
    pub fn into_text(self) -> String {
        self.files.into_values().next().expect("a candidate has a file")
    }

    /// The same tests in another text of the only file.
    #[must_use]
    pub fn with_text(mut self, text: String) -> Self {
        *self.files.values_mut().next().expect("a candidate has a file") = text;
        self
    }

    /// The id of the only target (of several, of the first).
    pub fn target(&self) -> &str {
        &self.targets.first().expect("a candidate has a target").id
    }

    /// The ids of the targets, in the order in which they run.
    pub fn target_ids(&self) -> Vec<String> {
        self.targets.iter().map(|target| target.id.clone()).collect()
    }

    /// For each target a candidate that runs it alone.
    pub fn alone(&self) -> impl Iterator<Item = Self> + '_ {
        self.targets.iter().map(|target| Self { targets: vec![target.clone()], ..self.clone() })
    }

    /// For each target a candidate that runs it after the targets before it: what a runner makes that runs one target at a
    /// time.
    pub fn one_after_another(&self) -> impl Iterator<Item = Self> + '_ {
        (0..self.targets.len()).map(|idx| {
            let before = self.targets[..idx].iter().map(|target| target.id.clone());
            let after = self.after.iter().cloned().chain(before).collect();
            Self { targets: vec![self.targets[idx].clone()], after, ..self.clone() }
        })
    }

    /// The same tests in an order drawn by a seed: the same order for the same seed and number of tests.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Self {
        let mut shuffled = self.clone();
        let mut state = seed;
        for last in (1..shuffled.targets.len()).rev() {
            let others = u64::try_from(last + 1).expect("a number of tests");
            let idx = usize::try_from(next_random(&mut state) % others).expect("less than a number of tests");
            shuffled.targets.swap(last, idx);
        }
        shuffled
    }
}

/// `SplitMix64`.
pub fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Candidate {
        let single = Candidate::single(Utf8Path::new("f"), String::new(), "", Form::Compact);
        single.with_after(&["a".to_owned()]).with_targets((0..3).map(|idx| format!("t{idx}")))
    }

    #[test]
    fn each_target_runs_after_those_before_it() {
        let runs: Vec<(String, Vec<String>)> =
            three().one_after_another().map(|it| (it.target().to_owned(), it.after)).collect();
        let after = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            runs,
            [
                ("t0".to_owned(), after(&["a"])),
                ("t1".to_owned(), after(&["a", "t0"])),
                ("t2".to_owned(), after(&["a", "t0", "t1"])),
            ]
        );
        assert!(three().alone().all(|it| it.after == ["a"] && it.targets.len() == 1));
    }

    #[test]
    fn a_seed_draws_an_order_and_every_order_is_drawn_by_some_seed() {
        assert_eq!(three().shuffled(7), three().shuffled(7));
        let orders: std::collections::BTreeSet<Vec<String>> =
            (0..100).map(|seed| three().shuffled(seed).target_ids()).collect();
        assert_eq!(orders.len(), 6);
    }
}
