//! How much the tests of a suite repeat each other, by what their statements call and assert. Nothing is rewritten.
//!
//! ```text
//! test_total                      test_clear
//!   cart = Cart()            ⟷      cart = Cart()          one class of equal statements: one of the two is redundant
//!   cart.add("pen", 2)       ⟷      cart.add("pen", 2)     another
//!   assert cart.total() == 2        cart.clear()
//! ```
//!
//! Equality is counted twice. The paper's (Testler) is by value, without identities, of methods without their parameter types, and of a
//! statement's first execution only. Ours has graphs with identities and types, the state after each call, all executions, and what is
//! asserted.

use camino::Utf8Path;
use paring_model::{Called, Calls, Fact, Observation};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How statements are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Equality {
    Paper,
    Ours,
}

/// A statement of a test: the test's index and the statement's first line.
pub type Place = (usize, u32);

/// What one kind of equality finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Count {
    /// Statements that call the code under test.
    pub n_statements: usize,
    /// All but one of each class of equal statements.
    pub n_redundant: usize,
    /// For each test that has a statement in common with another, how many.
    pub common: BTreeMap<usize, usize>,
    /// Places of equal statements of two tests or more.
    pub classes: Vec<Vec<Place>>,
}

/// A test whose every call another one makes with the same inputs, and that asserts no less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletable {
    pub test: usize,
    pub by: usize,
    /// For each of its facts: its line, what it calls or asserts, and the line of the other test that does the same.
    pub proof: Vec<(u32, String, u32)>,
}

/// Tests that share statements which no other test has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    pub tests: Vec<usize>,
    /// For each shared statement, its line in each of the tests.
    pub statements: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, Default)]
pub struct Redundancy {
    /// Those that pass and were followed, in the order in which they ran.
    pub tests: Vec<Called>,
    pub left_out: Vec<(String, String)>,
    pub paper: Count,
    pub ours: Count,
    /// Tests that do the very same.
    pub duplicates: Vec<Vec<usize>>,
    pub deletable: Vec<Deletable>,
    pub clusters: Vec<Cluster>,
    /// What deleting those would save, and what running each redundant statement once would, as its share of its test: seconds.
    pub saved_by_deleting: f64,
    pub saved_by_merging: f64,
    /// How long each phase of the analysis took.
    pub phases: Vec<(&'static str, Duration)>,
    pub notes: Vec<String>,
}

/// Counts what tests that were followed have in common. A test of which other files have a part is not safe to delete.
pub fn redundancy(called: Vec<Called>, is_borrowed: &dyn Fn(&Called) -> bool) -> Redundancy {
    let mut found = Redundancy::default();
    for test in called {
        match (&test.observation, &test.calls) {
            (Observation::Passed, Some(_)) => found.tests.push(test),
            (observation, _) => {
                let why = crate::merge::why_not(observation)
                    .unwrap_or_else(|| "its calls are not known".to_owned());
                found.left_out.push((test.id, why));
            }
        }
    }
    found.paper = count(&found.tests, Equality::Paper);
    found.ours = count(&found.tests, Equality::Ours);
    found.duplicates = duplicates(&found.tests);
    found.deletable = deletable(&found.tests, is_borrowed);
    found.clusters = clusters(&found.ours);
    found.saved_by_deleting =
        found.deletable.iter().map(|it| seconds(&found.tests[it.test])).sum::<f64>() + 0.0;
    found.saved_by_merging = saved_by_merging(&found);
    if found.tests.iter().any(|test| calls(test).native) {
        found.notes.push(
            "the project has native code, whose calls nobody sees: no test is called safe to delete"
                .to_owned(),
        );
    }
    found
}

fn calls(test: &Called) -> &Calls {
    test.calls.as_ref().expect("only tests that were followed are counted")
}

fn seconds(test: &Called) -> f64 {
    calls(test).seconds
}

/// What each statement of a test does, by its first line; `None` of one that equals nothing.
fn keys(calls: &Calls, equality: Equality) -> BTreeMap<u32, Option<String>> {
    let mut parts: BTreeMap<u32, Option<Vec<String>>> = BTreeMap::new();
    let with_calls: BTreeSet<u32> =
        calls.facts.iter().filter(|it| it.what == Fact::Call).map(|it| it.line).collect();
    for fact in calls.facts.iter().filter(|it| with_calls.contains(&it.line)) {
        let part = match equality {
            Equality::Paper if fact.what == Fact::Assert || fact.nth > 1 => continue,
            Equality::Paper => {
                let name = fact.callee.split('(').next().unwrap_or_default();
                fact.value.as_ref().map(|value| format!("{name} {value}"))
            }
            Equality::Ours => match (&fact.inputs, &fact.after) {
                (Some(inputs), Some(after)) => Some(format!("{} {inputs} {after}", fact.callee)),
                _ => None,
            },
        };
        let known = parts.entry(fact.line).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), part) {
            (Some(known), Some(part)) => known.push(part),
            _ => *known = None,
        }
    }
    let key = |mut parts: Vec<String>| {
        if equality == Equality::Paper {
            // The paper compares sets.
            parts.sort();
            parts.dedup();
        }
        parts.join("\n")
    };
    parts.into_iter().map(|(line, parts)| (line, parts.map(key))).collect()
}

fn count(tests: &[Called], equality: Equality) -> Count {
    let mut count = Count::default();
    let mut places: BTreeMap<String, Vec<Place>> = BTreeMap::new();
    for (idx, test) in tests.iter().enumerate() {
        for (line, key) in keys(calls(test), equality) {
            count.n_statements += 1;
            if let Some(key) = key {
                places.entry(key).or_default().push((idx, line));
            }
        }
    }
    for class in places.into_values().filter(|class| class.len() > 1) {
        count.n_redundant += class.len() - 1;
        let of: BTreeSet<usize> = class.iter().map(|(test, _)| *test).collect();
        if of.len() > 1 {
            for (test, _) in &class {
                *count.common.entry(*test).or_default() += 1;
            }
            count.classes.push(class);
        }
    }
    count.classes.sort();
    count
}

/// All facts of a test; none where one of them equals nothing, or there is no call.
fn facts(test: &Called) -> Option<Vec<(String, u32)>> {
    let calls = calls(test);
    let is_any = calls.facts.iter().any(|fact| fact.what == Fact::Call);
    let all = calls.facts.iter().map(|fact| {
        let (inputs, after) = (fact.inputs.as_ref()?, fact.after.as_ref()?);
        Some((format!("{:?} {} {inputs} {after}", fact.what, fact.callee), fact.line))
    });
    all.collect::<Option<Vec<_>>>().filter(|_| is_any && !calls.native)
}

fn duplicates(tests: &[Called]) -> Vec<Vec<usize>> {
    let mut same: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (idx, test) in tests.iter().enumerate() {
        if let Some(facts) = facts(test) {
            same.entry(facts.into_iter().map(|(key, _)| key).collect()).or_default().push(idx);
        }
    }
    let mut groups: Vec<Vec<usize>> = same.into_values().collect();
    for group in &mut groups {
        // A test and that of an heir are one function: no copy of each other.
        let mut seen = BTreeSet::new();
        group.retain(|&idx| code(&tests[idx]).is_none_or(|code| seen.insert(code)));
    }
    groups.retain(|group| group.len() > 1);
    groups.sort();
    groups
}

/// The function of a test: file, first line, and name with its case; two classes with the same one inherit it. None where that is not known.
fn code(test: &Called) -> Option<(&Utf8Path, u32, &str)> {
    let head = test.id.split('[').next().unwrap_or(&test.id);
    let name = head.rfind(['#', ':']).map_or(test.id.as_str(), |at| &test.id[at..]);
    let first_line = calls(test).first_line;
    (first_line > 0).then_some((&test.file, first_line, name))
}

/// Tests that are safe to delete: another one that stays has all their facts, in the same order.
fn deletable(tests: &[Called], is_borrowed: &dyn Fn(&Called) -> bool) -> Vec<Deletable> {
    let known: Vec<Option<Vec<(String, u32)>>> = tests.iter().map(facts).collect();
    let mut having: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (idx, facts) in known.iter().enumerate() {
        for (key, _) in facts.iter().flatten() {
            having.entry(key).or_default().insert(idx);
        }
    }
    let mut found: Vec<Deletable> = Vec::new();
    let mut n_with: BTreeMap<(&Utf8Path, u32, &str), usize> = BTreeMap::new();
    for code in tests.iter().filter_map(code) {
        *n_with.entry(code).or_default() += 1;
    }
    // With the function of one of them, those of its heirs would go.
    let is_inherited = |test: usize| code(&tests[test]).is_some_and(|code| n_with[&code] > 1);
    let mut staying = BTreeSet::new();
    // Longer ones first, of the very same the first: whoever does the work of another stays.
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|&idx| (std::cmp::Reverse(known[idx].as_ref().map_or(0, Vec::len)), idx));
    for test in order {
        let Some(own) = &known[test] else { continue };
        let rarest = own.iter().map(|(key, _)| &having[key.as_str()]).min_by_key(|tests| tests.len());
        let others = rarest.into_iter().flatten().filter(|&other| staying.contains(other));
        let proven = others.copied().filter(|_| !is_inherited(test)).find_map(|other| {
            let theirs = known[other].as_ref()?;
            Some(Deletable { test, by: other, proof: proof(own, theirs)? })
        });
        match proven {
            Some(deletable) if !is_borrowed(&tests[test]) => found.push(deletable),
            Some(_) | None => {
                staying.insert(test);
            }
        }
    }
    found.sort_by_key(|it| it.test);
    found
}

/// Each fact of one test in another, in order.
fn proof(own: &[(String, u32)], theirs: &[(String, u32)]) -> Option<Vec<(u32, String, u32)>> {
    let mut rest = theirs.iter();
    let same = |(key, line): &(String, u32)| {
        let (_, other) = rest.find(|(theirs, _)| theirs == key)?;
        let callee = key.rsplitn(3, ' ').nth(2).unwrap_or(key);
        Some((*line, callee.split_once(' ').map_or(callee, |(_, name)| name).to_owned(), *other))
    };
    own.iter().map(same).collect()
}

/// Classes by the tests they are of: those with most to save first.
fn clusters(count: &Count) -> Vec<Cluster> {
    let mut by_tests: BTreeMap<Vec<usize>, Vec<Vec<u32>>> = BTreeMap::new();
    for class in &count.classes {
        let lines: BTreeMap<usize, u32> = class.iter().rev().copied().collect();
        let tests: Vec<usize> = lines.keys().copied().collect();
        by_tests.entry(tests).or_default().push(lines.into_values().collect());
    }
    let cluster = |(tests, mut statements): (Vec<usize>, Vec<Vec<u32>>)| {
        statements.sort();
        Cluster { tests, statements }
    };
    let mut clusters: Vec<Cluster> = by_tests.into_iter().map(cluster).collect();
    clusters.sort_by_key(|it| std::cmp::Reverse(it.statements.len() * (it.tests.len() - 1)));
    clusters
}

/// An estimate: redundant statements cost their share of their test, but for those of tests that can be deleted.
fn saved_by_merging(found: &Redundancy) -> f64 {
    let gone: BTreeSet<usize> = found.deletable.iter().map(|it| it.test).collect();
    let mut saved = 0.0;
    for class in &found.ours.classes {
        for (test, _) in class.iter().skip(1).filter(|(test, _)| !gone.contains(test)) {
            let n = calls(&found.tests[*test]).statements.len().max(1);
            saved += seconds(&found.tests[*test]) / f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        }
    }
    saved
}

impl Count {
    /// Least, lower quartile, median, upper quartile and most redundant statements of the tests that have any: a box of the paper's
    /// Figure 5.
    pub fn quartiles(&self) -> Option<[usize; 5]> {
        let mut all: Vec<usize> = self.common.values().copied().collect();
        all.sort_unstable();
        let last = all.len().checked_sub(1)?;
        Some([0, 1, 2, 3, 4].map(|part| all[(last * part + 2) / 4]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::CallFact;

    fn redundancy(called: Vec<Called>) -> Redundancy {
        super::redundancy(called, &|_| false)
    }

    /// Facts as `line callee inputs after`, assertions with a `!` before the callee; `?` has no fingerprint.
    fn test(id: &str, facts: &[&str]) -> Called {
        let fact = |text: &&str| {
            let words: Vec<&str> = text.split(' ').collect();
            let print = |word: &str| (word != "?").then(|| word.to_owned());
            let what = if words[1].starts_with('!') { Fact::Assert } else { Fact::Call };
            CallFact {
                line: words[0].parse().unwrap(),
                nth: 1,
                what,
                callee: words[1].to_owned(),
                value: print(&words[2].to_lowercase()),
                inputs: print(words[2]),
                after: print(words[3]),
            }
        };
        let facts: Vec<CallFact> = facts.iter().map(fact).collect();
        let statements: BTreeSet<u32> = facts.iter().map(|fact| fact.line).collect();
        let calls =
            Calls { seconds: 1.0, facts, statements: statements.into_iter().collect(), ..Calls::default() };
        let (file, observation) = ("t.py".into(), Observation::Passed);
        Called { id: id.to_owned(), file, observation, calls: Some(calls) }
    }

    #[test]
    fn equal_statements_of_two_tests_are_redundant_but_for_one() {
        let found = redundancy(vec![
            test("a", &["1 Cart() x y", "2 add(int) y z", "3 total() z z"]),
            test("b", &["11 Cart() x y", "12 add(int) y z"]),
            test("c", &["21 Cart() X y"]),
        ]);
        assert_eq!((found.ours.n_statements, found.ours.n_redundant), (6, 2));
        assert_eq!(found.ours.common, BTreeMap::from([(0, 2), (1, 2)]));
        assert_eq!(
            (found.paper.n_redundant, found.paper.common.len()),
            (3, 3),
            "the paper has no identities"
        );
        assert_eq!(
            found.clusters,
            [Cluster { tests: vec![0, 1], statements: vec![vec![1, 11], vec![2, 12]] }]
        );
        assert_eq!(found.paper.quartiles(), Some([1, 2, 2, 2, 2]));
    }

    #[test]
    fn what_has_no_fingerprint_equals_nothing() {
        let found = redundancy(vec![test("a", &["1 f ? y"]), test("b", &["1 f ? y"])]);
        assert_eq!((found.ours.n_redundant, found.paper.n_redundant), (0, 0));
        assert!(found.duplicates.is_empty() && found.deletable.is_empty());
    }

    #[test]
    fn a_test_is_safe_to_delete_where_another_calls_and_asserts_no_less() {
        let small = test("small", &["1 f x y", "2 !eq v v"]);
        let large = test("large", &["11 f x y", "12 g x y", "13 !eq v v"]);
        let found = redundancy(vec![small.clone(), large]);
        assert_eq!(found.deletable.len(), 1);
        let Deletable { test: of, by, proof } = &found.deletable[0];
        assert_eq!((*of, *by), (0, 1));
        assert_eq!(proof.as_slice(), [(1, "f".to_owned(), 11), (2, "!eq".to_owned(), 13)]);
        let weak = test("weak", &["11 f x y", "12 g x y"]);
        assert!(redundancy(vec![small.clone(), weak]).deletable.is_empty(), "it asserts less");
        let other_order = test("order", &["11 !eq v v", "12 f x y"]);
        assert!(redundancy(vec![small, other_order]).deletable.is_empty());
    }

    #[test]
    fn of_the_very_same_tests_the_first_stays() {
        let found =
            redundancy(vec![test("a", &["1 f x y"]), test("b", &["5 f x y"]), test("c", &["9 f x y"])]);
        assert_eq!(found.duplicates, [vec![0, 1, 2]]);
        assert_eq!(by(&found), [(1, 0), (2, 0)]);
        assert!((found.saved_by_deleting - 2.0).abs() < 1e-9);
        let long = test("long", &["9 f x y", "10 g x y"]);
        let found = redundancy(vec![test("a", &["1 f x y"]), test("b", &["5 f x y"]), long]);
        assert_eq!(by(&found), [(0, 2), (1, 2)], "who does the work of another stays");
    }

    #[test]
    fn what_classes_inherit_of_each_other_is_no_duplicate_and_is_not_deleted() {
        let at = |id: &str, first_line: u32| {
            let mut test = test(id, &["6 f x y"]);
            test.calls.as_mut().unwrap().first_line = first_line;
            test
        };
        let base = at("t.py::TestBase::test_a", 5);
        let found = redundancy(vec![base.clone(), at("t.py::TestMore::test_a", 5)]);
        assert!(found.duplicates.is_empty() && found.deletable.is_empty());
        let found = redundancy(vec![base.clone(), at("t.py::TestMore::test_a", 5), at("t.py::test_b", 9)]);
        assert_eq!((found.duplicates.as_slice(), by(&found)), (&[vec![0, 2]][..], vec![(2, 0)]));
        let borrowed =
            super::redundancy(vec![base.clone(), at("t.py::test_b", 9)], &|test| test.id.contains("test_b"));
        assert!(borrowed.deletable.is_empty());
        let cases = redundancy(vec![at("t.py::test_a[1]", 5), at("t.py::test_a[2]", 5)]);
        assert_eq!((cases.duplicates.len(), by(&cases)), (1, vec![(1, 0)]), "a row can go");
    }

    fn by(found: &Redundancy) -> Vec<(usize, usize)> {
        found.deletable.iter().map(|it| (it.test, it.by)).collect()
    }
}
