//! How far a slice of a passing test goes: which dependences it follows.
//!
//! Data that names carry, blocks, and resources of which every user is seen (a file, a table) are always followed. What is only
//! known to have changed *something* that a later call may look at (an attribute of a module, a socket, hidden state) is followed
//! where the two speak of the same thing: where a literal of the one is a literal of the other. That is a guess. A run tells
//! whether it holds: a test that fails without what was left out gets all of it ([`Depth::All`]).

use super::words::Words;
use paring_engine::ops::defines;
use paring_graph::{Dependence, Edge, Reason, Strength};
use paring_model::{Facts, Resource, StmtId, StmtKind, StmtSet, Unit};
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
                .filter(|&id| self.words.share(id, &slice.found))
                .chain(self.dependence.clearing(&slice.found).map(|(_, edge)| edge.on))
                .filter(|&id| !slice.found.contains(id))
                .collect();
        }
        slice.found
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
                self.follow(*edge, &mut waiting);
            }
        }
    }

    /// Follows a dependence. One that is not followed leads on to the change before: each change of an object or resource stands
    /// for all earlier ones.
    fn follow(&mut self, edge: Edge, waiting: &mut Vec<StmtId>) {
        let mut edges = vec![edge];
        while let Some(edge) = edges.pop() {
            if self.is_followed(edge) {
                waiting.push(edge.on);
            } else if self.passed.insert(edge) {
                let before = self.sources.dependence.edges(edge.on).iter();
                edges.extend(before.filter(|before| before.reason.carrier() == edge.reason.carrier()));
            }
        }
    }

    fn is_followed(&self, edge: Edge) -> bool {
        if self.depth >= Depth::All || self.found.contains(edge.on) {
            return true;
        }
        let is_needed = self.depth > Depth::Least || !self.may_go.contains(edge.on);
        match edge.reason {
            Reason::Through { resource } => is_seen_whole(self.sources.facts.resources.resource(resource)),
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

/// Whether whoever uses or changes the resource is seen, and by a name that tells it from others of its kind.
fn is_seen_whole(resource: &Resource) -> bool {
    match resource {
        Resource::File(_)
        | Resource::Cwd
        | Resource::Env(_)
        | Resource::Table { .. }
        | Resource::Logger(_)
        | Resource::Output(_)
        | Resource::Clock
        | Resource::Logged { .. }
        | Resource::Random => true,
        Resource::Attribute { .. } | Resource::Socket(_) | Resource::Unknown => false,
    }
}
