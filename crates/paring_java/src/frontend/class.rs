//! Classes of any sort and what stands in them: fields, initialisers, methods, further classes.

use super::build::Builder;
use super::expr::Walk;
use super::outline::{fields, is_class, members};
use super::scope::{ClassScope, Scope, field_declaration, member};
use super::syntax::{child_of_kind, children, field_text, in_field, named, offset, range_of};
use paring_model::{Op, PlaceScope, StmtId, StmtKind};
use tree_sitter::Node;

impl<'t> Builder<'t, '_> {
    /// A class of any sort, local ones too.
    pub fn class(&mut self, node: Node<'t>, parent: Option<StmtId>) -> StmtId {
        let range = range_of(node);
        let body = node.child_by_field_name("body");
        let open = body.map_or(range.end, |body| offset(body.start_byte()) + 1);
        let id = self.node(StmtKind::Class, range, open, parent);
        // The classes a test stands in are no statements of it.
        let is_local = parent.is_some_and(|parent| self.stmts[parent.idx()].kind != StmtKind::Class);
        self.stmts[id.idx()].counts = is_local;
        if let Some(body) = body {
            self.braces(id, body);
        }
        let name = field_text(node, "name", self.source);
        let place = self.places.intern(PlaceScope::Global, name);
        let outlined = self.outline.classes.iter().position(|class| class.start == node.start_byte());
        let scope = match outlined {
            Some(idx) if !is_local => self.class_scope(idx),
            Some(_) | None => self.anonymous_scope(node),
        };
        self.header(id, Walk::default(), |builder| {
            for part in
                named(node).into_iter().filter(|part| Some(*part) != body && part.kind() != "identifier")
            {
                builder.expr(part);
            }
            builder.push(Op::Define(place));
        });
        self.scopes.stack.push(Scope::Class(scope));
        self.constants(id, body);
        let children = self.members(id, node);
        self.stmts[id.idx()].children = children;
        self.scopes.stack.pop();
        id
    }

    /// The constants of an enum are part of it.
    fn constants(&mut self, id: StmtId, body: Option<Node<'t>>) {
        let constants = body.map(|body| children(body)).unwrap_or_default();
        let own = std::mem::take(&mut self.stmts[id.idx()].ops);
        self.header(id, Walk::default(), |builder| {
            for constant in constants.into_iter().filter(|child| child.kind() == "enum_constant") {
                let name = constant.child_by_field_name("name");
                named(constant)
                    .into_iter()
                    .filter(|part| Some(*part) != name)
                    .for_each(|part| builder.expr(part));
            }
        });
        // The name comes last: what the class needs comes before it.
        self.stmts[id.idx()].ops.extend(own);
    }

    fn class_scope(&self, idx: usize) -> ClassScope {
        let mut scope = ClassScope {
            related: self.found.classes.contains(&self.outline.classes[idx].start),
            ..ClassScope::default()
        };
        for class in super::target::lineage(self.outline, idx) {
            let class = &self.outline.classes[class];
            scope.fields.extend(class.fields.clone());
            scope.methods.extend(class.methods.iter().cloned());
        }
        scope
    }

    /// The scope of a class that the outline does not have.
    pub fn anonymous_scope(&self, class: Node<'t>) -> ClassScope {
        let mut scope = ClassScope::default();
        let members = if class.kind() == "class_body" { named(class) } else { members(class) };
        for member in members {
            match member.kind() {
                "field_declaration" => scope.fields.extend(fields(member, self.source)),
                "method_declaration" => {
                    scope.methods.insert(field_text(member, "name", self.source).to_owned());
                }
                _ => {}
            }
        }
        if let Some(parameters) = class.child_by_field_name("parameters") {
            for parameter in named(parameters) {
                scope.fields.insert(field_text(parameter, "name", self.source).to_owned(), String::new());
            }
        }
        scope
    }

    pub fn members(&mut self, id: StmtId, class: Node<'t>) -> Vec<StmtId> {
        let found = if class.kind() == "class_body" { named(class) } else { members(class) };
        let mut ids = Vec::new();
        for member in found {
            match member.kind() {
                "field_declaration" | "constant_declaration" => ids.push(self.field(member, id)),
                "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
                    ids.push(self.method(member, class, id));
                }
                "block" | "static_initializer" => ids.extend(self.initializer(member, id)),
                _ if is_class(member) => ids.push(self.class(member, Some(id))),
                _ => {}
            }
        }
        ids
    }

    fn initializer(&mut self, node: Node<'t>, parent: StmtId) -> Option<StmtId> {
        let block = if node.kind() == "block" { node } else { child_of_kind(node, "block")? };
        let id = self.node(StmtKind::Block, range_of(node), offset(block.start_byte()) + 1, Some(parent));
        self.uncounted(id);
        self.enter_method(node, |builder| builder.braced(id, block));
        Some(id)
    }

    pub fn is_related(&self) -> bool {
        matches!(self.scopes.stack.iter().rev().find(|scope| matches!(scope, Scope::Class(_))),
            Some(Scope::Class(class)) if class.related)
    }

    fn field(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let range = range_of(node);
        let id = self.node(StmtKind::Simple, range, range.end, Some(parent));
        self.uncounted(id);
        let is_related = self.is_related();
        let declarators = in_field(node, "declarator");
        let walk = Walk { inline: true, ..Walk::default() };
        let is_list = declarators.len() > 1;
        self.header(id, walk, |builder| {
            for part in named(node).into_iter().filter(|part| part.kind() != "variable_declarator") {
                builder.expr(part);
            }
            if let ([declarator], false) = (declarators.as_slice(), is_list) {
                builder.field_value(*declarator, is_related);
            }
        });
        if is_list {
            self.list(
                id,
                node,
                &declarators,
                |builder, declarator| builder.field_value(declarator, is_related),
                false,
            );
        }
        id
    }

    fn field_value(&mut self, declarator: Node<'t>, is_related: bool) {
        let name = field_text(declarator, "name", self.source);
        if let Some(value) = declarator.child_by_field_name("value") {
            self.expr(value);
        }
        if is_related {
            let declaration = field_declaration(&mut self.places, name);
            let var = member(&mut self.places, name, None);
            self.push(Op::Define(declaration));
            // A field without a value is null, or is given one by an annotation.
            self.write(var);
        }
    }
}
