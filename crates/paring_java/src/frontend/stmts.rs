//! Statements of methods, initialisers and lambdas as nodes of the arena. Those with a shape of their own are in
//! `declaration.rs`, `branches.rs`, `loops.rs` and `attempt.rs`.

use super::build::Builder;
use super::expr::Walk;
use super::kind;
use super::outline::is_class;
use super::shape::Body;
use super::syntax::{children, named, offset, range_of, text};
use paring_model::{Op, StmtId, StmtKind, TextRange};
use tree_sitter::Node;

pub const HEADER: Walk =
    Walk { dropped: None, skipped: None, n_conditions: 0, inline: true, lambda_root: None };
/// Of syntax that stands behind the body, or where a definition could be no node.
pub const TAIL: Walk = Walk { inline: false, ..HEADER };

impl<'t, 's> Builder<'t, 's> {
    /// The statements between braces, as children of a node.
    pub fn braced(&mut self, id: StmtId, block: Node<'t>) {
        self.braces(id, block);
        self.scoped(|builder| builder.statements(id, children(block)));
    }

    pub fn statements(&mut self, id: StmtId, nodes: Vec<Node<'t>>) {
        for node in nodes {
            if let Some(child) = self.stmt(node, id) {
                self.stmts[id.idx()].children.push(child);
            }
        }
    }

    /// The body of a statement: a block, or a statement without braces.
    pub fn body(&mut self, id: StmtId, body: Option<Node<'t>>) {
        let Some(body) = body else { return };
        if body.kind() == "block" {
            self.braced(id, body);
        } else {
            self.shape(id).body = Body::Bare;
            self.scoped(|builder| builder.statements(id, vec![body]));
        }
    }

    /// Where the header of a statement with that body ends.
    pub fn header_end(body: Option<Node<'t>>, range: TextRange) -> u32 {
        match body {
            Some(body) if body.kind() == "block" => offset(body.start_byte()) + 1,
            Some(body) => body.prev_sibling().map_or(offset(body.start_byte()), |before| {
                let mut before = before;
                while super::syntax::is_comment(before) {
                    let Some(earlier) = before.prev_sibling() else { break };
                    before = earlier;
                }
                offset(before.end_byte())
            }),
            None => range.end,
        }
    }

    fn stmt(&mut self, node: Node<'t>, parent: StmtId) -> Option<StmtId> {
        if node.is_error() || node.is_missing() || node.start_byte() == node.end_byte() {
            return None;
        }
        let id = match node.kind() {
            "block" => self.compound(StmtKind::Block, node, Some(node), parent, |_| {}),
            ";" => self.simple(StmtKind::Simple, node, parent, |_| {}),
            "local_variable_declaration" => self.declaration(node, parent),
            "expression_statement" => self.expression(node, parent),
            "explicit_constructor_invocation" => {
                let id = self.simple(StmtKind::Simple, node, parent, |builder| {
                    for part in named(node) {
                        builder.expr(part);
                    }
                });
                // What a constructor begins with decides whether it compiles; `super()` goes without saying.
                let is_implied = node.utf8_text(self.source.as_bytes()).is_ok_and(|text| text == "super();");
                if !is_implied {
                    self.stmts[parent.idx()].needs.push(id);
                }
                id
            }
            "labeled_statement" => self.labeled(node, parent),
            "if_statement" => self.choice(node, parent),
            "while_statement" => {
                let condition = node.child_by_field_name("condition");
                let endless = kind::is_endless(condition, self.source);
                self.repeat(endless, node, parent, move |builder| {
                    if let Some(part) = condition {
                        builder.expr(part);
                    }
                })
            }
            "do_statement" => self.do_while(node, parent),
            "for_statement" => self.counted_loop(node, parent),
            "enhanced_for_statement" => self.each_loop(node, parent),
            "assert_statement" => self.simple(StmtKind::Assert, node, parent, |builder| {
                for part in named(node) {
                    builder.expr(part);
                }
            }),
            "return_statement" | "yield_statement" => {
                self.simple(StmtKind::Return, node, parent, |builder| {
                    for part in named(node) {
                        builder.expr(part);
                    }
                })
            }
            "throw_statement" => self.simple(StmtKind::Raise, node, parent, |builder| {
                for part in named(node) {
                    builder.expr(part);
                }
            }),
            "break_statement" | "continue_statement" => {
                let kind = self.jump(node);
                self.simple(kind, node, parent, |_| {})
            }
            "switch_expression" => self.switch(node, parent),
            "synchronized_statement" => {
                let body = node.child_by_field_name("body");
                self.compound(StmtKind::With { expects: false }, node, body, parent, |builder| {
                    named(node)
                        .into_iter()
                        .filter(|part| part.kind() != "block")
                        .for_each(|part| builder.expr(part));
                })
            }
            "try_statement" | "try_with_resources_statement" => self.attempt(node, parent),
            _ if is_class(node) => self.class(node, Some(parent)),
            _ => return None,
        };
        Some(id)
    }

    fn simple(
        &mut self,
        kind: StmtKind,
        node: Node<'t>,
        parent: StmtId,
        inner: impl FnOnce(&mut Self),
    ) -> StmtId {
        let range = range_of(node);
        let id = self.node(kind, range, range.end, Some(parent));
        self.header(id, HEADER, inner);
        id
    }

    pub fn compound(
        &mut self,
        kind: StmtKind,
        node: Node<'t>,
        body: Option<Node<'t>>,
        parent: StmtId,
        header: impl FnOnce(&mut Self),
    ) -> StmtId {
        let range = range_of(node);
        let id = self.node(kind, range, Self::header_end(body, range), Some(parent));
        self.stmts[id.idx()].counts = kind != StmtKind::Block;
        self.scoped(|builder| {
            builder.header(id, HEADER, header);
            builder.body(id, body);
        });
        id
    }

    fn expression(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let Some(&expr) = named(node).first() else {
            return self.simple(StmtKind::Simple, node, parent, |_| {});
        };
        if let Some((runs, lambda)) = kind::run_block(expr, self.source) {
            return self.running(node, parent, runs, lambda, |builder| builder.expr(expr), None);
        }
        let kind = kind::expression_kind(expr, self.source);
        let range = range_of(node);
        let id = self.node(kind, range, range.end, Some(parent));
        self.header(id, Walk { dropped: Some(expr.id()), ..HEADER }, |builder| builder.expr(expr));
        id
    }

    /// A call that runs a lambda's block: the block's statements are its children.
    pub fn running(
        &mut self,
        node: Node<'t>,
        parent: StmtId,
        runs: kind::Runs,
        lambda: Node<'t>,
        header: impl FnOnce(&mut Self),
        declared: Option<(Node<'t>, &'s str)>,
    ) -> StmtId {
        let range = range_of(node);
        let block = lambda.child_by_field_name("body");
        let open = block.map_or(range.end, |block| offset(block.start_byte()) + 1);
        let kind = StmtKind::With { expects: runs.expects };
        let id = self.node(kind, range, open, Some(parent));
        self.header(id, Walk { skipped: Some(lambda.id()), ..HEADER }, header);
        let frames = std::mem::take(&mut self.frames);
        if let Some(block) = block {
            self.shape(id).tail = TextRange::new(offset(block.end_byte()), range.end);
            self.braced(id, block);
        }
        self.frames = frames;
        if let Some((name, type_name)) = declared {
            let var = self.local(text(name, self.source), type_name, true);
            self.shape(id).declares = vec![text(name, self.source).to_owned()];
            let mut ops = std::mem::take(&mut self.stmts[id.idx()].ops);
            ops.extend(var.declaration.into_iter().chain(var.place).map(Op::Define));
            self.stmts[id.idx()].ops = ops;
        }
        id
    }
}
