//! Tests that are one up to literals and the names of their own variables.

use paring_model::{AtomKind, Shape, Survey};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The groups of two or more tests that are alike, as indices into the survey, each in source order; the groups in the order of
/// their first tests.
pub fn groups(survey: &Survey, source: &str, may_meet: impl Fn(&Shape) -> bool) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, shape) in survey.shapes.iter().enumerate().filter(|(_, shape)| may_meet(shape)) {
        found.entry(key(shape, source)).or_default().push(idx);
    }
    let mut groups: Vec<Vec<usize>> = found.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

/// What tests of one group have in common.
fn key(shape: &Shape, source: &str) -> String {
    let mut key = format!("{}\n{:?}", shape.header, shape.expects);
    let mut variables: BTreeMap<&str, usize> = BTreeMap::new();
    for step in &shape.steps {
        key.push('\n');
        for atom in &step.atoms {
            let text = atom.range.of(source);
            match &atom.kind {
                AtomKind::Word => {
                    let _ = write!(key, " {text}");
                }
                AtomKind::Variable => {
                    let n_known = variables.len();
                    let number = variables.entry(text).or_insert(n_known);
                    let _ = write!(key, " \u{1}{number}");
                }
                AtomKind::Literal(literal) => {
                    let _ = write!(key, " \u{2}{}", literal.class);
                }
            }
        }
    }
    key
}
