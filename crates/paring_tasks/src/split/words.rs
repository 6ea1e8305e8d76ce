//! The words of a statement's literals: what it speaks of.
//!
//! `box.write("tea", "two cups")` and `box.read("jam")` change and read one object and have no word in common.

use super::unasserted::in_test;
use paring_engine::ops::{callee_text, calls};
use paring_model::{Frontend, StmtId, StmtSet, TokenKind, Unit};
use std::collections::BTreeSet;

/// The words of every statement of a unit, by id. What is nested in a statement has words of its own.
pub struct Words {
    topics: Vec<Topic>,
    /// All words in the order of the text.
    said: Vec<Vec<String>>,
}

/// What one statement speaks of.
#[derive(Clone, Default)]
struct Topic {
    /// Of texts, but for the endings of files' names.
    words: BTreeSet<String>,
    /// They say what kind of file it is and not which: that two files have the same tells nothing.
    endings: BTreeSet<String>,
    numbers: BTreeSet<String>,
    /// Whole texts.
    texts: BTreeSet<String>,
    /// What it calls first.
    callee: Option<String>,
}

impl Topic {
    /// Whether two statements speak of one thing. A number that one and the same function is given twice is how often, or how
    /// large, and not what.
    fn meets(&self, other: &Self) -> bool {
        let repeats = self.callee.is_some() && self.callee == other.callee;
        !self.words.is_disjoint(&other.words)
            || !self.words.is_disjoint(&other.endings)
            || !self.endings.is_disjoint(&other.words)
            || !repeats && !self.numbers.is_disjoint(&other.numbers)
    }
}

impl Words {
    pub fn new(frontend: &dyn Frontend, unit: &Unit) -> Self {
        let mut topics = vec![Topic::default(); unit.stmts.len()];
        let mut said: Vec<Vec<String>> = vec![Vec::new(); unit.stmts.len()];
        for token in frontend.tokens(&unit.source) {
            let text = token.range.of(&unit.source);
            let Some(stmt) = unit.stmt_at(token.range.start) else { continue };
            let topic = &mut topics[stmt.idx()];
            match token.kind {
                // A single digit says nothing: everything has a 1 and a 2 in it.
                TokenKind::Number if text.len() > 1 => topic.numbers.extend(split(text)),
                TokenKind::Text => {
                    let text = without_prefix(text);
                    topic.texts.insert(text.trim_matches(['"', '\'']).to_owned());
                    for (front, ending) in text.split_whitespace().map(without_ending) {
                        topic.words.extend(split(front));
                        topic.endings.extend(split(ending));
                    }
                }
                TokenKind::Number | TokenKind::Name | TokenKind::Other => continue,
            }
            said[stmt.idx()].extend(split(without_prefix(text)));
        }
        for (idx, topic) in topics.iter_mut().enumerate() {
            topic.callee =
                calls(unit, StmtId::from_idx(idx)).next().map(|call| callee_text(unit, call).to_owned());
        }
        Self { topics, said }
    }

    /// Those of one statement, in the order of the text.
    pub fn said(&self, id: StmtId) -> &[String] {
        &self.said[id.idx()]
    }

    /// Whether a statement has this text, and nothing around it.
    pub fn has_text(&self, id: StmtId, text: &str) -> bool {
        self.topics[id.idx()].texts.contains(text)
    }

    /// Whether two statements speak of one thing.
    pub fn meet(&self, one: StmtId, other: StmtId) -> bool {
        self.topics[one.idx()].meets(&self.topics[other.idx()])
    }

    /// Whether a statement speaks of the same thing as one of some others of the test.
    pub fn share(&self, unit: &Unit, id: StmtId, others: &StmtSet) -> bool {
        in_test(unit, others).any(|other| other != id && self.meet(id, other))
    }
}

fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// A literal without the letters before its quotes.
fn without_prefix(text: &str) -> &str {
    let quote = text.find(['"', '\'']).filter(|&at| text[..at].chars().all(char::is_alphabetic));
    quote.map_or(text, |at| &text[at..])
}

/// The two parts of a file's name: `out/one` and `csv`. What is none has no ending.
fn without_ending(name: &str) -> (&str, &str) {
    const LONGEST: usize = 5;
    let Some((front, ending)) = name.trim_end_matches(['"', '\'']).rsplit_once('.') else {
        return (name, "");
    };
    let is_ending = (1..=LONGEST).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    let is_name = front.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if is_ending && is_name { (front, ending) } else { (name, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(callee: &str, text: &str, number: &str) -> Topic {
        let (front, ending) = without_ending(text);
        Topic {
            words: split(front).collect(),
            endings: split(ending).collect(),
            numbers: split(number).collect(),
            texts: BTreeSet::new(),
            callee: Some(callee.to_owned()),
        }
    }

    #[test]
    fn a_files_name_has_an_ending() {
        assert_eq!(without_ending("\"out/one.csv\""), ("\"out/one", "csv"));
        assert_eq!(without_ending("127.0.0.1"), ("127.0.0.1", ""));
        assert_eq!(without_ending("'.csv'"), ("'.csv'", ""));
    }

    #[test]
    fn the_same_ending_says_nothing_unless_it_is_what_is_spoken_of() {
        assert!(!topic("load", "'one.csv'", "").meets(&topic("load", "'two.csv'", "")));
        assert!(topic("register", "'csv'", "").meets(&topic("load", "'two.csv'", "")));
        assert!(topic("load", "'two.csv'", "").meets(&topic("register", "'csv'", "")));
    }

    #[test]
    fn a_number_given_to_the_same_function_again_says_nothing() {
        assert!(!topic("run", "", "12").meets(&topic("run", "", "12")));
        assert!(topic("put", "", "12").meets(&topic("assertEquals", "", "12")));
        assert!(topic("put", "'tea'", "").meets(&topic("put", "'tea'", "")));
    }
}
