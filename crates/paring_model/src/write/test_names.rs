//! What written tests are called.

use super::{TestWriter, Unwritable, base, host, words};
use crate::draft::{Draft, Name};
use crate::target::TargetSpec;
use crate::unit::{StmtId, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// The name of each test: free in its file, and unlike the others.
pub fn test_names(
    language: &dyn TestWriter,
    units: &[&Unit],
    draft: &Draft,
) -> Result<Vec<String>, Unwritable> {
    let mut own: BTreeMap<usize, OwnName> = BTreeMap::new();
    let mut n_wanted: BTreeMap<String, usize> = BTreeMap::new();
    for test in draft.tests.iter().filter(|test| test.name == Name::AsItWas) {
        let name = OwnName::of(language, units, host(&test.body))?;
        *n_wanted.entry(name.text.clone()).or_default() += 1;
        own.insert(host(&test.body), name);
    }
    let taken: BTreeSet<&str> = units.iter().flat_map(|unit| words(language, unit)).collect();
    let mut names: Vec<String> = Vec::new();
    for test in &draft.tests {
        let is_free = |name: &str| !taken.contains(name) && !names.iter().any(|given| given == name);
        let name = match &test.name {
            Name::New(name) if is_free(name) => name.clone(),
            Name::New(name) => return Err(Unwritable::NameTaken(name.clone())),
            Name::AsItWas => {
                let own = &own[&host(&test.body)];
                own.for_one_of(n_wanted[&own.text], is_free)
            }
        };
        if names.contains(&name) {
            return Err(Unwritable::NameTaken(name));
        }
        names.push(name);
    }
    Ok(names)
}

/// The name of a unit's test, or that of a test of its case alone.
struct OwnName {
    text: String,
    /// Whether a test of that name takes the place of the only one that has it.
    is_its_own: bool,
}

impl OwnName {
    fn of(language: &dyn TestWriter, units: &[&Unit], idx: usize) -> Result<Self, Unwritable> {
        let base = base(units, units[idx]);
        let unit = language.parse(&base.path, &base.source, &TargetSpec::new(&units[idx].target)).0;
        let spot = language.spot(&unit).ok_or(Unwritable::NoHome(StmtId(0)))?;
        let name = spot.name.of(&unit.source);
        if name.is_empty() {
            return Err(Unwritable::NotSupported);
        }
        Ok(match language.other_cases(&unit) {
            Some(others) => Self { text: others.name, is_its_own: false },
            None => Self { text: name.to_owned(), is_its_own: true },
        })
    }

    /// The name of one of some tests that ask for it: made free by a number, but for the only test of its own name.
    fn for_one_of(&self, n_tests: usize, is_free: impl Fn(&str) -> bool) -> String {
        if n_tests == 1 && self.is_its_own {
            return self.text.clone();
        }
        let plain = (n_tests == 1).then(|| self.text.clone());
        let first = if plain.is_some() { 2 } else { 1 };
        let numbered = (first..=u32::MAX).map(|number| format!("{}_{number}", self.text));
        let mut names = plain.into_iter().chain(numbered);
        names.find(|name| is_free(name)).expect("a file has fewer names than there are numbers")
    }
}
