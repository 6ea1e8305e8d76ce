//! What was tried in vain, and what it looked like then.
//!
//! A node that could not go may be able to once much less of it is left, or fewer read what it defines. Before that, trying
//! again is most likely for nothing.

use super::names::Names;
use paring_model::{EditSet, StmtId, TrimId, Unit};
use std::collections::BTreeMap;

/// One thing to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trial {
    Remove(StmtId),
    /// The first gives way to the second.
    Hoist(StmtId, StmtId),
    Trim(TrimId),
}

/// What a node looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Nodes that are left of it.
    n_nodes: usize,
    /// Nodes elsewhere that read what it defines.
    n_readers: usize,
}

#[derive(Debug, Default)]
pub struct Memo {
    failed: BTreeMap<Trial, Look>,
}

impl Memo {
    /// Whether it failed when the node looked much as it does now.
    pub fn is_vain(&self, trial: Trial, look: Look) -> bool {
        self.failed
            .get(&trial)
            .is_some_and(|then| look.n_readers == then.n_readers && 2 * look.n_nodes > then.n_nodes)
    }

    /// Whether it was tried before.
    pub fn is_known(&self, trial: Trial) -> bool {
        self.failed.contains_key(&trial)
    }

    pub fn failed(&mut self, trial: Trial, look: Look) {
        self.failed.insert(trial, look);
    }
}

pub fn look(unit: &Unit, edits: &EditSet, names: Option<&Names>, id: StmtId) -> Look {
    let is_there = |id: &StmtId| edits.kept.contains(*id) && !edits.unwrapped.contains(*id);
    let below = unit.descendants(id);
    Look {
        n_nodes: std::iter::once(&id).chain(&below).filter(|id| is_there(id)).count(),
        n_readers: names.map_or(0, |names| names.n_readers(unit, edits, id)),
    }
}
