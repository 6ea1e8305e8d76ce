//! Tests that do the same from beginning to end: one of them stays.

use super::prefix::whole;
use super::style::Style;
use super::text::{Splice, all, spliced, with_blank_before};
use super::written::Rewritten;
use paring_model::{Merger, Shape, Survey, TextRange};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of tests that do the same from beginning to end.
pub fn duplicates(survey: &Survey, source: &str, may_meet: impl Fn(&Shape) -> bool) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, shape) in survey.shapes.iter().enumerate().filter(|(_, shape)| may_meet(shape)) {
        found.entry(whole(shape, source)).or_default().push(idx);
    }
    found.into_values().filter(|group| group.len() > 1).collect()
}

/// Writes the file with one of the tests (the first given), and with the remarks of the others above it.
pub fn deduplicate(merger: &dyn Merger, source: &str, shapes: &[&Shape], ids: &[&str]) -> Rewritten {
    let host = shapes[0];
    let sign = Style::of(host.framework).comment();
    let of_host = all_remarks(host);
    let more = shapes[1..].iter().flat_map(|shape| all_remarks(shape)).filter(|line| !of_host.contains(line));
    let above: String =
        more.map(|line| format!("{}{sign} {line}\n", host.indent)).collect::<Vec<_>>().concat();
    let start = TextRange::new(host.whole.start, host.whole.start);
    let mut splices = vec![Splice { range: start, text: above }];
    let gone = shapes[1..].iter().map(|shape| with_blank_before(source, shape.whole));
    splices.extend(gone.map(|range| Splice { range, text: String::new() }));
    let text = merger.import(spliced(source, all(source), splices), &BTreeSet::new());
    let kept = ids[0].to_owned();
    let map = ids.iter().map(|id| ((*id).to_owned(), vec![kept.clone()])).collect();
    Rewritten { text, tests: vec![kept], map }
}

fn all_remarks(shape: &Shape) -> Vec<String> {
    let lines = shape.remarks.iter().flat_map(|remark| remark.lines.iter().cloned());
    lines.chain(shape.shown.clone()).collect()
}
