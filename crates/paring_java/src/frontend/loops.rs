//! Loops, labels, and the jumps that leave them.

use super::build::Builder;
use super::kind;
use super::shape::Body;
use super::stmts::TAIL;
use super::syntax::{child_of_kind, children, field_text, in_field, named, offset, range_of, text};
use paring_model::{Op, StmtId, StmtKind, TextRange};
use tree_sitter::Node;

/// Something a `break` or `continue` can leave, with its label.
#[derive(Clone, Debug)]
pub enum Frame<'s> {
    Loop(Option<&'s str>),
    Switch(Option<&'s str>),
    Labelled(&'s str),
}

impl<'t, 's> Builder<'t, 's> {
    pub fn labeled(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let parts = named(node);
        let label = parts.first().map_or("", |label| text(*label, self.source));
        let range = range_of(node);
        let colon = child_of_kind(node, ":").map_or(range.start, |colon| offset(colon.end_byte()));
        let id = self.node(StmtKind::Block, range, colon, Some(parent));
        self.shape(id).body = Body::Bare;
        self.frames.push(Frame::Labelled(label));
        let inner = children(node).into_iter().skip(2).collect();
        self.scoped(|builder| builder.statements(id, inner));
        self.frames.pop();
        id
    }

    /// The label right in front of the statement being entered.
    pub fn own_label(&self) -> Option<&'s str> {
        match self.frames.last() {
            Some(Frame::Labelled(label)) => Some(label),
            Some(Frame::Loop(_) | Frame::Switch(_)) | None => None,
        }
    }

    pub fn jump(&self, node: Node<'t>) -> StmtKind {
        let label = named(node).first().map(|label| text(*label, self.source));
        let is_break = node.kind() == "break_statement";
        let mut loops = 0;
        for frame in self.frames.iter().rev() {
            match frame {
                Frame::Loop(own) => {
                    loops += 1;
                    if label.is_none() || *own == label {
                        return if is_break {
                            StmtKind::Break { loops }
                        } else {
                            StmtKind::Continue { loops }
                        };
                    }
                }
                Frame::Switch(own) => {
                    if is_break && (label.is_none() || *own == label) {
                        return StmtKind::Break { loops: 0 };
                    }
                }
                Frame::Labelled(_) => {}
            }
        }
        if is_break { StmtKind::Break { loops: 0 } } else { StmtKind::Continue { loops: 1 } }
    }

    pub fn repeat(
        &mut self,
        endless: bool,
        node: Node<'t>,
        parent: StmtId,
        header: impl FnOnce(&mut Self),
    ) -> StmtId {
        let label = self.own_label();
        self.frames.push(Frame::Loop(label));
        let body = node.child_by_field_name("body");
        let id = self.compound(StmtKind::Loop { endless }, node, body, parent, header);
        self.frames.pop();
        id
    }

    pub fn do_while(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let condition = node.child_by_field_name("condition");
        let endless = kind::is_endless(condition, self.source);
        let id = self.repeat(endless, node, parent, |builder| {
            builder.walk = TAIL;
            if let Some(part) = condition {
                builder.expr(part);
            }
        });
        let range = range_of(node);
        let word = child_of_kind(node, "while").map_or(range.end, |word| offset(word.start_byte()));
        self.shape(id).tail = TextRange::new(word, range.end);
        id
    }

    pub fn counted_loop(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let condition = node.child_by_field_name("condition");
        let endless = kind::is_endless(condition, self.source);
        self.repeat(endless, node, parent, |builder| {
            for init in in_field(node, "init") {
                if init.kind() == "local_variable_declaration" {
                    named(init)
                        .into_iter()
                        .filter(|part| part.kind() != "variable_declarator")
                        .for_each(|part| builder.expr(part));
                    for declarator in in_field(init, "declarator") {
                        builder.loop_variable(declarator);
                    }
                } else {
                    builder.expr(init);
                }
            }
            if let Some(part) = condition {
                builder.expr(part);
            }
            for update in in_field(node, "update") {
                builder.walk.dropped = Some(update.id());
                builder.walk.n_conditions += 1;
                builder.expr(update);
                builder.walk.n_conditions -= 1;
            }
        })
    }

    fn loop_variable(&mut self, declarator: Node<'t>) {
        declarator.child_by_field_name("value").into_iter().for_each(|value| self.expr(value));
        let var = self.new_local(field_text(declarator, "name", self.source), None);
        self.ops.extend(var.place.map(Op::Define));
    }

    pub fn each_loop(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let name = node.child_by_field_name("name");
        let body = node.child_by_field_name("body");
        self.repeat(false, node, parent, |builder| {
            for part in named(node).into_iter().filter(|part| Some(*part) != name && Some(*part) != body) {
                builder.expr(part);
            }
            if let Some(name) = name {
                let var = builder.new_local(text(name, builder.source), None);
                builder.ops.extend(var.place.map(Op::Define));
            }
        })
    }
}
