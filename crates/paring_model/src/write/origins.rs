//! Where the lines of written tests come from.

use super::TestWriter;
use crate::candidate::{Candidate, Form};
use crate::draft::{Body, Draft, TestDraft};
use crate::target::TargetSpec;
use crate::unit::{StmtId, Unit};
use std::collections::BTreeMap;

/// For lines of written tests: the unit and the line there that they were written from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    /// By test of the draft and line of its file. A test that is not here was written line by line.
    lines: BTreeMap<(usize, u32), (usize, u32)>,
    /// The unit whose lines the written ones are, where nothing moved.
    same: Option<usize>,
}

impl LineMap {
    /// What the statements of written tests come from, in their order. A test in which the order is not kept has no lines.
    pub(super) fn of(
        language: &dyn TestWriter,
        units: &[&Unit],
        draft: &Draft,
        candidate: &Candidate,
    ) -> Self {
        if let (Form::Blanked, [only]) = (candidate.form, draft.tests.as_slice())
            && let Body::Edited { unit, .. } = &only.body
        {
            return Self { lines: BTreeMap::new(), same: Some(*unit) };
        }
        let mut map = Self::default();
        for target in &candidate.targets {
            let test = &draft.tests[target.test];
            let path = &units[super::host(&test.body)].path;
            let Some(file) = candidate.files.get(path) else { continue };
            let (written, _) = language.parse(path, file, &TargetSpec::new(target.id.clone()));
            let from = from(units, test);
            let to: Vec<StmtId> = body(&written);
            // What a composed test has around its statements comes first: a loop over its cases.
            let n_around = to.len().saturating_sub(from.len());
            let is_in_order = match &test.body {
                Body::Edited { .. } => n_around == 0 && to.len() == from.len(),
                Body::Composed(_) => to.len() >= from.len(),
            };
            if is_in_order {
                let pairs = from.into_iter().zip(to.into_iter().skip(n_around));
                map.lines.extend(pairs.map(|((unit, id), to)| {
                    ((target.test, first_line(&written, to)), (unit, first_line(units[unit], id)))
                }));
            }
        }
        map
    }

    /// The unit and line that a line of a test's file comes from.
    pub fn origin(&self, test: usize, line: u32) -> Option<(usize, u32)> {
        self.same.map(|unit| (unit, line)).or_else(|| self.lines.get(&(test, line)).copied())
    }
}

fn first_line(unit: &Unit, id: StmtId) -> u32 {
    unit.line_of(unit.stmt(id).range.start)
}

fn body(unit: &Unit) -> Vec<StmtId> {
    let def = unit.test.and_then(|test| unit.routine(test).def);
    def.map(|def| unit.descendants(def)).unwrap_or_default()
}

/// The statements of a test as they are to stand in it.
fn from(units: &[&Unit], test: &TestDraft) -> Vec<(usize, StmtId)> {
    match &test.body {
        Body::Edited { unit, edits } => {
            let kept = edits.written();
            body(units[*unit]).into_iter().filter(|&id| kept.contains(id)).map(|id| (*unit, id)).collect()
        }
        Body::Composed(composed) => {
            let all = |piece: &crate::draft::Piece| {
                let below = units[piece.unit].descendants(piece.stmt);
                std::iter::once(piece.stmt).chain(below).map(|id| (piece.unit, id)).collect::<Vec<_>>()
            };
            composed.pieces.iter().flat_map(all).collect()
        }
    }
}
