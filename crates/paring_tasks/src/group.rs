//! Results that show one defect: the same failure, out of the same function or by the same sequence up to names and literals.

use crate::outcome::{Membership, Outcome};
use paring_model::{Failure, FailureKind, Phase};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Results that show one defect, as indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The one to look at: the smallest.
    pub representative: usize,
    /// All of them, in their order.
    pub members: Vec<usize>,
}

/// Sorts the results, in the order in which each defect first shows, and tells each outcome where it belongs.
pub fn group(outcomes: &mut [Outcome]) -> Vec<Group> {
    let mut members: BTreeMap<Defect, Vec<usize>> = BTreeMap::new();
    for (idx, outcome) in outcomes.iter().enumerate() {
        if let Some(defect) = Defect::of(outcome) {
            members.entry(defect).or_default().push(idx);
        }
    }
    let size = |&idx: &usize| {
        let pared = outcomes[idx].pared.as_ref().expect("a member has a result");
        (pared.statements.after, pared.tokens.after, idx)
    };
    let mut groups: Vec<Group> = members
        .into_values()
        .map(|members| {
            let representative = members.iter().copied().min_by_key(size).expect("a group has members");
            Group { representative, members }
        })
        .collect();
    groups.sort_by_key(|group| group.members[0]);
    for (idx, group) in groups.iter().enumerate() {
        let representative = outcomes[group.representative].target.clone();
        for &member in &group.members {
            outcomes[member].group = Some(Membership {
                number: idx + 1,
                representative: representative.clone(),
                n_members: group.members.len(),
            });
        }
    }
    groups
}

/// What two results of one defect have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Defect {
    phase: Phase,
    exceptions: Vec<(String, String)>,
    place: Place,
}

/// Where a failure comes from.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The innermost function of the code under test that the exception went through: many ways may lead there.
    Function { file: String, name: String },
    /// An assertion, or something that the test itself does wrong: what the test does, up to names and literals.
    Sequence { shape: String },
}

impl Defect {
    fn of(outcome: &Outcome) -> Option<Self> {
        let (pared, failure) = (outcome.pared.as_ref()?, outcome.failure.as_ref()?);
        let exceptions = failure.exceptions.iter();
        Some(Self {
            phase: failure.phase,
            exceptions: exceptions.map(|it| (it.type_name.clone(), without_values(&it.message))).collect(),
            place: function(failure).unwrap_or_else(|| Place::Sequence { shape: pared.shape.clone() }),
        })
    }
}

fn function(failure: &Failure) -> Option<Place> {
    let frame = failure.below.iter().rfind(|frame| !frame.runtime)?;
    (failure.kind == FailureKind::Exception)
        .then(|| Place::Function { file: frame.file.clone(), name: frame.function.clone() })
}

/// A message with its values left out: what is quoted, in brackets, or a number.
fn without_values(message: &str) -> String {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        let value = r#"'[^']*'|"[^"]*"|<[^>]*>|\[[^\]]*\]|\{[^}]*\}|-?\b\d[\w.]*|@[0-9a-f]+\b"#;
        Regex::new(value).expect("it is a pattern")
    });
    VALUE.replace_all(message, "_").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_no_part_of_a_message() {
        assert_eq!(without_values("expected: <2> but was: <1>"), "expected: _ but was: _");
        assert_eq!(
            without_values("invalid literal for int() with base 10: 'x1'"),
            without_values("invalid literal for int() with base 10: ''")
        );
        assert_eq!(without_values("index -3, length 17"), "index _, length _");
        assert_ne!(without_values("no key"), without_values("no value"));
    }
}
