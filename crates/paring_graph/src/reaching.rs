//! Reaching definitions: for every use, the definitions whose value may still be there.
//!
//! # Terms
//!
//! Every definition *kills* the earlier ones of its place (a weak one may: it uses what it changes, see `def_use.rs`).
//! *In* of a basic block is the set of definitions that may be alive where it begins: the union of its predecessors'
//! *out*, and *out* is *in* without what the block kills, with what it leaves. Definitions are numbered place by
//! place, so that killing a place is clearing one range of bits, and only *in* is stored.
//!
//! A definition in a statement that never ran is *potential*: nothing was computed from it. One that binds kills as any other: what
//! came before it does not come through it. A mere change kills only others of its sort.
//!
//! # Example
//!
//! ```python
//! x = 1      # d0
//! if c:
//!     x = 2  # d1
//! use(x)     # in = {d0, d1}: two edges
//! ```
//!
//! Had the branch been `x.grow()`, it would use `x` itself: d1 depends on d0 already, and the edge from the use to d0
//! adds nothing to any slice. Such edges are left out, or a place changed in a thousand branches would have half a
//! million of them.

use crate::basic_block::{Blocks, blocks};
use crate::cfg::{Cfg, NodeId};
use crate::def_use::{Def, DefUse};
use fixedbitset::FixedBitSet;
use paring_model::PlaceId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One definition that a use may see.
pub(crate) struct Reached {
    pub(crate) user: NodeId,
    pub(crate) place: PlaceId,
    pub(crate) definer: NodeId,
}

/// How many changes of a place are asked whether they already depend on another definition.
const N_ASKED: usize = 4;

/// Calls `each` for every definition that a use sees, in the order of the nodes.
pub(crate) fn reaching(cfg: &Cfg, def_use: &[DefUse], mut each: impl FnMut(Reached)) {
    let blocks = blocks(cfg);
    let definitions = Definitions::new(cfg, def_use);
    let mut problem = Problem { cfg, def_use, blocks, definitions, leaves: Vec::new(), ins: Vec::new() };
    problem.summarize();
    problem.solve();
    for block in 0..problem.blocks.len() {
        problem.walk(block, |user, place, definition| {
            each(Reached { user, place, definer: problem.definitions.all[definition].node });
        });
    }
}

struct Definition {
    node: NodeId,
    /// It uses its place, before anything in its block defines that: it depends on what reaches the block.
    chained: bool,
}

/// All definitions, numbered by place, then those that ran before potential ones, then by node.
struct Definitions {
    all: Vec<Definition>,
    /// By place: where its definitions begin, where the potential ones do, and where they end.
    bounds: BTreeMap<PlaceId, (usize, usize, usize)>,
}

impl Definitions {
    fn new(cfg: &Cfg, def_use: &[DefUse]) -> Self {
        let mut keys: Vec<(PlaceId, bool, NodeId)> = Vec::new();
        for node in cfg.node_ids() {
            keys.extend(def_use[node.idx()].defs.iter().map(|(&place, def)| (place, def.potential, node)));
        }
        keys.sort_unstable();
        let mut bounds: BTreeMap<PlaceId, (usize, usize, usize)> = BTreeMap::new();
        for (number, &(place, is_potential, _)) in keys.iter().enumerate() {
            let bound = bounds.entry(place).or_insert((number, number, number));
            bound.2 = number + 1;
            if !is_potential {
                bound.1 = number + 1;
            }
        }
        let all = keys.into_iter().map(|(_, _, node)| Definition { node, chained: false }).collect();
        Self { all, bounds }
    }

    fn number(&self, place: PlaceId, node: NodeId, is_potential: bool) -> usize {
        let (start, potential, end) = self.bounds[&place];
        let range = if is_potential { potential..end } else { start..potential };
        let found = self.all[range.clone()].binary_search_by_key(&node, |definition| definition.node);
        range.start + found.expect("every definition of the graph is numbered")
    }

    fn range(&self, place: PlaceId) -> Range<usize> {
        self.bounds.get(&place).map_or(0..0, |&(start, _, end)| start..end)
    }

    fn potential_range(&self, place: PlaceId) -> Range<usize> {
        self.bounds.get(&place).map_or(0..0, |&(_, potential, end)| potential..end)
    }
}

/// What has become of a place since the start of the block.
#[derive(Clone, Copy, Default)]
struct Local {
    /// The last definition that ran.
    ran: Option<usize>,
    /// The last potential definition since.
    potential: Option<usize>,
    /// Whether nothing from before the block is left.
    cut: bool,
}

impl Local {
    fn is_untouched(self) -> bool {
        self.ran.is_none() && self.potential.is_none()
    }

    fn define(&mut self, number: usize, def: Def) {
        *self = match (def.potential, def.binds) {
            (false, _) => Local { ran: Some(number), potential: None, cut: true },
            (true, true) => Local { ran: None, potential: Some(number), cut: true },
            (true, false) => Local { potential: Some(number), ..*self },
        };
    }
}

struct Problem<'a> {
    cfg: &'a Cfg,
    def_use: &'a [DefUse],
    blocks: Blocks,
    definitions: Definitions,
    /// By block: what it leaves of the places it defines.
    leaves: Vec<Vec<(PlaceId, Local)>>,
    /// By block: the definitions alive where it begins.
    ins: Vec<FixedBitSet>,
}

impl Problem<'_> {
    fn summarize(&mut self) {
        for block in 0..self.blocks.len() {
            let mut locals: BTreeMap<PlaceId, Local> = BTreeMap::new();
            for node in self.blocks.nodes(block) {
                let DefUse { uses, defs } = &self.def_use[node.idx()];
                for (&place, def) in defs {
                    let number = self.definitions.number(place, node, def.potential);
                    let local = locals.entry(place).or_default();
                    // What never ran does not stand for what did.
                    self.definitions.all[number].chained =
                        uses.contains(&place) && local.is_untouched() && !def.potential;
                    local.define(number, *def);
                }
            }
            self.leaves.push(locals.into_iter().collect());
        }
    }

    /// Always takes the first block that waits: nodes are numbered as they flow, so a loop settles before what follows
    /// it is visited, and no news travels through the program once per loop.
    fn solve(&mut self) {
        let n_definitions = self.definitions.all.len();
        let n_blocks = self.blocks.len();
        self.ins = vec![FixedBitSet::with_capacity(n_definitions); n_blocks];
        let mut waiting: BTreeSet<usize> = (0..n_blocks).collect();
        let mut out = FixedBitSet::with_capacity(n_definitions);
        while let Some(block) = waiting.pop_first() {
            out.clone_from(&self.ins[block]);
            self.leave(block, &mut out);
            for next in self.blocks.successors(self.cfg, block) {
                if !out.is_subset(&self.ins[next]) {
                    self.ins[next].union_with(&out);
                    waiting.insert(next);
                }
            }
        }
    }

    fn leave(&self, block: usize, out: &mut FixedBitSet) {
        for &(place, local) in &self.leaves[block] {
            let killed = if local.cut {
                self.definitions.range(place)
            } else {
                self.definitions.potential_range(place)
            };
            out.remove_range(killed);
            for number in [local.ran, local.potential].into_iter().flatten() {
                out.insert(number);
            }
        }
    }

    fn walk(&self, block: usize, mut each: impl FnMut(NodeId, PlaceId, usize)) {
        let mut locals: BTreeMap<PlaceId, Local> = BTreeMap::new();
        for node in self.blocks.nodes(block) {
            let DefUse { uses, defs } = &self.def_use[node.idx()];
            for &place in uses {
                let local = locals.get(&place).copied().unwrap_or_default();
                let mut seen = self.seen(block, place, local);
                if seen.len() > 1 {
                    self.thin(node, defs.contains_key(&place), &mut seen);
                }
                for number in seen {
                    each(node, place, number);
                }
            }
            for (&place, def) in defs {
                let number = self.definitions.number(place, node, def.potential);
                locals.entry(place).or_default().define(number, *def);
            }
        }
    }

    /// The definitions of a place that are alive at a point of a block, by falling number.
    fn seen(&self, block: usize, place: PlaceId, local: Local) -> Vec<usize> {
        let mut seen: Vec<usize> = [local.potential, local.ran].into_iter().flatten().collect();
        if !local.cut {
            let mut range = self.definitions.range(place);
            if local.potential.is_some() {
                range.end = self.definitions.potential_range(place).start;
            }
            let incoming: Vec<usize> = ones_in(&self.ins[block], range).collect();
            seen.extend(incoming.into_iter().rev());
        }
        seen
    }

    /// Leaves out definitions that a later change of the place, seen here too, depends on by itself.
    ///
    /// Every slice stays the same. An edge is only ever left out for a pair of edges: one to a later definition, and one
    /// from that definition, which stands before the user if the user is itself a change. Going from pair to pair,
    /// targets grow or sources shrink, so it ends at edges that were not left out.
    fn thin(&self, user: NodeId, user_defines: bool, seen: &mut Vec<usize>) {
        let mut asked: Vec<usize> = Vec::new();
        seen.retain(|&number| {
            if asked.iter().any(|&block| self.ins[block].contains(number)) {
                return false;
            }
            let Definition { node, chained } = self.definitions.all[number];
            if chained && asked.len() < N_ASKED && !(user_defines && node >= user) {
                asked.push(self.blocks.block_of(node));
            }
            true
        });
    }
}

/// The members of a bit set within a range. Word by word, since a place's range is short beside the whole set.
fn ones_in(set: &FixedBitSet, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let bits = usize::BITS as usize;
    let words = range.start / bits..range.end.div_ceil(bits);
    let in_words = words.flat_map(move |word_idx| {
        let mut word = set.as_slice()[word_idx];
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(word_idx * bits + bit)
        })
    });
    in_words.filter(move |number| range.contains(number))
}
