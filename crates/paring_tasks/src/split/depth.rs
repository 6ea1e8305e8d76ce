//! How far a slice of a passing test goes: which dependences it follows.
//!
//! Data that names carry, blocks, and resources of which every user is seen (a file, a table) are always followed. What is only
//! known to have changed *something* that a later call may look at (an attribute of a module, a socket, hidden state) is followed
//! where the two speak of the same thing: where a literal of the one is a literal of the other. The same goes for a file that
//! nobody saw the later call touch, where the two have no variable in common. And what was done to an object before a call that
//! says it clears or resets the object is not followed. All that is a guess. A run tells whether it holds: a test that fails without what was
//! left out gets all of it ([`Depth::All`]).

use super::words::Words;
use camino::Utf8Path;
use paring_engine::ops::{callee_text, calls, defines, uses};
use paring_graph::{Carrier, Dependence, Edge, Reason, Strength};
use paring_model::{
    CallResult, Facts, How, PlaceId, PlaceScope, Resource, ResourceId, StmtId, StmtKind, StmtSet, Unit, Watch,
};
use std::collections::BTreeSet;

/// How much a scenario's slice has of what it may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Without changes of shared objects that have no word in common with the scenario.
    Least,
    /// Without changes of hidden state that have no word in common with it.
    #[default]
    Likely,
    /// All that it may depend on.
    All,
    /// All that ran before its last check.
    Before,
}

/// What slices are taken from.
pub struct Sources<'a> {
    pub unit: &'a Unit,
    pub facts: &'a Facts,
    pub dependence: &'a Dependence,
    pub words: &'a Words,
}

impl Sources<'_> {
    /// All that some statements depend on. `may_go` are statements that the least depth may do without.
    pub fn slice(&self, start: &StmtSet, depth: Depth, may_go: &StmtSet) -> StmtSet {
        let mut slice =
            Slicing { sources: self, depth, may_go, found: StmtSet::default(), passed: BTreeSet::new() };
        let mut waiting: Vec<StmtId> = start.iter().collect();
        while !waiting.is_empty() {
            for id in waiting {
                slice.add(id);
            }
            let doubtful = slice.passed.iter().map(|edge| edge.on);
            waiting = doubtful
                .filter(|&id| !slice.found.contains(id) && self.is_for_effect(id))
                .filter(|&id| self.words.share(self.unit, id, &slice.found))
                .chain(self.dependence.clearing(&slice.found).map(|(_, edge)| edge.on))
                .filter(|&id| !slice.found.contains(id))
                .collect();
        }
        slice.found
    }

    /// Whether a statement was seen to use or change a resource; where it is none of those that have names of their own, it was.
    fn touches(&self, id: StmtId, resource: ResourceId) -> bool {
        let resources = &self.facts.resources;
        match resources.resource(resource) {
            Resource::File(_) | Resource::Table { .. } => {
                resources.touches().any(|(touch, _)| touch.stmt == id && touch.resource == resource)
            }
            Resource::Cwd
            | Resource::Env(_)
            | Resource::Logger(_)
            | Resource::Output(_)
            | Resource::Clock
            | Resource::Random
            | Resource::Attribute { .. }
            | Resource::Socket(_)
            | Resource::Logged { .. }
            | Resource::Unknown => true,
        }
    }

    /// Whether whoever uses or changes the resource is seen, and by a name that tells it from others of its kind.
    fn is_seen_whole(&self, resource: ResourceId) -> bool {
        match self.facts.resources.resource(resource) {
            Resource::File(_)
            | Resource::Cwd
            | Resource::Env(_)
            | Resource::Table { .. }
            | Resource::Logger(_)
            | Resource::Output(_)
            | Resource::Clock
            | Resource::Logged { .. }
            | Resource::Random => true,
            // Who watches system calls sees what goes through those that have an address.
            Resource::Socket(address) => {
                let by = self.facts.watched.as_ref().and_then(|it| it.by.as_deref());
                by == Some(Watch::Strace.word()) && address.contains([':', '/'])
            }
            Resource::Attribute { .. } | Resource::Unknown => false,
        }
    }

    /// Whether a statement is said to use a file along with another one, and was told the other: who asks whether a file is there
    /// is seen to ask, and not about which; who lists a folder is seen to use all that is in it.
    ///
    /// ```python
    /// save(a), save(b)
    /// assert b.exists()                       # said to use both
    /// assert "b.txt" in os.listdir(".")       # said to use both
    /// ```
    fn names_another(&self, id: StmtId, resource: ResourceId) -> bool {
        let resources = &self.facts.resources;
        let file = |it: ResourceId| match resources.resource(it) {
            Resource::File(path) => Some(path),
            _ => None,
        };
        let is_named = |path: &Utf8Path| path.file_name().is_some_and(|name| self.words.has_text(id, name));
        let Some(path) = file(resource) else { return false };
        let used = resources.touches().filter(|(touch, _)| touch.stmt == id).map(|(touch, _)| touch.resource);
        let others: BTreeSet<ResourceId> =
            used.filter(|&other| other != resource && file(other).is_some()).collect();
        let has_named = others.iter().filter_map(|&other| file(other)).any(|other| is_named(other));
        if has_named && !is_named(path) {
            return true;
        }
        resources.touches().any(|(touch, _)| {
            touch.how != How::Use
                && touch.stmt < id
                && others.contains(&touch.resource)
                && self.may_name(id, touch.stmt)
        })
    }

    /// Whether two statements have a variable of the test in common, or a word: both may name one thing.
    fn may_name(&self, one: StmtId, other: StmtId) -> bool {
        let params = self.unit.test.map(|test| &self.unit.routine(test).params);
        let is_own = |place: &PlaceId| {
            let is_given = params.is_some_and(|params| params.contains(place));
            !is_given && matches!(self.unit.place(*place).scope, PlaceScope::Local(_) | PlaceScope::Member)
        };
        let of =
            |id: StmtId| -> BTreeSet<PlaceId> { uses(self.unit, id).into_iter().filter(is_own).collect() };
        !of(one).is_disjoint(&of(other)) || self.words.meet(one, other)
    }

    /// Whether a statement gives nothing a value. What does was to ask, as far as anybody can tell.
    fn is_for_effect(&self, id: StmtId) -> bool {
        defines(self.unit, id).is_empty()
    }

    /// What runs at the end of a block runs for all that is in it.
    fn ends_with(&self, id: StmtId) -> Vec<StmtId> {
        let stmt = self.unit.stmt(id);
        if stmt.kind != StmtKind::Try {
            return Vec::new();
        }
        let ends = stmt.children.iter().filter(|&&child| self.unit.stmt(child).kind == StmtKind::Finally);
        ends.flat_map(|&end| std::iter::once(end).chain(self.unit.descendants(end))).collect()
    }
}

/// A slice under way.
struct Slicing<'a> {
    sources: &'a Sources<'a>,
    depth: Depth,
    may_go: &'a StmtSet,
    found: StmtSet,
    /// Dependences that were not followed.
    passed: BTreeSet<Edge>,
}

impl Slicing<'_> {
    /// Adds a statement and what it depends on.
    fn add(&mut self, id: StmtId) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if self.sources.unit.stmt(id).kind == StmtKind::Docstring || !self.found.insert(id) {
                continue;
            }
            waiting.extend(self.sources.ends_with(id));
            for edge in self.sources.dependence.edges(id) {
                match self.reset_before(id, *edge) {
                    Some(reset) if reset == id => waiting.extend(self.definition(*edge)),
                    Some(reset) => waiting.push(reset),
                    None => self.follow(id, *edge, &mut waiting),
                }
            }
        }
    }

    /// The statement between the two of a dependence, or the later one itself, that puts the object behind a name back to what it
    /// was at first.
    fn reset_before(&self, id: StmtId, edge: Edge) -> Option<StmtId> {
        let Some(Carrier::Place(place)) = edge.reason.carrier() else { return None };
        if self.depth > Depth::Likely || edge.on >= id {
            return None;
        }
        let unit = self.sources.unit;
        let between = unit.test_body().into_iter().filter(|&it| edge.on < it && it <= id);
        let always_runs = |&it: &StmtId| unit.stmt(it).parent == unit.stmt(edge.on).parent;
        let resets = between.filter(always_runs).rfind(|&it| resets(unit, it, place))?;
        (resets == id || !defines(unit, edge.on).contains(&place)).then_some(resets)
    }

    /// Who gave the name of a dependence its object, back along the changes of that object.
    fn definition(&self, edge: Edge) -> BTreeSet<StmtId> {
        let Some(Carrier::Place(place)) = edge.reason.carrier() else { return BTreeSet::new() };
        let (mut found, mut seen, mut edges) = (BTreeSet::new(), BTreeSet::new(), vec![edge]);
        while let Some(edge) = edges.pop() {
            if defines(self.sources.unit, edge.on).contains(&place) {
                found.insert(edge.on);
            } else if seen.insert(edge.on) {
                let before = self.sources.dependence.edges(edge.on).iter();
                edges.extend(before.filter(|it| it.reason.carrier() == Some(Carrier::Place(place))));
            }
        }
        found
    }

    /// Follows a dependence. One that is not followed leads on to the change before: each change of an object or resource stands
    /// for all earlier ones.
    fn follow(&mut self, from: StmtId, edge: Edge, waiting: &mut Vec<StmtId>) {
        let mut edges = vec![edge];
        while let Some(edge) = edges.pop() {
            if self.is_followed(from, edge) {
                waiting.push(edge.on);
            } else if self.passed.insert(edge) {
                let before = self.sources.dependence.edges(edge.on).iter();
                edges.extend(before.filter(|before| before.reason.carrier() == edge.reason.carrier()));
            }
        }
    }

    fn is_followed(&self, from: StmtId, edge: Edge) -> bool {
        if self.depth >= Depth::All || self.found.contains(edge.on) {
            return true;
        }
        let is_needed = self.depth > Depth::Least || !self.may_go.contains(edge.on);
        match edge.reason {
            Reason::Through { resource } => {
                self.sources.is_seen_whole(resource)
                    && (self.sources.may_name(from, edge.on)
                        || self.sources.touches(from, resource)
                            && !self.sources.names_another(from, resource))
            }
            Reason::Data { strength: Strength::Hidden, .. } => false,
            Reason::Data { .. } => is_needed,
            Reason::Potential { .. }
            | Reason::Control
            | Reason::Handler
            | Reason::Resource
            | Reason::Parent
            | Reason::Binding => true,
        }
    }
}

/// Whether a statement only clears or resets the object behind a name: `box.clear()`, `reset(mock)`.
fn resets(unit: &Unit, id: StmtId, place: PlaceId) -> bool {
    calls(unit, id).filter(|call| call.result == CallResult::Dropped).any(|call| {
        let callee = callee_text(unit, call);
        let start = callee.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let says_so = ["clear", "reset"].iter().any(|word| callee[start..].starts_with(word));
        let is_receiver = call.receiver == Some(place);
        says_so && (is_receiver && call.args.is_empty() || !is_receiver && call.args == [place])
    })
}
