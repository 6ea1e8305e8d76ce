//! Several tests in the place of one: the functions of files that differ in that test alone, under names of their own.

use super::lines::Lines;
use super::target::NodeId;
use super::tree::range_of;
use super::{parsed, test_unit, turn_off};
use paring_model::{Candidate, Definition, Form, Unit};
use ruff_python_ast::token::TokenKind;

pub fn render(unit: &Unit, tests: &[Candidate]) -> Option<Vec<Candidate>> {
    let functions = tests.iter().map(function).collect::<Option<Vec<_>>>()?;
    let first = functions.first()?;
    let text = first.candidate.text();
    let names = first.names_for(functions.len(), |name| text.contains(&format!("def {name}(")));
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
    let id = NodeId::new(&unit.target);
    if id.names().last() != Some(&first.name()) {
        // Of a test with cases the others stay, and nothing of it is turned off.
        text = unit.with_body_of_test(&test_unit(&text, id.stem));
    }
    let text = turn_off::without_imports(&unit.source, &text);
    let candidate = |(function, name): (&Definition<'_>, &String)| {
        let target = target(function, name)?;
        let after = &function.candidate.after;
        Some(Candidate::single(&unit.path, text.clone(), target, Form::Compact).with_after(after))
    };
    functions.iter().zip(&names).map(candidate).collect()
}

fn function(candidate: &Candidate) -> Option<Definition<'_>> {
    let unit = test_unit(candidate.text(), candidate.target());
    let range = unit.stmt(unit.routine(unit.test?).def?).range;
    let parsed = parsed(candidate.text());
    let tokens = parsed.tokens().iter().filter(|token| range.covers(range_of(*token)));
    let mut behind_def = tokens.skip_while(|token| token.kind() != TokenKind::Def).skip(1);
    let name = range_of(behind_def.next()?);
    Some(Definition { candidate, range, name })
}

/// The id of the test under another name.
fn target(function: &Definition<'_>, name: &str) -> Option<String> {
    let id = NodeId::new(function.candidate.target());
    let case = &function.candidate.target()[id.stem.len()..];
    Some(format!("{}{name}{case}", id.stem.strip_suffix(function.name())?))
}
