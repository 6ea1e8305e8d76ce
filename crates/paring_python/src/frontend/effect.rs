//! What functions of this file read and do beyond their own locals.
//!
//! A helper's definition needs what its body reads. Set-up runs as part of the sequence, but a statement that calls it
//! must stay for that to happen, so it is told there what the call does:
//!
//! ```python
//! class TestCart(Base):          # `Base.setUp` makes `self.cart`
//!     def setUp(self):
//!         super().setUp()        # … through this statement
//! ```
//!
//! What calls of other helpers do is for the dependence graph to find out, from their bodies.

use super::ops::own_place;
use super::place::Places;
use super::tree::Tree;
use paring_model::{CallResult, Op, PlaceId, RoutineId, StmtId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Summary {
    reads: BTreeSet<PlaceId>,
    binds: BTreeSet<PlaceId>,
    changes: BTreeSet<PlaceId>,
}

impl Summary {
    fn add(&mut self, op: &Op, is_own: impl Fn(PlaceId) -> bool) {
        match op {
            Op::Use(place) => {
                if !is_own(*place) {
                    self.reads.insert(*place);
                }
            }
            Op::Define(place) | Op::MayDefine(place) => {
                if !is_own(*place) {
                    self.binds.insert(*place);
                }
            }
            Op::Mutate(place) => {
                if !is_own(*place) {
                    self.changes.insert(*place);
                }
            }
            Op::Call(call) => {
                if call.result == CallResult::Dropped {
                    let reached = call.receiver.iter().chain(&call.args);
                    self.changes.extend(reached.copied().filter(|place| !is_own(*place)));
                }
            }
        }
    }

    fn absorb(&mut self, other: &Summary, is_own: impl Fn(PlaceId) -> bool) -> bool {
        let before = (self.reads.len(), self.binds.len(), self.changes.len());
        self.reads.extend(other.reads.iter().copied().filter(|place| !is_own(*place)));
        self.binds.extend(other.binds.iter().copied().filter(|place| !is_own(*place)));
        self.changes.extend(other.changes.iter().copied().filter(|place| !is_own(*place)));
        before != (self.reads.len(), self.binds.len(), self.changes.len())
    }
}

/// Which routines a mention of a place may run.
pub type Mentions = BTreeMap<PlaceId, Vec<RoutineId>>;

/// Functions by the places of their names, and classes with all their methods.
pub fn mentions(tree: &Tree, places: &mut Places) -> Mentions {
    let mut found = Mentions::new();
    for idx in 0..tree.nodes.len() {
        let (name, routines) = if let Some(class) = tree.nodes[idx].class() {
            let scope = tree.opens[idx].expect("a class opens a scope");
            if tree.scopes.all[scope].related {
                continue;
            }
            let members = &tree.stmts[idx].children;
            let methods = super::target::definitions(tree, members);
            (class.name.as_str(), methods.iter().filter_map(|id| tree.defines[id.idx()]).collect())
        } else if let (Some(def), Some(routine)) = (tree.nodes[idx].function(), tree.defines[idx]) {
            (def.name.as_str(), vec![routine])
        } else {
            continue;
        };
        if let Some(place) = own_place(&tree.scopes, places, tree.scope[idx], name) {
            found.entry(place).or_default().extend::<Vec<RoutineId>>(routines);
        }
    }
    found
}

/// Adds what helpers read to their definitions, and what set-up does to the statements that call it.
pub fn expand(tree: &mut Tree, places: &Places, mentions: &Mentions, sequence: &[RoutineId]) {
    let own = own_summaries(tree, places);
    let total = total_summaries(tree, places, mentions, &own);
    for idx in 0..tree.stmts.len() {
        let within = tree.stmts[idx].routine;
        // The statements of a routine of the sequence are in the flow themselves.
        let helper = tree.defines[idx].filter(|routine| !sequence.contains(routine));
        let ops = std::mem::take(&mut tree.stmts[idx].ops);
        let mut expanded = Vec::with_capacity(ops.len());
        let mut seen: Vec<RoutineId> = vec![within];
        for op in ops {
            let used = match &op {
                Op::Use(place) => mentions.get(place),
                Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
            };
            // The name a definition binds comes last; what its body needs comes before it.
            if let (Op::Define(_), Some(helper)) = (&op, helper) {
                expanded.extend(own[helper.idx()].reads.iter().map(|&place| Op::Use(place)));
            }
            expanded.push(op);
            for &routine in used.into_iter().flatten() {
                if sequence.contains(&routine) && !seen.contains(&routine) {
                    seen.push(routine);
                    let summary = &total[routine.idx()];
                    expanded.extend(summary.reads.iter().map(|&place| Op::Use(place)));
                    expanded.extend(summary.binds.iter().map(|&place| Op::MayDefine(place)));
                    expanded.extend(summary.changes.iter().map(|&place| Op::Mutate(place)));
                }
            }
        }
        tree.stmts[idx].ops = expanded;
    }
}

/// Of each routine with the functions nested in it, without those it mentions.
fn own_summaries(tree: &Tree, places: &Places) -> Vec<Summary> {
    let mut summaries = vec![Summary::default(); tree.routines.len()];
    for stmt in &tree.stmts {
        let routine = stmt.routine;
        for op in &stmt.ops {
            summaries[routine.idx()].add(op, |place| places.is_local_of(place, routine));
        }
    }
    // Nested routines have higher numbers than those around them.
    for idx in (1..tree.routines.len()).rev() {
        let outer = outer_routine(tree, RoutineId::from_idx(idx));
        let inner = std::mem::take(&mut summaries[idx]);
        if outer.idx() != 0 {
            summaries[outer.idx()].absorb(&inner, |place| places.is_local_of(place, outer));
        }
        summaries[idx] = inner;
    }
    summaries
}

fn outer_routine(tree: &Tree, routine: RoutineId) -> RoutineId {
    let def: StmtId = tree.routines[routine.idx()].def.expect("only the module has no definition");
    tree.stmts[def.idx()].routine
}

/// Of each routine with all it mentions.
fn total_summaries(tree: &Tree, places: &Places, mentions: &Mentions, own: &[Summary]) -> Vec<Summary> {
    let mut total = own.to_vec();
    let mut edges: Vec<BTreeSet<RoutineId>> = vec![BTreeSet::new(); total.len()];
    for stmt in &tree.stmts {
        for op in &stmt.ops {
            if let Op::Use(place) = op
                && let Some(routines) = mentions.get(place)
            {
                edges[stmt.routine.idx()].extend(routines);
            }
        }
    }
    loop {
        let mut changed = false;
        for idx in (1..total.len()).rev() {
            let routine = RoutineId::from_idx(idx);
            let mut summary = std::mem::take(&mut total[idx]);
            for &callee in &edges[idx] {
                if callee != routine {
                    let is_own = |place| places.is_local_of(place, routine);
                    changed |= summary.absorb(&total[callee.idx()], is_own);
                }
            }
            total[idx] = summary;
        }
        if !changed {
            return total;
        }
    }
}
