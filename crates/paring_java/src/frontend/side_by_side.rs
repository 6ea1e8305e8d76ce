//! Several tests in the place of one: the methods of files that differ in that test alone, under names of their own.

use super::lines::{Lines, line_starts};
use super::syntax::{parsed, range_of, walk};
use super::target::split;
use super::test_unit;
use paring_model::{Candidate, Definition, Form, Unit};

pub fn render(unit: &Unit, tests: &[Candidate]) -> Option<Vec<Candidate>> {
    let methods = tests.iter().map(method).collect::<Option<Vec<_>>>()?;
    let first = methods.first()?;
    let text = first.candidate.text();
    let names = first.names_for(methods.len(), |name| text.contains(&format!("{name}(")));
    let starts = line_starts(text);
    let tree = parsed(text);
    let lines = Lines::new(text, &starts, tree.root_node());
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = format!("{line_end}{line_end}{}", lines.indent(lines.of(first.range.start)));
    let all = methods.iter().zip(&names).map(|(method, name)| method.renamed(name));
    let all = all.collect::<Vec<_>>().join(&gap);
    let (before, behind) = (&text[..first.range.start as usize], &text[first.range.end as usize..]);
    let mut text = format!("{before}{all}{behind}");
    if split(&unit.target).1 != first.name() {
        // Of a test with cases the others stay, and nothing of it is turned off.
        text = unit.with_body_of_test(&test_unit(&text, &unit.target));
    }
    let candidate = |(method, name): (&Definition<'_>, &String)| {
        Candidate::single(&unit.path, text.clone(), target(method.candidate, name), Form::Compact)
            .with_after(&method.candidate.after)
    };
    Some(methods.iter().zip(&names).map(candidate).collect())
}

fn method(candidate: &Candidate) -> Option<Definition<'_>> {
    let unit = test_unit(candidate.text(), candidate.target());
    let range = unit.stmt(unit.routine(unit.test?).def?).range;
    let tree = parsed(candidate.text());
    let mut name = None;
    walk(tree.root_node(), &mut |node| {
        if node.kind() == "method_declaration" && range_of(node) == range {
            name = node.child_by_field_name("name").map(range_of);
        }
        name.is_none()
    });
    Some(Definition { candidate, range, name: name? })
}

/// The id of the test under another name.
fn target(candidate: &Candidate, name: &str) -> String {
    let (class, old) = split(candidate.target());
    let case = candidate.target().get(class.len() + 1 + old.len()..).unwrap_or_default();
    format!("{class}#{name}{case}")
}
