//! Experiments on what a slice left: remove, unwrap, trim, until nothing more can go.
//!
//! Removal goes backwards through the statements. A statement that defines a name goes together with the statements that
//! would miss it, so that no run is spent on an unbound name. Removals that succeed make the next step larger, one that fails
//! makes it single again: long removable stretches cost few runs, and a slice that is right already costs one run a
//! statement. The result is 1-minimal under the rules: no single removal, unwrapping or trim is left that holds.

use crate::lab::{Lab, Stop};
use crate::ops::{defines, uses};
use crate::rules::{Rules, domain};
use crate::strategy::ddmin::ddmin;
use crate::strategy::fallout::fallout;
use crate::strategy::leveled::{all_uses, live_uses, static_trims};
use crate::strategy::unread::unread;
use crate::strategy::unwrap::{ids_below, unwrap};
use paring_graph::{Dependence, Reason, needed_within, slice};
use paring_model::{
    EditSet, Facts, PlaceId, RoutineId, RoutineKind, StmtId, StmtKind, StmtSet, TrimId, TrimKind, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of removals tried at once.
const MAX_STRIDE: usize = 16;

pub fn experiment(
    lab: &mut Lab<'_>,
    facts: &Facts,
    start: EditSet,
    rules: &Rules,
    dependence: &Dependence,
) -> Result<EditSet, Stop> {
    let users = Users::new(lab.unit, dependence);
    let mut rules = rules.clone();
    let mut current = start;
    remove_idle(lab, facts, &mut current, &rules, &users)?;
    loop {
        let before = current.clone();
        remove(lab, &mut current, &mut rules, &users, dependence)?;
        unwrap(lab, facts, &mut current, &rules)?;
        trim(lab, &mut current, &rules)?;
        unread(lab, &mut current, &rules)?;
        if current == before {
            // Its first verdicts are those of the removals that just failed: it comes last.
            fallout(lab, &mut current, &rules, &users)?;
        }
        if current == before {
            break;
        }
    }
    tidy(lab, &mut current, &rules, dependence)?;
    Ok(current)
}

/// Drops at once all that never ran: branches not taken, helpers not called. One run, where each would ask for its own.
fn remove_idle(
    lab: &mut Lab<'_>,
    facts: &Facts,
    current: &mut EditSet,
    rules: &Rules,
    users: &Users,
) -> Result<(), Stop> {
    if !facts.observed {
        return Ok(());
    }
    let unit = lab.unit;
    let mut edits = current.clone();
    for id in removal_order(unit, &domain(unit, &current.kept, rules.has_good)) {
        let ran = ids_below(unit, id).any(|below| facts.hits.contains_key(&below));
        if !ran && edits.kept.contains(id) {
            edits = without(unit, &edits, rules, users, id).unwrap_or(edits);
        }
    }
    if edits != *current && lab.holds(&edits)? {
        lab.accept(&edits);
        *current = edits;
    }
    Ok(())
}

/// Drops what only removed statements needed: imports, helpers, fixtures of the file.
fn tidy(
    lab: &mut Lab<'_>,
    current: &mut EditSet,
    rules: &Rules,
    dependence: &Dependence,
) -> Result<(), Stop> {
    let unit = lab.unit;
    let kind = |id: StmtId| unit.routine(unit.stmt(id).routine).kind;
    let stays = |id: &StmtId| match kind(*id) {
        RoutineKind::Test => true,
        RoutineKind::Module => is_effect(unit, *id),
        _ => rules.frozen.contains(*id),
    };
    let written = current.written();
    let start: Vec<StmtId> = written.iter().filter(stays).collect();
    let mut needed = needed_within(dependence, &start, &written);
    needed.extend(needed.iter().flat_map(|id| unit.ancestors(id)).collect::<Vec<_>>());
    let whole: StmtSet = needed.iter().filter(|&id| is_whole(unit, id)).collect();
    let is_inside = |id: StmtId| unit.ancestors(id).any(|up| whole.contains(up));
    let kept: StmtSet = current.kept.iter().filter(|&id| needed.contains(id) || is_inside(id)).collect();
    if kept == current.kept {
        return Ok(());
    }
    let mut edits = EditSet { kept, ..current.clone() };
    edits.trims = edits.trims.iter().filter(|&id| edits.kept.contains(unit.trim(id).stmt)).collect();
    edits.trims.union_with(&static_trims(unit, &edits.written()));
    if lab.holds(&edits)? {
        lab.accept(&edits);
        *current = edits;
    }
    Ok(())
}

/// A statement of the file's top level that the slice kept though it binds nothing: it was kept for what it does.
fn is_effect(unit: &Unit, id: StmtId) -> bool {
    defines(unit, id).is_empty() && !matches!(unit.stmt(id).kind, StmtKind::Class | StmtKind::Def)
}

/// A definition whose body has no part in the flow, or a class: it stays as the experiments left it.
fn is_whole(unit: &Unit, id: StmtId) -> bool {
    let routine =
        || unit.routines.iter().position(|routine| routine.def == Some(id)).map(RoutineId::from_idx);
    match unit.stmt(id).kind {
        StmtKind::Def => routine().is_none_or(|routine| !unit.sequence.contains(&routine)),
        // A class that is no statement is made of members that stand for themselves.
        StmtKind::Class => unit.stmt(id).counts,
        _ => false,
    }
}

fn remove(
    lab: &mut Lab<'_>,
    current: &mut EditSet,
    rules: &mut Rules,
    users: &Users,
    dependence: &Dependence,
) -> Result<(), Stop> {
    let unit = lab.unit;
    let order = removal_order(unit, &domain(unit, &current.kept, rules.has_good));
    let mut stride = 1;
    let mut idx = 0;
    while idx < order.len() {
        let mut trials = Vec::new();
        let mut next = idx;
        // Several single removals ahead, each against the same current draft: the lab may run them at once. A longer
        // stride is tried alone, or the order of the search would depend on how many run at once.
        let n_ahead = if stride == 1 { lab.n_ahead() } else { 1 };
        while next < order.len() && trials.len() < n_ahead {
            let (edits, end) = stretch(unit, current, rules, users, &order, next, stride);
            next = end;
            if let Some(edits) = edits {
                trials.push((edits, end));
            }
        }
        if trials.is_empty() {
            idx = next;
            continue;
        }
        let drafts: Vec<EditSet> = trials.iter().map(|(edits, _)| edits.clone()).collect();
        lab.run_ahead(&drafts)?;
        let mut accepted = None;
        for (edits, end) in trials {
            let gone: StmtSet = current.kept.iter().filter(|&id| !edits.kept.contains(id)).collect();
            if gone.iter().any(|id| rules.frozen.contains(id)) {
                continue;
            }
            if lab.holds(&edits)? {
                accepted = Some((edits, end));
                break;
            }
            if rules.binding && stride == 1 {
                // Its removal took along what comes after it: the first to go is the one that was needed.
                let needed: Vec<StmtId> = gone.iter().take(1).collect();
                rules.frozen.union_with(&slice(unit, dependence, &needed).strong);
            }
        }
        match accepted {
            Some((edits, end)) => {
                lab.accept(&edits);
                *current = edits;
                idx = end;
                stride = (stride * 2).min(MAX_STRIDE);
            }
            None if stride > 1 => stride = 1,
            None => idx = next,
        }
    }
    Ok(())
}

/// The draft without up to `stride` removable statements from `from` on, and where it stopped looking.
fn stretch(
    unit: &Unit,
    current: &EditSet,
    rules: &Rules,
    users: &Users,
    order: &[StmtId],
    from: usize,
    stride: usize,
) -> (Option<EditSet>, usize) {
    let mut edits = current.clone();
    let mut n_removed = 0;
    let mut idx = from;
    while idx < order.len() && n_removed < stride {
        let id = order[idx];
        idx += 1;
        if !edits.kept.contains(id) {
            continue;
        }
        if let Some(smaller) = without(unit, &edits, rules, users, id) {
            edits = smaller;
            n_removed += 1;
        }
    }
    ((n_removed > 0).then_some(edits), idx)
}

/// The draft without one node and without what would miss it; `None` where that takes something frozen.
pub fn without(unit: &Unit, edits: &EditSet, rules: &Rules, users: &Users, id: StmtId) -> Option<EditSet> {
    let gone = users.closure(unit, edits, id);
    if gone.iter().any(|id| rules.frozen.contains(id) || is_missed(unit, &gone, id)) {
        return None;
    }
    let mut smaller = edits.clone();
    for id in gone.iter() {
        smaller.remove(unit, id);
    }
    smaller.trims.union_with(&static_trims(unit, &smaller.written()));
    Some(smaller)
}

/// Whether the function around it stays and does not work without it, as its front end says: `super(name)` of a constructor.
fn is_missed(unit: &Unit, gone: &StmtSet, id: StmtId) -> bool {
    unit.stmt(id).parent.is_some_and(|up| {
        let around = unit.stmt(up);
        around.kind == StmtKind::Def && !gone.contains(up) && around.needs.contains(&id)
    })
}

/// Last statements first; a block before its parts, so that it may go whole.
pub fn removal_order(unit: &Unit, domain: &[StmtId]) -> Vec<StmtId> {
    let mut order = domain.to_vec();
    let key = |id: StmtId| {
        let mut path: Vec<std::cmp::Reverse<u32>> =
            unit.ancestors(id).map(|up| std::cmp::Reverse(up.0)).collect();
        path.reverse();
        path.push(std::cmp::Reverse(id.0));
        path
    };
    order.sort_by_cached_key(|&id| key(id));
    order
}

/// Who would miss a binding. What changes an object passes the binding on: `b.add(1)` binds nothing, and who reads `b` after
/// it still needs the statement that did.
pub struct Users {
    /// For a statement and a place it binds: who reads it from there.
    readers: BTreeMap<(StmtId, PlaceId), Vec<StmtId>>,
    /// For a statement and a place it reads: the statements that may have bound it.
    binders: BTreeMap<(StmtId, PlaceId), Vec<StmtId>>,
}

impl Users {
    pub fn new(unit: &Unit, dependence: &Dependence) -> Self {
        let mut sources: BTreeMap<(StmtId, PlaceId), Vec<StmtId>> = BTreeMap::new();
        for id in unit.ids() {
            for edge in dependence.edges(id) {
                if let Reason::Data { place, .. } = edge.reason {
                    sources.entry((id, place)).or_default().push(edge.on);
                }
            }
        }
        let mut users = Self { readers: BTreeMap::new(), binders: BTreeMap::new() };
        for &(id, place) in sources.keys() {
            let binders = binders(unit, &sources, id, place);
            for &binder in &binders {
                users.readers.entry((binder, place)).or_default().push(id);
            }
            users.binders.insert((id, place), binders);
        }
        users
    }

    /// The node, all below it, and every kept statement left without a binding for a name it reads.
    fn closure(&self, unit: &Unit, edits: &EditSet, id: StmtId) -> StmtSet {
        let mut gone = StmtSet::default();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if !edits.kept.contains(next) || !gone.insert(next) {
                continue;
            }
            open.extend(unit.stmt(next).children.iter().copied());
            for place in defines(unit, next) {
                for &reader in self.readers.get(&(next, place)).into_iter().flatten() {
                    let is_bound = self.is_bound(unit, edits, &gone, reader, place);
                    let is_there = !edits.unwrapped.contains(reader);
                    if is_there && !is_bound && live_uses(unit, &edits.kept, reader).contains(&place) {
                        open.push(reader);
                    }
                }
            }
        }
        gone
    }

    /// Whether something is left that binds the place for a reader: a kept statement, or what one that goes had read itself, as
    /// `name = parse(name)` does.
    fn is_bound(&self, unit: &Unit, edits: &EditSet, gone: &StmtSet, reader: StmtId, place: PlaceId) -> bool {
        let mut seen = StmtSet::default();
        let mut open = vec![reader];
        while let Some(next) = open.pop() {
            for &binder in self.binders.get(&(next, place)).into_iter().flatten() {
                if edits.kept.contains(binder) && !gone.contains(binder) {
                    return true;
                }
                let reads_it = uses(unit, binder).contains(&place);
                if reads_it && unit.routine(unit.stmt(binder).routine).params.contains(&place) {
                    return true;
                }
                if reads_it && seen.insert(binder) {
                    open.push(binder);
                }
            }
        }
        false
    }
}

/// The statements that bind `place` for `id`, found through those that only change it.
fn binders(
    unit: &Unit,
    sources: &BTreeMap<(StmtId, PlaceId), Vec<StmtId>>,
    id: StmtId,
    place: PlaceId,
) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut seen = StmtSet::default();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        for &source in sources.get(&(next, place)).into_iter().flatten() {
            if seen.insert(source) {
                if defines(unit, source).contains(&place) {
                    found.push(source);
                } else {
                    open.push(source);
                }
            }
        }
    }
    found
}

fn trim(lab: &mut Lab<'_>, current: &mut EditSet, rules: &Rules) -> Result<(), Stop> {
    let unit = lab.unit;
    let read = all_uses(unit, &current.written());
    let mut elements: BTreeMap<StmtId, Vec<TrimId>> = BTreeMap::new();
    let mut singles = Vec::new();
    for id in unit.trim_ids() {
        let trim = unit.trim(id);
        let reading: BTreeSet<&PlaceId> = trim.unused.iter().filter(|place| read.contains(place)).collect();
        let is_intact = rules.intact == Some(trim.stmt);
        if current.trims.contains(id) || !current.kept.contains(trim.stmt) || is_intact || !reading.is_empty()
        {
            continue;
        }
        match trim.kind {
            TrimKind::Element if rules.has_good || feeds_failing_loop(unit, rules, trim.stmt) => {
                elements.entry(trim.stmt).or_default().push(id);
            }
            TrimKind::Cases | TrimKind::Iteration => singles.push(id),
            TrimKind::Parameter | TrimKind::WithItem if rules.has_good || reads_of(unit, id) => {
                singles.push(id);
            }
            TrimKind::Decorator if rules.has_good => singles.push(id),
            TrimKind::Element
            | TrimKind::Parameter
            | TrimKind::WithItem
            | TrimKind::ImportName
            | TrimKind::Decorator
            // Literals come when all else is done.
            | TrimKind::Item
            | TrimKind::Characters
            | TrimKind::Number => {}
        }
    }
    for id in singles {
        let mut edits = current.clone();
        edits.trims.insert(id);
        if lab.holds(&edits)? {
            lab.accept(&edits);
            *current = edits;
        }
    }
    for trims in elements.into_values() {
        let base = current.clone();
        let with = |left: &[TrimId]| {
            let mut edits = base.clone();
            edits.trims.extend(trims.iter().copied().filter(|id| !left.contains(id)));
            edits
        };
        // An empty literal is another test; the last element stays.
        let left = ddmin(
            &trims,
            |left: &[TrimId]| if left.is_empty() { Ok(false) } else { lab.holds(&with(left)) },
        )?;
        if left.len() < trims.len() {
            *current = with(&left);
            lab.accept(current);
        }
    }
    Ok(())
}

/// Whether the literal of a statement is what a loop around the failing statement goes through.
fn feeds_failing_loop(unit: &Unit, rules: &Rules, id: StmtId) -> bool {
    let is_loop = |id: StmtId| matches!(unit.stmt(id).kind, StmtKind::Loop { .. });
    let bound = defines(unit, id);
    rules
        .around
        .iter()
        .filter(|&up| is_loop(up))
        .any(|up| up == id || uses(unit, up).iter().any(|place| bound.contains(place)))
}

/// Whether any statement of the original reads what the trim would unbind: it was asked for its value, not its effect.
fn reads_of(unit: &Unit, id: TrimId) -> bool {
    let trim = unit.trim(id);
    unit.ids()
        .filter(|&id| unit.routine(unit.stmt(id).routine).kind != RoutineKind::Module)
        .any(|id| uses(unit, id).iter().any(|place| trim.unused.contains(place)))
}
