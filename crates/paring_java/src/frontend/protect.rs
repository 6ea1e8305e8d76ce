//! What no slice takes anything out of: statements under `// paring: keep`, and tests of the file that run before the target.

use super::lines::Lines;
use super::outline::outline_of;
use super::syntax::{is_comment, range_of, text, walk};
use super::target::{find, split};
use paring_model::{StmtId, StmtKind, TextRange, Unit};
use tree_sitter::Node;

const MARK: &str = "paring: keep";

/// Protects the statements with the mark in a line of their header, or in the comment lines right above.
pub fn mark(unit: &mut Unit, root: Node) {
    if !unit.source.contains(MARK) {
        return;
    }
    let mut marked: Vec<TextRange> = Vec::new();
    walk(root, &mut |node| {
        if is_comment(node) && text(node, &unit.source).contains(MARK) {
            marked.push(range_of(node));
        }
        true
    });
    let mut protected = Vec::new();
    let lines = Lines::new(&unit.source, &unit.line_starts, root);
    for comment in marked {
        let mut line = lines.of(comment.start);
        let is_above = lines.is_comment(line);
        while line < lines.len() && lines.is_comment(line) {
            line += 1;
        }
        for id in unit.ids() {
            let header = unit.stmt(id).header;
            let first = lines.of(header.start);
            let last = lines.of(header.end.max(header.start + 1) - 1);
            let on_header = if is_above { first == line } else { (first..=last).contains(&line) };
            if on_header || header.contains(comment.start) {
                protected.push(id);
            }
        }
    }
    for id in protected {
        unit.stmts[id.idx()].protected = true;
    }
}

/// Protects the tests of this file that run before the target, and finds their definitions.
pub fn before(unit: &mut Unit, root: Node) {
    let outline = outline_of(root, &unit.source);
    for id in unit.after.clone() {
        if outline.class(split(&id).0).is_none() {
            continue;
        }
        let Some(start) = find(root, &unit.source, &outline, &id).test else { continue };
        let is_test = |id: &StmtId| {
            let stmt = unit.stmt(*id);
            stmt.kind == StmtKind::Def && stmt.range.start as usize == start
        };
        let Some(def) = unit.ids().find(is_test).filter(|def| !unit.before.contains(def)) else { continue };
        unit.before.push(def);
        for id in std::iter::once(def).chain(unit.descendants(def)) {
            unit.stmts[id.idx()].protected = true;
        }
    }
}
