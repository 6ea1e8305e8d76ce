//! Replacements in a text, and what the trims of a unit come to as such.

use super::plan::Plan;
use paring_model::literal::padded;
use paring_model::{Form, TextRange, TrimKind};

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

/// Applies disjoint replacements; one that begins within an earlier one is left out.
pub fn apply(source: &str, mut splices: Vec<Splice>) -> String {
    splices.sort();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for splice in &splices {
        let (start, end) = (splice.range.start as usize, splice.range.end as usize);
        if start < at {
            continue;
        }
        out.push_str(&source[at..start]);
        out.push_str(&splice.text);
        at = end;
    }
    out.push_str(&source[at..]);
    out
}

/// The effective trims as replacements: neighbours joined, commas that would be left over taken along.
pub fn trims(plan: &Plan, form: Form) -> Vec<Splice> {
    let mut deletions: Vec<(TextRange, TrimKind, u32)> = Vec::new();
    let mut insertions: Vec<Splice> = Vec::new();
    let whole = plan.trims.iter().map(|&id| plan.unit.trim(id)).filter(|trim| !trim.kind.is_within_token());
    for trim in whole {
        let limit = plan.unit.stmt(trim.stmt).header.end;
        for (range, text) in &trim.edits {
            if text.is_empty() {
                deletions.push((*range, trim.kind, limit));
            } else {
                insertions.push(Splice { range: *range, text: text.clone() });
            }
        }
    }
    deletions.sort_by_key(|(range, ..)| *range);
    let mut joined: Vec<(TextRange, TrimKind, u32)> = Vec::new();
    for (range, kind, limit) in deletions {
        match joined.last_mut() {
            Some((last, ..)) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => joined.push((range, kind, limit)),
        }
    }
    // A mark that is to follow an element goes with the element.
    insertions.sort();
    insertions.dedup();
    insertions.retain(|splice| {
        !joined.iter().any(|(range, ..)| range.start < splice.range.start && splice.range.start <= range.end)
    });
    let mut splices = insertions;
    let source = &plan.unit.source;
    while let Some((range, kind, limit)) = joined.pop() {
        // The tail of a list goes with the comma before it, wherever its parts were.
        let mut tail = range;
        let mut n_parts = 0;
        for (before, _, of) in joined.iter().rev() {
            let gap = &source[before.end as usize..tail.start as usize];
            if *of != limit || !gap.trim_matches(['\\', ' ', '\t', '\r', '\n']).is_empty() {
                break;
            }
            tail.start = before.start;
            n_parts += 1;
        }
        match left_over(source, tail, kind, limit, form) {
            Some(start) => {
                joined.truncate(joined.len() - n_parts);
                splices.push(Splice::delete(start, tail.end));
            }
            None => splices.push(Splice::delete(range.start, range.end)),
        }
    }
    splices.extend(literals(plan, form));
    splices
}

/// The literals that become smaller. While searching, what follows one stays in its line and column.
fn literals(plan: &Plan, form: Form) -> impl Iterator<Item = Splice> {
    plan.literals.iter().map(move |(range, text)| {
        let old = range.of(&plan.unit.source);
        let text = match form {
            Form::Compact => text.clone(),
            // A backslash joins lines anywhere in a statement.
            Form::Blanked => padded(old, text, if old.contains("\r\n") { "\\\r\n" } else { "\\\n" }),
        };
        Splice { range: *range, text }
    })
}

/// Where the deletion of a list's tail begins, if the comma before it must or should go too. A tuple keeps it, for it may be all
/// that makes it one, but not the space after it.
fn left_over(source: &str, range: TextRange, kind: TrimKind, limit: u32, form: Form) -> Option<u32> {
    let after = source[range.end as usize..limit.max(range.end) as usize].trim_start();
    let is_compact = form == Form::Compact;
    let (is_tail, is_tuple) = match kind {
        TrimKind::Parameter | TrimKind::ImportName | TrimKind::WithItem => {
            (after.is_empty() || after.starts_with([')', ':']), false)
        }
        TrimKind::Cases | TrimKind::Iteration | TrimKind::Element => {
            (is_compact && after.starts_with([']', '}', ')']), after.starts_with(')'))
        }
        // Alike in both forms: the failing statement is told by its text.
        TrimKind::Item => (after.starts_with([']', '}', ')']), after.starts_with(')')),
        TrimKind::Characters | TrimKind::Number => (false, false),
        TrimKind::Decorator | TrimKind::Parameters => (after.starts_with(')'), false),
    };
    let before = source[..range.start as usize].trim_end_matches([' ', '\t', '\r', '\n', '\\']);
    let comma = is_tail.then(|| before.strip_suffix(',')).flatten()?.len();
    // In a list of its own lines the comma is at home.
    let gap = &source[comma..range.start as usize];
    let has_lines = gap.contains(['\n', '\r']) && !gap.contains('\\');
    let start = comma + usize::from(is_tuple);
    (!has_lines).then(|| u32::try_from(start).expect("a source file has fewer than 2^32 bytes"))
}
