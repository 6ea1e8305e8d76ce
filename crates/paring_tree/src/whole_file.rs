//! A whole file as a unit: its root is the test, and all that is in it stands below.

use camino::Utf8Path;
use paring_model::{
    Candidate, Form, Routine, RoutineId, RoutineKind, Spot, Stmt, StmtId, StmtKind, StmtSet, TextRange, Unit,
};

const MODULE: RoutineId = RoutineId(0);
pub const TEST: RoutineId = RoutineId(1);
pub const ROOT: StmtId = StmtId(0);
/// A comment with this protects the line it stands on.
pub const KEEP: &str = "paring: keep";

/// The unit with its root alone.
pub fn open(path: &Utf8Path, source: &str, target: &str) -> Unit {
    let after_newlines = source.match_indices('\n').map(|(at, _)| offset(at + 1));
    let mut unit = Unit {
        path: path.to_owned(),
        source: source.to_owned(),
        stmts: Vec::new(),
        places: Vec::new(),
        routines: Vec::new(),
        sequence: vec![MODULE, TEST],
        target: target.to_owned(),
        after: Vec::new(),
        before: Vec::new(),
        test: Some(TEST),
        trims: Vec::new(),
        literals: Vec::new(),
        masks: StmtSet::default(),
        line_starts: std::iter::once(0).chain(after_newlines).collect(),
    };
    push(&mut unit, StmtKind::Def, TextRange::new(0, offset(source.len())), None, false);
    unit
}

/// Adds a node below another.
pub fn push(
    unit: &mut Unit,
    kind: StmtKind,
    range: TextRange,
    parent: Option<StmtId>,
    counts: bool,
) -> StmtId {
    let id = StmtId::from_idx(unit.stmts.len());
    unit.stmts.push(Stmt {
        kind,
        range,
        header: range,
        parent,
        children: Vec::new(),
        routine: if parent.is_some() { TEST } else { MODULE },
        ops: Vec::new(),
        needs: Vec::new(),
        protected: false,
        counts,
    });
    if let Some(parent) = parent {
        unit.stmts[parent.idx()].children.push(id);
    }
    id
}

/// Makes what was added the body of the test.
pub fn close(unit: &mut Unit) {
    let body = unit.stmt(ROOT).children.clone();
    unit.routines =
        vec![routine(RoutineKind::Module, None, vec![ROOT]), routine(RoutineKind::Test, Some(ROOT), body)];
}

fn routine(kind: RoutineKind, def: Option<StmtId>, body: Vec<StmtId>) -> Routine {
    Routine { kind, name: String::new(), def, body, params: Vec::new(), returns: Vec::new() }
}

/// The file is the test, and has no name in it.
pub fn spot(unit: &Unit) -> Spot {
    let range = unit.stmt(ROOT).range;
    Spot { range, name: TextRange::new(0, 0), end: range.end }
}

/// The file with nothing in it.
pub fn empty(unit: &Unit) -> Candidate {
    unit.candidate(String::new(), Form::Blanked)
}

pub fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a source file has fewer than 2^32 bytes")
}
