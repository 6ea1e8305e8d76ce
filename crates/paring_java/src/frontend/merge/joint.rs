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
    let blocks = blocks(joint, is_soft);
    let last = blocks.last().cloned().unwrap_or_default();
    let is_last = |idx: usize| is_soft && last.len() > 1 && last.contains(&idx);
    if joint.hides(&is_last) {
        return Err(Refusal::new("hides", "the first assertion that fails would hide what another says"));
    }
    for (nth, block) in blocks.iter().enumerate() {
        let rests: Vec<&Rest> = block.iter().map(|&idx| &joint.rests[idx]).collect();
        if let [only] = rests.as_slice() {
            let is_begun = nth > 0 && joint.rests[block[0] - 1].is_open;
            if nth > 0 && (only.is_open || only.steps.len() > 1) && !is_begun {
                head.push('\n');
            }
            head.push_str(&plain(only, body_indent)?);
        } else {
            imports.push("org.junit.jupiter.api.Assertions.assertAll");
            head.push_str(&all(host, &rests));
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

/// The rests, those that may fail one by one together.
fn blocks(joint: &Joint, is_soft: bool) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let is_apart = |idx: usize| !is_soft || joint.rests[idx].is_open || joint.rests[idx].is_solid;
    for idx in 0..joint.rests.len() {
        match blocks.last_mut() {
            Some(block) if !is_apart(idx) && !is_apart(block[0]) => block.push(idx),
            _ => blocks.push(vec![idx]),
        }
    }
    blocks
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
fn all(host: &Shape, rests: &[&Rest]) -> String {
    let indent = &host.body_indent;
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let inner = format!("{indent}{step}");
    let mut written = Vec::new();
    for rest in rests {
        let remarks = remarks(rest, &inner);
        let single = match rest.steps.as_slice() {
            [only] if !rest.lines.contains("//") && !rest.lines.contains("/*") => expression(only),
            _ => None,
        };
        written.push(if let Some(call) = single {
            format!("{remarks}{inner}() -> {call}")
        } else {
            let lines: String = rest.lines.lines().map(|line| deeper(line, &step.repeat(2))).collect();
            format!("{remarks}{inner}() -> {{\n{lines}{inner}}}")
        });
    }
    format!("{indent}assertAll(\n{});\n", written.join(",\n"))
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
