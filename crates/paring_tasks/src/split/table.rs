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
//!
//! A language has its loops as tables of statements ([`Table`]), or writes the rounds itself ([`Rounds`]). Where the framework cannot
//! make tests of rounds, they stay in one test that tells of each how it went (`subTest`).

use super::check::Check;
use super::depth::Sources;
use super::draft::edits;
use super::settle::Settled;
use paring_engine::ops::{calls, defines, uses};
use paring_model::{
    Body, CallResult, Cases, Composed, Frontend, Op, Piece, PlaceId, PlaceScope, Rounds, StmtId, StmtKind,
    StmtSet, Table, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// A loop whose rounds can be told apart.
#[derive(Clone, Debug)]
enum Loop {
    Table(Table),
    Rounds(Rounds),
}

/// The loops of a test that could be parametrised tests.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    apart: BTreeMap<StmtId, Loop>,
    /// Loops that stay in a test which tells of each round how it went.
    told: BTreeMap<StmtId, Rounds>,
}

impl Tables {
    /// The loops of a test's own body, around checks.
    pub fn of(frontend: &dyn Frontend, unit: &Unit, checks: &[Check]) -> Self {
        let loops: BTreeSet<StmtId> = checks.iter().filter_map(|check| top(unit, check.stmt)).collect();
        let mut found = Self::default();
        for id in loops.into_iter().filter(|&id| matches!(unit.stmt(id).kind, StmtKind::Loop { .. })) {
            if let Some(table) = frontend.table(unit, id) {
                found.apart.insert(id, Loop::Table(table));
            } else if let Some(rounds) = frontend.rounds(unit, id).filter(|it| it.elements.len() > 1) {
                if rounds.apart {
                    found.apart.insert(id, Loop::Rounds(rounds));
                } else {
                    found.told.insert(id, rounds);
                }
            }
        }
        found
    }

    /// Whether no loop could be a test of its own.
    pub fn is_empty(&self) -> bool {
        self.apart.is_empty()
    }

    /// Leaves out those of which an iteration leaves something to the next, by the look of it.
    pub fn keep_independent(&mut self, sources: &Sources<'_>) {
        self.apart.retain(|id, _| !leaves_something(sources, *id));
        self.told.retain(|id, _| !leaves_something(sources, *id));
    }

    /// The loop that a check stands in.
    pub fn around(&self, unit: &Unit, check: StmtId) -> Option<StmtId> {
        top(unit, check).filter(|id| self.apart.contains_key(id))
    }

    pub fn remove(&mut self, id: StmtId) {
        self.apart.remove(&id);
    }

    /// The test of a scenario, where loops of it are told apart. `None` where it has none, or it cannot be written so.
    pub fn body(&self, unit: &Unit, settled: &Settled) -> Option<Body> {
        match settled.table.and_then(|id| Some((id, self.apart.get(&id)?))) {
            Some((id, Loop::Table(table))) => composed(unit, settled, id, table).map(Body::Composed),
            Some((_, Loop::Rounds(rounds))) => Some(apart(unit, settled, rounds)),
            None => {
                let own = self.told.iter().filter(|(id, _)| settled.stmts.contains(**id));
                let rounds: Vec<Rounds> = own.map(|(_, rounds)| rounds.clone()).collect();
                let edits = || edits(unit, &settled.stmts);
                (!rounds.is_empty()).then(|| Body::Rounds { unit: 0, edits: edits(), rounds })
            }
        }
    }

    /// The test of a scenario for each round of its loop alone; `None` where it cannot be written.
    pub fn each_round(&self, unit: &Unit, settled: &Settled) -> Option<Vec<Body>> {
        Some(match self.body(unit, settled)? {
            Body::Composed(composed) => rows(&composed),
            Body::Rounds { unit, edits, rounds } => {
                let n_rounds = rounds.first()?.elements.len();
                let only = |idx: usize| -> Vec<Rounds> {
                    rounds.iter().map(|it| Rounds { only: Some(idx), ..it.clone() }).collect()
                };
                let round = |idx| Body::Rounds { unit, edits: edits.clone(), rounds: only(idx) };
                (0..n_rounds).map(round).collect()
            }
            Body::Edited { .. } => Vec::new(),
        })
    }

    /// The statements that are written as cases, not as statements.
    pub fn written_as_cases<'a>(&self, settled: impl Iterator<Item = &'a Settled>) -> StmtSet {
        let used = settled.filter_map(|it| it.table).filter_map(|id| Some((id, self.apart.get(&id)?)));
        let written = |(id, it): (StmtId, &Loop)| {
            let values = match it {
                Loop::Table(table) => table.named_by,
                Loop::Rounds(rounds) => rounds.given_by,
            };
            std::iter::once(id).chain(values)
        };
        used.flat_map(written).collect()
    }
}

/// A scenario with the rounds of its loop as tests.
fn apart(unit: &Unit, settled: &Settled, rounds: &Rounds) -> Body {
    let mut stmts = settled.stmts.clone();
    let others: Vec<StmtId> = stmts.iter().filter(|&id| id != rounds.stmt).collect();
    if let Some(values) = rounds.given_by.filter(|&values| !is_read_by(unit, values, &others)) {
        stmts.remove(values);
    }
    Body::Rounds { unit: 0, edits: edits(unit, &stmts), rounds: vec![rounds.clone()] }
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
fn composed(unit: &Unit, settled: &Settled, id: StmtId, table: &Table) -> Option<Composed> {
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
    let all = pieces.iter().flat_map(|&piece| std::iter::once(piece).chain(unit.descendants(piece)));
    is_read_by(unit, name, &all.filter(|&id| id != name).collect::<Vec<_>>())
}

/// Whether some statements read what another gives a name.
fn is_read_by(unit: &Unit, name: StmtId, others: &[StmtId]) -> bool {
    let given = defines(unit, name);
    let others = others.iter().filter(|&&id| id != name);
    others.flat_map(|&id| uses(unit, id)).any(|place| given.contains(&place))
}

/// The same test for each of its cases alone.
fn rows(composed: &Composed) -> Vec<Body> {
    let Some(cases) = &composed.cases else { return Vec::new() };
    let row = |row: &paring_model::Case| {
        let cases = Some(Cases { params: cases.params.clone(), rows: vec![row.clone()] });
        Body::Composed(Composed { cases, ..composed.clone() })
    };
    cases.rows.iter().map(row).collect()
}
