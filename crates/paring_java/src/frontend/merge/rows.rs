//! Heads of tests with rows, for `JUnit` 5: literals in a `@CsvSource`, what that would read in its own way in a `@MethodSource`.
//!
//! ```java
//! @ParameterizedTest(name = "{0}")
//! @CsvSource({
//!     // Zero is an age.
//!     "newBorn, 0, child"
//! })
//! void group(String name, int number, String expected) {
//! ```

use super::super::cases::column;
use super::super::syntax::{annotations, named, parsed, range_of, text, walk};
use paring_model::{Framework, Headed, Refusal, Row, Rows, Shape, TextRange};
use std::fmt::Write as _;
use tree_sitter::Node;

/// The longest column that a CSV parser takes without being asked.
const MAX_COLUMN: usize = 4000;
/// Types that a text of CSV is turned into.
const OF_CSV: [&str; 9] = ["int", "long", "short", "byte", "float", "double", "boolean", "char", "String"];

pub fn headed(source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal> {
    if host.framework != Framework::Jupiter {
        let text = "this JUnit has no rows within a class: its Parameterized makes a class of its own";
        return Err(Refusal::new("framework", text));
    }
    let unsupported = || Refusal::new("unsupported", "its head is no plain one");
    let tree = parsed(source);
    let method = method_of(tree.root_node(), source, host).ok_or_else(unsupported)?;
    let parameters = method.child_by_field_name("parameters").ok_or_else(unsupported)?;
    let (before, kept) = modifiers(method, source, host).ok_or_else(unsupported)?;
    let label = label(source, host, rows).ok_or_else(unsupported)?;
    let own = named(parameters).into_iter().map(|it| text(it, source).to_owned());
    let new = rows.params.iter().map(|param| format!("{} {}", param.class, param.name));
    let all: Vec<String> = std::iter::once(format!("String {label}")).chain(new).chain(own).collect();
    let behind = TextRange::new(range_of(parameters).end, host.body.start).of(source);
    let behind = behind.split('{').next().unwrap_or_default().trim_end();
    let Cases { annotation, provider, imports } = cases(source, host, rows);
    let indent = &host.indent;
    let mut head = provider;
    for annotation in kept {
        let _ = writeln!(head, "{indent}{annotation}");
    }
    let _ = write!(head, "{indent}@ParameterizedTest(name = \"{{0}}\")\n{annotation}");
    let _ = writeln!(head, "{indent}{before}{}({}){behind} {{", rows.name, all.join(", "));
    Ok(Headed {
        head,
        deeper: String::new(),
        foot: format!("\n{indent}}}"),
        imports,
        cases: (1..=rows.rows.len()).map(|n| format!("[{n}]")).collect(),
    })
}

pub fn method_of<'t>(root: Node<'t>, source: &str, host: &Shape) -> Option<Node<'t>> {
    let mut found = None;
    walk(root, &mut |node| {
        let name = node.child_by_field_name("name");
        if node.kind() == "method_declaration"
            && host.whole.covers(range_of(node))
            && name.is_some_and(|name| text(name, source) == host.name)
        {
            found = Some(node);
        }
        found.is_none()
    });
    found
}

/// What stands between the annotations and the name, and the annotations that stay.
fn modifiers<'s>(method: Node, source: &'s str, host: &Shape) -> Option<(&'s str, Vec<&'s str>)> {
    let all = annotations(method, source);
    let last = all.iter().map(|(_, node)| range_of(*node).end).max()?;
    let name = range_of(method.child_by_field_name("name")?);
    let is_gone = |name: &str| name == "Test" || name == "DisplayName" && host.shown.is_some();
    let kept = all.iter().filter(|(name, _)| !is_gone(name)).map(|(_, node)| text(*node, source));
    let before = TextRange::new(last.min(name.start), name.start).of(source).trim_start();
    // Modifiers may stand before an annotation.
    let first = annotations(method, source).first().map(|(_, node)| range_of(*node).start)?;
    let is_plain = first == range_of(method).start && !before.contains("//") && !before.contains("/*");
    is_plain.then(|| (before, kept.collect()))
}

/// The name of the parameter that has the names of the rows.
fn label(source: &str, host: &Shape, rows: &Rows) -> Option<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let own: Vec<&str> = host.body.of(source).split(|c| !is_word(c)).collect();
    let is_free = |name: &&str| {
        !own.contains(name) && !rows.params.iter().any(|it| it.name == **name) && !host.header.contains(name)
    };
    ["name", "label", "testCase", "caseName"].into_iter().find(is_free)
}

struct Cases {
    /// With its line end.
    annotation: String,
    provider: String,
    imports: Vec<String>,
}

fn cases(source: &str, host: &Shape, rows: &Rows) -> Cases {
    let junit = "org.junit.jupiter.params";
    let mut imports = vec![format!("{junit}.ParameterizedTest")];
    let indent = &host.indent;
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let inner = format!("{indent}{step}");
    if let Some(lines) = csv(source, host, rows) {
        imports.push(format!("{junit}.provider.CsvSource"));
        let all = listed(&inner, &rows.rows, &lines);
        return Cases {
            annotation: format!("{indent}@CsvSource({{\n{all}{indent}}})\n"),
            provider: String::new(),
            imports,
        };
    }
    imports.extend(["provider.Arguments", "provider.MethodSource"].map(|name| format!("{junit}.{name}")));
    imports.push("java.util.stream.Stream".to_owned());
    let value = |row: &Row| {
        let label = format!("\"{}\"", row.label);
        let values = std::iter::once(label).chain(row.values.iter().cloned()).collect::<Vec<_>>();
        format!("Arguments.of({})", values.join(", "))
    };
    let lines: Vec<String> = rows.rows.iter().map(value).collect();
    let all = listed(&format!("{inner}{step}"), &rows.rows, &lines);
    let name = format!("{}Cases", rows.name);
    let provider = format!(
        "{indent}static Stream<Arguments> {name}() {{\n{inner}return Stream.of(\n{all}{inner});\n{indent}}}\n\n"
    );
    Cases { annotation: format!("{indent}@MethodSource(\"{name}\")\n"), provider, imports }
}

/// Lines of a list, with their remarks.
fn listed(indent: &str, rows: &[Row], lines: &[String]) -> String {
    let mut text = String::new();
    for (idx, (row, line)) in rows.iter().zip(lines).enumerate() {
        for remark in &row.above {
            let _ = writeln!(text, "{indent}// {remark}");
        }
        let comma = if idx + 1 < rows.len() { "," } else { "" };
        let behind =
            if row.behind.is_empty() { String::new() } else { format!(" // {}", row.behind.join("; ")) };
        let _ = writeln!(text, "{indent}{line}{comma}{behind}");
    }
    text
}

/// The rows as CSV, in quotes; `None` where that might be read as something else, or where texts must be the same objects as
/// those of the code.
fn csv(source: &str, host: &Shape, rows: &Rows) -> Option<Vec<String>> {
    let body = host.body.of(source);
    let sees_objects = ["assertSame", "assertNotSame", "isSameAs", "isNotSameAs", "sameInstance", "==", "!="];
    let has_text = rows.params.iter().any(|param| param.class == "String");
    if has_text && sees_objects.iter().any(|word| body.contains(word))
        || rows.params.iter().any(|param| !OF_CSV.contains(&param.class.as_str()))
    {
        return None;
    }
    let line = |row: &Row| {
        let values: Option<Vec<String>> = row.values.iter().map(|value| Some(tidy(column(value)?))).collect();
        let values = values.filter(|all| all.iter().all(|it| it.len() < MAX_COLUMN))?;
        let all: Vec<String> = std::iter::once(quoted(&row.label)).chain(values).collect();
        Some(format!("\"{}\"", all.join(", ")))
    };
    rows.rows.iter().map(line).collect()
}

/// A column without quotes, where nobody would read it otherwise.
fn tidy(column: String) -> String {
    let inner = column.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner {
        Some(inner) if is_plain(inner) => inner.to_owned(),
        Some(_) | None => column,
    }
}

/// Letters, digits and single spaces within.
fn is_plain(text: &str) -> bool {
    let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '/' | ':');
    !text.is_empty() && text.trim() == text && text.chars().all(is_known)
}

fn quoted(label: &str) -> String {
    if is_plain(label) { label.to_owned() } else { format!("'{}'", label.replace('\'', "''")) }
}
