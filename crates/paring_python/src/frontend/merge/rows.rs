//! Heads of tests with rows: a decorator of pytest, or a loop of subtests in a `TestCase`.
//!
//! ```python
//! @pytest.mark.parametrize(
//!     ("text", "expected"),
//!     [
//!         # Zero is an age.
//!         pytest.param("0", "child", id="new_born"),
//!     ],
//! )
//! def test_group(text, expected):
//! ```

use super::head::{Head, unsupported};
use paring_model::{Framework, Headed, Refusal, Row, Rows, Shape};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub fn headed(source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal> {
    match host.framework {
        Framework::Unittest => sub_tests(source, host, rows),
        Framework::Pytest | Framework::Jupiter | Framework::Junit4 | Framework::Junit3 => {
            parametrised(source, host, rows)
        }
    }
}

fn parametrised(source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal> {
    let Head { before, params, behind, .. } = Head::of(source, host).ok_or_else(unsupported)?;
    let indent = &host.indent;
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let names: Vec<&str> = rows.params.iter().map(|param| param.name.as_str()).collect();
    let argument = match names.as_slice() {
        [only] => format!("\"{only}\""),
        several => {
            format!("({})", several.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "))
        }
    };
    let (one, two) = (format!("{indent}{step}"), format!("{indent}{step}{step}"));
    let mut head = format!("{indent}@pytest.mark.parametrize(\n{one}{argument},\n{one}[\n");
    let ids = ids(rows.rows.iter().map(|row| row.label.as_str()));
    for (row, id) in rows.rows.iter().zip(&ids) {
        for remark in &row.above {
            let _ = writeln!(head, "{two}# {remark}");
        }
        let behind =
            if row.behind.is_empty() { String::new() } else { format!("  # {}", row.behind.join("; ")) };
        let values: Vec<String> = row.values.iter().cloned().chain([format!("id=\"{id}\"")]).collect();
        let _ = writeln!(head, "{},{behind}", listed("pytest.param", &values, &two, step));
    }
    let comma = if params.trim_end() == "(" { "" } else { ", " };
    let _ = write!(
        head,
        "{one}],\n{indent})\n{indent}{before}{}{params}{comma}{}{behind}\n",
        rows.name,
        names.join(", ")
    );
    Ok(Headed {
        head,
        imports: vec!["pytest".to_owned()],
        cases: ids.iter().map(|id| format!("[{id}]")).collect(),
        ..Headed::default()
    })
}

/// The longest line that a row may be.
const WIDTH: usize = 100;

/// A call in one line, or with a line for each argument where that would be long or one of them has several lines itself.
fn listed(opener: &str, values: &[String], indent: &str, step: &str) -> String {
    let line = format!("{indent}{opener}({})", values.join(", "));
    if line.chars().count() <= WIDTH && !line.contains('\n') {
        return line;
    }
    let inner = format!("{indent}{step}");
    let lines = values.iter().map(|value| format!("{inner}{},\n", at_indent(value, &inner, step)));
    format!("{indent}{opener}(\n{}{indent})", lines.collect::<String>())
}

/// A value of several lines as it would be written at an indentation; with a string of several lines, as it is.
fn at_indent(value: &str, indent: &str, step: &str) -> String {
    let is_solid = value.contains("\"\"\"") || value.contains("'''") || value.contains("\\\n");
    if is_solid || !value.contains('\n') {
        return value.to_owned();
    }
    let mut lines = value.lines();
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let closes = rest.last().is_some_and(|last| last.trim_start().starts_with([')', ']', '}']));
    let width = |line: &&str| line.len() - line.trim_start().len();
    let own = rest.iter().filter(|line| !line.trim().is_empty()).map(width).min().unwrap_or(0);
    let more = if closes && rest.len() > 1 { "" } else { step };
    let moved = rest.iter().map(|line| {
        if line.trim().is_empty() { "\n".to_owned() } else { format!("\n{indent}{more}{}", &line[own..]) }
    });
    format!("{first}{}", moved.collect::<String>())
}

/// Labels as pytest shows them, each once.
fn ids<'l>(labels: impl Iterator<Item = &'l str>) -> Vec<String> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let plain = |label: &str| -> String {
        label.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
    };
    let mut found = Vec::new();
    for label in labels.map(plain) {
        let numbered = (2..).map(|n: u32| format!("{label}_{n}"));
        let mut all = std::iter::once(label.clone()).chain(numbered);
        let id = all.find(|id| known.insert(id.clone())).expect("there is always another number");
        found.push(id);
    }
    found
}

/// A loop over the rows. The label of a row is told by the subtest.
fn sub_tests(source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal> {
    let refuse = |text: &str| Err(Refusal::new("shared_set_up", text));
    let body = host.body.of(source);
    let is_state =
        |(at, _): (usize, &str)| !body[at + 5..].starts_with("assert") && !body[at + 5..].starts_with("fail");
    if body.match_indices("self.").any(is_state) {
        return refuse("its rows would share what the test object holds");
    }
    let set_up =
        ["def setUp", "def tearDown", "def asyncSetUp", "def asyncTearDown", "autouse", "addCleanup"];
    if set_up.iter().any(|word| source.contains(word)) {
        return refuse("its rows would share what set-up makes");
    }
    if body
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|word| matches!(word, "return" | "skipTest"))
    {
        return Err(Refusal::new("unsupported", "it may end early"));
    }
    let Head { before, params, behind, .. } = Head::of(source, host).ok_or_else(unsupported)?;
    let step = if host.indent.contains('\t') { "\t" } else { "    " };
    let (one, two) = (host.body_indent.clone(), format!("{}{step}", host.body_indent));
    let words: BTreeSet<&str> = body.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let names: Vec<&str> = rows.params.iter().map(|param| param.name.as_str()).collect();
    let is_free = |name: &&str| !words.contains(name) && !names.contains(name);
    let label = ["name", "case", "case_name"].into_iter().find(is_free).ok_or_else(unsupported)?;
    let mut head = format!("{}{before}{}{params}{behind}\n", host.indent, rows.name);
    let _ = writeln!(head, "{one}for {label}, {} in [", names.join(", "));
    for row in &rows.rows {
        head.push_str(&sub_row(row, &two, step));
    }
    let _ = writeln!(head, "{one}]:\n{two}with self.subTest({label}):");
    let cases = rows.rows.iter().map(|_| String::new()).collect();
    Ok(Headed { head, deeper: step.repeat(2), cases, ..Headed::default() })
}

fn sub_row(row: &Row, indent: &str, step: &str) -> String {
    let mut text = String::new();
    for remark in &row.above {
        let _ = writeln!(text, "{indent}# {remark}");
    }
    let behind = if row.behind.is_empty() { String::new() } else { format!("  # {}", row.behind.join("; ")) };
    let values: Vec<String> =
        std::iter::once(format!("\"{}\"", row.label)).chain(row.values.iter().cloned()).collect();
    let _ = writeln!(text, "{},{behind}", listed("", &values, indent, step));
    text
}
