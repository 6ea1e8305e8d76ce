//! What each statement's header does.

use super::expr::Walker;
use super::kind::{callee_name, statement_call};
use super::place::Places;
use super::scope::{ImportKind, ScopeKind, Scopes};
use super::tree::{Node, Tree, range_of};
use paring_model::{Call, CallResult, Op, PlaceId};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Decorator, Expr, Identifier, Pattern, Stmt, StmtAnnAssign, StmtFunctionDef};

/// Fills in the operations of every node, and the parameters of every routine. What a definition's body reads and
/// writes is added later (`effect`).
pub fn fill(tree: &mut Tree, places: &mut Places) {
    for idx in 0..tree.nodes.len() {
        let stmt = &tree.stmts[idx];
        let returns = tree.routines[stmt.routine.idx()].returns.clone();
        let mut walker = Walker::new(&tree.scopes, places, tree.scope[idx], &returns);
        match tree.nodes[idx] {
            Node::Stmt(stmt) => walker.stmt(stmt),
            Node::Branch(clause) => clause.test.iter().for_each(|test| walker.visit_expr(test)),
            Node::Plain => {}
            Node::Handler(handler) => {
                if let Some(type_) = &handler.type_ {
                    walker.visit_expr(type_);
                }
                if let Some(name) = &handler.name {
                    walker.define_name(name.as_str());
                }
            }
            Node::Case(case) => {
                walker.pattern(&case.pattern);
                if let Some(guard) = &case.guard {
                    walker.visit_expr(guard);
                }
            }
        }
        tree.stmts[idx].ops = walker.ops;
        if let (Some(routine), Some(def)) = (tree.defines[idx], tree.nodes[idx].function()) {
            let names = def.parameters.iter_source_order().map(|parameter| parameter.name().as_str());
            let params: Vec<PlaceId> = names.map(|name| places.local(routine, name)).collect();
            tree.routines[routine.idx()].params = params;
        }
    }
    star_imports(tree, places);
}

/// A name that nothing else binds may come from `from x import *`.
fn star_imports(tree: &mut Tree, places: &Places) {
    if !tree.scopes.star {
        return;
    }
    let module = &tree.scopes.all[super::scope::MODULE];
    let unknown = places.all.iter().enumerate().filter(|(_, place)| {
        place.scope == paring_model::PlaceScope::Global && !module.bound.contains(place.name.as_str())
    });
    let unknown: Vec<Op> = unknown.map(|(idx, _)| Op::MayDefine(PlaceId::from_idx(idx))).collect();
    for (node, stmt) in tree.nodes.iter().zip(&mut tree.stmts) {
        if let Node::Stmt(Stmt::ImportFrom(import)) = node
            && import.names.iter().any(|alias| alias.name.as_str() == "*")
        {
            stmt.ops.extend(unknown.iter().cloned());
        }
    }
}

impl<'a> Walker<'a, '_> {
    fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => self.function(def),
            Stmt::ClassDef(class) => {
                class.decorator_list.iter().for_each(|decorator| self.decorator(decorator));
                if let Some(arguments) = &class.arguments {
                    self.visit_arguments(arguments);
                }
                self.define_name(class.name.as_str());
            }
            Stmt::Return(stmt) => {
                stmt.value.iter().for_each(|value| self.visit_expr(value));
                self.hand_over();
            }
            Stmt::Delete(stmt) => stmt.targets.iter().for_each(|target| self.delete(target)),
            Stmt::TypeAlias(stmt) => {
                self.visit_expr(&stmt.value);
                self.store(&stmt.name);
            }
            Stmt::Assign(stmt) => {
                self.visit_expr(&stmt.value);
                stmt.targets.iter().for_each(|target| self.store(target));
            }
            Stmt::AugAssign(stmt) => self.augmented(&stmt.target, &stmt.value),
            Stmt::AnnAssign(stmt) => self.annotated(stmt),
            Stmt::For(stmt) => {
                self.visit_expr(&stmt.iter);
                self.store(&stmt.target);
            }
            Stmt::While(stmt) => self.visit_expr(&stmt.test),
            Stmt::If(stmt) => self.visit_expr(&stmt.test),
            Stmt::With(stmt) => {
                for item in &stmt.items {
                    self.visit_expr(&item.context_expr);
                    item.optional_vars.iter().for_each(|target| self.store(target));
                }
            }
            Stmt::Match(stmt) => self.visit_expr(&stmt.subject),
            Stmt::Raise(stmt) => {
                stmt.exc.iter().chain(&stmt.cause).for_each(|expr| self.visit_expr(expr));
            }
            Stmt::Assert(stmt) => {
                self.visit_expr(&stmt.test);
                stmt.msg.iter().for_each(|expr| self.visit_expr(expr));
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) => {
                for name in imported_names(stmt) {
                    self.define_name(name);
                }
            }
            Stmt::Global(stmt) => stmt.names.iter().for_each(|name| self.declare(name.as_str())),
            Stmt::Nonlocal(stmt) => stmt.names.iter().for_each(|name| self.declare(name.as_str())),
            Stmt::Expr(stmt) => {
                self.dropped = statement_call(&stmt.value).map(range_of);
                self.visit_expr(&stmt.value);
            }
            Stmt::Try(_) | Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::IpyEscapeCommand(_) => {
            }
        }
    }

    fn declare(&mut self, name: &str) {
        if let Some(declaration) = self.declaration(name) {
            self.define(declaration);
        }
    }

    fn function(&mut self, def: &'a StmtFunctionDef) {
        def.decorator_list.iter().for_each(|decorator| self.decorator(decorator));
        let parameters = &def.parameters;
        let defaults = parameters.iter_non_variadic_params().filter_map(|parameter| parameter.default());
        defaults.for_each(|default| self.visit_expr(default));
        let annotations = parameters.iter().filter_map(|parameter| parameter.as_parameter().annotation());
        let annotations: Vec<&Expr> = annotations.chain(def.returns.as_deref()).collect();
        self.annotations(&annotations);
        self.define_name(def.name.as_str());
    }

    /// Annotations are evaluated, unless a future import says they are not: then that import is what they need.
    fn annotations(&mut self, annotations: &[&'a Expr]) {
        if !self.scopes.lazy_annotations {
            for annotation in annotations {
                self.visit_expr(annotation);
            }
        } else if !annotations.is_empty()
            && let Some(import) = self.name("annotations")
        {
            self.ops.push(Op::Use(import));
        }
    }

    /// A decorator is a call that may register the function with its receiver.
    fn decorator(&mut self, decorator: &'a Decorator) {
        let expr = &decorator.expression;
        let registers = !self.is_plain(expr);
        let n_ops = self.ops.len();
        if let Expr::Call(call) = expr {
            self.dropped = registers.then(|| range_of(call));
            self.visit_expr(expr);
            self.dropped = None;
        } else {
            self.visit_expr(expr);
        }
        if !registers {
            // A mark changes nothing of the module it comes from, nor does what makes its arguments (`pytest.param`).
            let root = self.root(if let Expr::Call(call) = expr { &call.func } else { expr });
            let decorating = self.ops.split_off(n_ops);
            let marks = |op: &Op| matches!(op, Op::Call(call) if root.is_some() && call.receiver == root);
            self.ops.extend(decorating.into_iter().filter(|op| !marks(op)));
            return;
        }
        if expr.is_call_expr() {
            return;
        }
        let (receiver, callee) = match expr {
            Expr::Name(name) => (None, self.name(name.id.as_str())),
            other => (self.root(other), None),
        };
        if receiver.is_some() || callee.is_some() {
            let range = range_of(expr);
            self.ops.push(Op::Call(Call {
                range,
                receiver,
                args: Vec::new(),
                result: CallResult::Dropped,
                constructs: false,
                callee,
            }));
        }
    }

    /// Whether a decorator only marks or wraps: those of modules (`@pytest.mark.skip`, `@functools.wraps`), and the
    /// well-known names of the test frameworks. A function of this file is not taken for one.
    fn is_plain(&mut self, expr: &Expr) -> bool {
        let name = callee_name(expr).unwrap_or_default();
        let first = name.split('.').next().unwrap_or_default();
        match self.root_import(expr) {
            Some(ImportKind::Module) => true,
            Some(ImportKind::Name) => {
                !name.contains('.')
                    || matches!(first, "mock" | "patch" | "mark" | "pytest" | "unittest" | "parameterized")
            }
            None => self.name(first).is_none(),
        }
    }

    fn augmented(&mut self, target: &'a Expr, value: &'a Expr) {
        match target {
            Expr::Name(name) => {
                let place = self.name(name.id.as_str());
                self.ops.extend(place.map(Op::Use));
                self.visit_expr(value);
                self.ops.extend(place.map(Op::Mutate));
                self.define_name(name.id.as_str());
            }
            Expr::Attribute(attribute) => {
                if let Some(member) = self.member(attribute) {
                    self.ops.push(Op::Use(member));
                    self.visit_expr(value);
                    self.ops.extend([Op::Mutate(member), Op::Define(member)]);
                } else {
                    self.visit_expr(&attribute.value);
                    self.visit_expr(value);
                    self.mutate(&attribute.value);
                }
            }
            Expr::Subscript(subscript) => {
                self.visit_expr(&subscript.value);
                self.visit_expr(&subscript.slice);
                self.visit_expr(value);
                self.mutate(&subscript.value);
            }
            other => {
                self.visit_expr(value);
                self.visit_expr(other);
            }
        }
    }

    fn annotated(&mut self, stmt: &'a StmtAnnAssign) {
        stmt.value.iter().for_each(|value| self.visit_expr(value));
        // In a function they are never evaluated.
        if !matches!(self.scopes.all[self.scope].kind, ScopeKind::Function(_)) {
            self.annotations(&[&stmt.annotation]);
        }
        if stmt.value.is_some() {
            self.store(&stmt.target);
        }
    }

    fn delete(&mut self, target: &'a Expr) {
        let place = match target {
            Expr::Name(name) => self.name(name.id.as_str()),
            Expr::Attribute(attribute) => self.member(attribute),
            Expr::Tuple(tuple) => {
                tuple.elts.iter().for_each(|target| self.delete(target));
                return;
            }
            Expr::List(list) => {
                list.elts.iter().for_each(|target| self.delete(target));
                return;
            }
            _ => None,
        };
        match (place, target) {
            (Some(place), _) => self.ops.extend([Op::Use(place), Op::MayDefine(place)]),
            (None, Expr::Attribute(attribute)) => {
                self.visit_expr(&attribute.value);
                self.mutate(&attribute.value);
            }
            (None, Expr::Subscript(subscript)) => {
                self.visit_expr(&subscript.value);
                self.visit_expr(&subscript.slice);
                self.mutate(&subscript.value);
            }
            (None, _) => {}
        }
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        let mut captures = Captures { walker: self, names: Vec::new() };
        captures.visit_pattern(pattern);
        let names = captures.names;
        for name in names {
            self.define_name(name);
        }
    }
}

/// Reads the values and classes of a pattern, and collects what it captures.
struct Captures<'w, 'a, 't> {
    walker: &'w mut Walker<'a, 't>,
    names: Vec<&'a str>,
}

impl<'a> Visitor<'a> for Captures<'_, 'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.walker.visit_expr(expr);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        visitor::walk_pattern(self, pattern);
        let name = match pattern {
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchAs(named) => named.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        self.names.extend(name.map(Identifier::as_str));
    }
}

/// The names an import binds, in order; `None` entries are left out (`import *`).
pub fn imported_names(stmt: &Stmt) -> Vec<&str> {
    match stmt {
        Stmt::Import(import) => {
            let bound = import.names.iter().map(|alias| match &alias.asname {
                Some(name) => name.as_str(),
                None => alias.name.as_str().split('.').next().unwrap_or_default(),
            });
            bound.collect()
        }
        Stmt::ImportFrom(import) => {
            let named = import.names.iter().filter(|alias| alias.name.as_str() != "*");
            named.map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str()).collect()
        }
        _ => Vec::new(),
    }
}

/// The place of a definition's name.
pub fn own_place(scopes: &Scopes, places: &mut Places, scope: usize, name: &str) -> Option<PlaceId> {
    let (scope, name) = scopes.resolve(scope, name)?;
    Some(places.intern(scope, name))
}
