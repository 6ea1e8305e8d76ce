//! Basic blocks: runs of nodes that are entered only at the first and left only after the last.
//!
//! Blocks are made for data flow alone: fall-through edges and edges to the exit carry no values and end no block.
//! Nodes are numbered as they flow, so a block is a range of them. In `a; b; if c: d` then `e` the blocks are
//! `a b c`, `d` and `e`.

use crate::cfg::{Cfg, FlowKind, NodeId};
use std::ops::Range;

pub(crate) struct Blocks {
    ranges: Vec<Range<usize>>,
    /// By node.
    block_of: Vec<usize>,
}

pub(crate) fn blocks(cfg: &Cfg) -> Blocks {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    // Entry and exit are in no block.
    let mut block_of = vec![usize::MAX; NodeId::FIRST];
    for node_idx in NodeId::FIRST..cfg.n_nodes() {
        match ranges.last_mut() {
            Some(last) if continues(cfg, node_idx) => last.end = node_idx + 1,
            Some(_) | None => ranges.push(node_idx..node_idx + 1),
        }
        block_of.push(ranges.len() - 1);
    }
    Blocks { ranges, block_of }
}

/// Whether the node before flows into this one only, and this one from there only.
fn continues(cfg: &Cfg, node_idx: usize) -> bool {
    if node_idx == NodeId::FIRST {
        return false;
    }
    let node = NodeId::from_idx(node_idx);
    let before = NodeId::from_idx(node_idx - 1);
    let mut predecessors = carrying(cfg.predecessors(node));
    let mut successors = carrying(cfg.successors(before));
    predecessors.all(|other| other == before) && successors.all(|other| other == node) && {
        carrying(cfg.successors(before)).next().is_some()
    }
}

fn carrying(edges: &[(NodeId, FlowKind)]) -> impl Iterator<Item = NodeId> + '_ {
    edges
        .iter()
        .filter(|&&(other, kind)| kind.carries_data() && other != NodeId::EXIT)
        .map(|&(other, _)| other)
}

impl Blocks {
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(crate) fn nodes(&self, block: usize) -> impl Iterator<Item = NodeId> + use<> {
        self.ranges[block].clone().map(NodeId::from_idx)
    }

    pub(crate) fn block_of(&self, node: NodeId) -> usize {
        self.block_of[node.idx()]
    }

    /// The blocks that values go to.
    pub(crate) fn successors<'a>(&'a self, cfg: &'a Cfg, block: usize) -> impl Iterator<Item = usize> + 'a {
        let last = NodeId::from_idx(self.ranges[block].end - 1);
        carrying(cfg.successors(last)).map(|node| self.block_of(node))
    }
}
