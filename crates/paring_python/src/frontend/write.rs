//! Tests written into Python files: the syntax around what [`paring_model::write`] does for all languages.

use super::lines::{Lines, line_starts};
use super::target::NodeId;
use super::tree::range_of;
use super::{PythonFrontend, compose, parsed, turn_off};
use paring_model::write::Names;
use paring_model::{Composed, Spot, TestText, TestWriter, Unit, Unwritable};
use ruff_python_ast::token::TokenKind;
use std::collections::BTreeSet;

impl TestWriter for PythonFrontend {
    fn spot(&self, unit: &Unit) -> Option<Spot> {
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let parsed = parsed(&unit.source);
        let tokens = parsed.tokens().iter().filter(|token| range.covers(range_of(*token)));
        let mut behind_def = tokens.skip_while(|token| token.kind() != TokenKind::Def).skip(1);
        Some(Spot { range, name: range_of(behind_def.next()?) })
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

    fn with_imports(&self, text: String, imports: &BTreeSet<String>) -> String {
        let mut text = text;
        for module in imports {
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
