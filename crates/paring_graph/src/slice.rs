//! The statements a point of the test depends on, each with who asked for it and why.
//!
//! # Terms
//!
//! The *criterion* is the statements a slice is taken for: those that failed, and those the user protects. A slice is
//! all that can be reached from it along the edges of a [`Dependence`]. Its *strong* part is what can be reached along
//! well-founded data edges alone: what the failing value is computed from. Its *potential* part is what did not run and would have
//! changed that value, with all that decided against it: the loop that had nothing to go through, the call that did not throw.
//!
//! # Example
//!
//! ```python
//! import shop              # s0: kept, asked for by s1 (Binding)
//! cart = shop.Cart()       # s1: kept and strong, asked for by s3 and s4 (Data cart)
//! log = []                 # s2: not kept
//! if cart.open:            # s3: kept, asked for by s4 (Control); in `control`, not in `strong`
//!     cart.add(3)          # s4: kept and strong, asked for by s5 (Data cart)
//! assert cart.sum == 3     # s5: the criterion
//! ```

use crate::dependence::{Dependence, Edge, Reason};
use paring_model::{StmtId, StmtKind, StmtSet, Unit};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// All that the criterion depends on, with itself. Never docstrings.
    pub kept: StmtSet,
    /// Of every kept statement that another asked for: which ones, and why; sorted, without duplicates.
    pub why: BTreeMap<StmtId, Vec<(StmtId, Reason)>>,
    /// Reached from the criterion through data of strength `Convention` or `Observed` alone, with the criterion.
    pub strong: StmtSet,
    /// What would have changed the value had it run, what decided that it did not, and all those are computed from; without the
    /// strong statements.
    pub potential: StmtSet,
    /// What decides whether the strong statements run, what stands around them, and the data those need in turn; without
    /// the strong statements themselves.
    pub control: StmtSet,
}

/// The backward slice from the criterion and the protected statements.
pub fn slice(unit: &Unit, dependence: &Dependence, criterion: &[StmtId]) -> Slice {
    let is_protected = |&id: &StmtId| unit.stmt(id).protected;
    let start: Vec<StmtId> = criterion.iter().copied().chain(unit.ids().filter(is_protected)).collect();
    let kept = kept(unit, dependence, start.clone());
    let strong = closure(unit, dependence, &start, Reason::is_strong);
    let mut control = closure(unit, dependence, &start, |reason| reason.is_strong() || is_around(reason));
    let mut potential = potential(dependence, &strong);
    for id in strong.iter() {
        control.remove(id);
        potential.remove(id);
    }
    let mut why: BTreeMap<StmtId, Vec<(StmtId, Reason)>> = BTreeMap::new();
    for id in kept.iter() {
        for edge in dependence.edges(id).iter().filter(|edge| kept.contains(edge.on)) {
            why.entry(edge.on).or_default().push((id, edge.reason));
        }
    }
    for (user, edge) in dependence.clearing(&kept) {
        let reasons = why.entry(edge.on).or_default();
        reasons.push((user, edge.reason));
        reasons.sort_unstable();
    }
    Slice { kept, why, strong, potential, control }
}

/// All that some statements depend on, and what those need together.
fn kept(unit: &Unit, dependence: &Dependence, mut start: Vec<StmtId>) -> StmtSet {
    loop {
        let kept = closure(unit, dependence, &start, |_| true);
        let more = dependence.clearing(&kept).map(|(_, edge)| edge.on).filter(|&on| !kept.contains(on));
        let n_known = start.len();
        start.extend(more);
        if start.len() == n_known {
            return kept;
        }
    }
}

/// What the strong statements wait for in vain. From there it goes on along data, and to what decides; from the data again only
/// along data.
fn potential(dependence: &Dependence, strong: &StmtSet) -> StmtSet {
    let mut found = StmtSet::default();
    let mut decided = StmtSet::default();
    let mut waiting: Vec<(StmtId, bool)> = strong.iter().map(|id| (id, false)).collect();
    while let Some((id, is_decided)) = waiting.pop() {
        let is_found = found.insert(id);
        let is_new = if is_decided { decided.insert(id) } else { is_found };
        if !is_new {
            continue;
        }
        for edge in dependence.edges(id) {
            match edge.reason {
                Reason::Potential { .. } => waiting.push((edge.on, true)),
                Reason::Control | Reason::Handler if is_decided => waiting.push((edge.on, true)),
                Reason::Data { .. } if edge.reason.is_strong() => waiting.push((edge.on, false)),
                Reason::Data { .. }
                | Reason::Control
                | Reason::Handler
                | Reason::Through { .. }
                | Reason::Resource
                | Reason::Parent
                | Reason::Binding => {}
            }
        }
    }
    found
}

/// Of the statements within a set: those that the criterion depends on without leaving the set.
pub fn needed_within(dependence: &Dependence, criterion: &[StmtId], within: &StmtSet) -> StmtSet {
    let mut found = StmtSet::default();
    let mut waiting: Vec<StmtId> = criterion.to_vec();
    while let Some(id) = waiting.pop() {
        if within.contains(id) && found.insert(id) {
            waiting.extend(dependence.edges(id).iter().map(|edge| edge.on));
        }
    }
    found
}

fn closure(
    unit: &Unit,
    dependence: &Dependence,
    start: &[StmtId],
    follows: impl Fn(Reason) -> bool,
) -> StmtSet {
    let mut found = StmtSet::default();
    let mut waiting = start.to_vec();
    while let Some(id) = waiting.pop() {
        if unit.stmt(id).kind == StmtKind::Docstring || !found.insert(id) {
            continue;
        }
        let wanted = |edge: &&Edge| follows(edge.reason) && !found.contains(edge.on);
        waiting.extend(dependence.edges(id).iter().filter(wanted).map(|edge| edge.on));
    }
    found
}

fn is_around(reason: Reason) -> bool {
    match reason {
        Reason::Control | Reason::Handler | Reason::Resource | Reason::Parent => true,
        Reason::Data { .. } | Reason::Potential { .. } | Reason::Through { .. } | Reason::Binding => false,
    }
}
