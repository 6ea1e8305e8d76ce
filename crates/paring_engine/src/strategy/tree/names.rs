//! Which nodes go together, as far as names tell.
//!
//! A name is taken for one place wherever it stands: the scopes of a language are not known here. A statement that reads a
//! name goes with the last node that defines it, so that no run is spent on an unbound name; where the language refuses a
//! definition that nothing reads, that goes with the last who reads it.
//!
//! ```text
//! import "fmt"              goes with 3 where unused imports are refused
//! func double(n int) int …  1: goes with 3
//! x := double(4)            2: goes with 1, and takes 3 along
//! fmt.Println(x)            3
//! ```

use super::parts::spares_protected;
use super::take;
use crate::lab::Stop;
use crate::search::Search;
use paring_model::{EditSet, Op, PlaceId, StmtId, Unit, Unused};
use std::collections::{BTreeMap, BTreeSet};

/// Who defines and who reads each name.
pub struct Names {
    unused: Unused,
    places: BTreeMap<PlaceId, Nodes>,
}

#[derive(Default)]
struct Nodes {
    /// Nodes that are there for the name.
    definers: Vec<StmtId>,
    /// Nodes that bind it along with something else: parameters.
    binders: Vec<StmtId>,
    readers: Vec<StmtId>,
}

impl Names {
    pub fn new(unit: &Unit, unused: Unused) -> Self {
        let mut places: BTreeMap<PlaceId, Nodes> = BTreeMap::new();
        for id in unit.ids() {
            for op in &unit.stmt(id).ops {
                match op {
                    Op::Define(place) => places.entry(*place).or_default().definers.push(id),
                    Op::MayDefine(place) => places.entry(*place).or_default().binders.push(id),
                    Op::Use(place) | Op::Mutate(place) => places.entry(*place).or_default().readers.push(id),
                    Op::Call(_) => {}
                }
            }
        }
        places.retain(|_, nodes| !nodes.definers.is_empty() || !nodes.binders.is_empty());
        Self { unused, places }
    }

    /// The draft without what would miss a name that `before` still has; `None` where that takes a protected node.
    pub fn settle(&self, unit: &Unit, before: &EditSet, mut edits: EditSet) -> Option<EditSet> {
        loop {
            let n_kept = edits.kept.len();
            self.drop_unbound(unit, before, &mut edits);
            if self.unused == Unused::Refused {
                self.drop_unread(unit, before, &mut edits);
            }
            if edits.kept.len() == n_kept {
                return spares_protected(unit, &edits).then_some(edits);
            }
        }
    }

    /// Takes out in one run what nothing reads any more.
    pub fn sweep(&self, search: &mut Search<'_>) -> Result<(), Stop> {
        let unit = search.unit;
        let mut edits = search.current().clone();
        loop {
            let n_kept = edits.kept.len();
            self.drop_unread(unit, &EditSet::all(unit), &mut edits);
            if edits.kept.len() == n_kept {
                break;
            }
        }
        if spares_protected(unit, &edits) {
            take(search, &edits)?;
        }
        Ok(())
    }

    /// How many read what a node defines.
    pub fn n_readers(&self, unit: &Unit, edits: &EditSet, id: StmtId) -> usize {
        let end = unit.descendants(id).last().copied().unwrap_or(id);
        let is_inside = |node: &StmtId| id <= *node && *node <= end;
        let defined = self.places.values().filter(|nodes| nodes.definers.iter().any(is_inside));
        defined.flat_map(|nodes| &nodes.readers).filter(|&&reader| edits.kept.contains(reader)).count()
    }

    fn drop_unbound(&self, unit: &Unit, before: &EditSet, edits: &mut EditSet) {
        for nodes in self.places.values() {
            let is_bound = |edits: &EditSet| {
                nodes.definers.iter().chain(&nodes.binders).any(|&id| edits.kept.contains(id))
            };
            if !is_bound(before) || is_bound(edits) {
                continue;
            }
            for &reader in &nodes.readers {
                if edits.kept.contains(reader) {
                    edits.remove(unit, statement_of(unit, reader));
                }
            }
        }
    }

    /// Definitions that `before` has a reader for and the draft has none, and names of theirs that have none.
    fn drop_unread(&self, unit: &Unit, before: &EditSet, edits: &mut EditSet) {
        let mut lost: BTreeMap<StmtId, BTreeSet<PlaceId>> = BTreeMap::new();
        let mut needed: BTreeSet<StmtId> = BTreeSet::new();
        for (&place, nodes) in &self.places {
            for &definer in nodes.definers.iter().filter(|&&id| edits.kept.contains(id)) {
                let statement = statement_of(unit, definer);
                if nodes.is_read(unit, before, statement) && !nodes.is_read(unit, edits, statement) {
                    lost.entry(statement).or_default().insert(place);
                } else {
                    needed.insert(statement);
                }
            }
        }
        for (&statement, places) in &lost {
            if !needed.contains(&statement) {
                edits.remove(unit, statement);
            } else if self.unused == Unused::Refused {
                let offered = unit.trim_ids().filter(|&id| {
                    let trim = unit.trim(id);
                    edits.kept.contains(trim.stmt) && trim.unused.iter().any(|place| places.contains(place))
                });
                edits.trims.extend(offered.collect::<Vec<_>>());
            }
        }
    }
}

impl Nodes {
    /// Whether anything outside the statement reads the name.
    fn is_read(&self, unit: &Unit, edits: &EditSet, statement: StmtId) -> bool {
        let is_inside = |id: StmtId| id == statement || unit.ancestors(id).any(|up| up == statement);
        self.readers.iter().any(|&id| edits.kept.contains(id) && !is_inside(id))
    }
}

/// The innermost statement a node is part of; of the file's own parts, the node.
fn statement_of(unit: &Unit, id: StmtId) -> StmtId {
    std::iter::once(id).chain(unit.ancestors(id)).find(|&up| unit.stmt(up).counts).unwrap_or(id)
}
