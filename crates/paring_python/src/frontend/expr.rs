//! What evaluating an expression does: reads, calls, and the stores of its targets, in evaluation order.
//!
//! `total = cart.add(item).sum(tax)` gives Use cart, Use item, Call add (receiver cart, args item), Use tax, Call sum
//! (receiver cart, args tax), Define total: a call is charged to the *root* of its receiver's access path.

use super::builtin;
use super::kind::{is_assertion, last_name};
use super::place::Places;
use super::scope::{ImportKind, ScopeId, ScopeKind, Scopes};
use super::tree::range_of;
use paring_model::{Call, CallResult, Op, PlaceId, PlaceScope, TextRange};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, Expr, ExprAttribute, ExprCall, ExprContext, Parameters};

/// The fixture through which others can be asked for by name.
pub const REQUEST: &str = "request";

/// Walks the expressions of one statement.
pub struct Walker<'a, 't> {
    pub scopes: &'t Scopes<'a>,
    pub places: &'t mut Places,
    pub scope: ScopeId,
    pub ops: Vec<Op>,
    /// What a `yield` of this routine defines.
    pub returns: &'t [PlaceId],
    /// The call whose result is thrown away.
    pub dropped: Option<TextRange>,
    /// Names of lambdas and comprehensions around, with the place their values come from.
    shadows: Vec<(&'a str, Option<PlaceId>)>,
    /// Inside a lambda nothing runs yet.
    n_lambdas: usize,
    /// Inside an operand that may be skipped.
    n_conditions: usize,
}

impl<'a, 't> Walker<'a, 't> {
    pub fn new(
        scopes: &'t Scopes<'a>,
        places: &'t mut Places,
        scope: ScopeId,
        returns: &'t [PlaceId],
    ) -> Self {
        Self {
            scopes,
            places,
            scope,
            ops: Vec::new(),
            returns,
            dropped: None,
            shadows: Vec::new(),
            n_lambdas: 0,
            n_conditions: 0,
        }
    }

    /// The innermost variable of a lambda or comprehension with that name.
    fn shadow(&self, name: &str) -> Option<&(&'a str, Option<PlaceId>)> {
        self.shadows.iter().rev().find(|(known, _)| *known == name)
    }

    /// The place a name means, lambda and comprehension variables left out.
    pub fn name(&mut self, name: &str) -> Option<PlaceId> {
        if self.shadow(name).is_some() {
            return None;
        }
        let (scope, name) = self.scopes.resolve(self.scope, name)?;
        Some(self.places.intern(scope, name))
    }

    fn use_name(&mut self, name: &str) {
        if self.shadow(name).is_some() {
            return;
        }
        let here = self.scopes.resolve(self.scope, name);
        let before = self.scopes.resolve_before(self.scope, name);
        for (scope, name) in here.into_iter().chain(before) {
            let place = self.places.intern(scope, name);
            self.push(Op::Use(place));
        }
    }

    /// The test object's attribute that an access names.
    pub fn member(&mut self, attribute: &ExprAttribute) -> Option<PlaceId> {
        let is_object = match &*attribute.value {
            Expr::Name(name) => self.is_test_object(name.id.as_str()),
            // `self.__class__.x`
            Expr::Attribute(class) if class.attr.as_str() == "__class__" => {
                matches!(&*class.value, Expr::Name(name) if self.is_test_object(name.id.as_str()))
            }
            // `super().x`, `type(self).x`
            Expr::Call(call) => match &*call.func {
                Expr::Name(name) if name.id == "super" => {
                    self.scopes.class_of(self.scope).is_some_and(|class| self.scopes.all[class].related)
                }
                Expr::Name(name) if name.id == "type" => {
                    matches!(call.arguments.args.first(),
                        Some(Expr::Name(name)) if self.is_test_object(name.id.as_str()))
                }
                _ => false,
            },
            _ => false,
        };
        is_object.then(|| self.places.intern(PlaceScope::Member, attribute.attr.as_str()))
    }

    fn is_test_object(&self, name: &str) -> bool {
        self.shadow(name).is_none() && self.scopes.is_test_object(self.scope, name)
    }

    /// The place at the root of an access path.
    pub fn root(&mut self, expr: &Expr) -> Option<PlaceId> {
        match expr {
            Expr::Name(name) => match self.shadow(name.id.as_str()) {
                Some((_, from)) => *from,
                None => self.name(name.id.as_str()),
            },
            Expr::Attribute(attribute) => match self.member(attribute) {
                Some(member) => Some(member),
                None => self.root(&attribute.value),
            },
            Expr::Subscript(subscript) => self.root(&subscript.value),
            Expr::Call(call) => match &*call.func {
                // What a plain function returns is not a part of the function.
                Expr::Name(_) => None,
                Expr::Attribute(attribute) if self.member(attribute).is_some() => None,
                func => self.root(func),
            },
            Expr::Await(awaited) => self.root(&awaited.value),
            Expr::Starred(starred) => self.root(&starred.value),
            Expr::Named(named) => self.root(&named.target),
            _ => None,
        }
    }

    /// Whether the root of a path was imported: what a module's functions return is not a part of the module.
    fn root_is_imported(&self, expr: &Expr) -> bool {
        self.root_import(expr).is_some()
    }

    pub fn root_import(&self, expr: &Expr) -> Option<ImportKind> {
        match expr {
            Expr::Name(name) if self.shadow(name.id.as_str()).is_none() => {
                self.scopes.import_kind(self.scope, name.id.as_str())
            }
            Expr::Attribute(attribute) => self.root_import(&attribute.value),
            Expr::Subscript(subscript) => self.root_import(&subscript.value),
            Expr::Call(call) => self.root_import(&call.func),
            _ => None,
        }
    }

    fn push(&mut self, op: Op) {
        if self.n_lambdas == 0 || matches!(op, Op::Use(_)) {
            self.ops.push(op);
        }
    }

    pub fn define(&mut self, place: PlaceId) {
        self.push(if self.n_conditions == 0 { Op::Define(place) } else { Op::MayDefine(place) });
    }

    /// A fixture gives its value to whoever asks for it; several may come through one `request`.
    pub fn hand_over(&mut self) {
        for &place in self.returns {
            if self.places.all[place.idx()].name == REQUEST {
                self.push(Op::MayDefine(place));
            } else {
                self.define(place);
            }
        }
    }

    /// Binds a plain name.
    pub fn define_name(&mut self, name: &str) {
        if let Some(declaration) = self.declaration(name) {
            self.push(Op::Use(declaration));
        }
        if let Some(place) = self.name(name) {
            self.define(place);
        }
    }

    /// The place that stands for a `global` or `nonlocal` declaration: a write to the name is another without it.
    pub fn declaration(&mut self, name: &str) -> Option<PlaceId> {
        let scope = &self.scopes.all[self.scope];
        let ScopeKind::Function(routine) = scope.kind else { return None };
        let declared = scope.globals.contains(name) || scope.nonlocals.contains(name);
        declared.then(|| self.places.local(routine, format!("global {name}")))
    }

    /// Stores into a target of an assignment, a loop, a `with`.
    pub fn store(&mut self, target: &'a Expr) {
        match target {
            Expr::Name(name) => self.define_name(name.id.as_str()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|target| self.store(target)),
            Expr::List(list) => list.elts.iter().for_each(|target| self.store(target)),
            Expr::Starred(starred) => self.store(&starred.value),
            Expr::Attribute(attribute) => {
                if let Some(member) = self.member(attribute) {
                    self.define(member);
                } else {
                    self.visit_expr(&attribute.value);
                    self.mutate(&attribute.value);
                }
            }
            Expr::Subscript(subscript) => {
                self.visit_expr(&subscript.value);
                self.visit_expr(&subscript.slice);
                self.mutate(&subscript.value);
            }
            other => self.visit_expr(other),
        }
    }

    /// Changes the object at the root of a path.
    pub fn mutate(&mut self, expr: &Expr) {
        if let Some(root) = self.root(expr) {
            self.push(Op::Mutate(root));
        }
    }

    fn call(&mut self, call: &'a ExprCall) {
        let mut receiver = None;
        let mut callee = None;
        match &*call.func {
            Expr::Name(name) => {
                let place = self.name(name.id.as_str());
                if place.is_none() && self.shadow(name.id.as_str()).is_none() && self.builtin_call(call) {
                    return;
                }
                callee = place;
                self.use_name(name.id.as_str());
            }
            Expr::Attribute(attribute) => {
                if let Some(member) = self.member(attribute) {
                    callee = Some(member);
                    self.push(Op::Use(member));
                } else {
                    self.visit_expr(&attribute.value);
                    receiver = self.root(&attribute.value);
                }
            }
            func => {
                self.visit_expr(func);
                receiver = self.root(func);
            }
        }
        self.visit_arguments(&call.arguments);
        let range = range_of(call);
        let is_dropped = self.dropped == Some(range) && !is_assertion(&call.func);
        let constructs =
            last_name(&call.func).is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
        let args = self.argument_roots(call);
        let result = if is_dropped { CallResult::Dropped } else { CallResult::Used };
        self.push(Op::Call(Call { range, receiver, args, result, constructs, callee }));
        if receiver.is_some_and(|place| patches(&self.places.all[place.idx()].name)) {
            let hidden = self.places.intern(PlaceScope::Hidden, "the program's state");
            self.push(Op::Mutate(hidden));
        }
    }

    /// A builtin that needs no call operation; whether it was one.
    fn builtin_call(&mut self, call: &'a ExprCall) -> bool {
        let Some(name) = last_name(&call.func) else { return false };
        let changes_first = matches!(name, "next" | "anext" | "setattr" | "delattr");
        if !changes_first && !builtin::is_pure(name) {
            return false;
        }
        self.visit_arguments(&call.arguments);
        if changes_first && let Some(first) = call.arguments.args.first() {
            self.mutate(first);
        }
        true
    }

    /// Root places of everything a call can reach through its arguments.
    fn argument_roots(&mut self, call: &'a ExprCall) -> Vec<PlaceId> {
        let mut roots = Roots { walker: self, found: Vec::new() };
        // `client(app).get()` reaches `app` through what it is called on.
        let mut on = &*call.func;
        while let Expr::Attribute(attribute) = on {
            on = &attribute.value;
        }
        if let Expr::Call(inner) = on
            && matches!(&*inner.func, Expr::Name(_))
        {
            roots.visit_arguments(&inner.arguments);
        }
        roots.visit_arguments(&call.arguments);
        roots.found
    }

    fn with_parameters(&mut self, parameters: Option<&'a Parameters>, body: impl FnOnce(&mut Self)) {
        let n_shadows = self.shadows.len();
        let names = parameters.into_iter().flat_map(Parameters::iter);
        self.shadows.extend(names.map(|parameter| (parameter.name().as_str(), None)));
        body(self);
        self.shadows.truncate(n_shadows);
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], parts: &[&'a Expr]) {
        let n_shadows = self.shadows.len();
        for generator in generators {
            self.visit_expr(&generator.iter);
            let from = self.root(&generator.iter);
            let mut names = Vec::new();
            stored_names(&generator.target, &mut names);
            self.shadows.extend(names.into_iter().map(|name| (name, from)));
            self.n_conditions += 1;
            generator.ifs.iter().for_each(|condition| self.visit_expr(condition));
        }
        for part in parts {
            self.visit_expr(part);
        }
        self.n_conditions -= generators.len();
        self.shadows.truncate(n_shadows);
    }
}

fn stored_names<'a>(target: &'a Expr, into: &mut Vec<&'a str>) {
    match target {
        Expr::Name(name) => into.push(name.id.as_str()),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|target| stored_names(target, into)),
        Expr::List(list) => list.elts.iter().for_each(|target| stored_names(target, into)),
        Expr::Starred(starred) => stored_names(&starred.value, into),
        _ => {}
    }
}

impl<'a> Visitor<'a> for Walker<'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                if name.ctx == ExprContext::Load {
                    self.use_name(name.id.as_str());
                }
            }
            Expr::Attribute(attribute) => match self.member(attribute) {
                Some(member) => self.push(Op::Use(member)),
                None => self.visit_expr(&attribute.value),
            },
            Expr::Call(call) => self.call(call),
            Expr::Lambda(lambda) => {
                let parameters = lambda.parameters.as_deref();
                let defaults = parameters.into_iter().flat_map(Parameters::iter_non_variadic_params);
                defaults
                    .filter_map(|parameter| parameter.default())
                    .for_each(|default| self.visit_expr(default));
                self.n_lambdas += 1;
                self.with_parameters(parameters, |walker| walker.visit_expr(&lambda.body));
                self.n_lambdas -= 1;
            }
            Expr::ListComp(comp) => self.comprehension(&comp.generators, &[&comp.elt]),
            Expr::SetComp(comp) => self.comprehension(&comp.generators, &[&comp.elt]),
            Expr::Generator(comp) => self.comprehension(&comp.generators, &[&comp.elt]),
            Expr::DictComp(comp) => match comp.key.as_deref() {
                Some(key) => self.comprehension(&comp.generators, &[key, &comp.value]),
                None => self.comprehension(&comp.generators, &[&comp.value]),
            },
            Expr::Named(named) => {
                self.visit_expr(&named.value);
                self.store(&named.target);
            }
            Expr::BoolOp(operation) => {
                for (position, value) in operation.values.iter().enumerate() {
                    self.n_conditions += usize::from(position > 0);
                    self.visit_expr(value);
                    self.n_conditions -= usize::from(position > 0);
                }
            }
            Expr::If(choice) => {
                self.visit_expr(&choice.test);
                self.n_conditions += 1;
                self.visit_expr(&choice.body);
                self.visit_expr(&choice.orelse);
                self.n_conditions -= 1;
            }
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                visitor::walk_expr(self, expr);
                self.hand_over();
            }
            other => visitor::walk_expr(self, other),
        }
    }
}

/// Collects the places named anywhere in argument expressions.
struct Roots<'w, 'a, 't> {
    walker: &'w mut Walker<'a, 't>,
    found: Vec<PlaceId>,
}

impl Roots<'_, '_, '_> {
    fn add(&mut self, place: Option<PlaceId>) {
        if let Some(place) = place
            && !self.found.contains(&place)
        {
            self.found.push(place);
        }
    }
}

impl<'a> Visitor<'a> for Roots<'_, 'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(_) => {
                let root = self.walker.root(expr);
                self.add(root);
            }
            Expr::Attribute(attribute) => match self.walker.member(attribute) {
                Some(member) => self.add(Some(member)),
                None => self.visit_expr(&attribute.value),
            },
            Expr::Call(call) => {
                match &*call.func {
                    Expr::Name(_) => {}
                    Expr::Attribute(attribute) if self.walker.member(attribute).is_some() => {}
                    func if self.walker.root_is_imported(func) => {}
                    func => self.visit_expr(func),
                }
                self.visit_arguments(&call.arguments);
            }
            Expr::Lambda(_) => {}
            other => visitor::walk_expr(self, other),
        }
    }
}

/// Whether an object of this name is there to change parts of the program for the time of the test: the fixtures
/// `monkeypatch` and `mocker`, and patchers by custom.
fn patches(name: &str) -> bool {
    name == "mocker" || name.contains("patch")
}
