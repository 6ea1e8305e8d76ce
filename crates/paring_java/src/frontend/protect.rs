//! `// paring: keep`: statements the user protects.

use super::lines::Lines;
use super::syntax::{is_comment, range_of, text, walk};
use paring_model::{TextRange, Unit};
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
