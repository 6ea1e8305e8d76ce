//! The control flow graph of a test: which statement may run after which.
//!
//! # Terms
//!
//! The program is the unit's *sequence*: the bodies of its routines one after the other. A *node* is a statement or
//! clause that takes part (docstrings do not, nor do bodies of functions outside the sequence). Flow is of three
//! kinds, since each analysis wants its own choice of them:
//!
//! - *regular*: what happens when nothing is thrown. Data and control dependence follow it.
//! - *exceptional*: a statement of a `try` throws into a handler, a `finally` runs on the way out. Data follows it;
//!   control does not, because nearly every statement may throw (who did throw is a fact, see `dependence.rs`).
//! - *fall-through*: from a jump to the statement that would run if the jump were deleted (Choi and Ferrante's
//!   augmented graph). Only control follows it: it is what makes statements depend on the jumps that skip them.
//!
//! # Example
//!
//! ```python
//! while c:       # n2: to n3 and, past the loop, to n5
//!     if d:      # n3: to n4, and back to n2
//!         break  # n4: to n5 (regular), to n2 (fall-through)
//! use(x)         # n5
//! ```
//!
//! A `raise` inside a `try` that has handlers goes regularly to what follows the `try`: the rest of the body depends
//! on it, the handlers do not by this alone. A jump out of a `try` with a `finally` goes regularly to where it leads,
//! and exceptionally through the `finally`.

use crate::flow;
use paring_model::{Facts, StmtId, Unit};

/// A node of the graph: [`NodeId::ENTRY`], [`NodeId::EXIT`], or a statement. Statements are numbered as they flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    pub const ENTRY: NodeId = NodeId(0);
    pub const EXIT: NodeId = NodeId(1);
    /// The first node that is a statement.
    pub(crate) const FIRST: usize = 2;

    pub fn idx(self) -> usize {
        self.0 as usize
    }

    #[expect(clippy::cast_possible_truncation, reason = "a source file has fewer than 2^32 statements")]
    pub(crate) fn from_idx(idx: usize) -> Self {
        Self(idx as u32)
    }
}

/// How control goes from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowKind {
    Regular,
    Exceptional,
    FallThrough,
}

impl FlowKind {
    /// Whether values travel along it.
    pub fn carries_data(self) -> bool {
        match self {
            FlowKind::Regular | FlowKind::Exceptional => true,
            FlowKind::FallThrough => false,
        }
    }

    /// Whether it decides what runs, for control dependence.
    pub fn carries_control(self) -> bool {
        match self {
            FlowKind::Regular | FlowKind::FallThrough => true,
            FlowKind::Exceptional => false,
        }
    }
}

/// Control flow over the statements of a unit's sequence.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// The statement of each node from [`NodeId::FIRST`] on.
    stmts: Vec<StmtId>,
    /// By statement.
    nodes: Vec<Option<NodeId>>,
    successors: Vec<Vec<(NodeId, FlowKind)>>,
    predecessors: Vec<Vec<(NodeId, FlowKind)>>,
}

/// Builds the graph of the unit's sequence. What a traced run saw decides whether a `raise` of the set-up is a check that held.
pub fn cfg(unit: &Unit, facts: &Facts) -> Cfg {
    flow::flow(unit, facts)
}

impl Cfg {
    /// Entry and exit alone.
    pub(crate) fn empty(unit: &Unit) -> Self {
        Self {
            stmts: Vec::new(),
            nodes: vec![None; unit.stmts.len()],
            successors: vec![Vec::new(); NodeId::FIRST],
            predecessors: vec![Vec::new(); NodeId::FIRST],
        }
    }

    pub fn n_nodes(&self) -> usize {
        self.successors.len()
    }

    pub fn node_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.n_nodes()).map(NodeId::from_idx)
    }

    /// The statements that take part, in the order they were met.
    pub fn stmts(&self) -> &[StmtId] {
        &self.stmts
    }

    /// `None` for entry and exit.
    pub fn stmt(&self, node: NodeId) -> Option<StmtId> {
        node.idx().checked_sub(NodeId::FIRST).map(|idx| self.stmts[idx])
    }

    /// `None` for statements that take no part.
    pub fn node(&self, stmt: StmtId) -> Option<NodeId> {
        self.nodes[stmt.idx()]
    }

    pub fn successors(&self, node: NodeId) -> &[(NodeId, FlowKind)] {
        &self.successors[node.idx()]
    }

    pub fn predecessors(&self, node: NodeId) -> &[(NodeId, FlowKind)] {
        &self.predecessors[node.idx()]
    }

    pub(crate) fn add_node(&mut self, stmt: StmtId) -> NodeId {
        let node = NodeId::from_idx(self.n_nodes());
        self.stmts.push(stmt);
        self.nodes[stmt.idx()] = Some(node);
        self.successors.push(Vec::new());
        self.predecessors.push(Vec::new());
        node
    }

    /// A regular edge stands for the two others as well, so none is added beside it.
    pub(crate) fn add_edge(&mut self, from: NodeId, to: NodeId, kind: FlowKind) {
        let known: Vec<FlowKind> = self.successors[from.idx()]
            .iter()
            .filter(|&&(other, _)| other == to)
            .map(|&(_, kind)| kind)
            .collect();
        if known.contains(&kind) || known.contains(&FlowKind::Regular) {
            return;
        }
        if kind == FlowKind::Regular && !known.is_empty() {
            self.successors[from.idx()].retain(|&(other, _)| other != to);
            self.predecessors[to.idx()].retain(|&(other, _)| other != from);
        }
        self.successors[from.idx()].push((to, kind));
        self.predecessors[to.idx()].push((from, kind));
    }
}
