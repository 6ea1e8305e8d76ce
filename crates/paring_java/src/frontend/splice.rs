//! Replacements in a text.

use super::plan::{Fate, Plan};
use paring_model::literal::{padded, replacements};
use paring_model::{EditSet, Form, TextRange};

/// One replacement. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Splice {
    pub range: TextRange,
    pub text: String,
}

impl Splice {
    pub fn delete(start: u32, end: u32) -> Self {
        Self { range: TextRange::new(start, end), text: String::new() }
    }
}

/// Applies replacements. Of what overlaps, a deletion takes what is left of it; a text within something deleted is left out.
pub fn apply(source: &str, mut splices: Vec<Splice>) -> String {
    // Of those that begin together, insertions come first, then the longest.
    splices.sort_by_key(|splice| {
        (splice.range.start, !splice.range.is_empty(), std::cmp::Reverse(splice.range.end))
    });
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for splice in &splices {
        let (start, end) = (splice.range.start as usize, splice.range.end as usize);
        if start < at && (end <= at || !splice.text.is_empty()) {
            continue;
        }
        out.push_str(&source[at..start.max(at)]);
        out.push_str(&splice.text);
        at = end;
    }
    out.push_str(&source[at..]);
    out
}

/// The literals that become smaller. While searching, what follows one stays in its line and column.
pub fn literals(plan: &Plan, edits: &EditSet, form: Form) -> Vec<Splice> {
    let stays = |(stmt, range, text)| (plan.fate(stmt) == Fate::Stay).then_some((range, text));
    let splice = |(range, text): (TextRange, String)| {
        let old = range.of(&plan.unit.source);
        let text = match form {
            Form::Compact => text,
            Form::Blanked => padded(old, &text, if old.contains("\r\n") { "\r\n" } else { "\n" }),
        };
        Splice { range, text }
    };
    replacements(plan.unit, edits).into_iter().filter_map(stays).map(splice).collect()
}
