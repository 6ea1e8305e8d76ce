//! A language in which what turns an assertion off is a part of the assertion: it is not counted, and never left out alone.
//!
//! Without it, a search could turn an assertion on again that holds, and call that smaller.

use camino::Utf8Path;
use paring_model::{
    Candidate, EditSet, Failure, Form, Frontend, Grain, Pinned, Problem, StmtId, TargetSpec, TextRange,
    Token, Unit, WorkingText,
};

pub struct Off<'a>(pub &'a dyn Frontend);

impl Off<'_> {
    /// The edits with all that turns something off as it was, where that something stays.
    fn allowed(&self, unit: &Unit, edits: &EditSet) -> EditSet {
        let mut edits = edits.clone();
        let off: Vec<StmtId> = edits.kept.iter().filter(|&id| self.0.turns_off(unit, id)).collect();
        for id in off {
            edits.unwrapped.remove(id);
            let children = unit.stmt(id).children.iter().copied();
            edits.kept.extend(children.filter(|&child| unit.stmt(child).kind.is_clause()));
        }
        edits
    }
}

impl Frontend for Off<'_> {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        let (mut unit, problems) = self.0.parse(path, source, target);
        let off: Vec<StmtId> = unit.ids().filter(|&id| self.0.turns_off(&unit, id)).collect();
        for id in off {
            unit.stmts[id.idx()].counts = false;
        }
        (unit, problems)
    }

    fn with_literals(&self, unit: Unit) -> Unit {
        self.0.with_literals(unit)
    }

    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        self.0.render(unit, &self.allowed(unit, edits), form)
    }

    fn render_in_place(&self, unit: &Unit, edits: &EditSet) -> Option<Candidate> {
        self.0.render_in_place(unit, &self.allowed(unit, edits))
    }

    fn assertions(&self, unit: &Unit) -> Vec<TextRange> {
        self.0.assertions(unit)
    }

    fn turned_off(&self, unit: &Unit, off: &[TextRange]) -> Option<WorkingText> {
        self.0.turned_off(unit, off)
    }

    fn turns_off(&self, unit: &Unit, id: StmtId) -> bool {
        self.0.turns_off(unit, id)
    }

    fn side_by_side(&self, unit: &Unit, tests: &[Candidate]) -> Option<Vec<Candidate>> {
        self.0.side_by_side(unit, tests)
    }

    fn pin(&self, source: &str, target: &TargetSpec, failure: &Failure) -> Vec<Pinned> {
        self.0.pin(source, target, failure)
    }

    fn test_text(&self, unit: &Unit) -> String {
        self.0.test_text(unit)
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        self.0.tokens(text)
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.0.count_tokens(text)
    }

    fn grain(&self) -> Grain {
        self.0.grain()
    }

    fn is_well_formed(&self, unit: &Unit, candidate: &Candidate) -> bool {
        self.0.is_well_formed(unit, candidate)
    }

    fn reads_all(&self, unit: &Unit, id: StmtId) -> bool {
        self.0.reads_all(unit, id)
    }

    fn fails_at(&self, unit: &Unit) -> Option<StmtId> {
        self.0.fails_at(unit)
    }

    fn control(&self, unit: &Unit) -> Option<Candidate> {
        self.0.control(unit)
    }
}
