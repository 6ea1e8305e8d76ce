//! `# paring: keep`: statements the user protects.

use super::lines::Lines;
use super::tree::Tree;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_text_size::Ranged;

const MARK: &str = "paring: keep";

/// Protects the statements with the mark in a line of their header, or in the comment lines right above.
pub fn mark(tree: &mut Tree, source: &str, starts: &[u32], tokens: &[Token]) {
    if !source.contains(MARK) {
        return;
    }
    let lines = Lines::new(source, starts, tokens);
    let comments = tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
    let marked = comments.filter(|token| source[token.range().to_std_range()].contains(MARK));
    for comment in marked {
        let mut line = lines.of(comment.start().to_u32());
        let is_above = lines.is_comment(line);
        while line < lines.len() && lines.is_comment(line) {
            line += 1;
        }
        for stmt in &mut tree.stmts {
            let first = lines.of(stmt.header.start);
            let last = lines.of(stmt.header.end.max(stmt.header.start + 1) - 1);
            let is_inside = stmt.header.contains(comment.start().to_u32());
            let on_header = if is_above { first == line } else { (first..=last).contains(&line) };
            stmt.protected |= on_header || is_inside;
        }
    }
}
