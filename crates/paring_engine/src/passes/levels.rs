//! Slices level by level: propose, run, repair, fall back.
//!
//! A slice that is not the same failure says something. A text that does not compile or a failure at another statement names
//! the line that misses something: that statement becomes part of the criterion, at the conservative level, and the slice
//! grows. After a few such repairs the next level is tried; the last is no slicing at all.

use crate::criterion::Criterion;
use crate::drafts::{draft, static_trims};
use crate::lab::Stop;
use crate::oracle::stmt_of;
use crate::search::{Held, Search};
use crate::strategy::Level;
use crate::strategy::untouched;
use paring_graph::{Dependence, Reason, Slice, Strength, dependence, slice};
use paring_model::{
    CallResult, Difference, EditSet, Facts, FailureKind, Op, PlaceId, Position, RoutineKind, StmtId,
    StmtKind, StmtSet, Unit, Verdict,
};
use std::collections::BTreeSet;

/// Repairs of one level before the next is tried.
const MAX_REPAIRS: usize = 3;

/// Slices, and goes on from the first level that holds.
pub fn levels(search: &mut Search<'_>) -> Result<(), Stop> {
    search.criterion.untouched = was_to_change(search);
    search.criterion.stmts.extend(search.criterion.untouched.clone());
    let first = if search.facts.observed { Level::Observed } else { Level::Zero };
    if let Some(held) = first_that_holds(search, search.facts, &[first, Level::One, Level::None])? {
        search.go_on_from(held);
    }
    Ok(())
}

/// Calls that may have failed to change what a failed assertion looks at.
pub fn was_to_change(search: &Search<'_>) -> Vec<StmtId> {
    let failure = search.lab.oracle.failure();
    let is_assertion =
        failure.is_some_and(|failure| matches!(failure.kind, FailureKind::Assertion | FailureKind::Hang));
    let failing = search.criterion.failing.filter(|_| is_assertion);
    failing.map(|failing| untouched::was_to_change(search.unit, search.facts, failing)).unwrap_or_default()
}

/// Tries the levels in order. `None` where none of them holds, not even everything that ran.
pub fn first_that_holds(
    search: &mut Search<'_>,
    facts: &Facts,
    levels: &[Level],
) -> Result<Option<Held>, Stop> {
    for &level in levels {
        let held = match level {
            Level::None => unsliced(search, facts)?,
            Level::Observed | Level::Zero | Level::One => at_level(search, facts, level)?,
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

fn at_level(search: &mut Search<'_>, facts: &Facts, level: Level) -> Result<Option<Held>, Stop> {
    let dependence = dependence(search.unit, facts, graph_level(level));
    let mut wanted = Wanted { stmts: search.criterion.stmts.clone(), unreachable: Vec::new(), asked: None };
    for _ in 0..=MAX_REPAIRS {
        let slice = wanted.slice(search.unit, facts, &dependence, level);
        let verdict = try_slice(search, &slice)?;
        if verdict.is_same() {
            return Ok(Some(Held { level, slice: wanted.asked.unwrap_or(slice), dependence }));
        }
        if !wanted.repair(search, facts, slice, &verdict) {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Takes the draft of a slice if it holds. The trims go beyond the slice: without them it may hold.
fn try_slice(search: &mut Search<'_>, slice: &Slice) -> Result<Verdict, Stop> {
    let edits = draft(search.unit, &search.criterion, &slice.kept);
    let bare = EditSet { trims: static_trims(search.unit, &slice.kept), ..edits.clone() };
    let mut verdict = search.judge(&edits)?;
    if verdict.is_same() {
        search.take(&edits)?;
    } else if bare.trims != edits.trims {
        verdict = search.judge(&bare)?;
        search.take(&bare)?;
    }
    Ok(verdict)
}

/// What a slice is taken for: the criterion, and what earlier drafts missed.
struct Wanted {
    stmts: Vec<StmtId>,
    /// Handlers that nothing can throw into any more.
    unreachable: Vec<StmtId>,
    /// The slice before the whole set-up was added to it: experiments may take out again what only stands there for that.
    asked: Option<Slice>,
}

impl Wanted {
    /// The slice, and at level O with the calls made on objects that are in it for state which no name shows. An object is made
    /// for what it registers somewhere; what is then called on it (`ticket.cancel()`) is meant for that state too, and that it
    /// was seen to do nothing may be the very fault.
    fn slice(&mut self, unit: &Unit, facts: &Facts, dependence: &Dependence, level: Level) -> Slice {
        let mut found = loop {
            let found = slice(unit, dependence, &self.stmts);
            let acts = if level == Level::Observed { acts(unit, facts, &found) } else { Vec::new() };
            if acts.is_empty() {
                break found;
            }
            self.stmts.extend(acts);
        };
        for &handler in &self.unreachable {
            without_handler(unit, &mut found, handler);
        }
        found
    }

    /// Adds what a draft missed, as far as its verdict tells. Whether that is anything new.
    fn repair(&mut self, search: &Search<'_>, facts: &Facts, slice: Slice, verdict: &Verdict) -> bool {
        let unit = search.unit;
        let mut wanted: Vec<StmtId> = match verdict {
            Verdict::Other(Difference::Left { .. }) => restoring(unit, &search.criterion).collect(),
            Verdict::Other(Difference::Phase) => {
                self.asked.get_or_insert(slice);
                preparing(unit, facts).collect()
            }
            Verdict::Same | Verdict::Slipped | Verdict::Broken { .. } | Verdict::Other(_) => {
                missing_at(unit, verdict).filter(|id| !self.unreachable.contains(id)).into_iter().collect()
            }
        };
        wanted.retain(|id| !self.stmts.contains(id));
        let is_new = !wanted.is_empty();
        for id in wanted {
            let unreachable = is_unreachable(unit, facts, verdict, id);
            if unreachable { &mut self.unreachable } else { &mut self.stmts }.push(id);
        }
        is_new
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
fn unsliced(search: &mut Search<'_>, facts: &Facts) -> Result<Option<Held>, Stop> {
    let (unit, criterion) = (search.unit, &search.criterion);
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
    let Some(idx) = search.lab.first_same(&drafts)? else { return Ok(None) };
    search.take(&drafts[idx])?;
    Ok(Some(Held { level: Level::None, slice: rules_slice, dependence }))
}
