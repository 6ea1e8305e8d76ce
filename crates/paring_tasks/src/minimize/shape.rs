//! What a test does, whatever its variables are called and whatever values it uses.

use super::report::header_text;
use paring_model::{Frontend, PlaceScope, Token, TokenKind, Unit};
use std::collections::BTreeSet;

/// The statements of the test, one a line: locals numbered as they come, literals by their kind, a list of them as one.
///
/// ```text
/// var_0 = Queue(7)           0 = Queue(number)
/// var_0.put("x")             0.put(text)
/// ```
pub fn shape(frontend: &dyn Frontend, unit: &Unit) -> String {
    let locals: BTreeSet<&str> = unit
        .places
        .iter()
        .filter(|place| matches!(place.scope, PlaceScope::Local(_)))
        .map(|place| place.name.as_str())
        .collect();
    let mut numbered: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for id in unit.test_body() {
        let text = header_text(unit, id);
        let mut words: Vec<String> = Vec::new();
        for token in frontend.tokens(&text) {
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
