//! Calls and creations: whom they are charged to, and what they can reach through their arguments.

use super::build::Builder;
use super::kind;
use super::syntax::{child_of_kind, field_text, named, range_of, text};
use paring_model::{Call, CallResult, Op, PlaceId};
use tree_sitter::Node;

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
    pub fn call(&mut self, node: Node<'t>) {
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

    pub fn creation(&mut self, node: Node<'t>) {
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
}
