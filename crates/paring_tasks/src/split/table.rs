//! Loops over cases: a parametrised test where the iterations have nothing to do with each other.
//!
//! ```java
//! for (int[] c : cases) {                              @ParameterizedTest @MethodSource("primesCases")
//!     assertEquals(c[1] == 1, prime(c[0]));       →    void primes(int[] c) {
//! }                                                        assertEquals(c[1] == 1, prime(c[0]));
//! ```
//!
//! That they have nothing to do with each other is shown by running each of them alone. Before that, a loop is no table where an
//! iteration leaves something to the next by the look of it: a variable that it sets, an object that it calls for an effect.

use super::check::Check;
use super::depth::Sources;
use super::settle::Settled;
use paring_engine::ops::{calls, defines, uses};
use paring_model::{
    Body, CallResult, Cases, Composed, Frontend, Op, Piece, PlaceId, PlaceScope, StmtId, StmtKind, StmtSet,
    Table, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// The loops of a test that could be parametrised tests.
#[derive(Clone, Debug, Default)]
pub struct Tables(BTreeMap<StmtId, Table>);

impl Tables {
    /// The loops of a test's own body, around checks.
    pub fn of(frontend: &dyn Frontend, unit: &Unit, checks: &[Check]) -> Self {
        let loops: BTreeSet<StmtId> = checks.iter().filter_map(|check| top(unit, check.stmt)).collect();
        let is_loop = |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Loop { .. });
        let table = |id: StmtId| Some((id, frontend.table(unit, id)?));
        Self(loops.into_iter().filter(is_loop).filter_map(table).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Leaves out those of which an iteration leaves something to the next, by the look of it.
    pub fn keep_independent(&mut self, sources: &Sources<'_>) {
        self.0.retain(|id, _| !leaves_something(sources, *id));
    }

    /// The loop that a check stands in.
    pub fn around(&self, unit: &Unit, check: StmtId) -> Option<StmtId> {
        top(unit, check).filter(|id| self.0.contains_key(id))
    }

    pub fn get(&self, id: StmtId) -> Option<&Table> {
        self.0.get(&id)
    }

    pub fn remove(&mut self, id: StmtId) {
        self.0.remove(&id);
    }
}

/// The statement of the test's own body that another one is part of.
fn top(unit: &Unit, id: StmtId) -> Option<StmtId> {
    let test = unit.routine(unit.test?).def?;
    std::iter::once(id).chain(unit.ancestors(id)).find(|&it| unit.stmt(it).parent == Some(test))
}

fn leaves_something(sources: &Sources<'_>, id: StmtId) -> bool {
    let unit = sources.unit;
    let within: Vec<StmtId> = std::iter::once(id).chain(unit.descendants(id)).collect();
    let own: BTreeSet<PlaceId> = within.iter().flat_map(|&id| defines(unit, id)).collect();
    let defined_before: BTreeSet<PlaceId> =
        unit.test_body().into_iter().filter(|&it| it < id).flat_map(|it| defines(unit, it)).collect();
    let is_outer = |place: &PlaceId| {
        let is_known = matches!(unit.place(*place).scope, PlaceScope::Local(_) | PlaceScope::Member);
        is_known && (!own.contains(place) || defined_before.contains(place))
    };
    let is_changed = |stmt: StmtId, place: &PlaceId| {
        let facts = sources.facts;
        !facts.observed || facts.changed.get(&stmt).is_some_and(|changed| changed.contains(place))
    };
    within.iter().any(|&stmt| {
        let sets = unit.stmt(stmt).ops.iter().any(|op| match op {
            Op::Define(place) | Op::MayDefine(place) | Op::Mutate(place) => is_outer(place),
            Op::Use(_) | Op::Call(_) => false,
        });
        let acts = unit.stmt(stmt).kind == StmtKind::Simple
            && calls(unit, stmt)
                .filter(|call| call.result == CallResult::Dropped)
                .any(|call| call.receiver.is_some_and(|place| is_outer(&place) && is_changed(stmt, &place)));
        sets || acts
    })
}

/// The test of a scenario in a loop, with a parameter for its variable. `None` where a part of a statement is not needed.
pub fn composed(unit: &Unit, settled: &Settled, id: StmtId, table: &Table) -> Option<Composed> {
    let test = unit.routine(unit.test?).def?;
    let is_kept = |id: &StmtId| settled.stmts.contains(*id);
    let is_whole = |id: StmtId| {
        unit.descendants(id).into_iter().all(|it| settled.stmts.contains(it) || !unit.stmt(it).counts)
    };
    let children = unit.stmt(test).children.iter().copied().filter(is_kept);
    let in_body: Vec<StmtId> = children.filter(|&it| unit.stmt(it).kind != StmtKind::Docstring).collect();
    let mut pieces: Vec<StmtId> = Vec::new();
    for it in in_body {
        if it == id {
            pieces.extend(table.body.iter().copied().filter(is_kept));
        } else {
            pieces.push(it);
        }
    }
    if let Some(name) = table.named_by.filter(|&name| !is_read(unit, name, &pieces)) {
        pieces.retain(|&piece| piece != name);
    }
    pieces.iter().all(|&piece| is_whole(piece)).then(|| Composed {
        host: 0,
        setup: Vec::new(),
        pieces: pieces.into_iter().map(|stmt| Piece::plain(0, stmt)).collect(),
        cases: Some(table.cases.clone()),
    })
}

/// Whether other pieces read what a statement gives a name.
fn is_read(unit: &Unit, name: StmtId, pieces: &[StmtId]) -> bool {
    let given = defines(unit, name);
    let others = pieces.iter().filter(|&&piece| piece != name);
    others
        .flat_map(|&piece| std::iter::once(piece).chain(unit.descendants(piece)))
        .any(|id| uses(unit, id).iter().any(|place| given.contains(place)))
}

/// The same test for each of its cases alone.
pub fn rows(composed: &Composed) -> Vec<Body> {
    let Some(cases) = &composed.cases else { return Vec::new() };
    let row = |row: &paring_model::Case| {
        let cases = Some(Cases { params: cases.params.clone(), rows: vec![row.clone()] });
        Body::Composed(Composed { cases, ..composed.clone() })
    };
    cases.rows.iter().map(row).collect()
}

/// The statements that are written as cases, not as statements.
pub fn written_as_cases<'a>(tables: &'a Tables, settled: impl Iterator<Item = &'a Settled>) -> StmtSet {
    let used = settled.filter_map(|it| it.table).filter_map(|id| Some((id, tables.get(id)?)));
    used.flat_map(|(id, table)| std::iter::once(id).chain(table.named_by)).collect()
}
