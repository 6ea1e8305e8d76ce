//! What evaluating an expression does: reads, calls and stores, in evaluation order.
//!
//! `total = cart.add(item).sum(tax)` gives Use cart, Use item, Call add (receiver cart, args item), Use tax, Call sum
//! (receiver cart, args tax), Define total: a call is charged to the *root* of its receiver's access path. What a lambda does
//! may happen; its reads happen in any case, since it captures. Calls are in `call.rs`, access paths in `access.rs`.

use super::build::Builder;
use super::declaration::assigned_names;
use super::method::lambda_parameters;
use super::scope::{Scope, Var};
use super::syntax::{child_of_kind, field_text, named, text};
use paring_model::{Op, PlaceId, PlaceScope};
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

impl<'t> Builder<'t, '_> {
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    pub fn use_global(&mut self, name: &str) -> PlaceId {
        let place = self.places.intern(PlaceScope::Global, name);
        self.push(Op::Use(place));
        place
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
                node.child_by_field_name("body").into_iter().for_each(|body| self.switch_value(body));
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
    pub fn opaque_class(&mut self, body: Node<'t>) {
        self.scopes.stack.push(Scope::Class(self.anonymous_scope(body)));
        self.walk.n_conditions += 1;
        for member in named(body) {
            self.scoped(|builder| builder.opaque(member));
        }
        self.walk.n_conditions -= 1;
        self.scopes.stack.pop();
    }

    /// The cases of a `switch` that has a value. Statements behind an arrow are nodes, as those of a lambda are.
    fn switch_value(&mut self, body: Node<'t>) {
        self.walk.n_conditions += 1;
        for case in named(body) {
            let block = child_of_kind(case, "block").or_else(|| child_of_kind(case, "throw_statement"));
            let block = block.filter(|block| case.kind() == "switch_rule" && self.can_be_inline(*block));
            if let Some(block) = block {
                self.scoped(|builder| {
                    named(case).into_iter().filter(|part| *part != block).for_each(|part| builder.expr(part));
                    builder.inline_block(block);
                });
            } else {
                self.expr(case);
            }
        }
        self.walk.n_conditions -= 1;
    }

    /// Whether a block may be a routine of its own: unlike that of a lambda, it can give a value to a local around it.
    fn can_be_inline(&self, block: Node<'t>) -> bool {
        let mut assigned = assigned_names(block, self.source).into_iter();
        self.walk.inline && !assigned.any(|name| self.is_local(name))
    }

    fn conditional(&mut self, may_be_skipped: bool, part: Option<Node<'t>>) {
        self.walk.n_conditions += usize::from(may_be_skipped);
        if let Some(part) = part {
            self.expr(part);
        }
        self.walk.n_conditions -= usize::from(may_be_skipped);
    }

    pub fn name(&mut self, node: Node<'t>) {
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

    pub fn change_program(&mut self) {
        let hidden = self.places.intern(PlaceScope::Hidden, "the program's state");
        self.push(Op::Mutate(hidden));
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
