//! The assertions of a test: those its text shows, and calls that turn out to assert when the test runs.

use super::copies::is_at;
use crate::minimize::Request;
use paring_engine::oracle::stmt_of;
use paring_model::{Failure, FailureKind, LineMap, Op, Position, StmtKind, TextRange, Unit, WorkingText};

/// The user's own file.
pub fn parse(request: &Request<'_>) -> Unit {
    request.frontend.parse(&request.path, &request.source, &request.target).0
}

/// Something that fails the test by its own verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    pub range: TextRange,
    /// Whether it can be turned off: what gives a value that others need cannot.
    pub can_be_off: bool,
}

/// The assertions that the text shows, in source order.
pub fn atoms(request: &Request<'_>, unit: &Unit) -> Vec<Atom> {
    let ranges = request.frontend.assertions(unit).into_iter();
    ranges.map(|range| atom(request, unit, range)).collect()
}

fn atom(request: &Request<'_>, unit: &Unit, range: TextRange) -> Atom {
    Atom { range, can_be_off: request.frontend.turned_off(unit, &[range]).is_some() }
}

/// The text with all turned off that can be, but for some.
pub fn without(request: &Request<'_>, unit: &Unit, atoms: &[Atom], on: &[TextRange]) -> Option<WorkingText> {
    let off = atoms.iter().filter(|atom| atom.can_be_off && !on.contains(&atom.range));
    let off: Vec<TextRange> = off.map(|atom| atom.range).collect();
    request.frontend.turned_off(unit, &off)
}

/// A statement of the test that failed with an assertion's verdict although it does not look like one: a helper that checks.
pub fn checking(
    request: &Request<'_>,
    unit: &Unit,
    origins: &LineMap,
    failure: &Failure,
    known: &[Atom],
) -> Option<Atom> {
    if failure.kind == FailureKind::Exception {
        return None;
    }
    let line = line_in_test(unit, origins, failure)?;
    let id = stmt_of(unit, Position { line, column: None })?;
    let stmt = unit.stmt(id);
    let defines = stmt.ops.iter().any(|op| matches!(op, Op::Define(_) | Op::MayDefine(_)));
    // An assertion that it leads to, in a function within the test, speaks for itself.
    let leads_to = |atom: &Atom| {
        !atom.range.covers(stmt.range)
            && !stmt.range.covers(atom.range)
            && is_at(unit, failure, origins, atom.range)
    };
    let is_known = known.iter().any(|atom| atom.range == stmt.range || leads_to(atom));
    if stmt.kind != StmtKind::Simple || defines || is_known {
        return None;
    }
    Some(atom(request, unit, stmt.range)).filter(|atom| atom.can_be_off)
}

/// The line of the test itself from which a failure came.
pub fn line_in_test(unit: &Unit, origins: &LineMap, failure: &Failure) -> Option<u32> {
    let def = unit.stmt(unit.routine(unit.test?).def?);
    let own = unit.line_of(def.range.start)..=unit.line_of(def.range.end.saturating_sub(1));
    let mut lines = failure.stack.iter().map(|position| origins.line(position.line));
    lines.find(|line| own.contains(line))
}
