//! What becomes of every node of an edited unit: the part of rendering that both forms share.
//!
//! The engine only promises that a kept node's parent is kept. Here that becomes well formed: a `try` without handlers
//! and `finally` gives way to its body, a `match` without cases goes, a `break` goes with the loop it leaves.

use paring_model::literal::replacements;
use paring_model::{EditSet, StmtId, StmtKind, TextRange, TrimId, TrimKind, Unit};

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
    fates: Vec<Fate>,
    /// The trims that have an effect.
    pub trims: Vec<TrimId>,
    /// Texts and numbers with what stands in their place.
    pub literals: Vec<(TextRange, String)>,
}

impl<'u> Plan<'u> {
    pub fn new(unit: &'u Unit, edits: &EditSet) -> Self {
        let fates = vec![Fate::Gone; unit.stmts.len()];
        let mut plan = Plan { unit, fates, trims: Vec::new(), literals: Vec::new() };
        for id in unit.ids() {
            let parent = unit.stmt(id).parent;
            let stands = parent.is_none_or(|up| plan.fate(up) != Fate::Gone);
            if stands && edits.kept.contains(id) && !jumps_out_of_opened(unit, edits, id) {
                plan.fates[id.idx()] = Fate::Stay;
            }
        }
        for id in unit.ids().rev() {
            if plan.fate(id) != Fate::Gone {
                plan.settle(id, edits);
            }
        }
        for id in unit.trim_ids() {
            if edits.trims.contains(id) && plan.fate(unit.trim(id).stmt) == Fate::Stay {
                plan.trims.push(id);
            }
        }
        for (stmt, range, text) in replacements(unit, edits) {
            if plan.fate(stmt) == Fate::Stay {
                plan.literals.push((range, text));
            }
        }
        plan
    }

    pub fn fate(&self, id: StmtId) -> Fate {
        self.fates[id.idx()]
    }

    /// Whether anything of a block is left.
    pub fn any(&self, ids: &[StmtId]) -> bool {
        ids.iter().any(|&id| self.fate(id) != Fate::Gone)
    }

    /// The statements of a node's own block, and its clauses.
    pub fn parts(&self, id: StmtId) -> (&'u [StmtId], &'u [StmtId]) {
        let children = &self.unit.stmt(id).children;
        children.split_at(children.partition_point(|&child| !self.unit.stmt(child).kind.is_clause()))
    }

    /// Decides about one node, all below it being decided.
    fn settle(&mut self, id: StmtId, edits: &EditSet) {
        let kind = self.unit.stmt(id).kind;
        let (_, clauses) = self.parts(id);
        match kind {
            StmtKind::Match => {
                if !self.any(clauses) {
                    self.fates[id.idx()] = Fate::Gone;
                }
            }
            StmtKind::Import => {
                if self.all_trimmed(id, TrimKind::ImportName, edits) {
                    self.fates[id.idx()] = Fate::Gone;
                }
            }
            StmtKind::Try if !edits.unwrapped.contains(id) => self.settle_try(id),
            StmtKind::With { .. } if self.all_trimmed(id, TrimKind::WithItem, edits) => self.open(id),
            _ => {
                if kind.can_unwrap() && edits.unwrapped.contains(id) {
                    self.open(id);
                }
            }
        }
    }

    /// Without handlers there is no `else`; without handlers and `finally` there is no `try`.
    fn settle_try(&mut self, id: StmtId) {
        let (_, clauses) = self.parts(id);
        let stays = |plan: &Self, kind: StmtKind| {
            clauses
                .iter()
                .copied()
                .find(|&clause| plan.unit.stmt(clause).kind == kind && plan.fate(clause) != Fate::Gone)
        };
        if stays(self, StmtKind::Handler).is_some() {
            return;
        }
        match (stays(self, StmtKind::Else), stays(self, StmtKind::Finally)) {
            (None, Some(_)) => {}
            (Some(other), Some(_)) if !self.any(&self.unit.stmt(other).children) => {
                self.fates[other.idx()] = Fate::Gone;
            }
            (Some(_) | None, _) => self.open(id),
        }
    }

    /// Leaves out the headers of a statement and its clauses; what has no body left goes.
    fn open(&mut self, id: StmtId) {
        let (body, clauses) = self.parts(id);
        for &clause in clauses {
            let has_body = self.fate(clause) != Fate::Gone && self.any(&self.unit.stmt(clause).children);
            self.fates[clause.idx()] = if has_body { Fate::Open } else { Fate::Gone };
        }
        self.fates[id.idx()] = if self.any(body) || self.any(clauses) { Fate::Open } else { Fate::Gone };
    }

    fn all_trimmed(&self, id: StmtId, kind: TrimKind, edits: &EditSet) -> bool {
        let mut n_offered = 0;
        for trim in edits.trims.iter().filter(|trim| trim.idx() < self.unit.trims.len()) {
            let trim = self.unit.trim(trim);
            n_offered += usize::from(trim.stmt == id && trim.kind == kind);
        }
        n_offered > 0
            && n_offered == self.unit.trims.iter().filter(|trim| trim.stmt == id && trim.kind == kind).count()
    }
}

/// Whether it is a `break` or `continue` of a loop that gives way to its body.
fn jumps_out_of_opened(unit: &Unit, edits: &EditSet, id: StmtId) -> bool {
    if !matches!(unit.stmt(id).kind, StmtKind::Break { .. } | StmtKind::Continue { .. }) {
        return false;
    }
    let mut below = id;
    for up in unit.ancestors(id) {
        match unit.stmt(up).kind {
            // The `else` of a loop is not in the loop.
            StmtKind::Loop { .. } if unit.stmt(below).kind != StmtKind::Else => {
                return edits.unwrapped.contains(up);
            }
            StmtKind::Def | StmtKind::Class => return false,
            _ => below = up,
        }
    }
    false
}

/// Statements that share one logical line: `a; b; c`.
pub fn lines_of<'s>(source: &str, unit: &Unit, stmts: &'s [StmtId]) -> Vec<&'s [StmtId]> {
    let mut groups = Vec::new();
    let mut start = 0;
    for at in 0..stmts.len() {
        let joined = stmts.get(at + 1).is_some_and(|&next| {
            let gap = &source[unit.stmt(stmts[at]).range.end as usize..unit.stmt(next).range.start as usize];
            gap.contains(';') && joins(gap)
        });
        if !joined {
            groups.push(&stmts[start..=at]);
            start = at + 1;
        }
    }
    groups
}

/// Whether a gap between two statements is all of one logical line.
fn joins(gap: &str) -> bool {
    // Nothing but white space, `;` and escaped line ends stands there, unless a comment does.
    let unescaped = gap.replace("\\\r\n", "").replace("\\\n", "").replace("\\\r", "");
    !unescaped.contains(['\n', '\r', '#'])
}

/// The end of the `;` right after a statement, or the end of the statement.
pub fn end_with_semicolon(source: &str, end: u32) -> u32 {
    let rest = &source[end as usize..];
    let mark = rest.trim_start_matches([' ', '\t', '\x0c']);
    if mark.starts_with(';') {
        let skipped = rest.len() - mark.len() + 1;
        end + u32::try_from(skipped).expect("a source file has fewer than 2^32 bytes")
    } else {
        end
    }
}
