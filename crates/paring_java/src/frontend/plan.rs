//! What becomes of every node of an edited unit: the part of rendering that both forms share.
//!
//! The engine only promises that a kept node's parent is kept. Here that becomes well formed: a `try` without handlers,
//! `finally` and resources gives way to its body, a `switch` without cases goes, and so does a declaration of nothing.

use super::shape::Shape;
use paring_model::{EditSet, StmtId, StmtKind, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Not in the result, with all below it.
    Gone,
    /// In the result.
    Stay,
    /// The header is left out; what is kept of the body stands in its place.
    Open,
}

pub struct Plan<'u> {
    pub unit: &'u Unit,
    pub shapes: &'u [Shape],
    fates: Vec<Fate>,
}

impl<'u> Plan<'u> {
    pub fn new(unit: &'u Unit, shapes: &'u [Shape], edits: &EditSet) -> Self {
        let mut plan = Plan { unit, shapes, fates: vec![Fate::Gone; unit.stmts.len()] };
        for id in unit.ids() {
            let stands = unit.stmt(id).parent.is_none_or(|up| plan.fate(up) != Fate::Gone);
            if stands && edits.kept.contains(id) && !jumps_out_of_opened(unit, edits, id) {
                plan.fates[id.idx()] = Fate::Stay;
            }
        }
        for id in unit.ids().rev() {
            if plan.fate(id) != Fate::Gone {
                plan.settle(id, edits);
            }
        }
        plan
    }

    pub fn fate(&self, id: StmtId) -> Fate {
        self.fates[id.idx()]
    }

    pub fn shape(&self, id: StmtId) -> &'u Shape {
        &self.shapes[id.idx()]
    }

    /// Whether anything of a block is left.
    pub fn any(&self, ids: &[StmtId]) -> bool {
        ids.iter().any(|&id| self.fate(id) != Fate::Gone)
    }

    /// The nodes in a node's header, the statements of its own block, and its clauses.
    pub fn parts(&self, id: StmtId) -> (&'u [StmtId], &'u [StmtId], &'u [StmtId]) {
        let children = &self.unit.stmt(id).children;
        let (inline, rest) = children.split_at(self.unit.inline(id).count());
        let n_body = rest.partition_point(|&child| !self.unit.stmt(child).kind.is_clause());
        let (body, clauses) = rest.split_at(n_body);
        (inline, body, clauses)
    }

    /// Decides about one node, all below it being decided.
    fn settle(&mut self, id: StmtId, edits: &EditSet) {
        let kind = self.unit.stmt(id).kind;
        let (inline, _, clauses) = self.parts(id);
        let is_unwrapped = kind.can_unwrap() && edits.unwrapped.contains(id);
        match kind {
            StmtKind::Match if !self.any(clauses) => self.fates[id.idx()] = Fate::Gone,
            StmtKind::Simple if self.shape(id).is_list && !self.any(inline) => {
                self.fates[id.idx()] = Fate::Gone;
            }
            StmtKind::Try if !is_unwrapped && !self.any(clauses) && !self.shape(id).has_resources => {
                self.open(id);
            }
            _ if is_unwrapped => self.open(id),
            _ => {}
        }
    }

    /// Leaves out the headers of a statement and its clauses; what has no body left goes.
    fn open(&mut self, id: StmtId) {
        let (inline, body, clauses) = self.parts(id);
        for &gone in inline {
            self.remove(gone);
        }
        for &clause in clauses {
            let has_body = self.fate(clause) != Fate::Gone && self.any(&self.unit.stmt(clause).children);
            self.fates[clause.idx()] = if has_body { Fate::Open } else { Fate::Gone };
        }
        self.fates[id.idx()] = if self.any(body) || self.any(clauses) { Fate::Open } else { Fate::Gone };
    }

    fn remove(&mut self, id: StmtId) {
        self.fates[id.idx()] = Fate::Gone;
        for below in self.unit.descendants(id) {
            self.fates[below.idx()] = Fate::Gone;
        }
    }
}

/// Whether it is a `break` or `continue` of a loop that gives way to its body.
fn jumps_out_of_opened(unit: &Unit, edits: &EditSet, id: StmtId) -> bool {
    let (StmtKind::Break { loops } | StmtKind::Continue { loops }) = unit.stmt(id).kind else { return false };
    let is_loop = |up: &StmtId| matches!(unit.stmt(*up).kind, StmtKind::Loop { .. });
    let target =
        loops.checked_sub(1).and_then(|n_inner| unit.ancestors(id).filter(is_loop).nth(n_inner as usize));
    target.is_some_and(|target| edits.unwrapped.contains(target))
}
