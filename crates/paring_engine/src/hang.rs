//! A test that does not end, told as a failure.
//!
//! ```text
//! while job.state() != "done":     # the failing statement: a loop that only its condition ends
//!   job.step()                     # where the run happened to be when it was stopped
//! ```
//!
//! Where a run is stopped within a loop is chance; that it is in the loop is not. So the loop is the place where the test hangs. Of the
//! functions that were called from there, one run may have seen more than another: they are the same as far as both go.

use crate::ops::defines;
use crate::oracle::stmt_of;
use paring_model::{
    Difference, Exception, Failure, FailureKind, Frame, Phase, Position, StmtId, StmtKind, Unit,
};

/// `None` where the stack does not lead through a statement of the unit.
pub fn failure(unit: &Unit, stack: &[Position], below: &[Frame]) -> Option<Failure> {
    let innermost = stmt_of(unit, *stack.last()?)?;
    let place = place(unit, innermost);
    let mut stack = stack.to_vec();
    if place != innermost {
        // In a loop that calls nothing for long, the statement at hand is chance.
        if below.is_empty() {
            stack.pop();
        }
        stack.push(position(unit, place));
    }
    Some(Failure {
        phase: Phase::Call,
        kind: FailureKind::Hang,
        exceptions: vec![Exception {
            type_name: "hang".to_owned(),
            message: "the test does not end".to_owned(),
        }],
        stack,
        below: below.to_vec(),
        notes: Vec::new(),
        left: Vec::new(),
    })
}

/// In what two hangs differ; the statements are told by the caller.
pub fn difference(wanted: &Failure, found: &Failure) -> Option<Difference> {
    let is_same = |one: &Frame, other: &Frame| one.file == other.file && one.function == other.function;
    let is_alike = wanted.below.iter().zip(&found.below).all(|(one, other)| is_same(one, other));
    (!is_alike).then_some(Difference::Frames)
}

/// The outermost loop around a statement that nothing but its condition ends, else the statement.
fn place(unit: &Unit, id: StmtId) -> StmtId {
    let routine = unit.stmt(id).routine;
    let is_loop = |up: &StmtId| {
        matches!(unit.stmt(*up).kind, StmtKind::Loop { .. })
            && unit.stmt(*up).routine == routine
            && defines(unit, *up).is_empty()
    };
    std::iter::once(id).chain(unit.ancestors(id)).filter(is_loop).last().unwrap_or(id)
}

fn position(unit: &Unit, id: StmtId) -> Position {
    let start = unit.stmt(id).range.start;
    let line = unit.line_of(start);
    let column = unit.offset_of(line, 0).map(|first| start - first);
    Position { line, column }
}
