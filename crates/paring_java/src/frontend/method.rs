//! What has a routine of its own: methods, constructors, blocks of lambdas and of cases that give a value, the
//! bodies of anonymous classes.

use super::build::{Builder, Method};
use super::expr::Walk;
use super::kind::{self, Role};
use super::scope::{Scope, method};
use super::shape::Body;
use super::syntax::{annotations, children, field_text, in_field, named, offset, range_of, text};
use paring_model::{Op, PlaceScope, RoutineKind, StmtId, StmtKind};
use tree_sitter::Node;

impl<'t> Builder<'t, '_> {
    pub fn method(&mut self, node: Node<'t>, class: Node<'t>, parent: StmtId) -> StmtId {
        let range = range_of(node);
        let body = node.child_by_field_name("body");
        let open = body.map_or(range.end, |body| offset(body.start_byte()) + 1);
        let id = self.node(StmtKind::Def, range, open, Some(parent));
        self.uncounted(id);
        let name = field_text(node, "name", self.source);
        let is_constructor = node.kind() != "method_declaration";
        let is_related = self.is_related();
        let role = if is_constructor { Role::Helper } else { kind::role(node, self.source, self.style) };
        let routine = self.new_routine(RoutineKind::Helper, name, Some(id));
        if is_related {
            self.methods.push(Method { routine, role, is_constructor, class: class.start_byte() });
        }
        self.header(id, Walk::default(), |builder| {
            let own_name = node.child_by_field_name("name");
            for part in named(node).into_iter().filter(|part| Some(*part) != body && Some(*part) != own_name)
            {
                if part.kind() == "formal_parameters" {
                    builder.parameter_types(part);
                } else {
                    builder.expr(part);
                }
            }
            let is_source =
                |(name, node): &(&str, Node)| *name == "MethodSource" && node.kind() == "marker_annotation";
            if annotations(node, builder.source).iter().any(is_source) {
                let place = method(&mut builder.places, name);
                builder.push(Op::Use(place));
            }
            if is_related && !is_constructor {
                // Overloads share a place: none of them hides another.
                let place = method(&mut builder.places, name);
                builder.push(Op::MayDefine(place));
            }
        });
        let outer = std::mem::replace(&mut self.routine, routine);
        self.enter_method(node, |builder| {
            let mut params = Vec::new();
            if let Some(parameters) = node.child_by_field_name("parameters") {
                for name in named(parameters).into_iter().filter_map(parameter_name) {
                    params.extend(builder.new_local(text(name, builder.source), None).place);
                }
            }
            builder.routines[routine.idx()].params = params;
            if let Some(body) = body {
                builder.braced(id, body);
            }
        });
        self.routine = outer;
        self.routines[routine.idx()].body.clone_from(&self.stmts[id.idx()].children);
        id
    }

    fn parameter_types(&mut self, parameters: Node<'t>) {
        for parameter in named(parameters) {
            let name = parameter_name(parameter);
            let is_type = |part: &Node| Some(*part) != name && part.kind() != "variable_declarator";
            named(parameter).into_iter().filter(is_type).for_each(|part| self.expr(part));
        }
    }

    /// A lambda with a block: a definition within the header of the statement around it.
    pub fn inline_lambda(&mut self, lambda: Node<'t>, block: Node<'t>) {
        self.inline_routine("lambda", lambda, block);
    }

    /// The block of a `case` that gives a value, or what it throws instead, likewise.
    pub fn inline_block(&mut self, block: Node<'t>) {
        if let Some(id) = self.inline_routine("block", block, block) {
            self.shape(id).is_rule = true;
        }
    }

    fn inline_routine(&mut self, what: &str, node: Node<'t>, block: Node<'t>) -> Option<StmtId> {
        let parent = self.current?;
        let is_block = block.kind() == "block";
        let header_end = offset(block.start_byte()) + u32::from(is_block);
        let id = self.node(StmtKind::Def, range_of(node), header_end, Some(parent));
        self.inline_definition(id, parent, what);
        let routine = self.new_routine(RoutineKind::Helper, what, Some(id));
        let outer = std::mem::replace(&mut self.routine, routine);
        let assigned = self.assigned.clone();
        self.enter_method(node, |builder| {
            builder.assigned.extend(assigned);
            for (name, types) in lambda_parameters(node) {
                for part in types {
                    builder.expr(part);
                }
                builder.new_local(text(name, builder.source), None);
            }
            if is_block {
                builder.braced(id, block);
            } else {
                builder.shape(id).body = Body::Arrow;
                builder.statements(id, vec![block]);
            }
        });
        self.routine = outer;
        self.routines[routine.idx()].body.clone_from(&self.stmts[id.idx()].children);
        Some(id)
    }

    /// The body of an anonymous class, likewise.
    pub fn inline_class(&mut self, body: Node<'t>) {
        let Some(parent) = self.current else { return };
        let range = range_of(body);
        let id = self.node(StmtKind::Class, range, range.start + 1, Some(parent));
        self.inline_definition(id, parent, "class");
        self.braces(id, body);
        let scope = self.anonymous_scope(body);
        self.scopes.stack.push(Scope::Class(scope));
        let children = self.members(id, body);
        self.stmts[id.idx()].children = children;
        self.scopes.stack.pop();
    }

    /// The statement around reads the place that stands for the definition.
    fn inline_definition(&mut self, id: StmtId, parent: StmtId, what: &str) {
        self.uncounted(id);
        self.stmts[parent.idx()].children.push(id);
        let name = format!("{what} {}", self.stmts[id.idx()].range.start);
        let place = self.places.intern(PlaceScope::Local(self.routine), name);
        self.stmts[id.idx()].ops = vec![Op::Define(place)];
        self.push(Op::Use(place));
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
