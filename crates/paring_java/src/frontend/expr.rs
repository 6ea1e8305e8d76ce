//! What evaluating an expression does: reads, calls and stores, in evaluation order.
//!
//! `total = cart.add(item).sum(tax)` gives Use cart, Use item, Call add (receiver cart, args item), Use tax, Call sum
//! (receiver cart, args tax), Define total: a call is charged to the *root* of its receiver's access path. What a lambda does
//! may happen; its reads happen in any case, since it captures.

use super::build::Builder;
use super::kind;
use super::scope::{Scope, Var, is_type_name};
use super::syntax::{child_of_kind, children, field_text, in_field, named, range_of, simple_name, text};
use paring_model::{Call, CallResult, Op, PlaceId, PlaceScope};
use std::collections::HashMap;
use tree_sitter::Node;

/// How the walk of a statement's expressions stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk {
    /// The call whose result is thrown away, by the id of its node.
    pub dropped: Option<usize>,
    /// The lambda whose block is the body of the statement.
    pub skipped: Option<usize>,
    /// Inside an operand that may be skipped, or a lambda that may not run.
    pub n_conditions: usize,
    /// Nodes in the header may become children: not where that would break the order of the text.
    pub inline: bool,
    /// Where the values of a lambda's parameters come from.
    pub lambda_root: Option<PlaceId>,
}

/// Calls on these change nothing that a test reads.
fn is_log(receiver: &str, method: &str) -> bool {
    let root = receiver.rsplit('.').next().unwrap_or(receiver).to_ascii_lowercase();
    match root.as_str() {
        "out" | "err" => receiver.starts_with("System."),
        "log" | "logger" => {
            matches!(
                method,
                "trace"
                    | "debug"
                    | "info"
                    | "warn"
                    | "error"
                    | "log"
                    | "fine"
                    | "finer"
                    | "finest"
                    | "warning"
                    | "severe"
            )
        }
        _ => false,
    }
}

impl<'t> Builder<'t, '_> {
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    fn use_global(&mut self, name: &str) -> PlaceId {
        let place = self.places.intern(PlaceScope::Global, name);
        self.push(Op::Use(place));
        place
    }

    pub fn variable(&mut self, name: &str) -> Option<Var> {
        self.scopes.variable(&mut self.places, name)
    }

    fn read(&mut self, var: Var) {
        self.ops.extend(var.declaration.into_iter().chain(var.place).map(Op::Use));
    }

    /// Gives a variable a new value.
    pub fn write(&mut self, var: Var) {
        self.ops.extend(var.declaration.map(Op::Use));
        let is_certain = self.walk.n_conditions == 0;
        self.ops
            .extend(var.place.map(|place| if is_certain { Op::Define(place) } else { Op::MayDefine(place) }));
    }

    fn mutate(&mut self, node: Node<'t>) {
        if let Some(root) = self.root(node) {
            self.push(Op::Mutate(root));
        }
    }

    /// The field of the test object that an access names.
    fn member(&mut self, access: Node<'t>) -> Option<Var> {
        let object = access.child_by_field_name("object")?;
        let name = field_text(access, "field", self.source).to_owned();
        let object_text = text(object, self.source);
        match object.kind() {
            "this" | "super" => self.scopes.own_field(&mut self.places, &name),
            "identifier"
                if self.scopes.related_names.contains(object_text) && !self.is_local(object_text) =>
            {
                Some(self.scopes.related_field(&mut self.places, &name))
            }
            // `Outer.this.x`
            "field_access" if field_text(object, "field", self.source) == "this" => {
                let class = simple_name(field_text(object, "object", self.source));
                let is_related = self.scopes.related_names.contains(class);
                is_related.then(|| self.scopes.related_field(&mut self.places, &name))
            }
            _ => None,
        }
    }

    fn is_local(&self, name: &str) -> bool {
        self.scopes.stack.iter().any(|scope| matches!(scope, Scope::Block(names) if names.contains_key(name)))
    }

    /// The place at the root of an access path.
    pub fn root(&mut self, node: Node<'t>) -> Option<PlaceId> {
        match node.kind() {
            "identifier" => {
                let name = text(node, self.source);
                match self.variable(name) {
                    Some(var) => var.root,
                    None if is_type_name(name) => Some(self.places.intern(PlaceScope::Global, name)),
                    None => None,
                }
            }
            "field_access" => match self.member(node) {
                Some(var) => var.root,
                None => self.root(node.child_by_field_name("object")?),
            },
            "array_access" => self.root(node.child_by_field_name("array")?),
            "method_invocation" => {
                let object = node.child_by_field_name("object")?;
                // What a function or a static method returns is not a part of what it belongs to.
                match object.kind() {
                    "this" | "super" => None,
                    "identifier" if self.is_type(object) => None,
                    _ => self.root(object),
                }
            }
            "parenthesized_expression" => self.root(*named(node).first()?),
            "cast_expression" => self.root(node.child_by_field_name("value")?),
            "assignment_expression" => self.root(node.child_by_field_name("left")?),
            _ => None,
        }
    }

    /// Whether a plain name is that of a class.
    fn is_type(&mut self, node: Node<'t>) -> bool {
        let name = text(node, self.source);
        node.kind() == "identifier" && is_type_name(name) && self.variable(name).is_none()
    }

    /// Walks an expression or any piece of syntax with expressions and types in it.
    pub fn expr(&mut self, node: Node<'t>) {
        match node.kind() {
            "identifier" => self.name(node),
            "type_identifier" => {
                self.use_global(text(node, self.source));
            }
            "scoped_type_identifier" | "scoped_identifier" => {
                let first = text(node, self.source).split('.').next().unwrap_or_default().trim().to_owned();
                self.use_global(&first);
            }
            "field_access" => match self.member(node) {
                Some(var) => self.read(var),
                None => node.child_by_field_name("object").into_iter().for_each(|object| self.expr(object)),
            },
            "method_invocation" => self.call(node),
            "object_creation_expression" => self.creation(node),
            "lambda_expression" => self.lambda(node),
            "method_reference" => {
                if let Some(of) = named(node).first() {
                    self.expr(*of);
                }
                self.referenced(node);
            }
            "assignment_expression" => self.assignment(node),
            "update_expression" => {
                if let Some(target) = named(node).first() {
                    self.expr(*target);
                    self.store(*target, true);
                }
            }
            "ternary_expression" => {
                let parts =
                    ["condition", "consequence", "alternative"].map(|field| node.child_by_field_name(field));
                for (position, part) in parts.into_iter().enumerate() {
                    self.conditional(position > 0, part);
                }
            }
            "binary_expression" => {
                let is_lazy = matches!(field_text(node, "operator", self.source), "&&" | "||");
                let left = node.child_by_field_name("left");
                self.conditional(false, left);
                self.conditional(is_lazy, node.child_by_field_name("right"));
            }
            "instanceof_expression" => {
                named(node)
                    .into_iter()
                    .filter(|child| child.kind() != "identifier")
                    .for_each(|child| self.expr(child));
                if let Some(left) =
                    node.child_by_field_name("left").filter(|left| left.kind() == "identifier")
                {
                    self.expr(left);
                }
                if let Some(name) = node.child_by_field_name("name") {
                    self.bind_pattern(name);
                }
            }
            "type_pattern" | "record_pattern_component" => {
                let parts = named(node);
                if let Some((name, types)) = parts.split_last() {
                    for part in types {
                        self.expr(*part);
                    }
                    if name.kind() == "identifier" {
                        self.bind_pattern(*name);
                    }
                }
            }
            "switch_expression" => {
                self.conditional(false, node.child_by_field_name("condition"));
                self.conditional(true, node.child_by_field_name("body"));
            }
            "annotation" | "marker_annotation" => self.annotation(node),
            "block"
            | "switch_rule"
            | "switch_block_statement_group"
            | "for_statement"
            | "enhanced_for_statement" => {
                self.scoped(|builder| builder.opaque(node));
            }
            "element_value_pair" => {
                node.child_by_field_name("value").into_iter().for_each(|value| self.expr(value));
            }
            "labeled_statement" => named(node).into_iter().skip(1).for_each(|child| self.expr(child)),
            "break_statement" | "continue_statement" => {}
            "class_body" => self.opaque_class(node),
            _ => named(node).into_iter().for_each(|child| self.opaque_part(node, child)),
        }
    }

    fn opaque(&mut self, node: Node<'t>) {
        for child in named(node) {
            self.opaque_part(node, child);
        }
    }

    /// A part of syntax that is no node of its own: names it declares are no places.
    fn opaque_part(&mut self, parent: Node<'t>, child: Node<'t>) {
        let declares = matches!(
            parent.kind(),
            "variable_declarator"
                | "enhanced_for_statement"
                | "catch_formal_parameter"
                | "resource"
                | "formal_parameter"
        );
        if declares && parent.child_by_field_name("name") == Some(child) {
            self.scopes.bind(text(child, self.source), Var::default());
        } else if parent.kind() == "method_declaration" && parent.child_by_field_name("name") == Some(child) {
            // The name of a method is no variable.
        } else {
            self.expr(child);
        }
    }

    /// The body of an anonymous class where it can be no node.
    fn opaque_class(&mut self, body: Node<'t>) {
        self.scopes.stack.push(Scope::Class(self.anonymous_scope(body)));
        self.walk.n_conditions += 1;
        for member in named(body) {
            self.scoped(|builder| builder.opaque(member));
        }
        self.walk.n_conditions -= 1;
        self.scopes.stack.pop();
    }

    fn conditional(&mut self, may_be_skipped: bool, part: Option<Node<'t>>) {
        self.walk.n_conditions += usize::from(may_be_skipped);
        if let Some(part) = part {
            self.expr(part);
        }
        self.walk.n_conditions -= usize::from(may_be_skipped);
    }

    fn name(&mut self, node: Node<'t>) {
        let name = text(node, self.source);
        match self.variable(name) {
            Some(var) => self.read(var),
            None => {
                self.use_global(name);
            }
        }
    }

    /// `this::check` names a method.
    fn referenced(&mut self, node: Node<'t>) {
        let is_own = named(node).first().is_some_and(|of| {
            matches!(of.kind(), "this" | "super")
                || self.scopes.related_names.contains(text(*of, self.source))
        });
        let name = named(node).last().map(|name| text(*name, self.source));
        if let (true, Some(name)) = (is_own, name) {
            let place = super::scope::method(&mut self.places, name);
            self.push(Op::Use(place));
        }
    }

    fn bind_pattern(&mut self, name: Node<'t>) {
        let var = self.new_local(text(name, self.source), None);
        self.write(var);
    }

    fn assignment(&mut self, node: Node<'t>) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        let is_plain = field_text(node, "operator", self.source) == "=";
        if !is_plain {
            self.expr(left);
        } else if left.kind() != "identifier" && self.member_of(left).is_none() {
            named(left)
                .into_iter()
                .filter(|part| Some(*part) != left.child_by_field_name("field"))
                .for_each(|part| self.expr(part));
        }
        self.expr(right);
        self.store(left, !is_plain);
    }

    fn member_of(&mut self, node: Node<'t>) -> Option<Var> {
        if node.kind() == "field_access" { self.member(node) } else { None }
    }

    fn store(&mut self, target: Node<'t>, is_changed: bool) {
        let var = match target.kind() {
            "identifier" => self.variable(text(target, self.source)),
            "field_access" => self.member(target),
            "parenthesized_expression" => {
                if let Some(inner) = named(target).first() {
                    self.store(*inner, is_changed);
                }
                return;
            }
            _ => None,
        };
        if let Some(var) = var {
            if is_changed {
                self.ops.extend(var.place.map(Op::Use));
            }
            self.write(var);
        } else {
            self.mutate(target);
            let object = target.child_by_field_name("object");
            if let Some(object) = object.filter(|object| object.kind() == "identifier")
                && self.is_type(object)
                && self.outline.named(text(object, self.source)).is_none()
            {
                self.change_program();
            }
        }
    }

    fn change_program(&mut self) {
        let hidden = self.places.intern(PlaceScope::Hidden, "the program's state");
        self.push(Op::Mutate(hidden));
    }

    fn call(&mut self, node: Node<'t>) {
        let name = field_text(node, "name", self.source);
        let object = node.child_by_field_name("object");
        let is_assertion = kind::asserts(name);
        let is_dropped = self.walk.dropped == Some(node.id()) && !kind::is_assertion(node, self.source);
        let mut receiver = None;
        let mut callee = None;
        match object {
            None => callee = self.scopes.method(&mut self.places, name),
            Some(object) if matches!(object.kind(), "this" | "super") => {
                callee = self.scopes.method(&mut self.places, name);
            }
            Some(object) if self.is_type(object) => {
                let class = text(object, self.source);
                let place = self.use_global(class);
                if self.scopes.related_names.contains(class) {
                    callee = Some(super::scope::method(&mut self.places, name));
                } else if is_dropped {
                    receiver = Some(place);
                }
            }
            Some(object) => {
                self.expr(object);
                receiver = self.root(object).filter(|_| !is_assertion);
            }
        }
        self.ops.extend(callee.map(Op::Use));
        if self.scopes.static_star && object.is_none() {
            self.use_global(name);
        }
        let arguments = node.child_by_field_name("arguments").map(|list| named(list)).unwrap_or_default();
        self.arguments(&arguments, receiver, is_dropped);
        let object_text = object.map_or("", |object| text(object, self.source));
        if is_log(object_text, name) {
            return;
        }
        let args = self.argument_roots(node, &arguments);
        let result = if is_dropped { CallResult::Dropped } else { CallResult::Used };
        self.push(Op::Call(Call {
            range: range_of(node),
            receiver,
            args,
            result,
            constructs: false,
            callee,
        }));
        if kind::changes_program(object_text, name) {
            self.change_program();
        }
    }

    fn arguments(&mut self, arguments: &[Node<'t>], receiver: Option<PlaceId>, is_dropped: bool) {
        let outer = self.walk;
        for &argument in arguments {
            if self.walk.skipped == Some(argument.id()) {
                // What follows the block stands behind the children it has.
                self.walk.inline = false;
                continue;
            }
            self.walk.lambda_root = receiver;
            if argument.kind() == "lambda_expression" && is_dropped {
                self.walk.dropped = argument.child_by_field_name("body").map(|body| body.id());
            }
            self.expr(argument);
            self.walk.dropped = outer.dropped;
        }
        self.walk.lambda_root = outer.lambda_root;
    }

    /// Root places of everything a call can reach through its arguments, and along a chain that begins with a function or a new
    /// object: `when(mock.name()).thenReturn(x)` reaches `mock`.
    fn argument_roots(&mut self, call: Node<'t>, arguments: &[Node<'t>]) -> Vec<PlaceId> {
        let mut found = Vec::new();
        let mut handed: Vec<Node<'t>> = Vec::new();
        let mut on = call.child_by_field_name("object");
        while let Some(inner) = on.filter(|inner| inner.kind() == "method_invocation") {
            handed.extend(inner.child_by_field_name("arguments"));
            on = inner.child_by_field_name("object");
        }
        let is_new = on.filter(|on| on.kind() == "object_creation_expression");
        handed.extend(is_new.and_then(|on| on.child_by_field_name("arguments")));
        let is_function = is_new.is_some() || on.is_none_or(|object| self.is_type(object));
        for argument in handed.into_iter().filter(|_| is_function).flat_map(named) {
            self.reached(argument, &mut found);
        }
        for &argument in arguments {
            self.reached(argument, &mut found);
        }
        let mut seen = Vec::new();
        found.retain(|place| {
            !seen.contains(place) && {
                seen.push(*place);
                true
            }
        });
        found
    }

    /// The roots of the objects an argument hands over.
    fn reached(&mut self, node: Node<'t>, found: &mut Vec<PlaceId>) {
        match node.kind() {
            "identifier" | "field_access" | "array_access" => {
                let is_constant = self.is_type(node)
                    || node.child_by_field_name("object").is_some_and(|object| self.is_type(object));
                if !is_constant {
                    found.extend(self.root(node));
                }
            }
            "method_invocation" => {
                found.extend(self.root(node));
                let object = node.child_by_field_name("object");
                if object.is_none_or(|object| self.is_type(object))
                    && let Some(list) = node.child_by_field_name("arguments")
                {
                    for argument in named(list) {
                        self.reached(argument, found);
                    }
                }
            }
            "object_creation_expression" => {
                if let Some(list) = node.child_by_field_name("arguments") {
                    for argument in named(list) {
                        self.reached(argument, found);
                    }
                }
            }
            "method_reference" => {
                if let Some(of) = named(node).first() {
                    self.reached(*of, found);
                }
            }
            "cast_expression" => {
                node.child_by_field_name("value").into_iter().for_each(|value| self.reached(value, found));
            }
            "parenthesized_expression" | "array_initializer" => {
                for inner in named(node) {
                    self.reached(inner, found);
                }
            }
            "array_creation_expression" => {
                node.child_by_field_name("value").into_iter().for_each(|value| self.reached(value, found));
            }
            "ternary_expression" => {
                for part in ["consequence", "alternative"] {
                    if let Some(part) = node.child_by_field_name(part) {
                        self.reached(part, found);
                    }
                }
            }
            _ => {}
        }
    }

    fn creation(&mut self, node: Node<'t>) {
        let body = child_of_kind(node, "class_body");
        let arguments = node.child_by_field_name("arguments");
        for child in named(node) {
            if Some(child) != body && Some(child) != arguments {
                self.expr(child);
            }
        }
        let arguments = arguments.map(|list| named(list)).unwrap_or_default();
        self.arguments(&arguments, None, false);
        let args = self.argument_roots(node, &arguments);
        self.push(Op::Call(Call {
            range: range_of(node),
            receiver: None,
            args,
            result: CallResult::Used,
            constructs: true,
            callee: None,
        }));
        if let Some(body) = body {
            if self.walk.inline { self.inline_class(body) } else { self.opaque_class(body) }
        }
    }

    fn lambda(&mut self, node: Node<'t>) {
        let Some(body) = node.child_by_field_name("body") else { return };
        if body.kind() == "block" && self.walk.inline {
            self.inline_lambda(node, body);
            return;
        }
        let root = self.walk.lambda_root;
        self.scopes.stack.push(Scope::Block(HashMap::new()));
        for (name, types) in lambda_parameters(node) {
            for part in types {
                self.expr(part);
            }
            self.scopes.bind(text(name, self.source), Var { root, ..Var::default() });
        }
        self.conditional(true, Some(body));
        self.scopes.stack.pop();
    }

    fn annotation(&mut self, node: Node<'t>) {
        let name = field_text(node, "name", self.source);
        let first = name.split('.').next().unwrap_or_default().to_owned();
        self.use_global(&first);
        if let Some(arguments) = node.child_by_field_name("arguments") {
            for argument in named(arguments) {
                self.expr(argument);
            }
            self.named_in(arguments);
        }
    }

    /// Methods of the class that strings of an annotation name: `@MethodSource("rows")`.
    fn named_in(&mut self, arguments: Node<'t>) {
        let mut names = Vec::new();
        super::syntax::walk(arguments, &mut |node| {
            if node.kind() == "string_literal" {
                names.push(text(node, self.source).trim_matches('"').to_owned());
            }
            true
        });
        let is_method = |name: &&String| {
            self.scopes
                .stack
                .iter()
                .any(|scope| matches!(scope, Scope::Class(class) if class.methods.contains(*name)))
        };
        let methods: Vec<String> = names.iter().filter(is_method).cloned().collect();
        for name in methods {
            let place = super::scope::method(&mut self.places, &name);
            self.push(Op::Use(place));
        }
    }
}

/// The parameters of a lambda: their names, and the syntax of their types.
pub fn lambda_parameters(lambda: Node<'_>) -> Vec<(Node<'_>, Vec<Node<'_>>)> {
    let Some(parameters) = lambda.child_by_field_name("parameters") else { return Vec::new() };
    if parameters.kind() == "identifier" {
        return vec![(parameters, Vec::new())];
    }
    let mut found = Vec::new();
    for parameter in named(parameters) {
        match parameter.kind() {
            "identifier" => found.push((parameter, Vec::new())),
            _ => found.extend(parameter_name(parameter).map(|name| {
                let types = named(parameter)
                    .into_iter()
                    .filter(|part| *part != name && part.kind() != "variable_declarator");
                (name, types.collect())
            })),
        }
    }
    found
}

/// The name of a formal parameter.
pub fn parameter_name(parameter: Node<'_>) -> Option<Node<'_>> {
    let declarator = children(parameter).into_iter().find(|child| child.kind() == "variable_declarator");
    let of = declarator.unwrap_or(parameter);
    in_field(of, "name").into_iter().next()
}
