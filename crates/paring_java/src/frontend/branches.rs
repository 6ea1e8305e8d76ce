//! `if` with its branches, and `switch` with its groups and rules.

use super::build::Builder;
use super::loops::Frame;
use super::shape::Body;
use super::stmts::{HEADER, TAIL};
use super::syntax::{child_of_kind, children, named, offset, range_of};
use paring_model::{StmtId, StmtKind, TextRange};
use tree_sitter::Node;

impl<'t> Builder<'t, '_> {
    pub fn choice(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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

    pub fn switch(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
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
}
