//! What each statement of a unit depends on, and why.
//!
//! # Terms
//!
//! An [`Edge`] goes from a statement to one it needs. Data and binding edges come from reaching definitions, control
//! edges from post-dominance, edges through resources from the order of time (`resources.rs`); the rest comes from the
//! nesting of the text and from what the run threw:
//!
//! | statement | needs | because |
//! |---|---|---|
//! | anything nested | the node around it | it would not compile without (`Parent`, or the reason below) |
//! | in a `with`, or in a `try` with a `finally` | that statement | `Resource` |
//! | in the body of a `try`, or its `else` | every handler of the `try` | `Handler`: the header, not what is in it |
//! | in a handler | the handler | `Handler` |
//! | a handler that ran | the statement that threw into it | `Handler` |
//! | what would change something, in a handler that did not run | what might have thrown into it | `Handler` |
//! | a function or class outside the sequence | all that is in it | `Parent` |
//! | the same | what defines the names it reads | `Binding` |
//! | a routine with a fixture's parameter | that fixture | `Binding` |
//! | a class with tests | its attributes and the methods that are no tests, where those count | `Binding` |
//! | a `case` | the `break` that ends it | `Control` |
//! | anything | what its front end says it needs | `Binding` |
//!
//! # Example
//!
//! ```python
//! import shop               # s0
//! cart = shop.Cart()        # s1 → s0 Binding(shop)
//! cart.add(3)               # s2 → s1 Data(cart)
//! if cart:                  # s3 → s2 Data(cart)
//!     assert cart.sum == 3  # s4 → s2 Data(cart), s3 Control
//! ```

use crate::cfg::{Cfg, cfg};
use crate::control::control;
use crate::def_use::{DefUse, Level, Strength, def_use, hidden_place};
use crate::helper::Helpers;
use crate::reaching::{Reached, reaching};
use crate::resources::{Chains, Clearing, chained, presumed};
use paring_model::{
    Facts, Op, PlaceId, PlaceScope, ResourceId, RoutineKind, StmtId, StmtKind, StmtSet, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// The edges of every statement of a unit, at one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// By statement; sorted, without duplicates.
    edges: Vec<Vec<Edge>>,
    clearings: Vec<Clearing>,
}

/// A need of one statement for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub on: StmtId,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A value, or the state of an object, flows through the place (see [`crate::hidden_place`] for hidden ones).
    Data { place: PlaceId, strength: Strength },
    /// It did not run; had it, the place would have another value, or be another object. On good code it may run.
    Potential { place: PlaceId },
    /// It decides whether the statement runs.
    Control,
    /// It threw into the handler, it is the handler around, or the handler that its `try` must have.
    Handler,
    /// It changed a resource that the statement uses or changes in turn, as the traced run saw.
    Through { resource: ResourceId },
    /// The `with` or `try … finally` around.
    Resource,
    /// Nesting: needed to compile.
    Parent,
    /// A definition that must exist for a name to resolve.
    Binding,
}

/// What a dependence goes through, where changes of it form a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    Place(PlaceId),
    Resource(ResourceId),
}

impl Reason {
    /// What the dependence goes through: each change of it stands for the ones before.
    pub fn carrier(self) -> Option<Carrier> {
        match self {
            Reason::Data { place, .. } => Some(Carrier::Place(place)),
            Reason::Through { resource } => Some(Carrier::Resource(resource)),
            Reason::Potential { .. }
            | Reason::Control
            | Reason::Handler
            | Reason::Resource
            | Reason::Parent
            | Reason::Binding => None,
        }
    }

    /// Whether it is data that somebody saw flow, or that flows by all conventions.
    pub fn is_strong(self) -> bool {
        match self {
            Reason::Data { strength, .. } => match strength {
                Strength::Convention | Strength::Observed => true,
                Strength::Hidden => false,
            },
            Reason::Potential { .. }
            | Reason::Control
            | Reason::Handler
            | Reason::Through { .. }
            | Reason::Resource
            | Reason::Parent
            | Reason::Binding => false,
        }
    }
}

impl Dependence {
    pub fn edges(&self, id: StmtId) -> &[Edge] {
        &self.edges[id.idx()]
    }

    /// What a set of statements needs although none of them does: who took away what one of them had changed, before another
    /// used the same resource. Each with that other.
    pub fn clearing<'a>(&'a self, kept: &'a StmtSet) -> impl Iterator<Item = (StmtId, Edge)> + 'a {
        self.clearings.iter().filter_map(|clearing| {
            let user = clearing.needed_for(|id| kept.contains(id))?;
            let reason = Reason::Through { resource: clearing.resource };
            Some((user, Edge { on: clearing.stmt, reason }))
        })
    }
}

/// Computes what depends on what, trusting calls as the level says.
pub fn dependence(unit: &Unit, facts: &Facts, level: Level) -> Dependence {
    let cfg = cfg(unit, facts);
    let (def_use, helpers) = def_use(unit, facts, &cfg, level);
    let mut edges = EdgeBuilder { unit, edges: vec![Vec::new(); unit.stmts.len()] };
    edges.data(&cfg, &def_use);
    let clearings = edges.resources(facts, &cfg, level);
    edges.control(&cfg);
    edges.unthrown(&cfg, &def_use);
    unit.ids().for_each(|parent| edges.nesting(parent));
    edges.helpers(&cfg, &helpers);
    edges.fixtures();
    edges.members();
    unit.ids().for_each(|id| edges.needs(id));
    for transfer in &facts.transfers {
        edges.add(transfer.handler, transfer.from, Reason::Handler);
    }
    for edges in &mut edges.edges {
        edges.sort_unstable();
        edges.dedup();
    }
    Dependence { edges: edges.edges, clearings }
}

/// The edges while they are collected.
struct EdgeBuilder<'a> {
    unit: &'a Unit,
    edges: Vec<Vec<Edge>>,
}

impl EdgeBuilder<'_> {
    fn add(&mut self, id: StmtId, on: StmtId, reason: Reason) {
        if id != on {
            self.edges[id.idx()].push(Edge { on, reason });
        }
    }

    fn data(&mut self, cfg: &Cfg, def_use: &[DefUse]) {
        reaching(cfg, def_use, |Reached { user, place, definer }| {
            let (Some(id), Some(on)) = (cfg.stmt(user), cfg.stmt(definer)) else {
                unreachable!("entry and exit use and define nothing")
            };
            let def = def_use[definer.idx()].defs[&place];
            let only_names = def.binds && defines_a_name(self.unit.stmt(on).kind);
            let reason = match (only_names, def.potential) {
                (true, _) => Reason::Binding,
                (false, true) => Reason::Potential { place },
                (false, false) => Reason::Data { place, strength: def.strength },
            };
            self.add(id, on, reason);
        });
    }

    /// What flows through files, the environment, and all else that no name of the test shows.
    fn resources(&mut self, facts: &Facts, cfg: &Cfg, level: Level) -> Vec<Clearing> {
        let (unit, place) = (self.unit, hidden_place(self.unit));
        let Chains { edges, clearings } = chained(facts, level);
        for (id, on, resource) in edges {
            self.add(id, on, Reason::Through { resource });
        }
        let hidden = Reason::Data { place, strength: Strength::Hidden };
        presumed(unit, facts, cfg, level, |id, on| self.add(id, on, hidden));
        clearings
    }

    fn control(&mut self, cfg: &Cfg) {
        for (node, branches) in cfg.node_ids().zip(control(cfg)) {
            for branch in branches {
                if let (Some(id), Some(on)) = (cfg.stmt(node), cfg.stmt(branch)) {
                    self.add(id, on, Reason::Control);
                }
            }
        }
    }

    /// A handler that did not run, because nothing of its `try` threw: `caught = True` waits for any of its calls. Where the body
    /// itself gives the value that the handler would have given, it is that value which is waited for.
    fn unthrown(&mut self, cfg: &Cfg, def_use: &[DefUse]) {
        let unit = self.unit;
        let def_use: BTreeMap<StmtId, &DefUse> =
            cfg.node_ids().filter_map(|node| Some((cfg.stmt(node)?, &def_use[node.idx()]))).collect();
        let defs = |id: &StmtId| def_use.get(id).into_iter().flat_map(|def_use| &def_use.defs);
        for id in unit.ids().filter(|id| defs(id).any(|(_, def)| def.potential)) {
            let is_handler = |up: &StmtId| unit.stmt(*up).kind == StmtKind::Handler;
            let Some(guarded) =
                unit.ancestors(id).find(is_handler).and_then(|clause| unit.stmt(clause).parent)
            else {
                continue;
            };
            let children =
                unit.stmt(guarded).children.iter().filter(|&&child| !unit.stmt(child).kind.is_clause());
            let body: Vec<StmtId> =
                children.flat_map(|&child| std::iter::once(child).chain(unit.descendants(child))).collect();
            let given: BTreeSet<PlaceId> = body
                .iter()
                .flat_map(defs)
                .filter(|(_, def)| def.binds && !def.potential)
                .map(|(&place, _)| place)
                .collect();
            if defs(&id).all(|(place, _)| given.contains(place)) {
                continue;
            }
            let calls = |id: &StmtId| unit.stmt(*id).ops.iter().any(|op| matches!(op, Op::Call(_)));
            for on in body.into_iter().filter(calls) {
                self.add(id, on, Reason::Handler);
            }
        }
    }

    /// The edges between a node and its children.
    fn nesting(&mut self, parent: StmtId) {
        let unit = self.unit;
        let children = &unit.stmt(parent).children;
        let of_kind = |kind| children.iter().copied().filter(move |&child| unit.stmt(child).kind == kind);
        let is_try = unit.stmt(parent).kind == StmtKind::Try;
        let handlers: Vec<StmtId> = of_kind(StmtKind::Handler).filter(|_| is_try).collect();
        let body_reason = match unit.stmt(parent).kind {
            StmtKind::Handler => Reason::Handler,
            StmtKind::With { .. } => Reason::Resource,
            StmtKind::Try if of_kind(StmtKind::Finally).next().is_some() => Reason::Resource,
            StmtKind::Try
            | StmtKind::If
            | StmtKind::Loop { .. }
            | StmtKind::Match
            | StmtKind::Def
            | StmtKind::Class
            | StmtKind::Block
            | StmtKind::Elif
            | StmtKind::Else
            | StmtKind::Finally
            | StmtKind::Case
            | StmtKind::Simple
            | StmtKind::Import
            | StmtKind::Docstring
            | StmtKind::Assert
            | StmtKind::Raise
            | StmtKind::Return
            | StmtKind::Break { .. }
            | StmtKind::Continue { .. } => Reason::Parent,
        };
        for &child in children.iter().filter(|&&child| unit.stmt(child).kind != StmtKind::Docstring) {
            let is_clause = unit.stmt(child).kind.is_clause();
            self.around(child, parent, if is_clause { Reason::Parent } else { body_reason });
            if !is_clause || unit.stmt(child).kind == StmtKind::Else {
                for &handler in &handlers {
                    self.add(child, handler, Reason::Handler);
                }
            }
        }
    }

    /// A control edge says all that a parent edge would.
    fn around(&mut self, child: StmtId, parent: StmtId, reason: Reason) {
        let control = Edge { on: parent, reason: Reason::Control };
        if reason != Reason::Parent || !self.edges[child.idx()].contains(&control) {
            self.add(child, parent, reason);
        }
    }

    /// Helpers are kept whole, with what their names refer to: wherever that is defined, since it is looked up when
    /// they are called.
    fn helpers(&mut self, cfg: &Cfg, helpers: &Helpers) {
        let unit = self.unit;
        let mut definers: BTreeMap<PlaceId, Vec<StmtId>> = BTreeMap::new();
        for &id in cfg.stmts() {
            for op in &unit.stmt(id).ops {
                if let Op::Define(place) | Op::MayDefine(place) = op {
                    definers.entry(*place).or_default().push(id);
                }
            }
        }
        for id in unit.ids().filter(|&id| helpers.contains(id)) {
            for inner in unit.descendants(id) {
                if unit.stmt(inner).kind != StmtKind::Docstring {
                    self.add(id, inner, Reason::Parent);
                }
            }
            for &place in helpers.own(id).into_iter().flat_map(|outside| &outside.reads) {
                let is_name = matches!(unit.place(place).scope, PlaceScope::Global | PlaceScope::Local(_));
                for &definer in definers.get(&place).into_iter().flatten() {
                    if is_name || defines_a_name(unit.stmt(definer).kind) {
                        self.add(id, definer, Reason::Binding);
                    }
                }
            }
        }
    }

    /// A class that tests live in may hand its members to a base class of another file: attributes and methods that are no
    /// tests stay with it.
    fn members(&mut self) {
        let unit = self.unit;
        let helper_defs: BTreeSet<StmtId> = unit
            .routines
            .iter()
            .filter(|routine| routine.kind == RoutineKind::Helper)
            .filter_map(|routine| routine.def)
            .collect();
        let classes: BTreeSet<StmtId> = unit
            .sequence
            .iter()
            .filter_map(|&routine| unit.routine(routine).def)
            .flat_map(|def| unit.ancestors(def))
            .filter(|&up| unit.stmt(up).kind == StmtKind::Class)
            .collect();
        for class in classes {
            for &member in &unit.stmt(class).children {
                let stmt = unit.stmt(member);
                if stmt.counts && (stmt.kind == StmtKind::Simple || helper_defs.contains(&member)) {
                    self.add(class, member, Reason::Binding);
                }
            }
        }
    }

    /// What the front end says, and the `break` without which one `case` would run into the next.
    fn needs(&mut self, id: StmtId) {
        let unit = self.unit;
        let stmt = unit.stmt(id);
        for &on in &stmt.needs {
            self.add(id, on, Reason::Binding);
        }
        let ends_case = |child: &StmtId| unit.stmt(*child).kind == StmtKind::Break { loops: 0 };
        if stmt.kind == StmtKind::Case {
            for &child in stmt.children.iter().filter(|child| ends_case(child)) {
                self.add(id, child, Reason::Control);
            }
        }
    }

    fn fixtures(&mut self) {
        let unit = self.unit;
        let routines = || unit.sequence.iter().map(|&id| unit.routine(id));
        for user in routines() {
            for fixture in
                routines().filter(|routine| routine.returns.iter().any(|p| user.params.contains(p)))
            {
                if let (Some(id), Some(on)) = (user.def, fixture.def) {
                    self.add(id, on, Reason::Binding);
                }
            }
        }
    }
}

/// Whether a definition by such a statement is one of a name, not of a value that a test computes.
fn defines_a_name(kind: StmtKind) -> bool {
    matches!(kind, StmtKind::Def | StmtKind::Class | StmtKind::Import)
}
