//! Java as a [`Merger`]: the tests of a file as rows of steps, and the heads of tests with rows.
//!
//! `test` finds the tests and what forbids to merge them, `step` takes their bodies apart, `rows`,
//! `set_up` and `joint` write what tests become.

mod import;
mod joint;
mod rows;
mod set_up;
mod step;
mod test;

use super::JavaFrontend;
use super::syntax::{parsed, tokens};
use super::target::split;
use paring_model::{
    Beginning, Headed, Joint, Merger, Refusal, Rows, SetUp, Shape, Survey, TestWriter, TextRange,
};
use std::collections::BTreeSet;

impl Merger for JavaFrontend {
    fn survey(&self, source: &str) -> Survey {
        test::survey(source)
    }

    fn with_rows(&self, source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal> {
        rows::headed(source, host, rows)
    }

    fn set_up(&self, source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal> {
        set_up::set_up(source, host, beginning)
    }

    /// Set-up runs for all tests of a class.
    fn shares_with_some(&self, _host: &Shape) -> bool {
        false
    }

    /// Set-up hands over fields.
    fn with_parameter(
        &self,
        _source: &str,
        _shape: &Shape,
        _name: &str,
        _is_used: &dyn Fn(&str) -> bool,
    ) -> Option<(TextRange, String)> {
        None
    }

    fn joined(&self, source: &str, host: &Shape, joint: &Joint) -> Result<Headed, Refusal> {
        joint::joined(source, host, joint)
    }

    /// Imports of annotations that are no longer there go.
    fn import(&self, text: String, imports: &BTreeSet<String>) -> String {
        let (mut text, mut rest) = (text, BTreeSet::new());
        for name in imports {
            let on_demand = name.rsplit_once('.').map_or(String::new(), |(on, _)| format!("import {on}.*;"));
            let is_there = text.contains(&format!("import {name};")) || text.contains(&on_demand);
            match import::with_import(&text, name).filter(|_| !is_there) {
                Some(with) => text = with,
                None => drop(rest.insert(name.clone())),
            }
        }
        let text = self.with_imports(text, &rest);
        ["Test", "DisplayName"].into_iter().fold(text, without_unused)
    }

    fn id(&self, old: &str, new_name: &str) -> String {
        format!("{}#{new_name}", split(old).0)
    }
}

fn without_unused(text: String, name: &str) -> String {
    let line = format!("import org.junit.jupiter.api.{name};");
    let Some(at) = text.find(&line) else { return text };
    let behind = at + line.len();
    let tree = parsed(&text);
    let is_used = tokens(tree.root_node())
        .iter()
        .any(|it| it.range.start as usize > behind && it.range.of(&text) == name);
    if is_used {
        return text;
    }
    let end =
        if text[behind..].starts_with("\r\n") { 2 } else { usize::from(text[behind..].starts_with('\n')) };
    format!("{}{}", &text[..at], &text[behind + end..])
}
