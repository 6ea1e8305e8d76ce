//! Dependence through named resources, in the order of time in which the traced run saw them touched.
//!
//! # Terms
//!
//! A use depends on the last change of its resource. A change ([`How::Define`]) depends on the one before, so that the last
//! stands for all: this is the chain of weak definitions of `def_use.rs`, along the run instead of along the text. A
//! [`How::Kill`] begins a new chain.
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
use paring_model::{Facts, How, Op, Resource, ResourceId, StmtId, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of a change and a reader beyond which resources are folded.
const N_PAIRS: usize = 1_000_000;

/// Whether all resources are taken for one.
pub(crate) fn are_folded(unit: &Unit, facts: &Facts) -> bool {
    let n_changes = unit.ids().filter(|&id| changes_named(facts, id)).count();
    let n_readers = unit.ids().filter(|&id| may_read_all(unit, facts, id)).count();
    n_changes * n_readers > N_PAIRS
}

/// Each use or change, and the change it depends on.
pub(crate) fn chained(facts: &Facts, level: Level, mut each: impl FnMut(StmtId, StmtId, ResourceId)) {
    if !level.uses_observations() {
        return;
    }
    let mut last: BTreeMap<ResourceId, StmtId> = BTreeMap::new();
    for (touch, resource) in facts.resources.touches() {
        if *resource == Resource::Unknown {
            continue;
        }
        let before = last.get(&touch.resource).copied();
        match touch.how {
            How::Kill => {}
            How::Use | How::Define => {
                if let Some(before) = before {
                    each(touch.stmt, before, touch.resource);
                }
            }
        }
        match touch.how {
            How::Use => {}
            How::Define | How::Kill => _ = last.insert(touch.resource, touch.stmt),
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
    if !level.uses_observations() || are_folded(unit, facts) {
        return;
    }
    let reads = |node: NodeId| cfg.stmt(node).filter(|&id| may_read_all(unit, facts, id));
    if !cfg.node_ids().any(|node| reads(node).is_some()) {
        return;
    }
    for &change in cfg.stmts().iter().filter(|&&id| changes_named(facts, id)) {
        for user in after(cfg, change).into_iter().filter_map(reads) {
            each(user, change);
        }
    }
}

fn may_read_all(unit: &Unit, facts: &Facts, id: StmtId) -> bool {
    let calls = unit.stmt(id).ops.iter().any(|op| matches!(op, Op::Call(_)));
    calls && !facts.resources.is_complete(id)
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
