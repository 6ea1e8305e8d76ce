//! Where the lines of written texts come from.

use super::TestWriter;
use crate::candidate::{Candidate, Form};
use crate::draft::{Body, Draft, TestDraft};
use crate::target::TargetSpec;
use crate::unit::{StmtId, Unit};
use std::collections::BTreeMap;

/// For lines of written tests: the unit and the line there that they were written from. A text that is made from another
/// one counts as one test of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    /// By test of the draft and line of its file.
    lines: BTreeMap<(usize, u32), (usize, u32)>,
    /// The unit in which all other lines have the same number.
    same: Option<usize>,
}

impl LineMap {
    /// Of a text as it was.
    pub fn identity() -> Self {
        Self { lines: BTreeMap::new(), same: Some(0) }
    }

    /// Of a text that is made from another one: for each of its lines the line there.
    pub fn of_lines(lines: impl IntoIterator<Item = u32>) -> Self {
        let pairs = (1..).zip(lines).map(|(line, from)| ((0, line), (0, from)));
        Self { lines: pairs.collect(), same: Some(0) }
    }

    /// The same lines, of a text that was itself made from another one: where that has them.
    #[must_use]
    pub fn through(mut self, first: &Self) -> Self {
        for (_, line) in self.lines.values_mut() {
            *line = first.line(*line);
        }
        self
    }

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
                Body::Edited { .. } | Body::Rounds { .. } => n_around == 0 && to.len() == from.len(),
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
        self.lines.get(&(test, line)).copied().or_else(|| self.same.map(|unit| (unit, line)))
    }

    /// The line that a line of the only test's file comes from; the line itself where that is not known.
    pub fn line(&self, line: u32) -> u32 {
        self.origin(0, line).map_or(line, |(_, from)| from)
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
        Body::Rounds { unit, edits, rounds } => {
            let is_gone = |id: StmtId| rounds.iter().any(|it| it.apart && it.stmt == id);
            let kept = body(units[*unit]).into_iter().filter(|&id| edits.kept.contains(id) && !is_gone(id));
            kept.map(|id| (*unit, id)).collect()
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
