//! Tests of the assertions that hold. What they run has done nothing wrong that anybody noticed.

use super::copies::Copies;
use crate::minimize::{Request, Working};
use paring_engine::drafts::unobserved;
use paring_model::{Candidate, Form, StmtId, TextRange, Unit, WorkingText};

/// More of them say little more.
const MAX_TESTS: usize = 24;

/// Those nearest to what fails: they do much the same.
pub fn tests(request: &Request<'_>, copies: &Copies) -> Vec<Candidate> {
    let line = |range: &TextRange| copies.unit.line_of(range.start);
    let failing: Vec<u32> = copies.failing.iter().map(|copy| copy.line).collect();
    let distance = |range: &TextRange| failing.iter().map(|other| line(range).abs_diff(*other)).min();
    let mut holding: Vec<&(WorkingText, TextRange)> = copies.holding.iter().collect();
    holding.sort_by_key(|(_, assertion)| distance(assertion));
    let nearest = holding.into_iter().take(MAX_TESTS);
    nearest.filter_map(|(text, assertion)| test(request, text, line(assertion))).collect()
}

/// The copy in which one assertion is on, without what that cannot depend on.
fn test(request: &Request<'_>, copy: &WorkingText, line: u32) -> Option<Candidate> {
    let (unit, _) = Working { request, copy: Some(copy) }.parse(&copy.text, &request.target);
    let is_off = |id: StmtId| unit.ancestors(id).any(|up| unit.masks.contains(up));
    let ranges = request.frontend.assertions(&unit);
    let ranges = ranges.into_iter().filter(|range| copy.origins.line(unit.line_of(range.start)) == line);
    let stmts: Vec<StmtId> =
        ranges.flat_map(|range| within(&unit, range)).filter(|&id| !is_off(id)).collect();
    if stmts.is_empty() {
        return None;
    }
    let candidate = request.frontend.edited(&unit, &unobserved(&unit, &stmts), Form::Blanked);
    Some(candidate.with_after(&request.target.after))
}

fn within(unit: &Unit, range: TextRange) -> Vec<StmtId> {
    unit.ids().filter(|&id| range.covers(unit.stmt(id).range)).collect()
}
