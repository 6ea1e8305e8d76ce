//! A test in which the rounds of a loop are told apart: by `parametrize`, or in a `TestCase` by `subTest`.
//!
//! ```python
//! def test_slug():                            @pytest.mark.parametrize("text, wanted", [("A b", "a-b")])
//!     for text, wanted in [("A b", "a-b")]:   def test_slug(text, wanted):
//!         assert slug(text) == wanted             assert slug(text) == wanted
//! ```

use super::compose::signature;
use super::lines::Lines;
use super::splice::{Splice, apply};
use super::tree::{self, Node, range_of};
use super::{PythonFrontend, parsed};
use paring_model::{
    Candidate, Cases, EditSet, Form, Frontend, Rounds, StmtId, StmtKind, TargetSpec, TestWriter, TextRange,
    Unit, Unwritable,
};
use ruff_python_ast::Stmt;
use std::collections::BTreeSet;

/// Longer lines get a line for each case.
const MAX_LINE: usize = 100;

/// The unit's file with the edits within its test, and its loops so.
pub fn write(
    language: PythonFrontend,
    unit: &Unit,
    edits: &EditSet,
    rounds: &[Rounds],
) -> Result<Candidate, Unwritable> {
    let mut edits = edits.only_in_test(unit);
    let positions = positions(unit, &edits, rounds).ok_or(Unwritable::NotSupported)?;
    for it in rounds.iter().filter(|it| it.apart) {
        edits.unwrapped.insert(it.stmt);
    }
    let candidate = language.render(unit, &edits, Form::Compact);
    let target = TargetSpec::new(candidate.target());
    let (is_apart, mut text) = (rounds.iter().any(|it| it.apart), candidate.text().to_owned());
    if is_apart {
        text = language.with_imports(text, &BTreeSet::from(["pytest".to_owned()]));
    }
    let (there, _) = language.parse(&unit.path, &text, &target);
    let splices = if is_apart { parametrized(&there, rounds) } else { told(&there, rounds, &positions) };
    Ok(candidate.with_text(apply(&there.source, splices.ok_or(Unwritable::NotSupported)?)))
}

/// Which of the loops of the written test each of some loops is.
fn positions(unit: &Unit, edits: &EditSet, rounds: &[Rounds]) -> Option<Vec<usize>> {
    let kept: Vec<StmtId> = loops(unit).into_iter().filter(|&id| edits.kept.contains(id)).collect();
    rounds.iter().map(|it| kept.iter().position(|&id| id == it.stmt)).collect()
}

fn loops(unit: &Unit) -> Vec<StmtId> {
    let is_loop = |&id: &StmtId| matches!(unit.stmt(id).kind, StmtKind::Loop { .. });
    unit.test_body().into_iter().filter(is_loop).collect()
}

/// A decorator for each loop, and its variables as parameters.
fn parametrized(unit: &Unit, rounds: &[Rounds]) -> Option<Vec<Splice>> {
    let def = unit.stmt(unit.routine(unit.test?).def?);
    let (name, close) = signature(unit)?;
    let parsed = parsed(&unit.source);
    let lines = Lines::new(&unit.source, &unit.line_starts, parsed.tokens());
    let line = lines.of(def.range.start);
    let (indent, end) = (lines.indent(line), lines.line_end(line));
    let insert = |at: u32, text: String| Splice { range: TextRange::new(at, at), text };
    let mut above = String::new();
    for it in rounds.iter().filter(|it| it.apart) {
        above.push_str(&decorator(it, indent, end));
        above.push_str(end);
        above.push_str(indent);
    }
    let names = rounds.iter().filter(|it| it.apart).flat_map(|it| it.cases.params.iter());
    let names = names.map(|param| param.name.as_str()).collect::<Vec<_>>().join(", ");
    let params = TextRange::new(name.end, close).of(&unit.source);
    let params = params.trim_end();
    let at = name.end + u32::try_from(params.len()).ok()?;
    let is_empty = params.ends_with('(');
    let names = match params.ends_with(',') {
        true => format!(" {names}"),
        false if is_empty => names,
        false => format!(", {names}"),
    };
    Some(vec![insert(def.range.start, above), insert(at, names)])
}

/// The decorator of a parametrised function.
fn decorator(rounds: &Rounds, indent: &str, end: &str) -> String {
    let Cases { params, rows } = &rounds.cases;
    let names = params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>().join(", ");
    let made = |values: &str| format!("@pytest.mark.parametrize(\"{names}\", {values})");
    if let (Some(values), None) = (&rounds.values, rounds.only) {
        return made(&values.replace('\n', &format!("\n{indent}")));
    }
    let is_plain =
        rounds.values.is_some() || rows.iter().flat_map(|row| &row.values).all(|value| is_plain(value));
    let row = |row: &paring_model::Case| match (is_plain, row.values.as_slice()) {
        (true, [only]) => only.clone(),
        (true, several) => format!("({})", several.join(", ")),
        (false, values) => format!("pytest.param({}, id=\"{}\")", values.join(", "), row.id),
    };
    let rows: Vec<String> = match rounds.only {
        Some(only) => rows.get(only).into_iter().map(row).collect(),
        None => rows.iter().map(row).collect(),
    };
    let line = made(&format!("[{}]", rows.join(", ")));
    if line.len() + indent.len() <= MAX_LINE {
        return line;
    }
    let step = "    ";
    let lines: Vec<String> = rows.iter().map(|row| format!("{indent}{step}{row},{end}")).collect();
    made(&format!("[{end}{}{indent}]", lines.concat()))
}

/// Whether a value is a literal that pytest makes an id of.
fn is_plain(value: &str) -> bool {
    let is_number = value.trim_start_matches('-').chars().all(|c| c.is_ascii_digit() || c == '.');
    let quote = value.chars().next().filter(|c| ['"', '\''].contains(c));
    let is_text = quote
        .is_some_and(|quote| value.len() > 1 && value.matches(quote).count() == 2 && value.ends_with(quote));
    is_number && !value.is_empty() || is_text || ["True", "False", "None"].contains(&value)
}

/// Loops of a method in which each round is told by `subTest`, or which only make one round.
fn told(unit: &Unit, rounds: &[Rounds], positions: &[usize]) -> Option<Vec<Splice>> {
    let (parsed, all) = (parsed(&unit.source), loops(unit));
    let tree = tree::build(parsed.suite(), parsed.tokens(), u32::try_from(unit.source.len()).ok()?);
    let lines = Lines::new(&unit.source, &unit.line_starts, parsed.tokens());
    let receiver = unit.routine(unit.test?).params.first().map(|&place| unit.place(place).name.clone())?;
    let mut splices = Vec::new();
    for (it, &position) in rounds.iter().zip(positions) {
        let id = *all.get(position)?;
        let Node::Stmt(Stmt::For(node)) = tree.nodes[id.idx()] else { return None };
        if let Some(only) = it.only {
            let text = format!("[{}]", it.elements.get(only)?);
            splices.push(Splice { range: range_of(&*node.iter), text });
            continue;
        }
        let stmt = unit.stmt(id);
        let first = unit.stmt(*stmt.children.first()?);
        if first.header.of(&unit.source).contains("subTest(") {
            continue;
        }
        if !lines.begins_line(first.range.start) {
            return None;
        }
        let (line, last) = (lines.of(stmt.header.end) + 1, lines.last_of_block(stmt.range));
        let indent = lines.indent(lines.of(first.range.start));
        let step = if indent.contains('\t') { "\t" } else { "    " };
        let names: Vec<String> = it.cases.params.iter().map(|param| format!("{0}={0}", param.name)).collect();
        let end = lines.line_end(line);
        let with = format!("{indent}with {receiver}.subTest({}):{end}", names.join(", "));
        let insert = |line: usize, text: String| {
            let at = lines.start(line);
            Splice { range: TextRange::new(at, at), text }
        };
        for number in line..=last {
            let deeper = if lines.begins_in_string(number) || lines.is_blank(number) { "" } else { step };
            let above = if number == line { with.as_str() } else { "" };
            splices.push(insert(number, format!("{above}{deeper}")));
        }
    }
    Some(splices)
}
