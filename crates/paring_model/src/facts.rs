//! What only a run (or a compiler) can tell about a unit. Everything works with empty facts.

use crate::resource::Resources;
use crate::unit::{PlaceId, RoutineId, StmtId};
use crate::watch::Watched;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Whether a traced run stands behind this.
    pub observed: bool,
    /// How often each statement began, in the traced run.
    pub hits: BTreeMap<StmtId, u32>,
    /// Statements in the order in which they first ran.
    pub order: Vec<StmtId>,
    /// Places whose object (all that is reachable from it) was changed while the statement ran, through any alias.
    pub changed: BTreeMap<StmtId, BTreeSet<PlaceId>>,
    /// State that no name of the test shows: who used and who changed it.
    pub resources: Resources,
    /// Statements whose call returned nothing although its result was used.
    pub void_like: BTreeSet<StmtId>,
    /// Places that never held anything but immutable values.
    pub immutable: BTreeSet<PlaceId>,
    /// Pairs `(inner, outer)`: the object of `inner` was reachable from `outer` at some time.
    pub reaches: BTreeSet<(PlaceId, PlaceId)>,
    /// Places whose objects could not be looked into: what a call does to them is not observed.
    pub opaque: BTreeSet<PlaceId>,
    /// Exceptions that were caught in the unit.
    pub transfers: BTreeSet<Transfer>,
    /// Fixtures and set-up in the order they ran.
    pub routines: Vec<RoutineId>,
    /// Whether the run started threads: which of them is first may differ from run to run.
    pub threads: bool,
    /// Who saw what the interpreter does not; `None` where nobody was asked to.
    pub watched: Option<Watched>,
}

impl Facts {
    /// What ran, how control went and what types were seen, without what the run saw change: all that the levels of the
    /// literature know.
    pub fn without_effects(&self) -> Self {
        let mut facts = self.clone();
        facts.changed.clear();
        facts.resources = Resources::default();
        facts.reaches.clear();
        facts.opaque.clear();
        facts
    }
}

/// An exception went from the statement that threw into a handler of the same unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    pub from: StmtId,
    pub handler: StmtId,
}
