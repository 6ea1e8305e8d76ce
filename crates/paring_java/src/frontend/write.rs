//! Tests written into Java files: the syntax around what [`paring_model::write`] does for all languages.

use super::lines::Lines;
use super::plan::Plan;
use super::remembered::Remembered;
use super::syntax::{method_at, named, parsed, range_of};
use super::target::split;
use super::{JavaFrontend, blanked, case_trim, compact, compose, element, one_case, splice};
use paring_model::write::Names;
use paring_model::{
    Candidate, Composed, EditSet, Form, OtherCases, Spot, StmtSet, TestText, TestWriter, Unit, Unwritable,
};
use std::collections::BTreeSet;

impl TestWriter for JavaFrontend {
    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let target = case_trim::target(unit, edits).unwrap_or_else(|| unit.target.clone());
        let candidate = |text| unit.candidate(text, form).with_target(target.clone());
        let all: StmtSet = unit.ids().collect();
        if edits.unwrapped.is_empty() && edits.trims.is_empty() && all.is_subset(&edits.kept) {
            return candidate(unit.source.clone());
        }
        let known = Remembered::of(unit);
        let plan = Plan::new(unit, &known.shapes, edits);
        let cuts = element::cuts(&plan, edits, known.tree.root_node());
        let literals = splice::literals(&plan, edits, form);
        candidate(match form {
            Form::Blanked => blanked::emptied(&splice::apply(&blanked::render(&plan, &cuts), literals)),
            Form::Compact => compact::render(&plan, &cuts, literals, &known.tree),
        })
    }

    fn spot(&self, unit: &Unit) -> Option<Spot> {
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let tree = parsed(&unit.source);
        let name = method_at(tree.root_node(), range)?.child_by_field_name("name")?;
        let lines = Lines::new(&unit.source, &unit.line_starts, tree.root_node());
        let end =
            if lines.ends_line(range.end) { lines.content_end(lines.of(range.end - 1)) } else { range.end };
        Some(Spot { range, name: range_of(name), end })
    }

    fn other_cases(&self, unit: &Unit) -> Option<OtherCases> {
        one_case::other_cases(unit)
    }

    fn only_case(&self, unit: &Unit, edits: &EditSet) -> Candidate {
        let candidate = self.render(unit, &edits.only_in_test(unit), Form::Compact);
        match one_case::only_case(candidate.text(), &unit.target) {
            Some((text, target)) => candidate.with_text(text).with_target(target),
            None => candidate,
        }
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
        let tree = parsed(&unit.source);
        let lines = Lines::new(&unit.source, &unit.line_starts, tree.root_node());
        let end = line_end(&unit.source);
        format!("{end}{end}{}", lines.indent(lines.of(spot.range.start)))
    }

    fn id(&self, unit: &Unit, _old: &str, new: &str, case: &str) -> String {
        let (class, _) = split(&unit.target);
        format!("{class}#{new}{case}")
    }

    /// Behind the last import, or the package, or at the top.
    fn with_imports(&self, text: String, imports: &BTreeSet<String>) -> String {
        let outline = super::outline(&text);
        let has = |name: &str| {
            outline.imports.iter().any(|import| {
                !import.is_static
                    && (import.name == name
                        || import.on_demand && name.rsplit_once('.').is_some_and(|(on, _)| on == import.name))
            })
        };
        let end = line_end(&text);
        let missing = imports.iter().filter(|name| !has(name));
        let lines = missing.map(|name| format!("{end}import {name};")).collect::<Vec<_>>().concat();
        if lines.is_empty() {
            return text;
        }
        let tree = parsed(&text);
        let last = named(tree.root_node())
            .into_iter()
            .rev()
            .find(|node| matches!(node.kind(), "import_declaration" | "package_declaration"));
        match last {
            Some(node) => {
                let (before, behind) = text.split_at(node.end_byte());
                format!("{before}{lines}{behind}")
            }
            None => format!("{}{end}{text}", lines.trim_start()),
        }
    }
}

pub fn line_end(source: &str) -> &'static str {
    if source.contains("\r\n") { "\r\n" } else { "\n" }
}
