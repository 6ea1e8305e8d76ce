//! What a test does, whatever its variables are called and whatever values it uses.

use super::report::header_text;
use paring_engine::ops::{calls, defines, uses};
use paring_model::{Frontend, Op, PlaceId, PlaceScope, StmtId, Token, TokenKind, Unit};
use std::collections::BTreeSet;

/// The last statement of the test and how the objects that it looks at came about, one statement a line: locals numbered as
/// they come, literals by their kind, a list of them as one. What calls on the way are given is left out: a value that another
/// call made is a literal by other means.
///
/// ```text
/// var_0 = "x"
/// var_1 = Queue(7)           0 = Queue()
/// var_1.put(var_0)           0.put()
/// assert var_1.size() == 3   assert 0.size() == number
/// ```
pub fn shape(frontend: &dyn Frontend, unit: &Unit) -> String {
    let body = unit.test_body();
    let is_line = |&id: &StmtId| unit.stmt(id).children.is_empty();
    let told = if body.iter().all(is_line) { looked_at(unit, &body) } else { body.clone() };
    let locals: BTreeSet<&str> = unit
        .places
        .iter()
        .filter(|place| matches!(place.scope, PlaceScope::Local(_)))
        .map(|place| place.name.as_str())
        .collect();
    let mut numbered: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for id in told {
        let text = header_text(unit, id);
        let mut words: Vec<String> = Vec::new();
        let tokens = frontend.tokens(&text);
        let tokens = if body.last() == Some(&id) { tokens } else { without_arguments(tokens, &text) };
        for token in tokens {
            let follows_dot = words.last().is_some_and(|word| word == ".");
            let word = token.range.of(&text);
            if token.kind == TokenKind::Name && locals.contains(word) && !follows_dot {
                words.push(number(&mut numbered, word));
            } else {
                push(&mut words, token, word);
            }
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// The last of some statements, with those that make the objects it looks at, or call something on them.
fn looked_at(unit: &Unit, body: &[StmtId]) -> Vec<StmtId> {
    let Some((&last, before)) = body.split_last() else { return Vec::new() };
    let mut wanted: BTreeSet<PlaceId> = uses(unit, last).into_iter().collect();
    let mut told = vec![last];
    for &id in before.iter().rev() {
        let makes = defines(unit, id).iter().any(|place| wanted.contains(place));
        let acts = calls(unit, id).any(|call| call.receiver.is_some_and(|place| wanted.contains(&place)));
        if makes || acts {
            told.push(id);
            wanted.extend(looked_through(unit, id));
        }
    }
    told.reverse();
    told
}

/// What a statement reads, other than arguments.
fn looked_through(unit: &Unit, id: StmtId) -> Vec<PlaceId> {
    let given: BTreeSet<PlaceId> = calls(unit, id).flat_map(|call| call.args.iter().copied()).collect();
    let receivers = calls(unit, id).filter_map(|call| call.receiver);
    let read = unit.stmt(id).ops.iter().filter_map(|op| match op {
        Op::Use(place) | Op::Mutate(place) => Some(*place).filter(|place| !given.contains(place)),
        Op::Define(_) | Op::MayDefine(_) | Op::Call(_) => None,
    });
    receivers.chain(read).collect()
}

/// What stands between the parentheses of a call goes.
fn without_arguments(tokens: Vec<Token>, text: &str) -> Vec<Token> {
    let mut depth = 0;
    let mut kept: Vec<Token> = Vec::new();
    for token in tokens {
        match token.range.of(text) {
            ")" if depth > 0 => depth -= 1,
            "(" if depth > 0 || kept.last().is_some_and(|before| before.kind == TokenKind::Name) => {
                if depth == 0 {
                    kept.push(token);
                }
                depth += 1;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            kept.push(token);
        }
    }
    kept
}

/// Literals that the grammars count as words.
const TRUTHS: [&str; 4] = ["true", "false", "True", "False"];

fn number(numbered: &mut Vec<String>, name: &str) -> String {
    let idx = numbered.iter().position(|it| it == name).unwrap_or_else(|| {
        numbered.push(name.to_owned());
        numbered.len() - 1
    });
    idx.to_string()
}

fn push(words: &mut Vec<String>, token: Token, word: &str) {
    let literal = match token.kind {
        TokenKind::Number => "number",
        TokenKind::Text => "text",
        TokenKind::Name | TokenKind::Other if TRUTHS.contains(&word) => "truth",
        TokenKind::Name | TokenKind::Other => return words.push(word.to_owned()),
    };
    // A sign belongs to the number where nothing stands before it to add to.
    let is_sign = |word: &String| word == "-" || word == "+";
    let opens = |word: &String| ["(", "[", "{", ",", "=", ":", "return"].contains(&word.as_str());
    if words.last().is_some_and(is_sign) && words.iter().nth_back(1).is_some_and(opens) {
        words.pop();
    }
    let repeats = words.last().is_some_and(|word| word == ",")
        && words.iter().nth_back(1).is_some_and(|before| before == literal)
        && in_brackets(words);
    if repeats {
        words.pop();
    } else {
        words.push(literal.to_owned());
    }
}

/// Whether what comes next is an element of a list, and not an argument.
fn in_brackets(words: &[String]) -> bool {
    let mut depth = 0;
    let open = words.iter().rev().find(|word| match word.as_str() {
        ")" | "]" | "}" => {
            depth += 1;
            false
        }
        "(" | "[" | "{" if depth > 0 => {
            depth -= 1;
            false
        }
        "(" | "[" | "{" => true,
        _ => false,
    });
    open.is_some_and(|word| word != "(")
}
