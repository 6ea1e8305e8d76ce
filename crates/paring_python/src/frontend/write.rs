//! Tests written into Python files: the syntax around what [`paring_model::write`] does for all languages.

use super::lines::{Lines, line_starts};
use super::plan::Plan;
use super::target::NodeId;
use super::tree::range_of;
use super::{PythonFrontend, blanked, cases, compact, compose, one_case, parsed, round_text, turn_off};
use paring_model::write::Names;
use paring_model::{
    Candidate, Composed, EditSet, Form, OtherCases, Rounds, Spot, StmtSet, TestText, TestWriter, TextRange,
    Unit, Unwritable,
};
use ruff_python_ast::token::TokenKind;
use std::collections::BTreeSet;

impl TestWriter for PythonFrontend {
    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let all: StmtSet = unit.ids().collect();
        if edits.unwrapped.is_empty() && edits.trims.is_empty() && all.is_subset(&edits.kept) {
            return unit.candidate(unit.source.clone(), form);
        }
        let plan = Plan::new(unit, edits);
        let text = match form {
            Form::Blanked => blanked::render(&plan),
            Form::Compact => compact::render(&plan, parsed(&unit.source).tokens()),
        };
        unit.candidate(text, form).with_target(cases::target(&plan))
    }

    fn spot(&self, unit: &Unit) -> Option<Spot> {
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let parsed = parsed(&unit.source);
        let tokens = parsed.tokens().iter().filter(|token| range.covers(range_of(*token)));
        let mut behind_def = tokens.skip_while(|token| token.kind() != TokenKind::Def).skip(1);
        Some(Spot { range, name: range_of(behind_def.next()?), end: end_of(unit, range) })
    }

    fn other_cases(&self, unit: &Unit) -> Option<OtherCases> {
        one_case::other_cases(unit)
    }

    fn only_case(&self, unit: &Unit, edits: &EditSet) -> Candidate {
        let plain = || self.render(unit, &edits.only_in_test(unit), Form::Compact);
        one_case::only_case(unit, edits).unwrap_or_else(plain)
    }

    fn composed(
        &self,
        units: &[&Unit],
        composed: &Composed,
        names: &Names,
        name: &str,
    ) -> Result<TestText, Unwritable> {
        compose::compose(units, composed, names, name)
    }

    fn with_rounds(&self, unit: &Unit, edits: &EditSet, rounds: &[Rounds]) -> Result<Candidate, Unwritable> {
        round_text::write(*self, unit, edits, rounds)
    }

    fn gap(&self, unit: &Unit, spot: Spot) -> String {
        let parsed = parsed(&unit.source);
        let lines = Lines::new(&unit.source, &unit.line_starts, parsed.tokens());
        let line = lines.of(spot.range.start);
        let indent = lines.indent(line);
        let n_blank = if indent.is_empty() { 2 } else { 1 };
        format!("{}{indent}", lines.line_end(line).repeat(1 + n_blank))
    }

    fn id(&self, unit: &Unit, old: &str, new: &str, case: &str) -> String {
        let id = NodeId::new(&unit.target);
        format!("{}{new}{case}", id.stem.strip_suffix(old).unwrap_or(id.stem))
    }

    /// Modules that are imported as they are called.
    fn imports(&self, unit: &Unit, range: TextRange) -> Vec<String> {
        let parsed = parsed(&unit.source);
        let tokens = parsed.tokens().iter().map(range_of).filter(|token| range.covers(*token));
        let names: BTreeSet<&str> = tokens.map(|token| token.of(&unit.source)).collect();
        turn_off::imports(unit).filter(|module| names.contains(module)).map(str::to_owned).collect()
    }

    /// The first of the modules ends up first.
    fn with_imports(&self, text: String, imports: &BTreeSet<String>) -> String {
        let mut text = text;
        for module in imports.iter().rev() {
            let unit = super::test_unit(&text, "");
            let parsed = parsed(&text);
            let starts = line_starts(&text);
            let lines = Lines::new(&text, &starts, parsed.tokens());
            if let Some(import) = turn_off::import(&unit, &lines, module) {
                let at = lines.start(import.line) as usize;
                text.insert_str(at, &import.text);
            }
        }
        text
    }
}

/// Where a definition ends with the comments in its block, and behind its last statement.
fn end_of(unit: &Unit, range: TextRange) -> u32 {
    let parsed = parsed(&unit.source);
    let lines = Lines::new(&unit.source, &unit.line_starts, parsed.tokens());
    let last = lines.last_of_block(range);
    let end = lines.content_end(last).max(range.end);
    let behind = unit.source[range.end as usize..end as usize].trim_start();
    if behind.starts_with('#') { end } else { range.end }
}
