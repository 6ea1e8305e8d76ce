//! tree-sitter's Java tree, and small questions about its nodes.

use paring_model::{Problem, TextRange, Token, TokenKind};
use tree_sitter::{Node, Parser, Tree};

/// Parses any text: what makes no sense becomes error nodes.
pub fn parsed(source: &str) -> Tree {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_java::LANGUAGE.into())
        .expect("the grammar was made for this version of tree-sitter");
    parser.parse(source, None).expect("a parser with a language and without a time limit always answers")
}

/// An offset of a source file.
pub fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a source file has fewer than 2^32 bytes")
}

pub fn range_of(node: Node) -> TextRange {
    TextRange::new(offset(node.start_byte()), offset(node.end_byte()))
}

pub fn text<'s>(node: Node, source: &'s str) -> &'s str {
    &source[node.byte_range()]
}

/// The text of a field of a node; empty where it has none.
pub fn field_text<'s>(node: Node, field: &str, source: &'s str) -> &'s str {
    node.child_by_field_name(field).map_or("", |child| text(child, source))
}

pub fn is_comment(node: Node) -> bool {
    matches!(node.kind(), "line_comment" | "block_comment")
}

/// All children, anonymous ones included, comments not.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).filter(|child| !is_comment(*child)).collect()
}

/// Named children without comments.
pub fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !is_comment(*child)).collect()
}

pub fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    children(node).into_iter().find(|child| child.kind() == kind)
}

/// The children of a node that stand in one of its fields.
pub fn in_field<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).collect()
}

/// The method that stands in a range.
pub fn method_at(root: Node<'_>, range: TextRange) -> Option<Node<'_>> {
    let mut found = None;
    walk(root, &mut |node| {
        if node.kind() == "method_declaration" && range_of(node) == range {
            found = Some(node);
        }
        found.is_none()
    });
    found
}

/// Calls `visit` for a node and all below it, in source order, as long as it says to go deeper.
pub fn walk<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>) -> bool) {
    if visit(node) {
        let mut cursor = node.walk();
        let below: Vec<Node> = node.children(&mut cursor).collect();
        for child in below {
            walk(child, visit);
        }
    }
}

/// Leaves that count as tokens; a string is one.
pub fn tokens(root: Node) -> Vec<Token> {
    let mut tokens = Vec::new();
    walk(root, &mut |node| {
        let is_leaf = node.child_count() == 0 || node.kind() == "string_literal";
        if is_leaf && !is_comment(node) && node.start_byte() < node.end_byte() {
            tokens.push(Token { range: range_of(node), kind: token_kind(node) });
        }
        !is_leaf && !is_comment(node)
    });
    tokens
}

fn token_kind(node: Node) -> TokenKind {
    match node.kind() {
        "identifier" | "type_identifier" => TokenKind::Name,
        "string_literal" | "character_literal" => TokenKind::Text,
        kind if kind.ends_with("_integer_literal") || kind.ends_with("_point_literal") => TokenKind::Number,
        _ => TokenKind::Other,
    }
}

/// What the parser could not make sense of.
pub fn problems(root: Node) -> Vec<Problem> {
    let mut found = Vec::new();
    if root.has_error() {
        walk(root, &mut |node| {
            if node.is_error() || node.is_missing() {
                let message = if node.is_missing() {
                    format!("expected {}", node.kind())
                } else {
                    "not understood".to_owned()
                };
                found.push(Problem { range: range_of(node), message });
            }
            node.has_error() && !node.is_error()
        });
    }
    found
}

/// The annotations of a declaration by their simple names, with their nodes.
pub fn annotations<'t, 's>(declaration: Node<'t>, source: &'s str) -> Vec<(&'s str, Node<'t>)> {
    let Some(modifiers) = child_of_kind(declaration, "modifiers") else { return Vec::new() };
    named(modifiers)
        .into_iter()
        .filter(|node| matches!(node.kind(), "annotation" | "marker_annotation"))
        .map(|node| (simple_name(field_text(node, "name", source)), node))
        .collect()
}

pub fn has_modifier(declaration: Node, modifier: &str) -> bool {
    child_of_kind(declaration, "modifiers")
        .is_some_and(|modifiers| child_of_kind(modifiers, modifier).is_some())
}

/// What follows the last dot.
pub fn simple_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim()
}
