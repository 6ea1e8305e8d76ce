//! Python as a [`Merger`]: the tests of a file as rows of steps, and the heads of tests with rows.
//!
//! `test` finds the tests and what forbids to merge them, `step` takes their bodies apart, `head` takes
//! heads apart; `rows`, `set_up` and `joint` write what tests become.

mod head;
mod import;
mod joint;
mod rows;
mod set_up;
mod step;
mod test;

use super::PythonFrontend;
use super::target::NodeId;
use paring_model::{
    Beginning, Framework, Headed, Joint, Merger, Refusal, Rows, SetUp, Shape, Survey, TestWriter, TextRange,
};
use std::collections::BTreeSet;

impl Merger for PythonFrontend {
    fn survey(&self, source: &str) -> Survey {
        test::survey(source)
    }

    fn with_rows(&self, source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal> {
        rows::headed(source, host, rows)
    }

    fn set_up(&self, source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal> {
        set_up::set_up(source, host, beginning)
    }

    /// A fixture is asked for; `setUp` runs for all tests of its class.
    fn shares_with_some(&self, host: &Shape) -> bool {
        host.framework == Framework::Pytest
    }

    fn with_parameter(
        &self,
        source: &str,
        shape: &Shape,
        name: &str,
        is_used: &dyn Fn(&str) -> bool,
    ) -> Option<(TextRange, String)> {
        set_up::with_parameter(source, shape, name, is_used)
    }

    fn joined(&self, source: &str, host: &Shape, joint: &Joint) -> Result<Headed, Refusal> {
        joint::joined(source, host, joint)
    }

    fn import(&self, text: String, imports: &BTreeSet<String>) -> String {
        let (mut text, mut rest) = (text, BTreeSet::new());
        for module in imports {
            match import::with_import(&text, module) {
                Some(with) => text = with,
                None => drop(rest.insert(module.clone())),
            }
        }
        self.with_imports(text, &rest)
    }

    fn id(&self, old: &str, new_name: &str) -> String {
        let stem = NodeId::new(old).stem;
        let before = stem.rfind("::").map_or("", |at| &stem[..at + 2]);
        format!("{before}{new_name}")
    }
}
