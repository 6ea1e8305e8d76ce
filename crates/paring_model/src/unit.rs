//! One test as parsed: its source, and a tree of statements with what each reads and writes.
//!
//! A unit is immutable and holds the whole test file. Its statements form one arena in source order; a
//! compound statement's *clauses* (`else`, `except`, `finally`, `case`) are nodes of the arena too, children of their
//! statement, so that removing one is like removing any other node. For
//!
//! ```python
//! try:                 # s0: Try
//!     load()           #   s1: Simple
//! except OSError as e: #   s2: Handler (a clause)
//!     log(e)           #     s3: Simple
//! ```
//!
//! `s0.children == [s1, s2]` and `s2.children == [s3]`.
//!
//! What runs for one target is a *sequence* of routines: the module body, then fixtures and set-up, then the test.
//! Reaching definitions flow through the sequence, so a fixture's `return x` defines the test's parameter, and
//! `self.x = …` in `setUp` reaches `self.x` in the test.

use crate::candidate::{Candidate, Form};
use crate::draft::StmtSet;
use crate::literal::Literal;
use crate::text::TextRange;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the arena this id indexes.
            pub fn idx(self) -> usize {
                self.0 as usize
            }

            #[expect(clippy::cast_possible_truncation, reason = "a source file has fewer than 2^32 nodes")]
            pub fn from_idx(idx: usize) -> Self {
                Self(idx as u32)
            }
        }
    };
}

index!(
    /// A statement or clause of a unit. Ids are in source order: a parent's is smaller than its children's.
    StmtId
);
index!(
    /// Something a statement reads or writes.
    PlaceId
);
index!(
    /// A body of statements with its own flow.
    RoutineId
);
index!(
    /// An optional edit the front end offers beside removing statements.
    TrimId
);

/// One parsed test file, seen from one target.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Absolute path of the file.
    pub path: Utf8PathBuf,
    /// The text as the user wrote it, line ends included.
    pub source: String,
    pub stmts: Vec<Stmt>,
    pub places: Vec<Place>,
    pub routines: Vec<Routine>,
    /// The routines that run for the target, in order; the flow of one continues in the next.
    pub sequence: Vec<RoutineId>,
    /// The target's id as it was given: what a candidate's own id is made from.
    pub target: String,
    /// The tests that run before it, as they were given. Those of this file are protected.
    pub after: Vec<String>,
    /// The definitions of those of `after` that stand in this file.
    pub before: Vec<StmtId>,
    /// The test itself. `None` where the file does not define it.
    pub test: Option<RoutineId>,
    pub trims: Vec<Trim>,
    /// Literals that trims make smaller; none unless they were asked for.
    pub literals: Vec<Literal>,
    /// Nodes that are only there to turn off what stands in them. They are no statements of the test, go with what they turn
    /// off, and never by themselves: neither their headers nor their clauses.
    pub masks: StmtSet,
    /// Byte offset of the start of every line; line 1 is index 0.
    pub line_starts: Vec<u32>,
}

impl Unit {
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.idx()]
    }

    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.idx()]
    }

    pub fn routine(&self, id: RoutineId) -> &Routine {
        &self.routines[id.idx()]
    }

    pub fn trim(&self, id: TrimId) -> &Trim {
        &self.trims[id.idx()]
    }

    /// The unit with nodes as its masks.
    #[must_use]
    pub fn with_masks(mut self, masks: StmtSet) -> Self {
        for id in masks.iter() {
            self.stmts[id.idx()].counts = false;
        }
        self.masks = masks;
        self
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = StmtId> + use<> {
        (0..self.stmts.len()).map(StmtId::from_idx)
    }

    pub fn trim_ids(&self) -> impl DoubleEndedIterator<Item = TrimId> + use<> {
        (0..self.trims.len()).map(TrimId::from_idx)
    }

    /// 1-based line of a byte offset.
    pub fn line_of(&self, offset: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "a source file has fewer than 2^32 lines")]
        let line = self.line_starts.partition_point(|&start| start <= offset) as u32;
        line
    }

    /// Byte offset of a 1-based line and a 0-based column in UTF-8 bytes.
    pub fn offset_of(&self, line: u32, column: u32) -> Option<u32> {
        let start = *self.line_starts.get(line.checked_sub(1)? as usize)?;
        Some(start + column)
    }

    /// The innermost statement or clause whose range holds the offset.
    pub fn stmt_at(&self, offset: u32) -> Option<StmtId> {
        self.ids().rev().find(|&id| self.stmt(id).range.contains(offset))
    }

    /// The nodes that stand within the header of `id`: definitions that are part of an expression, parts of a declaration.
    pub fn inline(&self, id: StmtId) -> impl Iterator<Item = StmtId> + '_ {
        let stmt = self.stmt(id);
        stmt.children.iter().copied().take_while(|&child| {
            let range = self.stmt(child).range;
            stmt.header.covers(range) && stmt.header.start < range.start
        })
    }

    /// All nodes below `id`, without itself, in source order.
    pub fn descendants(&self, id: StmtId) -> Vec<StmtId> {
        let mut found = Vec::new();
        let mut stack: Vec<StmtId> = self.stmt(id).children.iter().rev().copied().collect();
        while let Some(next) = stack.pop() {
            found.push(next);
            stack.extend(self.stmt(next).children.iter().rev());
        }
        found
    }

    /// The enclosing nodes, innermost first.
    pub fn ancestors(&self, id: StmtId) -> impl Iterator<Item = StmtId> + '_ {
        std::iter::successors(self.stmt(id).parent, |&up| self.stmt(up).parent)
    }

    /// Another text of the unit's file, with the unit's own target.
    pub fn candidate(&self, text: String, form: Form) -> Candidate {
        Candidate::single(&self.path, text, self.target.clone(), form).with_after(&self.after)
    }

    /// The statements of the test's own body, nested ones included, docstrings not: what sizes are counted in.
    pub fn test_body(&self) -> Vec<StmtId> {
        let Some(test) = self.test else { return Vec::new() };
        let def = self.routine(test).def.expect("a test is defined by a statement");
        self.descendants(def).into_iter().filter(|&id| self.stmt(id).counts).collect()
    }
}

/// A statement, or a clause of a compound one.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// The whole statement with decorators and nested blocks, without leading indentation, comments or `;`.
    pub range: TextRange,
    /// Of a compound statement or clause: from its start to the colon or brace that opens its block, that included.
    /// Of a simple one: the same as `range`.
    pub header: TextRange,
    pub parent: Option<StmtId>,
    /// Nodes within the header (a lambda, a variable of several that one declaration has), then statements of the body, then
    /// clauses; in source order.
    pub children: Vec<StmtId>,
    /// The routine whose flow this statement is part of.
    pub routine: RoutineId,
    /// What the header (or the simple statement) does, in evaluation order.
    pub ops: Vec<Op>,
    /// Nodes it does not work without, beyond those it is nested in and those whose names it reads: of a test class, the
    /// constructor its framework calls.
    pub needs: Vec<StmtId>,
    /// A user's `paring: keep` stands on it.
    pub protected: bool,
    /// Counts as a statement. Clauses do not (but `elif` does), nor do docstrings.
    pub counts: bool,
}

/// What a statement is for the control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// Falls through: assignment, expression, import, `pass`, `global`, `del`.
    Simple,
    /// An import; like `Simple`, told apart for reports.
    Import,
    /// A docstring: kept or dropped with its block, and never counted.
    Docstring,
    /// Falls through or raises: `assert`, or a call of an assertion method (`self.assertEqual`, `assertThat`).
    Assert,
    /// Always raises a failure: `raise`, `pytest.fail()`, `self.fail()`.
    Raise,
    Return,
    /// `loops` is how many enclosing loops it leaves, counted from the innermost (labels make it more than 1). None: it leaves
    /// the `switch` around it.
    Break {
        loops: u32,
    },
    Continue {
        loops: u32,
    },
    If,
    /// `endless` where the condition is literally true.
    Loop {
        endless: bool,
    },
    Try,
    /// `with`, try-with-resources, `synchronized`.
    With {
        expects: bool,
    },
    Match,
    /// A function or lambda-like definition: its body is a routine of its own.
    Def,
    /// A class: its body runs where it stands.
    Class,
    /// A plain block.
    Block,
    /// Clauses.
    Elif,
    Else,
    Handler,
    Finally,
    Case,
}

impl StmtKind {
    /// Whether the node is part of the statement above it rather than one of its own.
    pub fn is_clause(self) -> bool {
        match self {
            StmtKind::Elif | StmtKind::Else | StmtKind::Handler | StmtKind::Finally | StmtKind::Case => true,
            StmtKind::Simple
            | StmtKind::Import
            | StmtKind::Docstring
            | StmtKind::Assert
            | StmtKind::Raise
            | StmtKind::Return
            | StmtKind::Break { .. }
            | StmtKind::Continue { .. }
            | StmtKind::If
            | StmtKind::Loop { .. }
            | StmtKind::Try
            | StmtKind::With { .. }
            | StmtKind::Match
            | StmtKind::Def
            | StmtKind::Class
            | StmtKind::Block => false,
        }
    }

    /// Whether a header can give way to its body: `if`, loops, `try`, `with`, a plain block.
    pub fn can_unwrap(self) -> bool {
        matches!(
            self,
            StmtKind::If | StmtKind::Loop { .. } | StmtKind::Try | StmtKind::With { .. } | StmtKind::Block
        )
    }
}

/// A variable, an attribute of the test object, or another thing that carries a value between statements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub scope: PlaceScope,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaceScope {
    /// A name of the file's top level.
    Global,
    /// A local of one routine (of a nested function: of that function's routine).
    Local(RoutineId),
    /// An attribute of the test object: `self.name`, `this.name`, or a method or attribute of the test class.
    Member,
    /// State that no name of the test shows: the library's own globals, caches, registries.
    Hidden,
}

/// One operation of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Reads the place.
    Use(PlaceId),
    /// Gives the place a new value; earlier definitions no longer reach.
    Define(PlaceId),
    /// May give it a new value (a definition on one of several paths, `del`, `global` writes of a nested function).
    MayDefine(PlaceId),
    /// Changes the object the place refers to: `u.f = t`, `u[x] = t`, `u += t`.
    Mutate(PlaceId),
    Call(Call),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub range: TextRange,
    /// The place at the root of the receiver's access path: `graph` in `graph.edges.get("a").add(1)`.
    pub receiver: Option<PlaceId>,
    /// Root places of the arguments.
    pub args: Vec<PlaceId>,
    pub result: CallResult,
    /// Makes a new object (`new C()`; in Python, a call of a capitalised name).
    pub constructs: bool,
    /// The place called, where the callee is a plain name or a method of the test object.
    pub callee: Option<PlaceId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallResult {
    /// The value flows on.
    Used,
    /// The call is a statement of its own, or declared void.
    Dropped,
}

/// A body of statements with its own flow.
#[derive(Clone, Debug)]
pub struct Routine {
    pub kind: RoutineKind,
    pub name: String,
    /// The `Def` (or class) that holds it; `None` for the file's top level.
    pub def: Option<StmtId>,
    /// Top statements of its body, in order.
    pub body: Vec<StmtId>,
    pub params: Vec<PlaceId>,
    /// Places a caller sees written by its `return` or `yield`: of a fixture, the test's parameter of that name.
    pub returns: Vec<PlaceId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutineKind {
    Module,
    Fixture,
    SetUp,
    Test,
    TearDown,
    /// Any other function, nested ones too.
    Helper,
    /// Another test of the file: nothing of it runs for the target.
    OtherTest,
}

/// An edit offered beside the removal of statements: a parameter that may go, a list that shrinks to one case.
#[derive(Clone, Debug)]
pub struct Trim {
    pub kind: TrimKind,
    /// The statement it edits: without effect where that is removed.
    pub stmt: StmtId,
    /// Replacements within that statement, in order, disjoint.
    pub edits: Vec<(TextRange, String)>,
    /// Only offered while none of the kept statements reads these.
    pub unused: Vec<PlaceId>,
    /// What a reader is told: "parameter clock", "case 3 of 7".
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrimKind {
    /// A parameter of the test or of a fixture.
    Parameter,
    /// One name of an import.
    ImportName,
    /// One item of a `with`.
    WithItem,
    /// One base, decorator or keyword that may not matter.
    Decorator,
    /// Parameters of the test with the decorator that gives them their values.
    Parameters,
    /// All cases of a parametrised test but the failing one.
    Cases,
    /// All elements of an iterated literal but the one whose iteration failed.
    Iteration,
    /// One element of a literal that is iterated or passed.
    Element,
    /// One element of any list that is written out: of a [`Literal`].
    Item,
    /// A piece of a string or of bytes: of a [`Literal`].
    Characters,
    /// A smaller number in the place of one: of a [`Literal`].
    Number,
}

impl TrimKind {
    /// Whether it changes the text of a token, rather than which tokens there are.
    pub fn is_within_token(self) -> bool {
        match self {
            TrimKind::Characters | TrimKind::Number => true,
            TrimKind::Parameter
            | TrimKind::ImportName
            | TrimKind::WithItem
            | TrimKind::Decorator
            | TrimKind::Parameters
            | TrimKind::Cases
            | TrimKind::Iteration
            | TrimKind::Element
            | TrimKind::Item => false,
        }
    }
}

/// Something the parser could not make sense of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub range: TextRange,
    pub message: String,
}
