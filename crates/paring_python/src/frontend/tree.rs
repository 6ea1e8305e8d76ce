//! From ruff's syntax tree to the arena of a unit: nodes in source order with their ranges, bodies and scopes.
//!
//! What the nodes do is computed later (`ops`); here they only get a kind, a place in the nesting, and the scope in
//! which their header is evaluated.

use super::kind::{is_constant, stmt_kind};
use super::scope::{MODULE, Scope, ScopeId, ScopeKind, Scopes};
use paring_model::{Routine, RoutineId, RoutineKind, Stmt, StmtId, StmtKind, TextRange};
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{self as ast, ExceptHandler, ExceptHandlerExceptHandler, MatchCase, StmtFunctionDef};
use ruff_text_size::{Ranged, TextSize};

/// What a node of the arena was in the syntax tree.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    Stmt(&'a ast::Stmt),
    /// `elif` and the `else` of an `if`.
    Branch(&'a ast::ElifElseClause),
    /// `else` of a loop or `try`, `finally`: a header that does nothing.
    Plain,
    Handler(&'a ExceptHandlerExceptHandler),
    Case(&'a MatchCase),
}

impl<'a> Node<'a> {
    pub fn function(self) -> Option<&'a StmtFunctionDef> {
        match self {
            Node::Stmt(ast::Stmt::FunctionDef(def)) => Some(def),
            _ => None,
        }
    }

    pub fn class(self) -> Option<&'a ast::StmtClassDef> {
        match self {
            Node::Stmt(ast::Stmt::ClassDef(class)) => Some(class),
            _ => None,
        }
    }
}

/// The arena while the unit is being made.
#[derive(Debug, Default)]
pub struct Tree<'a> {
    pub stmts: Vec<Stmt>,
    pub nodes: Vec<Node<'a>>,
    /// The scope in which each node's header is evaluated.
    pub scope: Vec<ScopeId>,
    /// The scope that a function or class opens.
    pub opens: Vec<Option<ScopeId>>,
    /// The routine that a function is.
    pub defines: Vec<Option<RoutineId>>,
    pub routines: Vec<Routine>,
    pub scopes: Scopes<'a>,
}

pub fn range_of(item: &impl Ranged) -> TextRange {
    TextRange::new(item.start().to_u32(), item.end().to_u32())
}

/// Where a block stands.
#[derive(Clone, Copy)]
struct At {
    parent: Option<StmtId>,
    routine: RoutineId,
    scope: ScopeId,
    /// Nothing of the block may begin before or end after these; only broken input tries to.
    start: u32,
    end: u32,
}

/// Builds the arena of a module.
pub fn build<'a>(body: &'a [ast::Stmt], tokens: &'a [Token], n_bytes: u32) -> Tree<'a> {
    let mut builder = Builder { tokens, tree: Tree::default() };
    builder.tree.scopes.push(Scope::new(ScopeKind::Module, None));
    let module = builder.routine(RoutineKind::Module, "<module>", None);
    let at = At { parent: None, routine: module, scope: MODULE, start: 0, end: n_bytes };
    let ids = builder.block(body, at);
    builder.tree.routines[module.idx()].body = ids;
    builder.tree
}

struct Builder<'a> {
    tokens: &'a [Token],
    tree: Tree<'a>,
}

impl<'a> Builder<'a> {
    fn routine(&mut self, kind: RoutineKind, name: &str, def: Option<StmtId>) -> RoutineId {
        let id = RoutineId::from_idx(self.tree.routines.len());
        self.tree.routines.push(Routine {
            kind,
            name: name.to_owned(),
            def,
            body: Vec::new(),
            params: Vec::new(),
            returns: Vec::new(),
        });
        id
    }

    fn push(&mut self, kind: StmtKind, node: Node<'a>, range: TextRange, header_end: u32, at: At) -> StmtId {
        let id = StmtId::from_idx(self.tree.stmts.len());
        let constant = matches!(node, Node::Stmt(stmt) if is_constant(stmt));
        self.tree.stmts.push(Stmt {
            kind,
            range,
            header: TextRange::new(range.start, header_end.clamp(range.start, range.end)),
            parent: at.parent,
            children: Vec::new(),
            routine: at.routine,
            ops: Vec::new(),
            needs: Vec::new(),
            protected: false,
            counts: !constant && (!kind.is_clause() || kind == StmtKind::Elif),
        });
        self.tree.nodes.push(node);
        self.tree.scope.push(at.scope);
        self.tree.opens.push(None);
        self.tree.defines.push(None);
        id
    }

    fn block(&mut self, body: &'a [ast::Stmt], at: At) -> Vec<StmtId> {
        let mut cursor = at.start;
        let mut ids = Vec::with_capacity(body.len());
        for stmt in body {
            let range = range_of(stmt);
            // Recovered syntax errors leave empty or overlapping nodes; what they stand for is not editable.
            if range.is_empty() || range.start < cursor || range.end > at.end {
                continue;
            }
            cursor = range.end;
            ids.push(self.stmt(stmt, range, at));
        }
        ids
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt, range: TextRange, at: At) -> StmtId {
        self.tree.scopes.bind_stmt(at.scope, stmt);
        let first = match stmt {
            ast::Stmt::FunctionDef(def) => def.body.first().map(Ranged::start),
            ast::Stmt::ClassDef(class) => class.body.first().map(Ranged::start),
            ast::Stmt::For(stmt) => stmt.body.first().map(Ranged::start),
            ast::Stmt::While(stmt) => stmt.body.first().map(Ranged::start),
            ast::Stmt::If(stmt) => stmt.body.first().map(Ranged::start),
            ast::Stmt::With(stmt) => stmt.body.first().map(Ranged::start),
            ast::Stmt::Try(stmt) => stmt.body.first().map(Ranged::start),
            ast::Stmt::Match(stmt) => stmt.cases.first().map(Ranged::start),
            _ => None,
        };
        let header_end = first.map_or(range.end, |first| self.colon(range, first));
        let id = self.push(stmt_kind(stmt), Node::Stmt(stmt), range, header_end, at);
        let inner = At { parent: Some(id), start: header_end, end: range.end, ..at };
        let children = match stmt {
            ast::Stmt::FunctionDef(def) => self.function(id, def, inner),
            ast::Stmt::ClassDef(class) => self.class(id, class, inner),
            ast::Stmt::For(stmt) => {
                let mut ids = self.block(&stmt.body, inner);
                ids.extend(self.plain(StmtKind::Else, TokenKind::Else, &stmt.orelse, inner));
                ids
            }
            ast::Stmt::While(stmt) => {
                let mut ids = self.block(&stmt.body, inner);
                ids.extend(self.plain(StmtKind::Else, TokenKind::Else, &stmt.orelse, inner));
                ids
            }
            ast::Stmt::If(stmt) => {
                let mut ids = self.block(&stmt.body, inner);
                for clause in &stmt.elif_else_clauses {
                    if let Some(test) = &clause.test {
                        self.tree.scopes.bind_expr(at.scope, test);
                    }
                    let kind = if clause.test.is_some() { StmtKind::Elif } else { StmtKind::Else };
                    ids.extend(self.clause(
                        kind,
                        Node::Branch(clause),
                        range_of(clause),
                        &clause.body,
                        inner,
                    ));
                }
                ids
            }
            ast::Stmt::With(stmt) => self.block(&stmt.body, inner),
            ast::Stmt::Try(stmt) => self.try_clauses(stmt, inner),
            ast::Stmt::Match(stmt) => {
                let mut ids = Vec::new();
                for case in &stmt.cases {
                    self.tree.scopes.bind_pattern(at.scope, &case.pattern);
                    if let Some(guard) = &case.guard {
                        self.tree.scopes.bind_expr(at.scope, guard);
                    }
                    ids.extend(self.clause(
                        StmtKind::Case,
                        Node::Case(case),
                        range_of(case),
                        &case.body,
                        inner,
                    ));
                }
                ids
            }
            _ => Vec::new(),
        };
        self.tree.stmts[id.idx()].children = children;
        id
    }

    fn try_clauses(&mut self, stmt: &'a ast::StmtTry, inner: At) -> Vec<StmtId> {
        let mut ids = self.block(&stmt.body, inner);
        for handler in &stmt.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            if let Some(name) = &handler.name {
                self.tree.scopes.all[inner.scope].bound.insert(name.as_str());
            }
            if let Some(type_) = &handler.type_ {
                self.tree.scopes.bind_expr(inner.scope, type_);
            }
            let node = Node::Handler(handler);
            ids.extend(self.clause(StmtKind::Handler, node, range_of(handler), &handler.body, inner));
        }
        ids.extend(self.plain(StmtKind::Else, TokenKind::Else, &stmt.orelse, inner));
        ids.extend(self.plain(StmtKind::Finally, TokenKind::Finally, &stmt.finalbody, inner));
        ids
    }

    fn function(&mut self, id: StmtId, def: &'a StmtFunctionDef, at: At) -> Vec<StmtId> {
        let routine = self.routine(RoutineKind::Helper, def.name.as_str(), Some(id));
        let mut scope = Scope::new(ScopeKind::Function(routine), Some(at.scope));
        scope.bound.extend(def.parameters.iter().map(|parameter| parameter.name().as_str()));
        scope
            .bound
            .extend(def.type_params.iter().flat_map(|params| params.iter()).map(|p| p.name().as_str()));
        let is_static = def.decorator_list.iter().any(|decorator| {
            matches!(&decorator.expression, ast::Expr::Name(name) if name.id.as_str() == "staticmethod")
        });
        if self.tree.scopes.all[at.scope].kind == ScopeKind::Class && !is_static {
            let first = def.parameters.posonlyargs.iter().chain(&def.parameters.args).next();
            scope.self_name = first.map(|parameter| parameter.name().as_str());
        }
        let scope = self.tree.scopes.push(scope);
        self.tree.opens[id.idx()] = Some(scope);
        self.tree.defines[id.idx()] = Some(routine);
        let body = self.block(&def.body, At { routine, scope, ..at });
        self.tree.routines[routine.idx()].body.clone_from(&body);
        body
    }

    fn class(&mut self, id: StmtId, class: &'a ast::StmtClassDef, at: At) -> Vec<StmtId> {
        let scope = Scope::new(ScopeKind::Class, Some(at.scope));
        let scope = self.tree.scopes.push(scope);
        self.tree.opens[id.idx()] = Some(scope);
        self.block(&class.body, At { scope, ..at })
    }

    fn clause(
        &mut self,
        kind: StmtKind,
        node: Node<'a>,
        range: TextRange,
        body: &'a [ast::Stmt],
        at: At,
    ) -> Option<StmtId> {
        if range.is_empty() || range.start < at.start || range.end > at.end {
            return None;
        }
        let header_end = body.first().map_or(range.end, |first| self.colon(range, first.start()));
        let id = self.push(kind, node, range, header_end, at);
        let inner = At { parent: Some(id), start: header_end, end: range.end, ..at };
        let children = self.block(body, inner);
        self.tree.stmts[id.idx()].children = children;
        Some(id)
    }

    /// A clause that ruff keeps no node for.
    fn plain(&mut self, kind: StmtKind, keyword: TokenKind, body: &'a [ast::Stmt], at: At) -> Option<StmtId> {
        let (first, last) = (body.first()?, body.last()?);
        let before = &self.tokens[..self.tokens.partition_point(|token| token.end() <= first.start())];
        let start = before.iter().rev().find(|token| token.kind() == keyword)?.start().to_u32();
        if start < at.start {
            return None;
        }
        self.clause(kind, Node::Plain, TextRange::new(start, last.end().to_u32()), body, at)
    }

    /// The end of the colon that opens the block whose first statement begins at `first`.
    fn colon(&self, range: TextRange, first: TextSize) -> u32 {
        let before = &self.tokens[..self.tokens.partition_point(|token| token.end() <= first)];
        before
            .iter()
            .rev()
            .take_while(|token| token.start().to_u32() >= range.start)
            .find(|token| token.kind() == TokenKind::Colon)
            .map_or(first.to_u32(), |token| token.end().to_u32())
    }
}
