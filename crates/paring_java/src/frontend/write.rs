//! Tests written into Java files: the syntax around what [`paring_model::write`] does for all languages.

use super::lines::Lines;
use super::syntax::{named, parsed, range_of, walk};
use super::target::split;
use super::{JavaFrontend, compose};
use paring_model::write::Names;
use paring_model::{Composed, Spot, TestText, TestWriter, Unit, Unwritable};
use std::collections::BTreeSet;

impl TestWriter for JavaFrontend {
    fn spot(&self, unit: &Unit) -> Option<Spot> {
        let range = unit.stmt(unit.routine(unit.test?).def?).range;
        let tree = parsed(&unit.source);
        let mut name = None;
        walk(tree.root_node(), &mut |node| {
            if node.kind() == "method_declaration" && range_of(node) == range {
                name = node.child_by_field_name("name").map(range_of);
            }
            name.is_none()
        });
        Some(Spot { range, name: name? })
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
