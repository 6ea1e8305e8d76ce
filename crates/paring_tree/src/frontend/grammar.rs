//! What differs between the grammars: where they come from, and what an empty block needs.

use crate::lang::Lang;
use paring_model::{Problem, TextRange, Token, TokenKind};
use tree_sitter::{Language, Node, Parser, Tree};

/// The tree of a text; broken text gives one with errors in it.
pub fn parse(lang: Lang, text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&language(lang)).expect("the grammars are built for this version of tree-sitter");
    parser.parse(text, None).expect("a parser with a language and without a limit gives a tree")
}

fn language(lang: Lang) -> Language {
    match lang {
        Lang::Python => tree_sitter_python::LANGUAGE.into(),
        Lang::Java => tree_sitter_java::LANGUAGE.into(),
        Lang::Javascript => tree_sitter_javascript::LANGUAGE.into(),
        Lang::Typescript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Lang::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        Lang::Rust => tree_sitter_rust::LANGUAGE.into(),
        Lang::Go => tree_sitter_go::LANGUAGE.into(),
        Lang::C => tree_sitter_c::LANGUAGE.into(),
        Lang::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        Lang::Autotest => unreachable!("AutoTest's notation has a front end of its own"),
    }
}

/// What stands in a block that lost all its statements.
pub fn filler(lang: Lang) -> Option<&'static str> {
    (lang == Lang::Python).then_some("pass")
}

/// What the parser could not make sense of, or missed.
pub fn problems(root: Node<'_>) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.is_missing() {
            found.push(Problem { range: range(node), message: format!("`{}` is missing", node.kind()) });
        } else if node.is_error() {
            found.push(Problem { range: range(node), message: "this makes no sense".to_owned() });
        }
        if node.has_error() {
            open.extend(children(node).rev());
        }
    }
    found
}

/// Leaves of a tree that are no comments.
pub fn tokens(root: Node<'_>, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if is_comment(node) {
            continue;
        }
        if node.child_count() == 0 || is_literal(node) {
            if !text[node.byte_range()].trim().is_empty() {
                tokens.push(Token { range: range(node), kind: token_kind(node) });
            }
        } else {
            open.extend(children(node));
        }
    }
    tokens.sort_by_key(|token| token.range.start);
    tokens
}

fn token_kind(node: Node<'_>) -> TokenKind {
    let kind = node.kind();
    if is_literal(node) {
        TokenKind::Text
    } else if kind.ends_with("identifier") {
        TokenKind::Name
    } else if ["number", "integer", "float"].iter().any(|word| kind.contains(word)) {
        TokenKind::Number
    } else {
        TokenKind::Other
    }
}

pub fn is_comment(node: Node<'_>) -> bool {
    node.is_extra() && node.kind().contains("comment")
}

/// Text between quotes: white space in it means something, and it stays or goes whole.
pub fn is_literal(node: Node<'_>) -> bool {
    let kind = node.kind();
    let quoted =
        ["string", "char_literal", "character_literal", "rune_literal", "regex", "template_literal_type"];
    node.is_named() && quoted.iter().any(|word| kind.contains(word)) && !kind.contains("concatenated")
}

/// Nodes whose named children are statements or declarations.
pub fn is_body(node: Node<'_>) -> bool {
    let kind = node.kind();
    let words =
        ["block", "body", "compound_statement", "declaration_list", "statement_list", "translation_unit"];
    node.is_named() && (node.parent().is_none() || words.iter().any(|word| kind.contains(word)))
}

#[expect(clippy::cast_possible_truncation, reason = "a source file has fewer than 2^32 bytes")]
pub fn range(node: Node<'_>) -> TextRange {
    TextRange::new(node.start_byte() as u32, node.end_byte() as u32)
}

/// All children, anonymous tokens among them.
pub fn children(node: Node<'_>) -> impl DoubleEndedIterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |idx| node.child(idx))
}
