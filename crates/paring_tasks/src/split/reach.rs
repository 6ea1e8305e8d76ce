//! How far a slice of a passing test goes: which dependences it follows.
//!
//! Data that names carry, blocks, and resources of which every user is seen (a file, a table) are always followed. What is only
//! known to have changed *something* that a later call may look at (an attribute of a module, a socket, hidden state) is followed
//! where the two speak of the same thing: where a literal of the one is a literal of the other. That is a guess. A run tells
//! whether it holds: a test that fails without what was left out gets all of it ([`Reach::All`]).

use super::words::Words;
use paring_graph::{Dependence, Reason, Strength};
use paring_model::{Facts, Resource, StmtId, StmtKind, StmtSet, Unit};

/// How much a scenario's slice has of what it may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
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
    /// All that some statements depend on. `may_go` are statements that the least reach may do without.
    pub fn slice(&self, start: &StmtSet, reach: Reach, may_go: &StmtSet) -> StmtSet {
        let mut found = StmtSet::default();
        let mut waiting: Vec<StmtId> = start.iter().collect();
        let mut doubtful: Vec<StmtId> = Vec::new();
        loop {
            while let Some(id) = waiting.pop() {
                if self.unit.stmt(id).kind == StmtKind::Docstring || !found.insert(id) {
                    continue;
                }
                waiting.extend(self.ends_with(id));
                for edge in self.dependence.edges(id) {
                    match self.follows(edge.on, edge.reason, reach, may_go) {
                        true => waiting.push(edge.on),
                        false => doubtful.push(edge.on),
                    }
                }
            }
            let spoken: Vec<StmtId> = doubtful
                .iter()
                .copied()
                .filter(|&id| !found.contains(id) && self.words.share(id, &found))
                .collect();
            if spoken.is_empty() {
                return found;
            }
            waiting.extend(spoken);
        }
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

    fn follows(&self, on: StmtId, reason: Reason, reach: Reach, may_go: &StmtSet) -> bool {
        if reach >= Reach::All {
            return true;
        }
        let is_needed = reach > Reach::Least || !may_go.contains(on);
        match reason {
            Reason::Through { resource } => is_seen_whole(self.facts.resources.resource(resource)),
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
        | Resource::Random => true,
        Resource::Attribute { .. } | Resource::Socket(_) | Resource::Unknown => false,
    }
}
