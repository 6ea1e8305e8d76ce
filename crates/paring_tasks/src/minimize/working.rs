//! The text that a job searches on: the user's own, or a copy of it in which something is turned off.

use super::Request;
use paring_model::{Problem, StmtSet, TargetSpec, Unit, WorkingText};

/// What is to be done, and on which text.
#[derive(Clone, Copy)]
pub struct Working<'a> {
    pub request: &'a Request<'a>,
    /// `None`: the user's own text.
    pub copy: Option<&'a WorkingText>,
}

impl Working<'_> {
    pub fn text(&self) -> &str {
        self.copy.map_or(&self.request.source, |copy| &copy.text)
    }

    /// The unit of that text, or of one that was made from it. What turns something off in a copy is masked.
    pub fn parse(&self, text: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        let frontend = self.request.frontend;
        let (unit, problems) = frontend.parse(&self.request.path, text, target);
        if self.copy.is_none() {
            return (unit, problems);
        }
        let masks: StmtSet = unit.ids().filter(|&id| frontend.turns_off(&unit, id)).collect();
        (unit.with_masks(masks), problems)
    }
}
