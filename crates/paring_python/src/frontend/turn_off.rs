//! Assertions of a Python test, and the text with some of them turned off.
//!
//! ```python
//! with contextlib.suppress(AssertionError):
//!     assert stack.pop() == 1                    # runs, and its verdict does not count
//! ```
//!
//! What pytest itself expects fails with an exception of its own, which is no `AssertionError`.

use super::lines::Lines;
use super::parsed;
use paring_model::{LineMap, StmtId, StmtKind, TextRange, Unit, WorkingText};

const SUPPRESS: &str = "contextlib.suppress(AssertionError";

/// How the exceptions are called that fail a test.
const VERDICTS: [&str; 4] = ["AssertionError", "failureException", "fail.Exception", "BaseException"];

pub fn assertions(unit: &Unit) -> Vec<TextRange> {
    let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return Vec::new() };
    let within = unit.descendants(def).into_iter();
    let within = within.filter(|&id| is_assertion(unit, id) && !is_awaited(unit, id));
    within.map(|id| unit.stmt(id).range).collect()
}

/// Whether the verdict is what a block around it waits for: `with pytest.raises(AssertionError)`.
fn is_awaited(unit: &Unit, id: StmtId) -> bool {
    unit.ancestors(id).any(|up| {
        let stmt = unit.stmt(up);
        let header = stmt.header.of(&unit.source);
        stmt.kind == StmtKind::With { expects: true } && VERDICTS.iter().any(|name| header.contains(name))
    })
}

fn is_assertion(unit: &Unit, id: StmtId) -> bool {
    match unit.stmt(id).kind {
        StmtKind::Assert | StmtKind::With { expects: true } => true,
        // `self.fail()` and `assert False` are verdicts, `raise` is none.
        StmtKind::Raise => !unit.stmt(id).header.of(&unit.source).starts_with("raise"),
        _ => false,
    }
}

/// Whether a node is the `with` around something that is turned off.
pub fn turns_off(unit: &Unit, id: StmtId) -> bool {
    let header = unit.stmt(id).header.of(&unit.source);
    header.strip_prefix("with ").is_some_and(|items| items.starts_with(SUPPRESS))
}

/// A line that is put in, and the line it goes before.
pub struct Inserted {
    pub line: usize,
    pub text: String,
}

pub fn turned_off(unit: &Unit, off: &[TextRange]) -> Option<WorkingText> {
    let parsed = parsed(&unit.source);
    let lines = Lines::new(&unit.source, &unit.line_starts, parsed.tokens());
    let span = |range: &TextRange| (lines.of(range.start), lines.of(range.end.max(range.start + 1) - 1));
    let mut inserted = Vec::new();
    let mut imports = Vec::new();
    let mut sorted = off.to_vec();
    sorted.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    for range in &sorted {
        if !stands_alone(unit, &lines, *range) || gives_a_name(unit, *range) {
            return None;
        }
        let (first, _) = span(range);
        let around = sorted.iter().filter(|other| *other != range && other.covers(*range)).count();
        let mut exceptions = String::new();
        imports.push("contextlib");
        if is_of_pytest(unit, *range) {
            exceptions.push_str(", pytest.fail.Exception");
            imports.push("pytest");
        }
        let indent = format!("{}{}", step(lines.indent(first)).repeat(around), lines.indent(first));
        let end = lines.line_end(first);
        let text = format!("{indent}with {SUPPRESS}{exceptions}):{end}");
        inserted.push(Inserted { line: first, text });
    }
    imports.sort_unstable();
    imports.dedup();
    inserted.extend(imports.into_iter().filter_map(|module| import(unit, &lines, module)));
    // What is inserted before the same line: imports first, then from the outside in, as they come.
    inserted.sort_by_key(|it| (it.line, !it.text.starts_with("import ")));
    Some(written(&lines, &inserted, |line| {
        let is_within = |range: &&TextRange| (span(range).0..=span(range).1).contains(&line);
        sorted.iter().filter(is_within).count()
    }))
}

/// The text with lines put in, and every line as much deeper as it says.
fn written(lines: &Lines<'_>, inserted: &[Inserted], depth: impl Fn(usize) -> usize) -> WorkingText {
    let mut text = String::new();
    let mut origins: Vec<u32> = Vec::new();
    for line in 0..lines.len() {
        let number = u32::try_from(line + 1).expect("a source file has fewer than 2^32 lines");
        for it in inserted.iter().filter(|it| it.line == line) {
            text.push_str(&it.text);
            origins.push(number);
        }
        if !lines.is_blank(line) && !lines.begins_in_string(line) {
            text.push_str(&step(lines.indent(line)).repeat(depth(line)));
        }
        text.push_str(lines.text(line));
        origins.push(number);
    }
    WorkingText { text, origins: LineMap::of_lines(origins) }
}

/// One more level of indentation, of the sort that is there.
fn step(indent: &str) -> &'static str {
    if indent.contains('\t') { "\t" } else { "    " }
}

/// Whether nothing else stands in the lines of a statement: neither before it nor behind a `;`.
fn stands_alone(unit: &Unit, lines: &Lines<'_>, range: TextRange) -> bool {
    let last = lines.of(range.end.max(range.start + 1) - 1);
    let behind =
        unit.source[range.end as usize..lines.content_end(last).max(range.end) as usize].trim_start();
    lines.begins_line(range.start) && (behind.is_empty() || behind.starts_with('#'))
}

/// Whether a block that expects something binds a name that is read behind it: without what was expected there is nothing
/// to read.
fn gives_a_name(unit: &Unit, range: TextRange) -> bool {
    let Some(id) = unit.ids().find(|&id| unit.stmt(id).range == range) else { return false };
    let header = unit.stmt(id).header.of(&unit.source);
    if !matches!(unit.stmt(id).kind, StmtKind::With { .. }) {
        return false;
    }
    let Some((_, name)) = header.trim_end_matches(':').rsplit_once(" as ") else { return false };
    let name = name.trim_matches(['(', ')', ' ', ',']);
    let parsed = parsed(&unit.source);
    let end = unit.stmt(id).range.end;
    let test = unit.test.and_then(|test| unit.routine(test).def);
    let test_end = test.map_or(end, |def| unit.stmt(def).range.end);
    let behind = parsed.tokens().iter().map(super::tree::range_of);
    behind
        .filter(|token| token.start >= end && token.end <= test_end)
        .any(|token| token.of(&unit.source) == name)
}

/// Whether it fails with an exception of pytest's own.
fn is_of_pytest(unit: &Unit, range: TextRange) -> bool {
    let Some(id) = unit.ids().find(|&id| unit.stmt(id).range == range) else { return false };
    let header = unit.stmt(id).header.of(&unit.source);
    match unit.stmt(id).kind {
        StmtKind::With { .. } => !header.contains("self.assert"),
        StmtKind::Raise => header.starts_with("pytest."),
        StmtKind::Assert => header.split('(').next().is_some_and(|callee| callee.ends_with("raises")),
        _ => false,
    }
}

/// The import of a module, and where it goes; `None` where the file has it.
pub fn import(unit: &Unit, lines: &Lines<'_>, module: &str) -> Option<Inserted> {
    if imports(unit).any(|name| name == module) {
        return None;
    }
    let must_lead = |id: StmtId| {
        let stmt = unit.stmt(id);
        stmt.kind == StmtKind::Docstring || stmt.header.of(&unit.source).starts_with("from __future__")
    };
    let before = top_level(unit).find(|&id| !must_lead(id))?;
    let line = lines.of(unit.stmt(before).range.start);
    Some(Inserted { line, text: format!("import {module}{}", lines.line_end(line)) })
}

/// The modules that the file imports under their own names.
pub fn imports(unit: &Unit) -> impl Iterator<Item = &str> {
    let imports =
        top_level(unit).filter_map(|id| unit.stmt(id).header.of(&unit.source).strip_prefix("import "));
    imports.flat_map(|names| names.split(',').map(str::trim))
}

fn top_level(unit: &Unit) -> impl Iterator<Item = StmtId> {
    unit.ids().filter(|&id| unit.stmt(id).parent.is_none())
}
