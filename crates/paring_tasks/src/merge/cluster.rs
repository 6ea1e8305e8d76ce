//! Tests that may share steps, told without a run: those that have a step in common by its words and by what its variables were
//! given, whatever changed them since.

use super::prefix::is_plain;
use paring_model::{AtomKind, Shape, Survey};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Tests of one header that hang together by common steps, as indices into the survey, each in source order.
pub fn clusters(survey: &Survey, source: &str, may_meet: impl Fn(&Shape) -> bool) -> Vec<Vec<usize>> {
    let mut owners: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, shape) in survey.shapes.iter().enumerate().filter(|(_, shape)| may_meet(shape)) {
        for step in common(shape, source) {
            owners.entry(format!("{}\n{step}", shape.header)).or_default().push(idx);
        }
    }
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    for tests in owners.into_values().filter(|tests| tests.len() > 1) {
        let mut joined: BTreeSet<usize> = tests.into_iter().collect();
        found.retain(|other| {
            let meets = !other.is_disjoint(&joined);
            if meets {
                joined.extend(other.iter().copied());
            }
            !meets
        });
        found.push(joined);
    }
    let mut all: Vec<Vec<usize>> = found.into_iter().map(|tests| tests.into_iter().collect()).collect();
    all.sort();
    all
}

/// How many steps of one test another seems to have.
pub fn n_common(one: &Shape, other: &Shape, source: &str) -> usize {
    common(one, source).intersection(&common(other, source)).count()
}

/// The steps of a test that another might have, as text.
fn common(shape: &Shape, source: &str) -> BTreeSet<String> {
    let mut given: BTreeMap<&str, String> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for nth in 0..shape.steps.len() {
        let (text, target) = written(shape, nth, source, &given);
        if let Some(target) = target {
            given.insert(target, text.clone());
        }
        let calls = shape.steps[nth].atoms.iter().any(|atom| atom.range.of(source) == "(");
        if calls && !shape.steps[nth].checks && is_plain(shape, nth, source) {
            found.insert(text);
        }
    }
    found
}

/// A step as text, and the variable that it gives a value to.
fn written<'s>(
    shape: &Shape,
    nth: usize,
    source: &'s str,
    given: &BTreeMap<&str, String>,
) -> (String, Option<&'s str>) {
    let mut text = String::new();
    let mut target = None;
    let atoms = &shape.steps[nth].atoms;
    for (at, atom) in atoms.iter().enumerate() {
        let word = atom.range.of(source);
        if atom.kind != AtomKind::Variable {
            let _ = write!(text, " {word}");
        } else if target.is_none() && atoms.get(at + 1).is_some_and(|next| next.range.of(source) == "=") {
            target = Some(word);
            text.push_str(" \u{2}");
        } else {
            let _ = write!(text, " \u{1}({})", given.get(word).map_or("", String::as_str));
        }
    }
    (text, target)
}
