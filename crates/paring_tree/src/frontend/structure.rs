//! From a tree-sitter tree to a unit.
//!
//! Every named node is a node of the unit, so that it can go, or give way to a part of it. A node and its only part with the
//! same text are one. Literals, comments and what the parser made no sense of have no parts. Keywords are offered as
//! trims. For
//!
//! ```javascript
//! if (ready) { go(2); }
//! ```
//!
//! the nodes are the `if`, its condition and in it the name, the block, the statement in it, the call, its name, its
//! arguments, and the number. The statement and the `if` count as statements: they stand in a body.

use super::grammar::{children, is_body, is_comment, is_literal};
use super::name::{Role, role};
use crate::lang::Lang;
use crate::whole_file::{self, KEEP, ROOT, offset};
use camino::Utf8Path;
use paring_model::{Op, Place, PlaceId, PlaceScope, Stmt, StmtId, StmtKind, TextRange, Trim, TrimKind, Unit};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The whole file as one unit: its root is the test.
pub fn unit(lang: Lang, path: &Utf8Path, source: &str, target: &str, root: Node<'_>) -> Unit {
    let unit = whole_file::open(path, source, target);
    let mut build = Build { lang, places: BTreeMap::new(), unit };
    build.below(root, ROOT);
    let mut unit = build.unit;
    whole_file::close(&mut unit);
    protect(&mut unit);
    unit
}

struct Build {
    lang: Lang,
    unit: Unit,
    places: BTreeMap<(PlaceScope, String), PlaceId>,
}

impl Build {
    /// Adds all named nodes below one.
    fn below(&mut self, node: Node<'_>, id: StmtId) {
        for child in children(node) {
            if child.is_named() {
                self.node(child, id);
            } else {
                self.keyword(child, id);
            }
        }
    }

    fn node(&mut self, outer: Node<'_>, parent: StmtId) {
        let range = trimmed(outer, &self.unit.source);
        if range.is_empty() {
            return;
        }
        let counts = outer.parent().is_some_and(is_body) && !is_comment(outer) && !is_list(outer);
        let node = innermost(outer, &self.unit.source);
        let id = whole_file::push(&mut self.unit, kind(node), range, Some(parent), counts);
        if let Some((role, place)) = role(self.lang, node, &self.unit.source) {
            self.name(id, role, place, node);
        }
        if !is_comment(node) && !is_literal(node) && !node.is_error() {
            self.below(node, id);
        }
        let children = self.unit.stmts[id.idx()].children.iter().map(|&child| self.unit.stmt(child));
        let block =
            children.filter(|child| child.kind == StmtKind::Block).map(|child| child.range.start).next();
        if let Some(start) = block.filter(|_| counts) {
            self.unit.stmts[id.idx()].header = TextRange::new(range.start, start);
        }
    }

    fn keyword(&mut self, token: Node<'_>, owner: StmtId) {
        let range = trimmed(token, &self.unit.source);
        let text = range.of(&self.unit.source);
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return;
        }
        let label = format!("keyword {text}");
        let edits = vec![(range, String::new())];
        self.unit.trims.push(Trim {
            kind: TrimKind::Decorator,
            stmt: owner,
            edits,
            unused: Vec::new(),
            label,
        });
    }

    fn name(&mut self, id: StmtId, role: Role, named: Place, node: Node<'_>) {
        let next = PlaceId::from_idx(self.unit.places.len());
        let label = format!("name {}", named.name);
        let place = *self.places.entry((named.scope, named.name.clone())).or_insert(next);
        if place == next {
            self.unit.places.push(named);
        }
        let op = match role {
            Role::Define => Op::Define(place),
            Role::Bind => Op::MayDefine(place),
            Role::Read => Op::Use(place),
        };
        self.unit.stmts[id.idx()].ops.push(op);
        // Of several names that one Go statement defines, one that nothing reads has to become a blank.
        if role == Role::Define && self.lang == Lang::Go && node.parent().is_some_and(has_several) {
            let range = self.unit.stmt(id).range;
            self.unit.trims.push(Trim {
                kind: TrimKind::Parameter,
                stmt: id,
                edits: vec![(range, "_".to_owned())],
                unused: vec![place],
                label,
            });
        }
    }
}

fn has_several(node: Node<'_>) -> bool {
    node.kind() == "expression_list" && node.named_child_count() > 1
}

/// A list of statements in a body is no statement.
fn is_list(node: Node<'_>) -> bool {
    ["statement_list", "declaration_list"].iter().any(|word| node.kind().ends_with(word))
}

fn kind(node: Node<'_>) -> StmtKind {
    if is_comment(node) {
        StmtKind::Docstring
    } else if is_body(node) {
        StmtKind::Block
    } else if node.kind().contains("for") {
        StmtKind::Loop { endless: false }
    } else {
        StmtKind::Simple
    }
}

/// The last of the nodes below one that have the same text. A body stays apart from what is in it: it may lose that.
fn innermost<'tree>(outer: Node<'tree>, source: &str) -> Node<'tree> {
    let mut node = outer;
    while !is_body(node) && !is_literal(node) && !node.is_error() {
        let range = trimmed(node, source);
        let same = children(node).find(|child| child.is_named() && trimmed(*child, source) == range);
        match same {
            Some(child) => node = child,
            None => break,
        }
    }
    node
}

/// The range of a node without white space at its ends: directives hold the end of their line.
fn trimmed(node: Node<'_>, source: &str) -> TextRange {
    let text = &source[node.byte_range()];
    let start = node.start_byte() + (text.len() - text.trim_start().len());
    TextRange::new(offset(start), offset(start + text.trim().len()))
}

/// Protects what begins in a line with a comment that says so, and the comment.
fn protect(unit: &mut Unit) {
    let says_keep =
        |stmt: &&Stmt| stmt.kind == StmtKind::Docstring && stmt.range.of(&unit.source).contains(KEEP);
    let lines: Vec<u32> =
        unit.stmts.iter().filter(says_keep).map(|stmt| unit.line_of(stmt.range.start)).collect();
    for idx in 1..unit.stmts.len() {
        let line = unit.line_of(unit.stmts[idx].range.start);
        unit.stmts[idx].protected = lines.contains(&line);
    }
}
