//! Builds the [`Cfg`]: walks the statement tree with the edges that still wait for their target.
//!
//! A [`Flow`] is that list of loose ends. Walking a statement takes the loose ends that lead to it and returns those
//! that leave it; jumps put theirs into the frame they leave (a loop, a `try`), which releases them when it is closed.

use crate::cfg::{Cfg, FlowKind, NodeId};
use paring_model::{Facts, RoutineId, RoutineKind, StmtId, StmtKind, Unit};

/// Loose ends: edges whose target is the next node to come.
type Flow = Vec<(NodeId, FlowKind)>;

pub(crate) fn flow(unit: &Unit, facts: &Facts) -> Cfg {
    let mut builder = Builder {
        unit,
        facts,
        cfg: Cfg::empty(unit),
        frames: Vec::new(),
        returns: Vec::new(),
        uncaught: Vec::new(),
    };
    let mut loose = vec![(NodeId::ENTRY, FlowKind::Regular)];
    for &routine in &unit.sequence {
        loose = builder.routine(routine, loose);
    }
    builder.connect(loose, NodeId::EXIT);
    builder.cfg
}

/// Something that a jump can leave or end at.
enum Frame {
    Loop {
        header: NodeId,
        breaks: Flow,
    },
    /// A `try` with handlers, or a `with` that expects an exception: what is raised inside ends behind it.
    Catch {
        raises: Flow,
    },
    /// A `try` with a `finally`: where the jumps that leave it lead.
    Finally {
        passing: Vec<Landing>,
    },
    /// A `switch`.
    Choice {
        breaks: Flow,
    },
}

/// Where a jump leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Landing {
    /// Behind the loop or the catching statement at this index of the frames.
    Behind(usize),
    Header(NodeId),
    NextRoutine,
    Exit,
}

struct Builder<'a> {
    unit: &'a Unit,
    facts: &'a Facts,
    cfg: Cfg,
    /// Frames of the routine being walked, outermost first.
    frames: Vec<Frame>,
    returns: Flow,
    /// What may leave the test by an exception: it still goes through the tear-down.
    uncaught: Flow,
}

impl Builder<'_> {
    fn connect(&mut self, loose: Flow, to: NodeId) {
        for (from, kind) in loose {
            self.cfg.add_edge(from, to, kind);
        }
    }

    fn node(&mut self, stmt: StmtId, loose: Flow) -> NodeId {
        let node = self.cfg.add_node(stmt);
        self.connect(loose, node);
        node
    }

    fn routine(&mut self, id: RoutineId, mut loose: Flow) -> Flow {
        let unit = self.unit;
        let routine = unit.routine(id);
        match routine.kind {
            RoutineKind::TearDown => loose.append(&mut self.uncaught),
            RoutineKind::Module
            | RoutineKind::Fixture
            | RoutineKind::SetUp
            | RoutineKind::Test
            | RoutineKind::Helper
            | RoutineKind::OtherTest => {}
        }
        let mut out = self.block(&routine.body, loose);
        out.append(&mut self.returns);
        out
    }

    fn block(&mut self, stmts: &[StmtId], mut loose: Flow) -> Flow {
        for &stmt in stmts {
            loose = self.stmt(stmt, loose);
        }
        loose
    }

    /// The node's children without its clauses, entered from the node.
    fn body(&mut self, id: StmtId, node: NodeId) -> Flow {
        let mut loose = vec![(node, FlowKind::Regular)];
        let unit = self.unit;
        for &child in unit.stmt(id).children.iter().filter(|&&child| !unit.stmt(child).kind.is_clause()) {
            loose = self.stmt(child, loose);
        }
        loose
    }

    fn stmt(&mut self, id: StmtId, loose: Flow) -> Flow {
        let kind = self.unit.stmt(id).kind;
        // A class body can stand in the sequence as a routine of its own: it runs once.
        if kind == StmtKind::Docstring || self.cfg.node(id).is_some() {
            return loose;
        }
        let (before, after) = self.inline(id);
        let loose = self.block(&before, loose);
        let node = self.node(id, loose);
        if !after.is_empty() {
            return self.block(&after, vec![(node, FlowKind::Regular)]);
        }
        match kind {
            StmtKind::Simple | StmtKind::Import | StmtKind::Docstring | StmtKind::Def => {
                vec![(node, FlowKind::Regular)]
            }
            StmtKind::Assert => self.assert(node),
            StmtKind::Raise if self.is_check_that_held(id) => self.assert(node),
            StmtKind::Raise => self.jump(node, Some(self.raise_landing())),
            StmtKind::Return => self.jump(node, Some(Landing::NextRoutine)),
            StmtKind::Break { loops: 0 } => self.jump(node, self.choice_frame().map(Landing::Behind)),
            StmtKind::Break { loops } => {
                self.jump(node, self.loop_frame(loops).map(|(idx, _)| Landing::Behind(idx)))
            }
            StmtKind::Continue { loops } => {
                self.jump(node, self.loop_frame(loops).map(|(_, header)| Landing::Header(header)))
            }
            StmtKind::If => self.branch(id, node),
            StmtKind::Loop { endless } => self.repeat(id, node, endless),
            StmtKind::Try => self.attempt(id, node),
            StmtKind::With { expects: true } => self.expecting(id, node),
            StmtKind::Match => self.choice(id, node),
            StmtKind::With { expects: false } | StmtKind::Class | StmtKind::Block => self.body(id, node),
            // Their statements walk their clauses; one that stands alone is a plain block.
            StmtKind::Elif | StmtKind::Else | StmtKind::Handler | StmtKind::Finally | StmtKind::Case => {
                self.body(id, node)
            }
        }
    }

    /// The nodes in a statement's header: definitions, which are there before it runs, and parts of a declaration, which run
    /// as it does.
    fn inline(&self, id: StmtId) -> (Vec<StmtId>, Vec<StmtId>) {
        let is_definition =
            |inner: &StmtId| matches!(self.unit.stmt(*inner).kind, StmtKind::Def | StmtKind::Class);
        self.unit.inline(id).partition(is_definition)
    }

    fn clauses(&self, id: StmtId) -> Vec<StmtId> {
        let unit = self.unit;
        unit.stmt(id).children.iter().copied().filter(|&child| unit.stmt(child).kind.is_clause()).collect()
    }

    fn clause(&self, id: StmtId, kind: StmtKind) -> Option<StmtId> {
        self.clauses(id).into_iter().find(|&clause| self.unit.stmt(clause).kind == kind)
    }

    fn assert(&mut self, node: NodeId) -> Flow {
        if self.raise_landing() == Landing::Exit {
            self.cfg.add_edge(node, NodeId::EXIT, FlowKind::Exceptional);
            self.uncaught.push((node, FlowKind::Exceptional));
        }
        vec![(node, FlowKind::Regular)]
    }

    /// Whether a `raise` is the other side of a check in the set-up, which held: `if not path.exists(): raise …`. It is an
    /// assertion in other words, and like one it decides nothing for what comes after it: had it raised, here or on good code, the
    /// test would never have begun.
    fn is_check_that_held(&self, id: StmtId) -> bool {
        let kind = self.unit.routine(self.unit.stmt(id).routine).kind;
        self.facts.observed
            && !self.facts.hits.contains_key(&id)
            && matches!(kind, RoutineKind::SetUp | RoutineKind::Fixture)
            && self.raise_landing() == Landing::Exit
    }

    fn branch(&mut self, id: StmtId, node: NodeId) -> Flow {
        let mut out = self.body(id, node);
        let mut otherwise = vec![(node, FlowKind::Regular)];
        for clause in self.clauses(id) {
            let clause_node = self.node(clause, std::mem::take(&mut otherwise));
            out.extend(self.body(clause, clause_node));
            if self.unit.stmt(clause).kind == StmtKind::Elif {
                otherwise = vec![(clause_node, FlowKind::Regular)];
            }
        }
        out.extend(otherwise);
        out
    }

    fn choice(&mut self, id: StmtId, node: NodeId) -> Flow {
        let mut out = Vec::new();
        let mut otherwise = self.body(id, node);
        self.frames.push(Frame::Choice { breaks: Vec::new() });
        for clause in self.clauses(id) {
            let clause_node = self.node(clause, otherwise);
            out.extend(self.body(clause, clause_node));
            otherwise = vec![(clause_node, FlowKind::Regular)];
        }
        out.extend(otherwise);
        out.extend(self.close());
        out
    }

    fn repeat(&mut self, id: StmtId, header: NodeId, endless: bool) -> Flow {
        self.frames.push(Frame::Loop { header, breaks: Vec::new() });
        let end = self.body(id, header);
        self.connect(end, header);
        let breaks = self.close();
        let leaves = if endless { FlowKind::FallThrough } else { FlowKind::Regular };
        let mut out = vec![(header, leaves)];
        if let Some(clause) = self.clause(id, StmtKind::Else) {
            let clause_node = self.node(clause, out);
            out = self.body(clause, clause_node);
        }
        out.extend(breaks);
        out
    }

    fn attempt(&mut self, id: StmtId, node: NodeId) -> Flow {
        let finally = self.clause(id, StmtKind::Finally);
        if finally.is_some() {
            self.frames.push(Frame::Finally { passing: Vec::new() });
        }
        let mut out = self.guarded(id, node);
        if let Some(finally) = finally {
            let Some(Frame::Finally { passing }) = self.frames.pop() else {
                unreachable!("frames are closed in the order they were opened")
            };
            out.extend(self.throws(node));
            let finally_node = self.node(finally, out);
            out = self.body(finally, finally_node);
            for landing in passing {
                let passed = out.iter().map(|&(from, _)| (from, FlowKind::Exceptional)).collect();
                self.land(passed, landing);
            }
        }
        out
    }

    /// Body, handlers and `else` of a `try`.
    fn guarded(&mut self, id: StmtId, node: NodeId) -> Flow {
        let handlers: Vec<StmtId> = (self.clauses(id).into_iter())
            .filter(|&clause| self.unit.stmt(clause).kind == StmtKind::Handler)
            .collect();
        let mut raises = Vec::new();
        let mut out;
        if handlers.is_empty() {
            out = self.body(id, node);
        } else {
            self.frames.push(Frame::Catch { raises: Vec::new() });
            out = self.body(id, node);
            raises = self.close();
        }
        let throws = self.throws(node);
        let mut handled = Vec::new();
        for handler in handlers {
            let handler_node = self.node(handler, throws.clone());
            handled.extend(self.body(handler, handler_node));
        }
        if let Some(clause) = self.clause(id, StmtKind::Else) {
            let clause_node = self.node(clause, out);
            out = self.body(clause, clause_node);
        }
        out.extend(handled);
        out.extend(raises);
        out
    }

    fn expecting(&mut self, id: StmtId, node: NodeId) -> Flow {
        self.frames.push(Frame::Catch { raises: Vec::new() });
        let mut out = self.body(id, node);
        out.extend(self.close());
        out.extend(self.throws(node));
        out
    }

    /// Exceptional loose ends of a header and of all nodes built since.
    fn throws(&self, header: NodeId) -> Flow {
        (header.idx()..self.cfg.n_nodes()).map(|idx| (NodeId::from_idx(idx), FlowKind::Exceptional)).collect()
    }

    /// Closes a loop or a catching statement.
    fn close(&mut self) -> Flow {
        match self.frames.pop() {
            Some(
                Frame::Loop { breaks: loose, .. }
                | Frame::Catch { raises: loose }
                | Frame::Choice { breaks: loose },
            ) => loose,
            Some(Frame::Finally { .. }) | None => {
                unreachable!("frames are closed in the order they were opened")
            }
        }
    }

    fn raise_landing(&self) -> Landing {
        let caught = self.frames.iter().rposition(|frame| matches!(frame, Frame::Catch { .. }));
        caught.map_or(Landing::Exit, Landing::Behind)
    }

    /// The loop that a jump over so many loops is about.
    fn loop_frame(&self, loops: u32) -> Option<(usize, NodeId)> {
        let mut loops_inside_out =
            self.frames.iter().enumerate().rev().filter_map(|(idx, frame)| match frame {
                Frame::Loop { header, .. } => Some((idx, *header)),
                Frame::Catch { .. } | Frame::Finally { .. } | Frame::Choice { .. } => None,
            });
        loops_inside_out.nth(loops.saturating_sub(1) as usize)
    }

    fn choice_frame(&self) -> Option<usize> {
        self.frames.iter().rposition(|frame| matches!(frame, Frame::Choice { .. }))
    }

    /// A jump without a landing (`break` outside of a loop) only falls through.
    fn jump(&mut self, node: NodeId, landing: Option<Landing>) -> Flow {
        if let Some(landing) = landing {
            self.pass_through_finally(landing);
            self.land(vec![(node, FlowKind::Regular)], landing);
        }
        vec![(node, FlowKind::FallThrough)]
    }

    fn pass_through_finally(&mut self, landing: Landing) {
        let left_from = match landing {
            Landing::Behind(idx) => idx,
            Landing::Header(header) => {
                let is_header =
                    |frame: &Frame| matches!(frame, Frame::Loop { header: h, .. } if *h == header);
                self.frames.iter().position(is_header).unwrap_or(0)
            }
            Landing::NextRoutine | Landing::Exit => 0,
        };
        for frame in &mut self.frames[left_from..] {
            match frame {
                Frame::Finally { passing } if !passing.contains(&landing) => passing.push(landing),
                Frame::Finally { .. } | Frame::Loop { .. } | Frame::Catch { .. } | Frame::Choice { .. } => {}
            }
        }
    }

    fn land(&mut self, loose: Flow, landing: Landing) {
        match landing {
            Landing::Behind(idx) => match &mut self.frames[idx] {
                Frame::Loop { breaks: behind, .. }
                | Frame::Catch { raises: behind }
                | Frame::Choice { breaks: behind } => behind.extend(loose),
                Frame::Finally { .. } => unreachable!("no jump ends at a finally"),
            },
            Landing::Header(header) => self.connect(loose, header),
            Landing::NextRoutine => self.returns.extend(loose),
            Landing::Exit => {
                self.uncaught.extend(loose.iter().map(|&(from, _)| (from, FlowKind::Exceptional)));
                self.connect(loose, NodeId::EXIT);
            }
        }
    }
}
