//! `try`: its resources, handlers and what is done in the end.

use super::build::Builder;
use super::syntax::{child_of_kind, named, text};
use paring_model::{Op, StmtId, StmtKind};
use tree_sitter::Node;

impl<'t> Builder<'t, '_> {
    pub fn attempt(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let clauses: Vec<Node<'t>> = named(node)
            .into_iter()
            .filter(|part| matches!(part.kind(), "catch_clause" | "finally_clause"))
            .collect();
        let resources = node.child_by_field_name("resources");
        let kind = match (resources, clauses.is_empty()) {
            (Some(_), true) => StmtKind::With { expects: false },
            (Some(_) | None, _) => StmtKind::Try,
        };
        let body = node.child_by_field_name("body");
        let id = self.compound(kind, node, body, parent, |builder| {
            for resource in resources.into_iter().flat_map(named) {
                builder.resource(resource);
            }
        });
        self.shape(id).has_resources = resources.is_some();
        for clause in clauses {
            let child = if clause.kind() == "catch_clause" {
                self.handler(clause, id)
            } else {
                self.finally(clause, id)
            };
            self.stmts[id.idx()].children.push(child);
        }
        id
    }

    fn resource(&mut self, node: Node<'t>) {
        let name = node.child_by_field_name("name");
        named(node).into_iter().filter(|part| Some(*part) != name).for_each(|part| self.expr(part));
        if let Some(name) = name {
            let var = self.new_local(text(name, self.source), None);
            self.ops.extend(var.place.map(Op::Define));
        }
    }

    fn handler(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let body = node.child_by_field_name("body");
        let id = self.compound(StmtKind::Handler, node, body, parent, |builder| {
            let Some(parameter) = child_of_kind(node, "catch_formal_parameter") else { return };
            let name = parameter.child_by_field_name("name");
            named(parameter)
                .into_iter()
                .filter(|part| Some(*part) != name)
                .for_each(|part| builder.expr(part));
            if let Some(name) = name {
                let var = builder.new_local(text(name, builder.source), None);
                builder.ops.extend(var.place.map(Op::Define));
            }
        });
        self.uncounted(id);
        id
    }

    fn finally(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let body = child_of_kind(node, "block");
        let id = self.compound(StmtKind::Finally, node, body, parent, |_| {});
        self.uncounted(id);
        id
    }
}
