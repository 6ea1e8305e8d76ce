//! Dependence through named resources, in the order of time in which the traced run saw them touched.
//!
//! # Terms
//!
//! A use depends on the last change of its resource. A change ([`How::Define`]) depends on the one before, so that the last
//! stands for all: this is the chain of weak definitions of `def_use.rs`, along the run instead of along the text. A
//! [`How::Kill`] begins a new chain. After a [`How::Undo`] the chain is the one from before the statement.
//!
//! A [`How::Clear`] begins a new chain, too, and does not stand in it: who comes later needs it only if a change that it took away
//! is kept. That is no edge between two statements, but a [`Clearing`] among three.
//!
//! What is printed only grows: one who prints has no need of what was printed before, and one who reads it reads all of it.
//!
//! What a call used is not always known. A statement with a call whose uses are not complete depends on every change that
//! control may bring it from. Where that would be too many edges, resources are *folded*: all are taken for the one place of
//! hidden state, of which every call is a reader.
//!
//! # Example
//!
//! ```python
//! open_("a", "w")   # s0: Kill a
//! append("a", 1)    # s1: Define a, → s0
//! append("b", 1)    # s2: Define b
//! read("a")         # s3: Use a, → s1
//! ```

use crate::cfg::{Cfg, NodeId};
use crate::def_use::Level;
use paring_model::{Facts, How, Op, Resource, ResourceId, StmtId, Touch, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of a change and a reader beyond which resources are folded.
const N_PAIRS: usize = 1_000_000;

/// Whether all resources are taken for one.
pub(crate) fn are_folded(unit: &Unit, facts: &Facts, level: Level) -> bool {
    let n_changes = unit.ids().filter(|&id| changes_named(facts, id)).count();
    let n_readers = unit.ids().filter(|&id| may_read_all(unit, facts, level, id)).count();
    n_changes * n_readers > N_PAIRS
}

/// What flows through resources, as the run saw it.
#[derive(Default)]
pub(crate) struct Chains {
    /// Each use or change, and the change it depends on.
    pub(crate) edges: Vec<(StmtId, StmtId, ResourceId)>,
    pub(crate) clearings: Vec<Clearing>,
}

/// A statement that took away what others had changed: whoever keeps one of those and a later user keeps it, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clearing {
    pub(crate) stmt: StmtId,
    pub(crate) resource: ResourceId,
    /// What it took away.
    changes: BTreeSet<StmtId>,
    /// Who came after it.
    users: BTreeSet<StmtId>,
}

impl Clearing {
    /// The user for whom the statement is needed, where not all of what it took away is gone.
    pub(crate) fn needed_for(&self, is_kept: impl Fn(StmtId) -> bool) -> Option<StmtId> {
        let user = self.users.iter().copied().find(|&id| is_kept(id))?;
        self.changes.iter().any(|&id| is_kept(id)).then_some(user)
    }
}

pub(crate) fn chained(facts: &Facts, level: Level) -> Chains {
    let mut chains = Chains::default();
    if !level.uses_observations() {
        return chains;
    }
    let mut all: BTreeMap<ResourceId, Chain> = BTreeMap::new();
    for (touch, resource) in facts.resources.touches() {
        if *resource != Resource::Unknown {
            let grows = matches!(resource, Resource::Output(_));
            all.entry(touch.resource).or_default().touched(touch, grows, &mut chains);
        }
    }
    for chain in all.into_values() {
        chains.clearings.extend(chain.cleared);
    }
    chains
}

/// One resource, up to some moment.
#[derive(Default)]
struct Chain {
    last: Option<StmtId>,
    /// Before the first change by an execution of a statement.
    before: BTreeMap<(StmtId, u32), Option<StmtId>>,
    /// Changes since it was last cleared.
    changes: BTreeSet<StmtId>,
    /// Since the last kill.
    cleared: Vec<Clearing>,
}

impl Chain {
    /// `grows`: each change adds something and has no need of the changes before, and who uses the resource uses them all.
    fn touched(&mut self, touch: Touch, grows: bool, chains: &mut Chains) {
        let Touch { stmt, nth, resource, how } = touch;
        let execution = (stmt, nth);
        match how {
            How::Use if grows => chains.edges.extend(self.changes.iter().map(|&on| (stmt, on, resource))),
            How::Define if grows => {}
            How::Use | How::Define => chains.edges.extend(self.last.map(|last| (stmt, last, resource))),
            How::Kill | How::Clear | How::Undo => {}
        }
        match how {
            How::Use => self.cleared.iter_mut().for_each(|clearing| _ = clearing.users.insert(stmt)),
            How::Define | How::Kill => {
                self.before.entry(execution).or_insert(self.last);
                self.last = Some(stmt);
            }
            How::Clear => self.last = None,
            How::Undo => self.last = self.before.remove(&execution).unwrap_or(self.last),
        }
        match how {
            How::Use | How::Undo => {}
            How::Define => _ = self.changes.insert(stmt),
            How::Kill => {
                chains.clearings.append(&mut self.cleared);
                self.changes = BTreeSet::from([stmt]);
            }
            How::Clear => {
                let changes = std::mem::take(&mut self.changes);
                self.cleared.push(Clearing { stmt, resource, changes, users: BTreeSet::new() });
            }
        }
    }
}

/// Each statement that may have used any resource, and every change of a named one that may have happened before.
pub(crate) fn presumed(
    unit: &Unit,
    facts: &Facts,
    cfg: &Cfg,
    level: Level,
    mut each: impl FnMut(StmtId, StmtId),
) {
    if !level.uses_observations() || are_folded(unit, facts, level) {
        return;
    }
    let reads = |node: NodeId| cfg.stmt(node).filter(|&id| may_read_all(unit, facts, level, id));
    if !cfg.node_ids().any(|node| reads(node).is_some()) {
        return;
    }
    for &change in cfg.stmts().iter().filter(|&&id| changes_named(facts, id)) {
        for user in after(cfg, change).into_iter().filter_map(reads) {
            each(user, change);
        }
    }
}

/// Whether all its uses are known counts for nothing where code under test ran in a test that fails: that it did not read what it
/// should have read may be the fault.
fn may_read_all(unit: &Unit, facts: &Facts, level: Level, id: StmtId) -> bool {
    let calls = unit.stmt(id).ops.iter().any(|op| matches!(op, Op::Call(_)));
    let is_trusted = level == Level::Passing || !facts.resources.runs_code(id);
    calls && !(is_trusted && facts.resources.is_complete(id))
}

/// What changes something without a name is read by every call anyway.
fn changes_named(facts: &Facts, id: StmtId) -> bool {
    facts.resources.changes(id) && !facts.resources.changes_unknown(id)
}

/// The nodes that control may reach from a statement.
fn after(cfg: &Cfg, stmt: StmtId) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<NodeId> = cfg.node(stmt).into_iter().collect();
    while let Some(node) = waiting.pop() {
        for &(next, kind) in cfg.successors(node) {
            if kind.carries_data() && found.insert(next) {
                waiting.push(next);
            }
        }
    }
    found
}
