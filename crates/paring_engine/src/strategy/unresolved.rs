//! Drafts of which it is known without a run that they do not fail the same way: the failing statement is gone, or one before it reads a
//! local that nothing gives a value any more. Delta debugging calls such drafts unresolved, and makes many of them.

use crate::criterion::Criterion;
use crate::ops::uses;
use crate::oracle::Oracle;
use paring_model::{Frontend, Op, PlaceId, PlaceScope, RoutineId, StmtId, StmtKind, StmtSet, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What every draft of one test is asked.
pub struct Unresolved<'u> {
    unit: &'u Unit,
    /// Where it may fail, if not anywhere.
    failing: Option<Vec<StmtId>>,
    /// Statements that surely run up to the failing one, in order, with the locals of the test that they read.
    readers: Vec<(StmtId, Vec<PlaceId>)>,
    /// All statements that may give a place a value.
    definers: BTreeMap<PlaceId, Vec<StmtId>>,
}

impl<'u> Unresolved<'u> {
    pub fn new(unit: &'u Unit, frontend: &dyn Frontend, oracle: &Oracle, criterion: &Criterion) -> Self {
        let mut readers = Vec::new();
        let mut definers: BTreeMap<PlaceId, Vec<StmtId>> = BTreeMap::new();
        if let Some(test) = unit.test {
            let surely = surely_run(unit, test, criterion).filter(|&&id| frontend.reads_all(unit, id));
            for &id in surely {
                let own = may_define(unit, id);
                let is_read = |place: &PlaceId| is_local(unit, test, *place) && !own.contains(place);
                readers.push((id, uses(unit, id).into_iter().filter(is_read).collect()));
            }
        }
        for id in unit.ids() {
            for place in may_define(unit, id) {
                definers.entry(place).or_default().push(id);
            }
        }
        Self { unit, failing: oracle.may_fail_at(unit), readers, definers }
    }

    /// Whether a draft that keeps these statements cannot come to fail.
    pub fn is(&self, kept: &StmtSet) -> bool {
        let can_fail = |failing: &Vec<StmtId>| failing.iter().any(|&id| self.stands(id, kept));
        !self.failing.as_ref().is_none_or(can_fail) || self.breaks(kept)
    }

    fn breaks(&self, kept: &StmtSet) -> bool {
        self.readers.iter().filter(|(id, _)| kept.contains(*id)).any(|(id, places)| {
            places.iter().any(|place| {
                let before = self.definers.get(place).into_iter().flatten().filter(|definer| *definer < id);
                let mut before = before.peekable();
                before.peek().is_some() && !before.any(|&definer| self.stands(definer, kept))
            })
        })
    }

    fn stands(&self, id: StmtId, kept: &StmtSet) -> bool {
        kept.contains(id) && self.unit.ancestors(id).all(|up| kept.contains(up))
    }
}

/// The statements of the test's own block, up to the one in which it fails; those that hold others aside.
fn surely_run<'u>(
    unit: &'u Unit,
    test: RoutineId,
    criterion: &Criterion,
) -> impl Iterator<Item = &'u StmtId> {
    let body = &unit.routine(test).body;
    let is_on_the_way = |id: &StmtId| {
        criterion.stmts.iter().any(|&stmt| stmt == *id || unit.ancestors(stmt).any(|up| up == *id))
    };
    let n_run = body.iter().rposition(is_on_the_way).map_or(0, |last| last + 1);
    body[..n_run].iter().filter(|id| matches!(unit.stmt(**id).kind, StmtKind::Simple | StmtKind::Assert))
}

fn may_define(unit: &Unit, id: StmtId) -> BTreeSet<PlaceId> {
    let ops = unit.stmt(id).ops.iter();
    let defined = ops.filter_map(|op| match op {
        Op::Define(place) | Op::MayDefine(place) => Some(*place),
        Op::Use(_) | Op::Mutate(_) | Op::Call(_) => None,
    });
    defined.collect()
}

fn is_local(unit: &Unit, test: RoutineId, place: PlaceId) -> bool {
    unit.place(place).scope == PlaceScope::Local(test) && !unit.routine(test).params.contains(&place)
}
