//! Slices level by level: propose, run, repair, fall back.
//!
//! A slice that is not the same failure says something. A text that does not compile or a failure at another statement names
//! the line that misses something: that statement becomes part of the criterion, at the conservative level, and the slice
//! grows. After a few such repairs the next level is tried; the last is no slicing at all.

use crate::criterion::Criterion;
use crate::lab::{Lab, Stop};
use crate::ops::uses;
use crate::oracle::stmt_of;
use crate::strategy::Level;
use paring_graph::{Dependence, Reason, Slice, Strength, dependence, slice};
use paring_model::{
    CallResult, Difference, EditSet, Facts, Op, PlaceId, Position, RoutineKind, StmtId, StmtKind, StmtSet,
    TrimKind, TrimSet, Unit, Verdict,
};
use std::collections::BTreeSet;

/// Repairs of one level before the next is tried.
const MAX_REPAIRS: usize = 3;

/// A slice that holds.
#[derive(Clone, Debug)]
pub struct Held {
    pub edits: EditSet,
    pub level: Level,
    pub slice: Slice,
    pub dependence: Dependence,
}

/// Tries the levels in order. `None` where none of them holds, not even everything that ran.
pub fn leveled(
    lab: &mut Lab<'_>,
    facts: &Facts,
    criterion: &Criterion,
    levels: &[Level],
) -> Result<Option<Held>, Stop> {
    for &level in levels {
        let held = match level {
            Level::None => unsliced(lab, facts, criterion)?,
            Level::Observed | Level::Zero | Level::One => at_level(lab, facts, criterion, level)?,
        };
        if held.is_some() {
            return Ok(held);
        }
    }
    Ok(None)
}

fn graph_level(level: Level) -> paring_graph::Level {
    match level {
        Level::Observed => paring_graph::Level::Observed,
        Level::Zero => paring_graph::Level::Zero,
        Level::One | Level::None => paring_graph::Level::One,
    }
}

fn at_level(
    lab: &mut Lab<'_>,
    facts: &Facts,
    criterion: &Criterion,
    level: Level,
) -> Result<Option<Held>, Stop> {
    let unit = lab.unit;
    let dependence = dependence(unit, facts, graph_level(level));
    let mut stmts = criterion.stmts.clone();
    let mut unreachable = Vec::new();
    // The slice before the whole set-up was added to it: experiments may take out again what only stands there for that.
    let mut asked = None;
    for _ in 0..=MAX_REPAIRS {
        let mut slice = slice_with_acts(unit, facts, &dependence, &mut stmts, level);
        for &handler in &unreachable {
            without_handler(unit, &mut slice, handler);
        }
        let edits = draft(unit, criterion, &slice.kept);
        let mut verdict = lab.judge(&edits)?;
        if verdict.is_same() {
            lab.accept(&edits);
            return Ok(Some(Held { edits, level, slice: asked.unwrap_or(slice), dependence }));
        }
        // The trims go beyond the slice: without them it may hold.
        let bare = EditSet { trims: static_trims(unit, &slice.kept), ..edits.clone() };
        if bare.trims != edits.trims {
            verdict = lab.judge(&bare)?;
            if verdict.is_same() {
                lab.accept(&bare);
                return Ok(Some(Held { edits: bare, level, slice: asked.unwrap_or(slice), dependence }));
            }
        }
        let wanted: Option<Vec<StmtId>> = match verdict {
            Verdict::Other(Difference::Left { .. }) => Some(restoring(unit, criterion).collect()),
            Verdict::Other(Difference::Phase) => {
                asked = asked.or(Some(slice));
                Some(preparing(unit, facts).collect())
            }
            Verdict::Same | Verdict::Slipped | Verdict::Broken { .. } | Verdict::Other(_) => None,
        };
        if let Some(mut wanted) = wanted {
            wanted.retain(|id| !stmts.contains(id));
            if wanted.is_empty() {
                return Ok(None);
            }
            stmts.extend(wanted);
            continue;
        }
        match missing_at(unit, &verdict).filter(|id| !stmts.contains(id) && !unreachable.contains(id)) {
            Some(id) if is_unreachable(unit, facts, &verdict, id) => unreachable.push(id),
            Some(id) => stmts.push(id),
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The slice, and at level O with the calls made on objects that are in it for state which no name shows. An object is made for
/// what it registers somewhere; what is then called on it (`ticket.cancel()`) is meant for that state too, and that it was
/// seen to do nothing may be the very fault.
fn slice_with_acts(
    unit: &Unit,
    facts: &Facts,
    dependence: &Dependence,
    stmts: &mut Vec<StmtId>,
    level: Level,
) -> Slice {
    loop {
        let found = slice(unit, dependence, stmts);
        let acts = if level == Level::Observed { acts(unit, facts, &found) } else { Vec::new() };
        if acts.is_empty() {
            return found;
        }
        stmts.extend(acts);
    }
}

fn acts(unit: &Unit, facts: &Facts, found: &Slice) -> Vec<StmtId> {
    let is_hidden = |reason: &Reason| {
        matches!(reason, Reason::Data { strength: Strength::Hidden, .. } | Reason::Through { .. })
    };
    let made_for_it = |id: &StmtId| {
        facts.resources.changes(*id)
            && unit.stmt(*id).ops.iter().any(|op| matches!(op, Op::Call(_)))
            && found.why.get(id).is_some_and(|why| why.iter().all(|(_, reason)| is_hidden(reason)))
    };
    let defined = |id: StmtId| {
        unit.stmt(id).ops.iter().filter_map(|op| match op {
            Op::Define(place) => Some(*place),
            Op::Use(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
        })
    };
    let places: BTreeSet<PlaceId> = found.kept.iter().filter(made_for_it).flat_map(defined).collect();
    let is_act = |op: &Op| match op {
        Op::Call(call) => {
            call.result == CallResult::Dropped && call.receiver.is_some_and(|place| places.contains(&place))
        }
        Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) => false,
    };
    let acts = unit.ids().filter(|&id| !found.kept.contains(id) && facts.hits.contains_key(&id));
    acts.filter(|&id| unit.stmt(id).ops.iter().any(is_act)).collect()
}

/// Whether the text does not compile at a handler that never ran: nothing that is left in its `try` can throw what it catches.
fn is_unreachable(unit: &Unit, facts: &Facts, verdict: &Verdict, id: StmtId) -> bool {
    matches!(verdict, Verdict::Broken { .. })
        && unit.stmt(id).kind == StmtKind::Handler
        && !facts.transfers.iter().any(|transfer| transfer.handler == id)
}

fn without_handler(unit: &Unit, slice: &mut Slice, handler: StmtId) {
    slice.kept.remove(handler);
    for below in unit.descendants(handler) {
        slice.kept.remove(below);
    }
}

/// What the `finally`s around the failing statement do: the original puts things back there.
fn restoring<'u>(unit: &'u Unit, criterion: &Criterion) -> impl Iterator<Item = StmtId> + 'u {
    let children = |id: StmtId| unit.stmt(id).children.iter().copied();
    let around = criterion.failing.into_iter().flat_map(|failing| unit.ancestors(failing));
    let clauses = around.flat_map(children).filter(|&clause| unit.stmt(clause).kind == StmtKind::Finally);
    clauses.flat_map(children)
}

/// What ran before the test: a draft that fails there already lacks something of it, and no line of the test says what.
fn preparing<'u>(unit: &'u Unit, facts: &'u Facts) -> impl Iterator<Item = StmtId> + 'u {
    let prepares = |id: &StmtId| {
        let kind = unit.routine(unit.stmt(*id).routine).kind;
        matches!(kind, RoutineKind::Fixture | RoutineKind::SetUp)
    };
    unit.ids().filter(move |id| prepares(id) && facts.hits.contains_key(id))
}

/// The statement at which a draft went wrong, where the verdict names one.
fn missing_at(unit: &Unit, verdict: &Verdict) -> Option<StmtId> {
    let line = match verdict {
        Verdict::Broken { line, .. }
        | Verdict::Other(Difference::Statement { line } | Difference::Type { line, .. }) => (*line)?,
        Verdict::Same | Verdict::Slipped | Verdict::Other(_) => return None,
    };
    stmt_of(unit, Position { line, column: None })
}

/// Everything that ran, then everything that is part of the test, then the whole file.
fn unsliced(lab: &mut Lab<'_>, facts: &Facts, criterion: &Criterion) -> Result<Option<Held>, Stop> {
    let unit = lab.unit;
    let dependence = dependence(unit, facts, paring_graph::Level::One);
    let rules_slice = slice(unit, &dependence, &criterion.stmts);
    let in_sequence = |id: &StmtId| {
        let routine = unit.stmt(*id).routine;
        unit.sequence.contains(&routine) && unit.routine(routine).kind != RoutineKind::Module
    };
    let all: Vec<StmtId> = unit.ids().filter(in_sequence).collect();
    let ran: Vec<StmtId> = all.iter().copied().filter(|id| facts.hits.contains_key(id)).collect();
    let mut drafts = Vec::new();
    for part in [ran, all] {
        let mut stmts = criterion.stmts.clone();
        stmts.extend(part);
        let mut kept = slice(unit, &dependence, &stmts).kept;
        kept.extend(criterion.anchor);
        drafts.push(EditSet { trims: static_trims(unit, &kept), kept, unwrapped: StmtSet::default() });
    }
    // Something may be needed that nothing of the test names: then all stays but what experiments take out.
    drafts.push(EditSet::all(unit));
    let Some(idx) = lab.first_same(&drafts)? else { return Ok(None) };
    let edits = drafts.swap_remove(idx);
    lab.accept(&edits);
    Ok(Some(Held { edits, level: Level::None, slice: rules_slice, dependence }))
}

/// What some statements may depend on as far as the text tells, as a draft.
pub fn unobserved(unit: &Unit, stmts: &[StmtId]) -> EditSet {
    let dependence = dependence(unit, &Facts::default(), paring_graph::Level::One);
    let kept = slice(unit, &dependence, stmts).kept;
    let trims = static_trims(unit, &kept);
    EditSet { kept, unwrapped: StmtSet::default(), trims }
}

/// A slice as a draft, with the trims that follow from it.
pub fn draft(unit: &Unit, criterion: &Criterion, kept: &StmtSet) -> EditSet {
    let mut trims = static_trims(unit, kept);
    let (before, after) = (test_uses(unit, None), test_uses(unit, Some(kept)));
    for id in unit.trim_ids() {
        let trim = unit.trim(id);
        // A parameter that no statement ever read was asked for its effect; one whose readers went may go with them.
        let was_read = trim.unused.iter().any(|place| before.contains(place));
        let is_read = trim.unused.iter().any(|place| after.contains(place));
        let may_go = kept.contains(trim.stmt) && criterion.intact != Some(trim.stmt);
        if trim.kind == TrimKind::Parameter && may_go && was_read && !is_read {
            trims.insert(id);
        }
    }
    let kept = kept.iter().chain(criterion.anchor).collect();
    EditSet { kept, unwrapped: StmtSet::default(), trims }
}

/// Trims that cannot change what runs: names of imports that nothing reads any more.
pub fn static_trims(unit: &Unit, kept: &StmtSet) -> TrimSet {
    let read = all_uses(unit, kept);
    unit.trim_ids()
        .filter(|&id| {
            let trim = unit.trim(id);
            trim.kind == TrimKind::ImportName
                && kept.contains(trim.stmt)
                && !trim.unused.iter().any(|place| read.contains(place))
        })
        .collect()
}

/// Places that the kept statements read or change.
pub fn all_uses(unit: &Unit, kept: &StmtSet) -> BTreeSet<PlaceId> {
    kept.iter().flat_map(|id| live_uses(unit, kept, id)).collect()
}

/// Places a kept statement reads or changes. A definition reads what its body does, as far as that is kept.
pub fn live_uses(unit: &Unit, kept: &StmtSet, id: StmtId) -> Vec<PlaceId> {
    let mut places = uses(unit, id);
    if matches!(unit.stmt(id).kind, StmtKind::Def | StmtKind::Class) {
        let below = unit.descendants(id);
        let in_body = |kept_only: bool| -> BTreeSet<PlaceId> {
            let ids = below.iter().filter(|&&inner| !kept_only || kept.contains(inner));
            ids.flat_map(|&inner| uses(unit, inner)).collect()
        };
        let (all, live) = (in_body(false), in_body(true));
        places.retain(|place| !all.contains(place) || live.contains(place));
    }
    places
}

fn test_uses(unit: &Unit, kept: Option<&StmtSet>) -> BTreeSet<PlaceId> {
    unit.ids().filter(|&id| kept.is_none_or(|kept| kept.contains(id))).flat_map(|id| uses(unit, id)).collect()
}
