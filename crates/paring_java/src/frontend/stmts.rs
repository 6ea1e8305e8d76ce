//! Statements of methods, initialisers and lambdas as nodes of the arena.

use super::build::{Builder, Frame};
use super::expr::Walk;
use super::kind;
use super::outline::is_class;
use super::shape::Body;
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

const HEADER: Walk = Walk { dropped: None, skipped: None, n_conditions: 0, inline: true, lambda_root: None };
const TAIL: Walk = Walk { inline: false, ..HEADER };

impl<'t, 's> Builder<'t, 's> {
    /// The statements between braces, as children of a node.
    pub fn braced(&mut self, id: StmtId, block: Node<'t>) {
        self.braces(id, block);
        self.scoped(|builder| builder.statements(id, children(block)));
    }

    fn statements(&mut self, id: StmtId, nodes: Vec<Node<'t>>) {
        for node in nodes {
            if let Some(child) = self.stmt(node, id) {
                self.stmts[id.idx()].children.push(child);
            }
        }
    }

    /// The body of a statement: a block, or a statement without braces.
    fn body(&mut self, id: StmtId, body: Option<Node<'t>>) {
        let Some(body) = body else { return };
        if body.kind() == "block" {
            self.braced(id, body);
        } else {
            self.shape(id).body = Body::Bare;
            self.scoped(|builder| builder.statements(id, vec![body]));
        }
    }

    /// Where the header of a statement with that body ends.
    fn header_end(body: Option<Node<'t>>, range: TextRange) -> u32 {
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
                // What a constructor begins with decides whether it compiles.
                self.stmts[parent.idx()].needs.push(id);
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

    fn compound(
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
    fn running(
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

    /// A local; its declaration can stand alone where it has no value, or gets another later.
    fn local(&mut self, name: &'s str, type_name: &str, has_value: bool) -> super::scope::Var {
        let is_apart = !has_value || self.assigned.contains(name);
        let type_name = if type_name == "var" && has_value { None } else { Some(type_name) };
        self.new_local(name, type_name.filter(|_| is_apart))
    }

    fn declaration(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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
        let mut var = super::scope::Var::default();
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

    fn labeled(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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
    fn own_label(&self) -> Option<&'s str> {
        match self.frames.last() {
            Some(Frame::Labelled(label)) => Some(label),
            Some(Frame::Loop(_) | Frame::Switch(_)) | None => None,
        }
    }

    fn jump(&self, node: Node<'t>) -> StmtKind {
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

    fn choice(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let condition = node.child_by_field_name("condition");
        let body = node.child_by_field_name("consequence");
        let range = range_of(node);
        let id = self.node(StmtKind::If, range, Self::header_end(body, range), Some(parent));
        // A pattern's variable may be known behind the statement: its scope is that of the block around.
        self.header(id, HEADER, |builder| condition.into_iter().for_each(|part| builder.expr(part)));
        self.body(id, body);
        let mut current = node;
        while let Some(other) = current.child_by_field_name("alternative") {
            let start = child_of_kind(current, "else")
                .map_or(offset(other.start_byte()), |word| offset(word.start_byte()));
            if other.kind() != "if_statement" {
                let range = TextRange::new(start, offset(other.end_byte()));
                let clause = self.node(StmtKind::Else, range, Self::header_end(Some(other), range), Some(id));
                self.uncounted(clause);
                self.body(clause, Some(other));
                self.stmts[id.idx()].children.push(clause);
                break;
            }
            let condition = other.child_by_field_name("condition");
            let body = other.child_by_field_name("consequence");
            let end = body.map_or(other.end_byte(), |body| body.end_byte());
            let range = TextRange::new(start, offset(end));
            let clause = self.node(StmtKind::Elif, range, Self::header_end(body, range), Some(id));
            self.header(clause, HEADER, |builder| condition.into_iter().for_each(|part| builder.expr(part)));
            self.body(clause, body);
            self.stmts[id.idx()].children.push(clause);
            current = other;
        }
        id
    }

    fn repeat(
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

    fn do_while(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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

    fn counted_loop(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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

    fn each_loop(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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

    fn switch(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let range = range_of(node);
        let body = node.child_by_field_name("body");
        let open = body.map_or(range.end, |body| offset(body.start_byte()) + 1);
        let id = self.node(StmtKind::Match, range, open, Some(parent));
        let condition = node.child_by_field_name("condition");
        self.header(id, HEADER, |builder| condition.into_iter().for_each(|part| builder.expr(part)));
        let Some(body) = body else { return id };
        self.braces(id, body);
        let label = self.own_label();
        self.frames.push(Frame::Switch(label));
        // All groups of one `switch` share a scope.
        self.scoped(|builder| {
            for case in named(body) {
                let clause = match case.kind() {
                    "switch_block_statement_group" => builder.group(case, id),
                    "switch_rule" => builder.rule(case, id),
                    _ => continue,
                };
                builder.stmts[id.idx()].children.push(clause);
            }
        });
        self.frames.pop();
        id
    }

    fn group(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let parts = children(node);
        let n_labels = parts.iter().rposition(|part| part.kind() == ":").map_or(0, |at| at + 1);
        let range = range_of(node);
        let end = n_labels.checked_sub(1).map_or(range.end, |at| offset(parts[at].end_byte()));
        let id = self.node(StmtKind::Case, range, end, Some(parent));
        self.uncounted(id);
        self.shape(id).body = Body::Group;
        self.labels(id, &parts[..n_labels]);
        self.statements(id, parts[n_labels..].to_vec());
        id
    }

    fn rule(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let parts = children(node);
        let range = range_of(node);
        let arrow = parts.iter().position(|part| part.kind() == "->");
        let body = arrow.and_then(|at| parts.get(at + 1)).copied();
        let id = self.node(StmtKind::Case, range, Self::header_end(body, range), Some(parent));
        self.uncounted(id);
        self.scoped(|builder| {
            builder.labels(id, &parts[..arrow.unwrap_or(parts.len())]);
            builder.body(id, body);
        });
        if self.shape(id).body == Body::Bare {
            self.shape(id).body = Body::Arrow;
        }
        id
    }

    /// The constants of an enum are written without it: such names are no variables.
    fn labels(&mut self, id: StmtId, labels: &[Node<'t>]) {
        let labels: Vec<Node<'t>> =
            labels.iter().copied().filter(|label| label.kind() == "switch_label").collect();
        self.header(id, TAIL, |builder| {
            for part in labels.into_iter().flat_map(named).filter(|part| part.kind() != "identifier") {
                builder.expr(part);
            }
        });
    }

    fn attempt(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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
