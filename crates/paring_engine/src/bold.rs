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
//! - so do those that name what the assertion names, or what gives it its values;
//! - of calls of one method on one object all stay, where the failure is another without them all;
//! - of each object the last that was done to it stays, where the failure is the same without anything that was;
//! - of each loop in which the object was changed something that did so stays, and no loop is unwrapped.
//!
//! Where the failure is that nothing was raised, that goes for the objects of the statement that was to raise.
//!
//! All the rest may go by experiment. Where nothing is done to an object (`rows = table.rows()`), what it was asked of is looked at.

use crate::criterion::Criterion;
use crate::ops::{callee_text, calls, is_for_effect, is_without_effect, may_act_on, uses};
use paring_graph::{Reason, Slice};
use paring_model::{
    Call, CallResult, Facts, Op, PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, StmtSet, Unit,
};
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
    let asking = criterion.failing.into_iter().chain(criterion.expected.iter().copied());
    let asked = asking.flat_map(|id| calls(unit, id)).map(|call| callee_text(unit, call));
    let part = slice.strong.iter().chain(slice.control.iter()).chain(slice.potential.iter()).collect();
    let waiting = criterion.seen().flat_map(|id| unit.ancestors(id).chain([id])).collect();
    let named = named(unit, &part, criterion);
    let known = Known { unit, facts, slice, part, waiting, asked: asked.collect(), named };
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
        if is_looked_at {
            found.groups.extend(known.by_loop(place));
        }
        if !acting.is_empty() {
            let mut changing = known.changing(place);
            changing.retain(|&id| !criterion.seen().any(|seen| seen == id));
            found.groups.push(acting.into_iter().chain(changing).collect());
        }
    }
    found.frozen.extend(known.without_effect(&seen));
    found.frozen.extend(known.about());
    found
}

struct Known<'a> {
    unit: &'a Unit,
    facts: &'a Facts,
    slice: &'a Slice,
    /// What has a part in the value, or decides about it.
    part: StmtSet,
    /// The failing statement and the blocks around it: nothing came of the exception that such a block waited for.
    waiting: StmtSet,
    /// What the failing statement calls: to call that before was to ask, too.
    asked: BTreeSet<&'a str>,
    /// Words in quotes that the failing statement names, or what gives it its values, in small letters.
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
            || unit
                .ancestors(id)
                .filter(|&up| !self.waiting.contains(up))
                .any(|up| unit.stmt(up).kind == (StmtKind::With { expects: true }));
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

    /// Whether a statement names what the failing one names, or hands over what was made with such a name.
    fn speaks(&self, id: StmtId) -> bool {
        let unit = self.unit;
        let names = |id: StmtId| {
            // Checks before this one often name parts of what it names.
            let is_part =
                |word: &str, named: &str| unit.stmt(id).kind != StmtKind::Assert && is_about(named, word);
            let is_it = |word: &str, named: &str| is_about(word, named) || is_part(word, named);
            quoted(text(unit, id)).any(|word| self.named.iter().any(|named| is_it(&word, named)))
        };
        let args = || calls(unit, id).flat_map(|call| call.args.iter().copied());
        let is_made_so = |place: PlaceId| {
            let gives = |id: &StmtId| unit.stmt(*id).ops.contains(&Op::Define(place));
            self.part.iter().filter(gives).any(names)
        };
        names(id) || args().any(is_made_so)
    }

    /// Statements that were seen to change an object in a loop: how often that was done may be what matters.
    fn by_loop(&self, place: PlaceId) -> Vec<StmtSet> {
        let unit = self.unit;
        let mut by_loop: BTreeMap<StmtId, StmtSet> = BTreeMap::new();
        for id in self.changing(place) {
            let is_loop = |up: &StmtId| matches!(unit.stmt(*up).kind, StmtKind::Loop { .. });
            for around in unit.ancestors(id).filter(is_loop) {
                by_loop.entry(around).or_default().insert(id);
            }
        }
        by_loop.into_values().collect()
    }

    /// Statements that call the same method of an object for its effect, where there are several. A class or a module is none.
    fn alike(&self, place: PlaceId, acting: &[StmtId]) -> Vec<StmtSet> {
        let unit = self.unit;
        if unit.place(place).scope == PlaceScope::Global {
            return Vec::new();
        }
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

    /// Calls without effect on one of these objects, on one that holds it, or on one that is registered somewhere.
    fn without_effect(&self, places: &BTreeSet<PlaceId>) -> Vec<StmtId> {
        let Self { unit, facts, .. } = self;
        let owners =
            facts.reaches.iter().filter(|(inner, _)| places.contains(inner)).map(|&(_, outer)| outer);
        let about: BTreeSet<PlaceId> =
            places.iter().copied().chain(owners).chain(self.registered()).collect();
        let acts = |id: StmtId| about.iter().any(|&place| is_done_to(unit, id, place));
        let asks = |id: StmtId| calls(unit, id).any(|call| self.asked.contains(callee_text(unit, call)));
        let is_it = |&id: &StmtId| {
            facts.observed && is_without_effect(unit, facts, id) && self.went_on(id) && acts(id) && !asks(id)
        };
        self.slice.kept.iter().filter(is_it).collect()
    }

    /// Objects that were made for what that changes in state which no name shows.
    fn registered(&self) -> impl Iterator<Item = PlaceId> + '_ {
        let made = self.slice.kept.iter().filter(|&id| self.facts.resources.changes(id));
        made.flat_map(|id| &self.unit.stmt(id).ops).filter_map(|op| match op {
            Op::Define(place) => Some(*place),
            Op::Use(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
        })
    }

    /// What was done to anything for its effect, files among them, and names what the failing statement names.
    fn about(&self) -> Vec<StmtId> {
        let asks =
            |id: StmtId| calls(self.unit, id).any(|call| self.asked.contains(callee_text(self.unit, call)));
        let is_it = |id: &StmtId| {
            let is_own = self.unit.routine(self.unit.stmt(*id).routine).kind != RoutineKind::Helper;
            is_own && is_for_effect(self.unit, *id) && !asks(*id) && self.went_on(*id) && self.speaks(*id)
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

/// Words that the failing statement names, and those that name what it looks at: `cats = index.search("cat")`.
fn named(unit: &Unit, part: &StmtSet, criterion: &Criterion) -> BTreeSet<String> {
    let places: BTreeSet<PlaceId> = criterion.seen().flat_map(|id| uses(unit, id)).collect();
    let gives = |op: &Op| matches!(op, Op::Define(place) if places.contains(place));
    let definers = part.iter().filter(|&id| unit.stmt(id).ops.iter().any(gives));
    criterion.seen().chain(definers).flat_map(|id| quoted(text(unit, id))).collect()
}

/// Whether a word is another, or has it in it: `port=8080` and `8080`, `eu=0, us=1` and `eu`.
fn is_about(word: &str, named: &str) -> bool {
    let mut parts = word.split(|c: char| !c.is_alphanumeric());
    match named.chars().count() {
        0..=1 => word == named,
        2 => word == named || parts.any(|part| part == named),
        _ => word.contains(named),
    }
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
