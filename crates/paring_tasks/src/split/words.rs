//! The words of a statement's literals: what it speaks of.
//!
//! `box.write("tea", "two cups")` and `box.read("jam")` change and read one object and have no word in common.

use paring_model::{Frontend, StmtId, StmtSet, TokenKind, Unit};
use std::collections::BTreeSet;

/// The words of every statement of a unit, by id. What is nested in a statement has words of its own.
pub struct Words {
    sets: Vec<BTreeSet<String>>,
    /// The same in the order of the text.
    said: Vec<Vec<String>>,
}

impl Words {
    pub fn new(frontend: &dyn Frontend, unit: &Unit) -> Self {
        let mut said: Vec<Vec<String>> = vec![Vec::new(); unit.stmts.len()];
        for token in frontend.tokens(&unit.source) {
            // A single digit says nothing: everything has a 1 and a 2 in it.
            let has_words = match token.kind {
                TokenKind::Text => true,
                TokenKind::Number => token.range.of(&unit.source).len() > 1,
                TokenKind::Name | TokenKind::Other => false,
            };
            let stmt = has_words.then(|| unit.stmt_at(token.range.start)).flatten();
            if let Some(stmt) = stmt {
                let text = without_prefix(token.range.of(&unit.source));
                let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
                said[stmt.idx()].extend(words.map(str::to_lowercase));
            }
        }
        let sets = said.iter().map(|words| words.iter().cloned().collect()).collect();
        Self { sets, said }
    }

    /// Those of one statement, in the order of the text.
    pub fn said(&self, id: StmtId) -> Vec<String> {
        self.said[id.idx()].clone()
    }

    /// Those of one statement.
    pub fn of(&self, id: StmtId) -> &BTreeSet<String> {
        &self.sets[id.idx()]
    }

    /// Whether a statement has a word in common with some others.
    pub fn share(&self, id: StmtId, others: &StmtSet) -> bool {
        let own = self.of(id);
        others.iter().any(|other| other != id && !own.is_disjoint(self.of(other)))
    }
}

/// A literal without the letters before its quotes.
fn without_prefix(text: &str) -> &str {
    let quote = text.find(['"', '\'']).filter(|&at| text[..at].chars().all(char::is_alphabetic));
    quote.map_or(text, |at| &text[at..])
}
