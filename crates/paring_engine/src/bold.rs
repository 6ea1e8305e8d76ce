//! What stays where the user asked to be bold: of all that correct code may need, what it most likely does.
//!
//! ```python
//! book = Book()
//! lamp = book.issue("A-1")
//! lamp.add(10)              # may go: done to another object, though the book holds both
//! desk = book.issue("A-2")
//! desk.rename("wide desk")  # may go: it did something, and the assertion fails alike without it
//! desk.add(20)              # the failure is another without it
//! desk.credit(book.note(5)) # stays: it was to do something, and did nothing
//! assert desk.open() == 15
//! ```
//!
//! For a failed assertion, of what was done to the objects that it looks at:
//!
//! - calls on them, or on what holds them, that were seen to change nothing stay: one of them may be the fault;
//! - so do those that name what the assertion names;
//! - of calls of one method on one object all stay, where the failure is another without them all;
//! - of each object the last that was done to it stays, where the failure is the same without anything that was.
//!
//! All the rest may go by experiment. Where nothing is done to an object (`rows = table.rows()`), what it was asked of is looked at.

use crate::criterion::Criterion;
use crate::ops::{callee_text, calls, is_for_effect, is_without_effect, may_act_on, uses};
use paring_graph::{Reason, Slice};
use paring_model::{Call, CallResult, Facts, Op, PlaceId, StmtId, StmtKind, StmtSet, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What was done to the objects that the criterion looks at.
#[derive(Default)]
pub struct Acts {
    /// Statements that stay.
    pub frozen: StmtSet,
    /// By object: something of it stays.
    pub groups: Vec<StmtSet>,
    /// Calls of one method on one object: all of them matter, or none.
    pub alike: Vec<StmtSet>,
}

pub fn acts(unit: &Unit, facts: &Facts, criterion: &Criterion, slice: &Slice) -> Acts {
    let asked =
        criterion.failing.into_iter().flat_map(|id| calls(unit, id)).map(|call| callee_text(unit, call));
    let named = criterion.seen().flat_map(|id| quoted(text(unit, id))).collect();
    let part = slice.strong.iter().chain(slice.control.iter()).chain(slice.potential.iter()).collect();
    let known = Known { unit, facts, slice, part, asked: asked.collect(), named };
    let mut found = Acts::default();
    let mut seen: BTreeSet<PlaceId> = BTreeSet::new();
    let mut open: Vec<(PlaceId, bool)> =
        criterion.seen().flat_map(|id| uses(unit, id)).map(|place| (place, true)).collect();
    while let Some((place, is_looked_at)) = open.pop() {
        if !seen.insert(place) {
            continue;
        }
        let mut acting: Vec<StmtId> = known.acting(place, is_looked_at);
        acting.retain(|&id| !criterion.seen().any(|seen| seen == id));
        if acting.is_empty() || facts.immutable.contains(&place) {
            open.extend(known.sources(place).into_iter().map(|source| (source, false)));
        }
        found.frozen.extend(acting.iter().copied().filter(|&id| known.speaks(id)));
        found.alike.extend(known.alike(place, &acting));
        if !acting.is_empty() {
            let changing = known.changing(place);
            found.groups.push(acting.into_iter().chain(changing).collect());
        }
    }
    found.frozen.extend(known.without_effect(&seen));
    found
}

struct Known<'a> {
    unit: &'a Unit,
    facts: &'a Facts,
    slice: &'a Slice,
    /// What has a part in the value, or decides about it.
    part: StmtSet,
    /// What the failing statement calls: to call that before was to ask, too.
    asked: BTreeSet<&'a str>,
    /// Words in quotes that the failing statement names, in small letters.
    named: BTreeSet<String>,
}

impl Known<'_> {
    /// Statements that were made to change the object, or were seen to.
    fn acting(&self, place: PlaceId, is_looked_at: bool) -> Vec<StmtId> {
        let unit = self.unit;
        let acts = |id: &StmtId| {
            let may = || calls(unit, *id).any(|call| may_act_on(unit, call, place));
            let is_meant = || is_for_effect(unit, *id) && self.is_data(*id, place);
            is_done_to(unit, *id, place) || is_looked_at && (self.changes(*id, place) || may() || is_meant())
        };
        let is_plain = |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Simple | StmtKind::Assert);
        let asks = |id: &StmtId| calls(unit, *id).any(|call| self.asked.contains(callee_text(unit, call)));
        let plain = self.part.iter().filter(is_plain);
        plain.filter(|&id| self.went_on(id)).filter(|id| !asks(id)).filter(acts).collect()
    }

    /// Whether it ran, and no exception came of it.
    fn went_on(&self, id: StmtId) -> bool {
        let Self { unit, facts, .. } = self;
        let ran = !facts.observed || facts.hits.contains_key(&id);
        let threw = facts.transfers.iter().any(|transfer| transfer.from == id)
            || unit.ancestors(id).any(|up| unit.stmt(up).kind == (StmtKind::With { expects: true }));
        ran && !threw
    }

    fn changes(&self, id: StmtId, place: PlaceId) -> bool {
        self.facts.changed.get(&id).is_some_and(|changed| changed.contains(&place))
    }

    fn changing(&self, place: PlaceId) -> Vec<StmtId> {
        let is_plain = |id: &StmtId| self.unit.stmt(*id).kind == StmtKind::Simple;
        let gives = |id: &StmtId| self.unit.stmt(*id).ops.contains(&Op::Define(place));
        let plain = self.part.iter().filter(is_plain).filter(|id| !gives(id));
        plain.filter(|&id| self.changes(id, place)).collect()
    }

    /// Whether somebody reads the object after the statement.
    fn is_data(&self, id: StmtId, place: PlaceId) -> bool {
        let is_it = |reason: &Reason| matches!(reason, Reason::Data { place: of, .. } if *of == place);
        self.slice.why.get(&id).is_some_and(|why| why.iter().any(|(_, reason)| is_it(reason)))
    }

    fn speaks(&self, id: StmtId) -> bool {
        quoted(text(self.unit, id)).any(|word| self.named.contains(&word))
    }

    /// Statements that call the same method of an object for its effect, where there are several.
    fn alike(&self, place: PlaceId, acting: &[StmtId]) -> Vec<StmtSet> {
        let unit = self.unit;
        let mut by_name: BTreeMap<&str, StmtSet> = BTreeMap::new();
        for &id in acting {
            let is_check = unit.stmt(id).kind == StmtKind::Assert;
            let is_it = |call: &&Call| {
                call.receiver == Some(place) && (is_check || call.result == CallResult::Dropped)
            };
            for call in calls(unit, id).filter(is_it) {
                by_name.entry(callee_text(unit, call)).or_default().insert(id);
            }
        }
        by_name.into_values().filter(|stmts| stmts.len() > 1).collect()
    }

    /// Calls without effect on one of these objects, or on one that holds it.
    fn without_effect(&self, places: &BTreeSet<PlaceId>) -> Vec<StmtId> {
        let Self { unit, facts, .. } = self;
        let owners =
            facts.reaches.iter().filter(|(inner, _)| places.contains(inner)).map(|&(_, outer)| outer);
        let about: BTreeSet<PlaceId> = places.iter().copied().chain(owners).collect();
        let acts = |id: StmtId| about.iter().any(|&place| is_done_to(unit, id, place));
        let asks = |id: StmtId| calls(unit, id).any(|call| self.asked.contains(callee_text(unit, call)));
        let is_it = |&id: &StmtId| {
            facts.observed && is_without_effect(unit, facts, id) && self.went_on(id) && acts(id) && !asks(id)
        };
        self.part.iter().filter(is_it).collect()
    }

    /// What the statements read that gave the place its value, and what decided that they ran.
    fn sources(&self, place: PlaceId) -> Vec<PlaceId> {
        let unit = self.unit;
        let gives = |op: &Op| matches!(op, Op::Define(to) | Op::Mutate(to) if *to == place);
        let is_header = |up: &StmtId| {
            matches!(unit.stmt(*up).kind, StmtKind::If | StmtKind::Elif | StmtKind::Loop { .. })
        };
        let definers = self.part.iter().filter(|id| unit.stmt(*id).ops.iter().any(gives));
        let with_headers =
            definers.flat_map(|id| std::iter::once(id).chain(unit.ancestors(id).filter(is_header)));
        with_headers.flat_map(|id| uses(unit, id)).collect()
    }
}

/// Whether a statement is by its text there for what it does to the object.
fn is_done_to(unit: &Unit, id: StmtId, place: PlaceId) -> bool {
    unit.stmt(id).kind != StmtKind::Assert
        && unit.stmt(id).ops.iter().any(|op| match op {
            Op::Mutate(changed) => *changed == place,
            Op::Call(call) => {
                let is_about = call.receiver == Some(place) || call.args.contains(&place);
                call.result == CallResult::Dropped && is_about
            }
            Op::Use(_) | Op::Define(_) | Op::MayDefine(_) => false,
        })
}

fn text(unit: &Unit, id: StmtId) -> &str {
    unit.stmt(id).header.of(&unit.source)
}

/// The insides of quoted strings, roughly, in small letters.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    let inside = text.split(['"', '\'']).skip(1).step_by(2).map(|word| word.trim().to_lowercase());
    inside.filter(|word| !word.is_empty())
}

/// What did not run and would have had a part in the value.
pub fn waited_for(slice: &Slice) -> StmtSet {
    let is_it =
        |why: &[(StmtId, Reason)]| why.iter().any(|(_, reason)| matches!(reason, Reason::Potential { .. }));
    slice.why.iter().filter(|(_, why)| is_it(why)).map(|(id, _)| *id).collect()
}

/// What decides whether control comes to a place that it should not come to. A guard that asks nothing of the code under test, and
/// behind which nothing ran, decides nothing.
pub fn ways(unit: &Unit, facts: &Facts, slice: &Slice) -> StmtSet {
    let kind = |id: StmtId| unit.stmt(id).kind;
    let ran_below =
        |id: StmtId| unit.descendants(id).into_iter().any(|below| facts.hits.contains_key(&below));
    let decides_nothing =
        |id: StmtId| kind(id) == StmtKind::If && calls(unit, id).next().is_none() && !ran_below(id);
    let is_way = |&id: &StmtId| {
        let decides = match kind(id) {
            StmtKind::If | StmtKind::Loop { .. } | StmtKind::Try | StmtKind::Match => !decides_nothing(id),
            StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Return => true,
            other => other.is_clause(),
        };
        decides && !unit.ancestors(id).any(decides_nothing)
    };
    slice.kept.iter().filter(is_way).collect()
}
