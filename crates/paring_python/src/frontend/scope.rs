//! Which variable a name means: Python's scopes, from the names each body binds.
//!
//! A function's names are its own unless declared otherwise; a class body's names are seen by that body alone; everything
//! else is looked for outwards. Comprehensions and lambdas are scopes too, but so small that the expression walk keeps
//! them by itself.

use super::builtin;
use paring_model::{PlaceScope, RoutineId};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Alias, Comprehension, ElifElseClause, ExceptHandler, Expr, ExprContext, Identifier, MatchCase, Pattern,
    Stmt,
};
use std::collections::{HashMap, HashSet};

pub type ScopeId = usize;

/// The scope of the file's top level.
pub const MODULE: ScopeId = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    Module,
    Function(RoutineId),
    Class,
}

/// How an import binds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// `import os`: surely a module.
    Module,
    /// `from x import y`: anything.
    Name,
}

#[derive(Debug)]
pub struct Scope<'a> {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    pub bound: HashSet<&'a str>,
    pub globals: HashSet<&'a str>,
    pub nonlocals: HashSet<&'a str>,
    pub imports: HashMap<&'a str, ImportKind>,
    /// Of a method: the name of its first parameter.
    pub self_name: Option<&'a str>,
    /// Of a class: whether the target is a test of it or of a class derived from it.
    pub related: bool,
}

impl<'a> Scope<'a> {
    pub fn new(kind: ScopeKind, parent: Option<ScopeId>) -> Self {
        Self {
            kind,
            parent,
            bound: HashSet::new(),
            globals: HashSet::new(),
            nonlocals: HashSet::new(),
            imports: HashMap::new(),
            self_name: None,
            related: false,
        }
    }

    fn import(&mut self, name: &'a str, kind: ImportKind) {
        self.bound.insert(name);
        self.imports.insert(name, kind);
    }
}

/// All scopes of a file.
#[derive(Debug, Default)]
pub struct Scopes<'a> {
    pub all: Vec<Scope<'a>>,
    /// A `from x import *` stands in the file: an unknown name may come from it.
    pub star: bool,
    /// `from __future__ import annotations` stands in the file.
    pub lazy_annotations: bool,
    /// Names of the top-level classes whose attributes are the test object's.
    pub related_names: HashSet<String>,
}

impl<'a> Scopes<'a> {
    pub fn push(&mut self, scope: Scope<'a>) -> ScopeId {
        self.all.push(scope);
        self.all.len() - 1
    }

    /// The scope a name is bound in, seen from `from`. `None` for builtins and unknown names.
    pub fn owner(&self, from: ScopeId, name: &str) -> Option<ScopeId> {
        let mut current = Some(from);
        while let Some(id) = current {
            let scope = &self.all[id];
            let visible = match scope.kind {
                ScopeKind::Module => {
                    return (scope.bound.contains(name) || (self.star && !builtin::is_builtin(name)))
                        .then_some(id);
                }
                ScopeKind::Function(_) => !scope.nonlocals.contains(name),
                ScopeKind::Class => id == from,
            };
            if visible && scope.globals.contains(name) {
                return Some(MODULE);
            }
            if visible && scope.bound.contains(name) {
                return Some(id);
            }
            current = scope.parent;
        }
        None
    }

    /// The place a name means.
    pub fn resolve(&self, from: ScopeId, name: &str) -> Option<(PlaceScope, String)> {
        let owner = &self.all[self.owner(from, name)?];
        Some(match owner.kind {
            ScopeKind::Module => (PlaceScope::Global, name.to_owned()),
            ScopeKind::Function(routine) => (PlaceScope::Local(routine), name.to_owned()),
            ScopeKind::Class if owner.related => (PlaceScope::Member, name.to_owned()),
            // Inside another class nothing is told apart: it is kept or dropped whole.
            ScopeKind::Class => return None,
        })
    }

    /// What the name means before a class body binds it: `class Cached(Cached)` within a class derives from an outer one.
    pub fn resolve_before(&self, from: ScopeId, name: &str) -> Option<(PlaceScope, String)> {
        let scope = &self.all[from];
        let is_bound_here = scope.kind == ScopeKind::Class && scope.bound.contains(name);
        is_bound_here.then(|| self.resolve(scope.parent?, name)).flatten()
    }

    /// Whether a name is the test object, or its class, here.
    pub fn is_test_object(&self, from: ScopeId, name: &str) -> bool {
        let Some(owner) = self.owner(from, name) else { return false };
        let scope = &self.all[owner];
        match scope.kind {
            ScopeKind::Module => self.related_names.contains(name),
            ScopeKind::Function(_) => {
                scope.self_name == Some(name) && scope.parent.is_some_and(|class| self.all[class].related)
            }
            ScopeKind::Class => false,
        }
    }

    pub fn import_kind(&self, from: ScopeId, name: &str) -> Option<ImportKind> {
        self.all[self.owner(from, name)?].imports.get(name).copied()
    }

    /// The innermost class around a scope, itself included.
    pub fn class_of(&self, from: ScopeId) -> Option<ScopeId> {
        let mut current = Some(from);
        while let Some(id) = current {
            if self.all[id].kind == ScopeKind::Class {
                return Some(id);
            }
            current = self.all[id].parent;
        }
        None
    }

    /// Enters what the header of a statement binds.
    pub fn bind_stmt(&mut self, scope: ScopeId, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => {
                self.all[scope].bound.insert(def.name.as_str());
            }
            Stmt::ClassDef(class) => {
                self.all[scope].bound.insert(class.name.as_str());
            }
            Stmt::Global(global) => {
                for name in &global.names {
                    self.all[scope].globals.insert(name.as_str());
                    self.all[MODULE].bound.insert(name.as_str());
                }
            }
            Stmt::Nonlocal(nonlocal) => {
                self.all[scope].nonlocals.extend(nonlocal.names.iter().map(Identifier::as_str));
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let module = alias.name.as_str();
                    let name = match &alias.asname {
                        Some(name) => name.as_str(),
                        None => module.split('.').next().unwrap_or(module),
                    };
                    self.all[scope].import(name, ImportKind::Module);
                }
            }
            Stmt::ImportFrom(import) => {
                let future = import.module.as_ref().is_some_and(|module| module.as_str() == "__future__");
                for alias in &import.names {
                    self.star |= alias.name.as_str() == "*";
                    self.lazy_annotations |= future && alias.name.as_str() == "annotations";
                    if alias.name.as_str() != "*" {
                        let name = alias.asname.as_ref().unwrap_or(&alias.name);
                        self.all[scope].import(name.as_str(), ImportKind::Name);
                    }
                }
            }
            _ => {}
        }
        visitor::walk_stmt(&mut Binder { bound: &mut self.all[scope].bound }, stmt);
    }

    pub fn bind_expr(&mut self, scope: ScopeId, expr: &'a Expr) {
        Binder { bound: &mut self.all[scope].bound }.visit_expr(expr);
    }

    pub fn bind_pattern(&mut self, scope: ScopeId, pattern: &'a Pattern) {
        Binder { bound: &mut self.all[scope].bound }.visit_pattern(pattern);
    }
}

/// Collects the names an expression or the header of a statement stores into.
struct Binder<'a, 'b> {
    bound: &'b mut HashSet<&'a str>,
}

impl<'a> Visitor<'a> for Binder<'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if matches!(name.ctx, ExprContext::Store | ExprContext::Del) => {
                self.bound.insert(name.id.as_str());
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.visit_parameters(parameters);
                }
            }
            other => visitor::walk_expr(self, other),
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.visit_expr(&comprehension.iter);
        for condition in &comprehension.ifs {
            self.visit_expr(condition);
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchAs(named) => named.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        self.bound.extend(name.map(Identifier::as_str));
        visitor::walk_pattern(self, pattern);
    }

    // Nested bodies and clauses are nodes of their own.
    fn visit_body(&mut self, _body: &'a [Stmt]) {}
    fn visit_elif_else_clause(&mut self, _clause: &'a ElifElseClause) {}
    fn visit_except_handler(&mut self, _handler: &'a ExceptHandler) {}
    fn visit_match_case(&mut self, _case: &'a MatchCase) {}
    fn visit_alias(&mut self, _alias: &'a Alias) {}
}
