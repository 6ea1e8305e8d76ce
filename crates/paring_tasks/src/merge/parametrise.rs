//! Tests that are alike as one with rows.

use super::columns::{Column, columns};
use super::naming;
use super::style::Style;
use super::text::{Splice, spliced, whole_lines, with_blank_before, within_brackets};
use super::written::Rewritten;
use paring_model::{Merger, Refusal, Remark, RemarkAt, Row, RowParam, Rows, Shape, Survey, TextRange};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Writes the file with one test in the place of a group. The first of the group, in source order, is the host.
pub fn parametrise(
    merger: &dyn Merger,
    survey: &Survey,
    source: &str,
    shapes: &[&Shape],
    ids: &[&str],
) -> Result<Rewritten, Refusal> {
    let host = shapes[0];
    let moves = !same_remarks(shapes);
    if moves && shapes.iter().any(|shape| shape.remarks.iter().any(is_within)) {
        return Err(Refusal::new("remarks", "comments stand in the middle of their statements, and differ"));
    }
    let columns = columns(shapes, source, moves, Style::of(host.framework))?;
    if columns.is_empty() {
        return Err(Refusal::new("duplicates", "they are the same test"));
    }
    let named = naming::rows(survey, shapes, source);
    let row = |(idx, shape): (usize, &&Shape)| Row {
        label: named.labels[idx].clone(),
        values: columns.iter().map(|column| column.values[idx].clone()).collect(),
        above: if moves { lines(shape, |at| !matches!(at, RemarkAt::Behind(_))) } else { Vec::new() },
        behind: if moves { lines(shape, |at| matches!(at, RemarkAt::Behind(_))) } else { Vec::new() },
    };
    let param = |column: &Column| RowParam { name: column.name.clone(), class: column.class.clone() };
    let rows = Rows {
        name: named.name.clone(),
        params: columns.iter().map(param).collect(),
        rows: shapes.iter().enumerate().map(row).collect(),
    };
    let headed = merger.with_rows(source, host, &rows)?;
    let body = body(source, host, &columns, moves, &headed.deeper);
    if body.trim().is_empty() {
        return Err(Refusal::new("unsupported", "nothing is left of their bodies"));
    }
    let above = if moves { String::new() } else { above(host) };
    let whole = format!("{above}{}{body}{}", headed.head, headed.foot);
    let text = placed(source, shapes, &whole);
    let imports: BTreeSet<String> = headed.imports.into_iter().collect();
    let new = merger.id(ids[0], &named.name);
    let new_ids: Vec<String> = headed.cases.iter().map(|case| format!("{new}{case}")).collect();
    let map = ids.iter().zip(&new_ids).map(|(old, new)| ((*old).to_owned(), vec![new.clone()])).collect();
    let mut tests = new_ids;
    tests.dedup();
    Ok(Rewritten { text: merger.import(text, &imports), tests, map })
}

fn is_within(remark: &Remark) -> bool {
    matches!(remark.at, RemarkAt::Within(_))
}

/// Whether all tests have the same remarks in the same places, so that they can stay where they are.
fn same_remarks(shapes: &[&Shape]) -> bool {
    let of = |shape: &Shape| -> Vec<(Vec<String>, String)> {
        shape.remarks.iter().map(|it| (it.lines.clone(), format!("{:?}", it.at))).collect()
    };
    let first = of(shapes[0]);
    shapes.iter().all(|shape| of(shape) == first && shape.shown == shapes[0].shown)
}

fn lines(shape: &Shape, is_wanted: impl Fn(RemarkAt) -> bool) -> Vec<String> {
    let wanted = shape.remarks.iter().filter(|remark| is_wanted(remark.at));
    wanted.flat_map(|remark| remark.lines.iter().cloned()).collect()
}

/// Remarks that all tests have above their bodies.
fn above(host: &Shape) -> String {
    let sign = Style::of(host.framework).comment();
    let above = host.remarks.iter().filter(|remark| remark.range.start < host.body.start);
    let mut text = String::new();
    for line in above.flat_map(|remark| &remark.lines) {
        let _ = writeln!(text, "{}{sign} {line}", host.indent);
    }
    text
}

/// The host's body with parameters in the place of literals.
fn body(source: &str, host: &Shape, columns: &[Column], moves: bool, deeper: &str) -> String {
    let mut splices: Vec<Splice> = Vec::new();
    for column in columns {
        let text = &column.name;
        let place = |range: &TextRange| Splice { range: within_brackets(source, *range), text: text.clone() };
        splices.extend(column.places.iter().map(place));
        if let Some(step) = column.replaces {
            let range = whole_lines(source, host.steps[step].range);
            splices.push(Splice { range: with_one_gap(source, host, range), text: String::new() });
        }
    }
    if moves {
        let cuts = host.remarks.iter().map(|it| Splice { range: it.range, text: String::new() });
        splices.extend(cuts);
    }
    if !deeper.is_empty() {
        splices.extend(indented(source, host, deeper));
    }
    let text = spliced(source, host.body, splices);
    let text = text.trim_end_matches(['\n', '\r', ' ', '\t']);
    let blank = text.len() - text.trim_start_matches(['\n', '\r']).len();
    text[blank..].to_owned()
}

/// Whole lines that go; with the blank lines behind them where there are some before them too.
fn with_one_gap(source: &str, host: &Shape, lines: TextRange) -> TextRange {
    let before = &source[host.body.start as usize..lines.start as usize];
    let is_apart =
        before.trim().is_empty() || before.lines().next_back().is_some_and(|it| it.trim().is_empty());
    let mut end = lines.end as usize;
    while is_apart && end < host.body.end as usize {
        let line = source[end..].split_inclusive('\n').next().unwrap_or_default();
        if !line.trim().is_empty() || line.is_empty() {
            break;
        }
        end += line.len();
    }
    TextRange::new(lines.start, u32::try_from(end).unwrap_or(lines.end).min(host.body.end))
}

/// Every line of the body deeper, but for those that begin inside a string.
fn indented(source: &str, host: &Shape, deeper: &str) -> Vec<Splice> {
    let mut found = Vec::new();
    let mut at = host.body.start as usize;
    for line in host.body.of(source).split_inclusive('\n') {
        let start = u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
        let is_solid = host.solid.iter().any(|solid| solid.start == start);
        if !is_solid && !line.trim().is_empty() {
            found.push(Splice { range: TextRange::new(start, start), text: deeper.to_owned() });
        }
        at += line.len();
    }
    found
}

/// The file with a text in the place of the first of some tests, and without the others.
fn placed(source: &str, shapes: &[&Shape], whole: &str) -> String {
    let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let whole = whole.replace("\r\n", "\n").replace('\n', end);
    let mut splices = vec![Splice { range: shapes[0].whole, text: whole }];
    for shape in &shapes[1..] {
        splices.push(Splice { range: with_blank_before(source, shape.whole), text: String::new() });
    }
    let all =
        TextRange::new(0, u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes"));
    spliced(source, all, splices)
}
