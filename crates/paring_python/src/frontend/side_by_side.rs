//! Several tests in the place of one: the functions of files that differ in that test alone, under names of their own.

use super::lines::Lines;
use super::target::NodeId;
use super::tree::range_of;
use super::{parsed, test_unit, turn_off};
use paring_model::{Candidate, Form, TextRange, Unit};
use ruff_python_ast::token::TokenKind;

/// A test function in its file.
struct Function<'a> {
    candidate: &'a Candidate,
    range: TextRange,
    /// Where its name stands.
    name: TextRange,
}

impl<'a> Function<'a> {
    fn of(candidate: &'a Candidate) -> Option<Self> {
        let unit = test_unit(&candidate.text, &candidate.target);
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let parsed = parsed(&candidate.text);
        let tokens = parsed.tokens().iter().filter(|token| range.covers(range_of(*token)));
        let mut behind_def = tokens.skip_while(|token| token.kind() != TokenKind::Def).skip(1);
        let name = range_of(behind_def.next()?);
        Some(Self { candidate, range, name })
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
    fn target(&self, name: &str) -> Option<String> {
        let id = NodeId::new(&self.candidate.target);
        let case = &self.candidate.target[id.stem.len()..];
        Some(format!("{}{name}{case}", id.stem.strip_suffix(self.name())?))
    }
}

pub fn render(unit: &Unit, tests: &[Candidate]) -> Option<Vec<Candidate>> {
    let functions = tests.iter().map(Function::of).collect::<Option<Vec<_>>>()?;
    let first = functions.first()?;
    let names = names(first.name(), functions.len(), &first.candidate.text);
    let text = &first.candidate.text;
    let parsed = parsed(text);
    let starts = super::lines::line_starts(text);
    let lines = Lines::new(text, &starts, parsed.tokens());
    let line = lines.of(first.range.start);
    let indent = lines.indent(line);
    let n_blank = if indent.is_empty() { 2 } else { 1 };
    let gap = format!("{}{indent}", lines.line_end(line).repeat(1 + n_blank));
    let all = functions.iter().zip(&names).map(|(function, name)| function.renamed(name));
    let all = all.collect::<Vec<_>>().join(&gap);
    let (before, behind) = (&text[..first.range.start as usize], &text[first.range.end as usize..]);
    let mut text = format!("{before}{all}{behind}");
    if NodeId::new(&unit.target).names().last() != Some(&first.name()) {
        text = restored(unit, text);
    }
    let text = turn_off::without_imports(&unit.source, &text);
    let candidate = |(function, name): (&Function<'_>, &String)| {
        let target = function.target(name)?;
        let after = function.candidate.after.clone();
        Some(Candidate { text: text.clone(), target, after, form: Form::Compact })
    };
    functions.iter().zip(&names).map(candidate).collect()
}

/// The text with the function that they were taken from as it was: of a test with cases the others
/// stay, and nothing of it is turned off.
fn restored(unit: &Unit, text: String) -> String {
    let body = |unit: &Unit| {
        let def = unit.stmt(unit.routine(unit.test?).def?);
        Some(TextRange::new(def.header.end, def.range.end))
    };
    match (body(unit), body(&test_unit(&text, NodeId::new(&unit.target).stem))) {
        (Some(old), Some(new)) => {
            let (before, behind) = (&text[..new.start as usize], &text[new.end as usize..]);
            format!("{before}{}{behind}", old.of(&unit.source))
        }
        (Some(_) | None, _) => text,
    }
}

/// The name, of one; else names that the file does not have: `test_pop_1`, `test_pop_2`.
fn names(name: &str, n: usize, text: &str) -> Vec<String> {
    if n == 1 {
        return vec![name.to_owned()];
    }
    let numbered = (1..).map(|number: usize| format!("{name}_{number}"));
    numbered.filter(|name| !text.contains(&format!("def {name}("))).take(n).collect()
}
