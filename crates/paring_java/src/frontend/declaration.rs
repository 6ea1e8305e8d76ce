//! Declarations of locals, and of several variables at once.
//!
//! A variable that gets another value later has two places: its declaration (`int x`) and its value (`x`), so that the
//! declaration can stay without the value: `int x = f();` becomes `int x;`.

use super::build::Builder;
use super::kind;
use super::scope::Var;
use super::stmts::HEADER;
use super::syntax::{child_of_kind, children, field_text, in_field, named, offset, range_of, text, walk};
use paring_model::{Op, StmtId, StmtKind, TextRange};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Names that a piece of syntax gives a value other than by declaring them.
pub fn assigned_names<'s>(node: Node, source: &'s str) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    walk(node, &mut |node| {
        let target = match node.kind() {
            "assignment_expression" => node.child_by_field_name("left"),
            "update_expression" => named(node).first().copied(),
            _ => None,
        };
        if let Some(target) = target.filter(|target| target.kind() == "identifier") {
            found.insert(text(target, source));
        }
        true
    });
    found
}

impl<'t, 's> Builder<'t, 's> {
    /// A local; its declaration can stand alone where it has no value, or gets another later.
    pub fn local(&mut self, name: &'s str, type_name: &str, has_value: bool) -> Var {
        let is_apart = !has_value || self.assigned.contains(name);
        let type_name = if type_name == "var" && has_value { None } else { Some(type_name) };
        self.new_local(name, type_name.filter(|_| is_apart))
    }

    pub fn declaration(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let declarators = in_field(node, "declarator");
        let type_name = field_text(node, "type", self.source);
        let types = |builder: &mut Self| {
            for part in named(node).into_iter().filter(|part| part.kind() != "variable_declarator") {
                builder.expr(part);
            }
        };
        let range = range_of(node);
        if let [declarator] = declarators.as_slice() {
            let value = declarator.child_by_field_name("value");
            let name = declarator.child_by_field_name("name");
            if let (Some(value), Some(name)) = (value, name)
                && let Some((runs, lambda)) = kind::run_block(value, self.source)
            {
                let header = |builder: &mut Self| {
                    types(builder);
                    builder.expr(value);
                };
                return self.running(node, parent, runs, lambda, header, Some((name, type_name)));
            }
        }
        let id = self.node(StmtKind::Simple, range, range.end, Some(parent));
        if let [declarator] = declarators.as_slice() {
            self.single(id, *declarator, type_name, types);
        } else {
            self.uncounted(id);
            self.header(id, HEADER, types);
            let value = |builder: &mut Self, declarator: Node<'t>| builder.declarator(declarator, type_name);
            self.list(id, node, &declarators, value, true);
        }
        id
    }

    /// One variable. Where its value may go without it, the value is a node of its own.
    fn single(&mut self, id: StmtId, declarator: Node<'t>, type_name: &str, types: impl FnOnce(&mut Self)) {
        let name = field_text(declarator, "name", self.source);
        self.shape(id).declares = vec![name.to_owned()];
        let value = declarator.child_by_field_name("value");
        let equals = child_of_kind(declarator, "=");
        let is_apart = value.is_some() && self.assigned.contains(name) && type_name != "var";
        let (Some(value), Some(equals), true) = (value, equals, is_apart) else {
            self.header(id, HEADER, |builder| {
                types(builder);
                builder.declarator(declarator, type_name);
            });
            return;
        };
        self.header(id, HEADER, types);
        let range = TextRange::new(offset(equals.start_byte()), offset(declarator.end_byte()));
        let child = self.node(StmtKind::Simple, range, range.end, Some(id));
        self.uncounted(child);
        let mut var = Var::default();
        self.header(child, HEADER, |builder| {
            builder.expr(value);
            var = builder.local(name, type_name, true);
            builder.ops.extend(var.place.map(Op::Define));
        });
        self.stmts[id.idx()].ops.extend(var.declaration.map(Op::Define));
        self.stmts[id.idx()].children.push(child);
    }

    fn declarator(&mut self, declarator: Node<'t>, type_name: &str) {
        let value = declarator.child_by_field_name("value");
        if let Some(value) = value {
            self.expr(value);
        }
        let name = field_text(declarator, "name", self.source);
        let var = self.local(name, type_name, value.is_some());
        self.ops.extend(var.declaration.map(Op::Define));
        if value.is_some() {
            self.ops.extend(var.place.map(Op::Define));
        }
    }

    /// Several variables of one declaration: a node each, within the header of the whole.
    pub fn list(
        &mut self,
        id: StmtId,
        node: Node<'t>,
        declarators: &[Node<'t>],
        value: impl Fn(&mut Self, Node<'t>),
        counts: bool,
    ) {
        let commas = children(node).into_iter().filter(|child| child.kind() == ",");
        self.shape(id).commas = commas.map(|comma| offset(comma.start_byte())).collect();
        self.shape(id).is_list = true;
        for &declarator in declarators {
            let range = range_of(declarator);
            if range.is_empty() {
                continue;
            }
            let child = self.node(StmtKind::Simple, range, range.end, Some(id));
            self.stmts[child.idx()].counts = counts;
            self.shape(child).declares = vec![field_text(declarator, "name", self.source).to_owned()];
            self.header(child, HEADER, |builder| value(builder, declarator));
            self.stmts[id.idx()].children.push(child);
        }
    }
}
