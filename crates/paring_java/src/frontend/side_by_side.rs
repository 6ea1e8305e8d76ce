//! Several tests in the place of one: the methods of files that differ in that test alone, under names of their own.

use super::lines::{Lines, line_starts};
use super::syntax::{parsed, range_of, walk};
use super::target::split;
use super::test_unit;
use paring_model::{Candidate, Form, TextRange, Unit};

/// A test method in its file.
struct Method<'a> {
    candidate: &'a Candidate,
    range: TextRange,
    /// Where its name stands.
    name: TextRange,
}

impl<'a> Method<'a> {
    fn of(candidate: &'a Candidate) -> Option<Self> {
        let unit = test_unit(&candidate.text, &candidate.target);
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let tree = parsed(&candidate.text);
        let mut name = None;
        walk(tree.root_node(), &mut |node| {
            if node.kind() == "method_declaration" && range_of(node) == range {
                name = node.child_by_field_name("name").map(range_of);
            }
            name.is_none()
        });
        Some(Self { candidate, range, name: name? })
    }

    fn name(&self) -> &'a str {
        self.name.of(&self.candidate.text)
    }

    fn renamed(&self, name: &str) -> String {
        let text = &self.candidate.text;
        let (before, behind) = (
            TextRange::new(self.range.start, self.name.start),
            TextRange::new(self.name.end, self.range.end),
        );
        format!("{}{name}{}", before.of(text), behind.of(text))
    }

    /// The id of the test under another name.
    fn target(&self, name: &str) -> String {
        let (class, old) = split(&self.candidate.target);
        let case = self.candidate.target.get(class.len() + 1 + old.len()..).unwrap_or_default();
        format!("{class}#{name}{case}")
    }
}

pub fn render(unit: &Unit, tests: &[Candidate]) -> Option<Vec<Candidate>> {
    let methods = tests.iter().map(Method::of).collect::<Option<Vec<_>>>()?;
    let first = methods.first()?;
    let text = &first.candidate.text;
    let names = names(first.name(), methods.len(), text);
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
        text = restored(unit, text);
    }
    let candidate = |(method, name): (&Method<'_>, &String)| Candidate {
        text: text.clone(),
        target: method.target(name),
        after: method.candidate.after.clone(),
        form: Form::Compact,
    };
    Some(methods.iter().zip(&names).map(candidate).collect())
}

/// The text with the method that they were taken from as it was: of a test with cases the others
/// stay, and nothing of it is turned off.
fn restored(unit: &Unit, text: String) -> String {
    let body = |unit: &Unit| {
        let def = unit.stmt(unit.routine(unit.test?).def?);
        Some(TextRange::new(def.header.end, def.range.end))
    };
    match (body(unit), body(&test_unit(&text, &unit.target))) {
        (Some(old), Some(new)) => {
            let (before, behind) = (&text[..new.start as usize], &text[new.end as usize..]);
            format!("{before}{}{behind}", old.of(&unit.source))
        }
        (Some(_) | None, _) => text,
    }
}

/// The name, of one; else names that the file does not have: `removesRow_1`, `removesRow_2`.
fn names(name: &str, n: usize, text: &str) -> Vec<String> {
    if n == 1 {
        return vec![name.to_owned()];
    }
    let numbered = (1..).map(|number: usize| format!("{name}_{number}"));
    numbered.filter(|name| !text.contains(&format!("{name}("))).take(n).collect()
}
