//! One test of what several did: what they share, and then the rest of each.
//!
//! `JUnit` 5 says of each rest whether it holds (`assertAll`); before, the first that fails ends the test. What a test expects to be
//! thrown is asserted of its last statement.

use super::super::syntax::{annotations, field_text, named, parsed, range_of, text};
use super::rows::method_of;
use paring_model::{Framework, Headed, Joint, Refusal, Rest, Shape, TextRange};
use std::fmt::Write as _;

pub fn joined(source: &str, host: &Shape, joint: &Joint) -> Result<Headed, Refusal> {
    let unsupported = || Refusal::new("unsupported", "it cannot be written");
    let tree = parsed(source);
    let method = method_of(tree.root_node(), source, host).ok_or_else(unsupported)?;
    let name = range_of(method.child_by_field_name("name").ok_or_else(unsupported)?);
    let mut before = TextRange::new(host.head_start, name.start).of(source).to_owned();
    for (simple, node) in annotations(method, source) {
        if simple == "Test" && host.expects.is_some() {
            before = before.replacen(text(node, source), "@Test", 1);
        }
    }
    let parameters = range_of(method.child_by_field_name("parameters").ok_or_else(unsupported)?);
    let behind = TextRange::new(parameters.end, host.body.start).of(source);
    let behind = behind.split('{').next().unwrap_or_default().trim_end();
    let Shape { indent, body_indent, .. } = host;
    let mut head = format!("{indent}{before}{}(){behind} {{\n{}", joint.name, joint.beginning);
    let is_soft = host.framework == Framework::Jupiter && !joint.may_hide;
    let mut imports = Vec::new();
    if joint.rests.iter().any(|rest| rest.expects.is_some()) {
        imports.push("org.junit.Assert.assertThrows");
    }
    if is_soft {
        imports.push("org.junit.jupiter.api.Assertions.assertAll");
        head.push_str(&all(host, joint)?);
    } else {
        for (idx, rest) in joint.rests.iter().enumerate() {
            if idx > 0 && rest.steps.len() > 1 {
                head.push('\n');
            }
            head.push_str(&plain(rest, body_indent)?);
        }
    }
    let is_there = |import: &&str| {
        let (class, _) = import.rsplit_once('.').unwrap_or_default();
        source.contains(&format!("import static {import};"))
            || source.contains(&format!("import static {class}.*;"))
    };
    let missing = imports.into_iter().filter(|import| !is_there(import));
    Ok(Headed {
        head: format!("{}\n{indent}}}", head.trim_end()),
        imports: missing.map(|import| format!("static {import}")).collect(),
        ..Headed::default()
    })
}

fn remarks(rest: &Rest, indent: &str) -> String {
    let mut text = String::new();
    for line in &rest.above {
        let _ = writeln!(text, "{indent}// {line}");
    }
    text
}

/// The lines of a rest, with what it expects to be thrown asserted.
fn plain(rest: &Rest, indent: &str) -> Result<String, Refusal> {
    let text = remarks(rest, indent);
    let Some(expected) = &rest.expects else { return Ok(format!("{text}{}", rest.lines)) };
    let last = rest.steps.last().map_or("", String::as_str);
    let call = expression(last).ok_or_else(|| Refusal::new("unsupported", "what throws is no plain call"))?;
    let at = rest.lines.rfind(last).ok_or_else(|| Refusal::new("unsupported", "what throws is not found"))?;
    let behind = &rest.lines[at + last.len()..];
    Ok(format!("{text}{}assertThrows({expected}, () -> {call});{behind}", &rest.lines[..at]))
}

/// All rests as arguments of one assertion.
fn all(host: &Shape, joint: &Joint) -> Result<String, Refusal> {
    if !host.solid.is_empty() {
        return Err(Refusal::new("unsupported", "text blocks cannot be indented anew"));
    }
    let indent = &host.body_indent;
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let inner = format!("{indent}{step}");
    let mut written = Vec::new();
    for rest in &joint.rests {
        let remarks = remarks(rest, &inner);
        let single = match rest.steps.as_slice() {
            [only] if !rest.lines.contains("//") && !rest.lines.contains("/*") => expression(only),
            _ => None,
        };
        written.push(if let Some(call) = single {
            format!("{remarks}{inner}() -> {call}")
        } else {
            let lines: String = rest.lines.lines().map(|line| deeper(line, step)).collect();
            format!("{remarks}{inner}() -> {{\n{lines}{inner}}}")
        });
    }
    Ok(format!("{indent}assertAll(\n{});\n", written.join(",\n")))
}

fn deeper(line: &str, step: &str) -> String {
    if line.trim().is_empty() { "\n".to_owned() } else { format!("{step}{line}\n") }
}

/// A statement that is an expression, without its semicolon.
fn expression(statement: &str) -> Option<&str> {
    let source = format!("class A {{ void a() {{ {statement} }} }}");
    let tree = parsed(&source);
    let class = named(tree.root_node()).into_iter().next()?;
    let method = named(class.child_by_field_name("body")?).into_iter().next()?;
    let block = method.child_by_field_name("body")?;
    let only = named(block);
    let is_one = only.len() == 1 && only[0].kind() == "expression_statement" && !tree.root_node().has_error();
    debug_assert!(field_text(method, "name", &source) == "a", "the wrapper has one method");
    is_one.then(|| statement.trim_end().trim_end_matches(';').trim_end())
}
