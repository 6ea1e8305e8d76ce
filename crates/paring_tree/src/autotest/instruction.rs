//! One instruction: its kind, its names, and where a text has one.

use paring_model::{TextRange, Token, TokenKind};
use regex::Regex;
use std::sync::LazyLock;

/// The four kinds, with the names they are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction<'a> {
    Create {
        made: &'a str,
        args: Vec<&'a str>,
    },
    Call {
        on: &'a str,
        args: Vec<&'a str>,
    },
    CallAndAssign {
        to: &'a str,
        on: &'a str,
        args: Vec<&'a str>,
    },
    /// `from` is empty where a constant is assigned.
    Assign {
        to: &'a str,
        from: Vec<&'a str>,
    },
}

static CREATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?is)^create\s*\{[^{}]*\}\s*(?<made>[a-z]\w*)(?:\s*\.\s*[a-z]\w*\s*(?<args>\(.*\))?)?$")
});
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?is)^(?:(?<to>[a-z]\w*)\s*:=\s*)?(?<on>[a-z]\w*)\s*\.\s*[a-z]\w*\s*(?<args>\(.*\))?$")
});
static ASSIGN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?is)^(?<to>[a-z]\w*)\s*:=\s*(?<from>[^\s.].*)$"));
/// Strings, characters, types in braces, numbers, and names.
static ATOM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?s)"[^"]*"|'[^']*'|\{[^{}]*\}|-?\d[\w.+-]*|(?<name>[A-Za-z]\w*)|."#));
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"--.*|"[^"\n]*"|'[^'\n]*'|:=|[\w.]*\d[\w.]*|\w+|[^\s\w]"#));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}

/// Words that name no variable.
const CONSTANTS: [&str; 5] = ["true", "false", "void", "current", "create"];

/// The instruction that a text is; `None` where it is none.
pub fn instruction(text: &str) -> Option<Instruction<'_>> {
    let text = text.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let group = |found: &regex::Captures<'_>, name: &str| found.name(name).map(|found| found.range());
    let part = |found: &regex::Captures<'_>, name: &str| group(found, name).map_or("", |range| &text[range]);
    if let Some(found) = CREATE.captures(text) {
        return Some(Instruction::Create {
            made: &text[group(&found, "made")?],
            args: names(&text[group(&found, "args").unwrap_or(0..0)]),
        });
    }
    if let Some(found) = CALL.captures(text) {
        let on = &text[group(&found, "on")?];
        let args = names(&text[group(&found, "args").unwrap_or(0..0)]);
        return Some(match group(&found, "to") {
            Some(to) => Instruction::CallAndAssign { to: &text[to], on, args },
            None => Instruction::Call { on, args },
        });
    }
    let found = ASSIGN.captures(text)?;
    let from = part(&found, "from");
    is_atom(from).then(|| Instruction::Assign {
        to: &text[group(&found, "to").unwrap_or(0..0)],
        from: names(&text[group(&found, "from").unwrap_or(0..0)]),
    })
}

/// A name or a constant, with its type or without.
fn is_atom(text: &str) -> bool {
    let value = match text.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((_, value)) => value.trim_start(),
        None => text,
    };
    ATOM.find(value).is_some_and(|found| found.len() == value.len())
}

/// The names of variables in a list of arguments.
fn names(text: &str) -> Vec<&str> {
    let found = ATOM.captures_iter(text).filter_map(|atom| atom.name("name"));
    let names = found.map(|name| &text[name.range()]);
    names.filter(|name| !CONSTANTS.contains(&name.to_ascii_lowercase().as_str())).collect()
}

/// The text of a line before its comment.
pub fn without_comment(line: &str) -> &str {
    let is_comment = |token: &regex::Match<'_>| token.as_str().starts_with("--");
    TOKEN.find_iter(line).find(is_comment).map_or(line, |comment| &line[..comment.start()])
}

/// Brackets that a text leaves open.
pub fn n_open(text: &str) -> i64 {
    TOKEN
        .find_iter(text)
        .map(|token| match token.as_str() {
            "(" | "{" => 1,
            ")" | "}" => -1,
            _ => 0,
        })
        .sum()
}

/// The tokens of a text, comments left out.
pub fn tokens(text: &str) -> Vec<Token> {
    let tokens = TOKEN.find_iter(text).filter(|token| !token.as_str().starts_with("--"));
    tokens.map(|token| Token { range: range(token.range()), kind: token_kind(token.as_str()) }).collect()
}

fn token_kind(token: &str) -> TokenKind {
    match token.chars().next() {
        Some('"' | '\'') => TokenKind::Text,
        Some(c) if c.is_ascii_digit() => TokenKind::Number,
        Some(c) if c.is_alphabetic() || c == '_' => TokenKind::Name,
        _ => TokenKind::Other,
    }
}

fn range(range: std::ops::Range<usize>) -> TextRange {
    let offset = |at: usize| u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
    TextRange::new(offset(range.start), offset(range.end))
}
