//! Control dependence: which branches and jumps decide whether a statement runs.
//!
//! # Terms
//!
//! `p` *post-dominates* `s` when every way from `s` to the exit goes through `p`. `s` is *control dependent* on `c` when
//! `c` has a way out that `s` post-dominates and another that avoids `s`. Read off the post-dominator tree: for an edge
//! `c → b`, everything from `b` up to (not including) the parent of `c` depends on `c`. The tree is found with the
//! iteration of Cooper, Harvey and Kennedy, over regular and fall-through edges.
//!
//! # Example
//!
//! ```python
//! if a:       # n2
//!     return  # n3: to the exit, falls through to n4; depends on n2
//! use(x)      # n4: depends on n3 (had it not returned), and through it on n2
//! ```

use crate::cfg::{Cfg, FlowKind, NodeId};

/// By node: the nodes it is control dependent on. Where one of them depends on another in turn, the other may be left
/// out: a statement after a thousand early returns needs the last, which needs the one before.
pub(crate) fn control(cfg: &Cfg) -> Vec<Vec<NodeId>> {
    let parents = post_dominators(cfg);
    let mut found: Vec<Vec<NodeId>> = vec![Vec::new(); cfg.n_nodes()];
    // Nodes that depend on the branch at hand, directly or not: marked with it.
    let mut marks: Vec<NodeId> = vec![NodeId::ENTRY; cfg.n_nodes()];
    for branch in cfg.node_ids().rev().filter(|&node| cfg.stmt(node).is_some()) {
        let targets: Vec<NodeId> = carrying(cfg.successors(branch)).collect();
        let Some(end) = parents[branch.idx()] else { continue };
        if targets.len() < 2 {
            continue;
        }
        for target in targets {
            let mut node = target;
            while node != end {
                let is_implied =
                    node != branch && marks[node.idx()] != branch && implies(&found, &marks, node, branch);
                if node != branch && marks[node.idx()] != branch && !is_implied {
                    found[node.idx()].push(branch);
                }
                marks[node.idx()] = branch;
                let Some(parent) = parents[node.idx()] else { break };
                node = parent;
            }
        }
    }
    found
}

/// Whether what the node depends on already depends on the branch, in one step or two.
fn implies(found: &[Vec<NodeId>], marks: &[NodeId], node: NodeId, branch: NodeId) -> bool {
    const N_ASKED: usize = 4;
    found[node.idx()].iter().rev().take(N_ASKED).any(|&on| {
        let is_marked = |&other: &NodeId| other != branch && marks[other.idx()] == branch;
        is_marked(&on)
            || found[on.idx()].iter().rev().take(N_ASKED).any(|other| *other == branch || is_marked(other))
    })
}

fn carrying(edges: &[(NodeId, FlowKind)]) -> impl Iterator<Item = NodeId> + '_ {
    edges.iter().filter(|(_, kind)| kind.carries_control()).map(|&(other, _)| other)
}

/// By node: its parent in the post-dominator tree. `None` for nodes that cannot reach the exit, and for the exit.
fn post_dominators(cfg: &Cfg) -> Vec<Option<NodeId>> {
    let order = post_order(cfg);
    let mut rank = vec![usize::MAX; cfg.n_nodes()];
    for (position, &node) in order.iter().enumerate() {
        rank[node.idx()] = position;
    }
    let mut parents: Vec<Option<NodeId>> = vec![None; cfg.n_nodes()];
    parents[NodeId::EXIT.idx()] = Some(NodeId::EXIT);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&node| node != NodeId::EXIT) {
            let mut known = carrying(cfg.successors(node)).filter(|next| parents[next.idx()].is_some());
            let first = known.next();
            let parent = first.map(|first| known.fold(first, |a, b| meet(&parents, &rank, a, b)));
            if parent.is_some() && parents[node.idx()] != parent {
                parents[node.idx()] = parent;
                changed = true;
            }
        }
    }
    parents[NodeId::EXIT.idx()] = None;
    parents
}

/// The nearest node that both lead up to.
fn meet(parents: &[Option<NodeId>], rank: &[usize], mut a: NodeId, mut b: NodeId) -> NodeId {
    let up = |node: NodeId| parents[node.idx()].expect("only nodes with a parent are met");
    while a != b {
        while rank[a.idx()] < rank[b.idx()] {
            a = up(a);
        }
        while rank[b.idx()] < rank[a.idx()] {
            b = up(b);
        }
    }
    a
}

/// The nodes that reach the exit, in post-order of the reversed graph: the exit is last.
fn post_order(cfg: &Cfg) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(cfg.n_nodes());
    let mut seen = vec![false; cfg.n_nodes()];
    seen[NodeId::EXIT.idx()] = true;
    let mut stack: Vec<(NodeId, usize)> = vec![(NodeId::EXIT, 0)];
    while let Some((node, next_idx)) = stack.last_mut() {
        let Some(&(before, kind)) = cfg.predecessors(*node).get(*next_idx) else {
            order.push(*node);
            stack.pop();
            continue;
        };
        *next_idx += 1;
        if kind.carries_control() && !std::mem::replace(&mut seen[before.idx()], true) {
            stack.push((before, 0));
        }
    }
    order
}
