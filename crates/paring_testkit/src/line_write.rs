//! Writes tests of the toy language. Of composed ones: a name per line, a `for` around the statements of a parametrised test, a fixture
//! for what runs before.

use crate::line_frontend::LineFrontend;
use crate::line_literals;
use crate::line_parse::offset;
use paring_model::write::{Names, called, given, params};
use paring_model::{
    Candidate, Cases, Composed, EditSet, Form, Piece, PlaceId, Spot, StmtId, TestText, TestWriter, TextRange,
    Unit, Unwritable,
};
use std::collections::BTreeMap;
use std::fmt::Write;

impl TestWriter for LineFrontend {
    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let mut text = String::new();
        let mut start = 0;
        for (line_idx, line) in unit.source.split_inclusive('\n').enumerate() {
            let line_no = u32::try_from(line_idx + 1).expect("a test's text is short");
            let id = unit.ids().find(|&id| unit.line_of(unit.stmt(id).range.start) == line_no);
            let gone = id.is_some_and(|id| is_gone(unit, edits, id));
            let whole = TextRange::new(start, start + offset(line.len()));
            start = whole.end;
            let line = if gone { line } else { &line_literals::line(unit, edits, whole, form) };
            match (gone, form) {
                (true, Form::Compact) => {}
                (true, Form::Blanked) => text.push_str(if line.ends_with('\n') { "\n" } else { "" }),
                (false, Form::Blanked) => text.push_str(line),
                (false, Form::Compact) => {
                    let n_unwrapped = id.map_or(0, |id| {
                        unit.ancestors(id).filter(|&up| edits.unwrapped.contains(up)).count()
                    });
                    let _ = write!(text, "{}", line.get(2 * n_unwrapped..).unwrap_or_default());
                }
            }
        }
        unit.candidate(text, form)
    }

    fn spot(&self, unit: &Unit) -> Option<Spot> {
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let end = range.of(&unit.source).find([' ', ':'])?;
        let end = range.start + offset(end);
        Some(Spot { range, name: TextRange::new(range.start, end), end: range.end })
    }

    fn composed(
        &self,
        units: &[&Unit],
        composed: &Composed,
        names: &Names,
        name: &str,
    ) -> Result<TestText, Unwritable> {
        let mut params = {
            let used = composed.setup.iter().chain(&composed.pieces).map(|piece| piece.unit);
            params(units, std::iter::once(composed.host).chain(used))
        };
        let mut before = Vec::new();
        if !composed.setup.is_empty() {
            let (unit, place) = given(units, composed)?;
            let given = called(units, names, unit, place);
            let body: Vec<String> =
                composed.setup.iter().map(|piece| lines(units, piece, names, 2)).collect();
            before.push(format!("fixture {given}:\n{}\n  return {given}", body.join("\n")));
            params.push(given);
        }
        let (around, indent) = match &composed.cases {
            None => (String::new(), 2),
            Some(Cases { params, rows }) => {
                let [param] = params.as_slice() else { return Err(Unwritable::NotSupported) };
                let values: Vec<&str> = rows.iter().map(|row| row.values[0].as_str()).collect();
                (format!("\n  for {} in {{{}}}:", param.name, values.join(",")), 4)
            }
        };
        let body: Vec<String> =
            composed.pieces.iter().map(|piece| lines(units, piece, names, indent)).collect();
        let header: Vec<&str> = std::iter::once(name).chain(params.iter().map(String::as_str)).collect();
        let text = format!("{}:{around}\n{}", header.join(" "), body.join("\n"));
        Ok(TestText { text, before, ..TestText::default() })
    }

    fn id(&self, unit: &Unit, old: &str, new: &str, case: &str) -> String {
        format!("{}{new}{case}", unit.target.strip_suffix(old).unwrap_or("test.lines::"))
    }
}

/// Whether the line of a node is left out. A clause goes with the header of its statement.
fn is_gone(unit: &Unit, edits: &EditSet, id: StmtId) -> bool {
    let stmt = unit.stmt(id);
    let is_unwrapped = |up: StmtId| edits.unwrapped.contains(up);
    !edits.kept.contains(id)
        || is_unwrapped(id)
        || stmt.kind.is_clause() && stmt.parent.is_some_and(is_unwrapped)
}

/// The lines of a statement, its first at that indentation.
fn lines(units: &[&Unit], piece: &Piece, names: &Names, indent: usize) -> String {
    let unit = units[piece.unit];
    let range = unit.stmt(piece.stmt).range;
    let old_indent = (range.start - unit.line_starts[unit.line_of(range.start) as usize - 1]) as usize;
    let text = renamed(unit, piece.stmt, &piece.holes, &names[piece.unit]);
    let lines = text.lines().enumerate().map(|(idx, line)| {
        let line = if idx == 0 { line } else { line.get(old_indent..).unwrap_or_default() };
        format!("{}{line}", " ".repeat(indent))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text of a statement with new names, and with its holes filled.
fn renamed(
    unit: &Unit,
    id: StmtId,
    holes: &[(TextRange, String)],
    names: &BTreeMap<PlaceId, String>,
) -> String {
    let range = unit.stmt(id).range;
    let new: BTreeMap<&str, &str> =
        names.iter().map(|(place, name)| (unit.place(*place).name.as_str(), name.as_str())).collect();
    let mut text = String::new();
    let mut at = range.start;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while at < range.end {
        if let Some((hole, with)) = holes.iter().find(|(hole, _)| hole.start == at) {
            text.push_str(with);
            at = hole.end;
            continue;
        }
        let rest = TextRange::new(at, range.end).of(&unit.source);
        let n_word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let n_taken = n_word.max(rest.chars().next().map_or(1, char::len_utf8));
        let taken = &rest[..n_taken];
        let is_attribute = text.ends_with(['.', '\'', '@']);
        let new_name = new.get(taken).filter(|_| !is_attribute);
        text.push_str(new_name.copied().unwrap_or(taken));
        at += u32::try_from(n_taken).expect("a test's text is short");
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::conformance_write::{WriteCases, writer};
    use crate::{FakeRunner, LineFrontend, failed, passed};
    use camino::Utf8Path;
    use paring_model::{BrokenKind, Candidate, Frontend, Observation, TargetSpec};

    const SOURCE: &str = "test_1:\n  cart = 1  # one\n  cart ! 1\n  assert cart\n  if cart:\n    \
        more = 1\n    assert more\n  assert cart\nearlier x:\n  a = 1\ntest_2:\n  cart = 2\n  cart ! 2\n  \
        assert cart\n  if cart:\n    more = 2\n    assert more\n  assert cart\ntest_3:\n  cart = 3\n  cart ! 3\n  \
        assert cart\n  if cart:\n    more = 3\n    assert more\n  assert cart\n";

    /// An assertion passes where what it reads was given a value in the test, or came to it as a parameter.
    fn run(candidate: &Candidate) -> Observation {
        let target = TargetSpec::new(candidate.target());
        let (unit, _) = LineFrontend.parse(Utf8Path::new("test.lines"), candidate.text(), &target);
        let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else {
            return Observation::Broken {
                message: "no test".to_owned(),
                line: None,
                kind: BrokenKind::NoTest,
            };
        };
        let text = unit.stmt(def).range.of(&unit.source);
        let mut known: Vec<&str> = text.lines().next().unwrap_or_default().split([' ', ':']).collect();
        for (idx, line) in text.lines().enumerate().skip(1) {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["assert", name] if !known.contains(name) => {
                    return failed(u32::try_from(idx).expect("a short text"), name);
                }
                [name, "=", ..] | ["for", name, ..] => known.push(name),
                _ => {}
            }
        }
        passed()
    }

    #[test]
    fn written_tests_conform() {
        let cases = WriteCases {
            path: "test.lines",
            source: SOURCE,
            targets: ["test.lines::test_1", "test.lines::test_2", "test.lines::test_3"],
            parametrises: true,
        };
        writer(&LineFrontend, &FakeRunner::of_candidates(run), &cases);
    }
}
