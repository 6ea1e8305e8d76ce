//! Names for new tests, as a person would choose them: from the comment that heads a scenario, or from what it checks and does.
//!
//! ```python
//! def test_cart():
//!     # a voucher never pays out money       → test_cart_voucher_never_pays_out_money
//!     gift = Cart()
//!     …
//!     cart.remove("tea")
//!     assert cart.total() == 0               → test_cart_total, or test_cart_total_after_remove
//! ```
//!
//! Each gets the first words, or pair of words, that no other has. A number comes last, and only where nothing else tells two
//! apart.

use super::words::Words;
use paring_engine::ops::{callee_text, calls, defines, uses};
use paring_model::{PlaceId, PlaceScope, RoutineKind, StmtId, StmtKind, StmtSet, Unit};
use std::collections::BTreeSet;

/// Longer names are cut at a word.
const MAX_CHARS: usize = 60;

/// How words make a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Snake,
    Camel,
}

/// What a name is made for.
pub struct Subject<'a> {
    pub stmts: &'a StmtSet,
    /// The statements that check something, in order.
    pub checks: Vec<StmtId>,
    /// Of its statements those that no other new test has.
    pub own: StmtSet,
}

/// A name for each subject: unlike each other, and free as far as `is_free` tells.
pub fn names(
    unit: &Unit,
    words: &Words,
    subjects: &[Subject<'_>],
    is_free: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let base = unit.test.map_or("test", |test| unit.routine(test).name.as_str());
    let case = if base.contains('_') || !base.chars().any(char::is_uppercase) && base.starts_with("test") {
        Case::Snake
    } else {
        Case::Camel
    };
    let choices: Vec<Vec<Choice>> = subjects
        .iter()
        .enumerate()
        .map(|(idx, subject)| {
            let others = subjects.iter().enumerate().filter(|(other, _)| *other != idx);
            let others: Vec<&Subject<'_>> = others.map(|(_, other)| other).collect();
            choices(&phrases(unit, words, subject, &others), base)
        })
        .collect();
    let mut chosen = vec![0; subjects.len()];
    loop {
        let names: Vec<String> =
            choices.iter().zip(&chosen).map(|(all, &idx)| all[idx].name(base, case)).collect();
        let is_clash = |idx: usize| {
            let is_same = |(other, name): (usize, &String)| other != idx && *name == names[idx];
            names.iter().enumerate().any(is_same) || !is_free(&names[idx]) && names[idx] != base
        };
        let may_change = |&idx: &usize| is_clash(idx) && chosen[idx] + 1 < choices[idx].len();
        let changing: Vec<usize> = (0..names.len()).filter(may_change).collect();
        if changing.is_empty() {
            return numbered(&names, case, &|name| name == base || is_free(name));
        }
        for idx in changing {
            chosen[idx] += 1;
        }
    }
}

/// Words that say one thing.
type Phrase = Vec<String>;

/// What a name may be.
#[derive(Clone, Debug)]
enum Choice {
    /// The old one.
    AsItWas,
    /// The first word of the old one, and a part of the rest: `test_slug` of `test_slug_and_square`.
    PartOfIt(Phrase),
    /// The old one with words behind it.
    More(Phrase),
}

/// What a name may be made of, the best first: what the old one says already, a phrase, the first with another, more and more of
/// them.
fn choices(phrases: &[Phrase], base: &str) -> Vec<Choice> {
    let words = split_words(base);
    let known: BTreeSet<&str> = words.iter().map(|word| stem(word)).collect();
    let is_said = |phrase: &&Phrase| phrase.iter().all(|word| known.contains(stem(word)));
    let said = phrases.first().filter(is_said).cloned().map(|phrase| {
        let is_list = words.iter().any(|word| word == "and");
        if is_list { Choice::PartOfIt(phrase) } else { Choice::AsItWas }
    });
    let (old, new): (Vec<&Phrase>, Vec<&Phrase>) = phrases.iter().partition(is_said);
    let all: Vec<&Phrase> = new.into_iter().chain(old).collect();
    let is_effect = all.first().is_some_and(|first| first[0] == "after");
    // What was done says less of a test than what it speaks of.
    let alone = all.iter().skip(1).filter(|_| is_effect).map(|&other| other.clone());
    let with_first = all.iter().skip(1).map(|other| [all[0].as_slice(), other].concat());
    let several =
        (3..=all.len()).map(|n| all[..n].iter().flat_map(|phrase| phrase.iter().cloned()).collect());
    let first = all.first().map(|&first| first.clone());
    let more = first.into_iter().chain(alone).chain(with_first).chain(several).map(Choice::More);
    let found: Vec<Choice> = said.into_iter().chain(more).collect();
    if found.is_empty() { vec![Choice::AsItWas] } else { found }
}

impl Choice {
    fn name(&self, base: &str, case: Case) -> String {
        match self {
            Choice::AsItWas => base.to_owned(),
            Choice::PartOfIt(phrase) => {
                let first = split_words(base).into_iter().next().unwrap_or_default();
                if phrase.first() == Some(&first) || first != "test" {
                    longer(&phrase[0], case, &phrase[1..])
                } else {
                    longer(&first, case, phrase)
                }
            }
            Choice::More(phrase) => longer(base, case, phrase),
        }
    }
}

/// A name with some words behind it.
fn longer(base: &str, case: Case, words: &[String]) -> String {
    let known: Vec<String> = split_words(base);
    let mut name = base.to_owned();
    let mut last = known.last().cloned().unwrap_or_default();
    for word in words {
        if *word == last {
            continue;
        }
        let longer = match case {
            Case::Snake => format!("{name}_{word}"),
            Case::Camel => format!("{name}{}", capitalised(word)),
        };
        if longer.chars().count() > MAX_CHARS {
            break;
        }
        name = longer;
        last.clone_from(word);
    }
    name
}

fn numbered(names: &[String], case: Case, is_free: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut given: BTreeSet<String> = BTreeSet::new();
    let is_single = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let make = |name: &String| {
        if is_single(name) && is_free(name) && given.insert(name.clone()) {
            return name.clone();
        }
        let gap = if case == Case::Snake { "_" } else { "" };
        let mut all = (1..).map(|number: usize| format!("{name}{gap}{number}"));
        all.find(|name| is_free(name) && given.insert(name.clone())).expect("numbers do not end")
    };
    names.iter().map(make).collect()
}

/// What tells a subject from others, the best first.
fn phrases(unit: &Unit, words: &Words, subject: &Subject<'_>, others: &[&Subject<'_>]) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = Vec::new();
    let in_test = |id: &StmtId| unit.routine(unit.stmt(*id).routine).kind == RoutineKind::Test;
    let own: Vec<StmtId> = subject.own.iter().filter(in_test).collect();
    found.extend(own.first().and_then(|&first| heading(unit, first)));
    found.extend(own.iter().find_map(|&id| label(unit, words, id)));
    let last = subject.checks.last().copied();
    found.extend(last.map(|last| checked(unit, subject, last)));
    let effect = own.iter().rev().find(|&&id| !subject.checks.contains(&id) && defines(unit, id).is_empty());
    let effect = effect.and_then(|&id| called(unit, id));
    let after = last.map(|_| "after".to_owned());
    found.extend(effect.map(|words| after.into_iter().chain(words).collect()));
    found.extend(literals(words, &own, others));
    let defined =
        own.iter().flat_map(|&id| defines(unit, id)).map(|place| split_words(&unit.place(place).name));
    found.extend(defined.filter(|words| !is_vague(words)).take(2));
    found.extend(subject.checks.iter().take(2).map(|&check| checked(unit, subject, check)));
    found.retain(|words| !words.is_empty());
    let mut seen = BTreeSet::new();
    found.retain(|words| seen.insert(words.clone()));
    found
}

/// `squares` says no more than `square`.
fn stem(word: &str) -> &str {
    word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word)
}

/// What a block that names a part of the test says of it: the words of its text.
fn label(unit: &Unit, words: &Words, id: StmtId) -> Option<Phrase> {
    let mut around = std::iter::once(id).chain(unit.ancestors(id));
    let block = around.find(|&up| unit.stmt(up).kind == StmtKind::Block)?;
    let said: Phrase = words.said(block).iter().filter(|word| is_word(word)).cloned().collect();
    (!said.is_empty()).then_some(said)
}

/// The words of the first literals that no other subject has.
fn literals(words: &Words, own: &[StmtId], others: &[&Subject<'_>]) -> Option<Phrase> {
    let is_elsewhere = |word: &str| {
        let mut stmts = others.iter().flat_map(|other| other.own.iter());
        stmts.any(|id| words.said(id).iter().any(|other| other == word))
    };
    let is_telling = |word: &&String| is_word(word) && !is_elsewhere(word);
    let mut telling =
        own.iter().map(|&id| words.said(id).iter().filter(is_telling).take(2).cloned().collect());
    telling.find(|found: &Phrase| !found.is_empty())
}

/// The comment right above a statement, as words. It heads what follows.
fn heading(unit: &Unit, id: StmtId) -> Option<Vec<String>> {
    let before = unit.source.get(..unit.stmt(id).range.start as usize)?;
    let mut lines: Vec<&str> = before.lines().rev().skip(usize::from(!before.ends_with('\n'))).collect();
    let n_comment = lines.iter().take_while(|line| comment(line).is_some()).count();
    lines.truncate(n_comment);
    let first = lines.last().and_then(|line| comment(line))?;
    let sentence = first.split(['.', ':', ';', '(']).next().unwrap_or(first);
    let words =
        sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').map(|word| word.replace('\'', ""));
    let words = words.map(|word| word.to_lowercase()).filter(|word| is_word(word));
    let words: Vec<String> =
        words.skip_while(|word| ["a", "an", "the", "test"].contains(&word.as_str())).collect();
    (2..=12).contains(&words.len()).then_some(words)
}

fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix('#').or_else(|| line.strip_prefix("//")).map(str::trim).filter(|text| !text.is_empty())
}

/// What a check looks at: the last method that it calls, or the variable, and how that was made.
fn checked(unit: &Unit, subject: &Subject<'_>, check: StmtId) -> Vec<String> {
    let params = unit.test.map(|test| &unit.routine(test).params);
    let is_given = |place: &PlaceId| params.is_some_and(|params| params.contains(place));
    let is_local =
        |place: &PlaceId| matches!(unit.place(*place).scope, PlaceScope::Local(_)) && !is_given(place);
    if let Some(words) = asked(unit, check) {
        return words;
    }
    let Some(place) = uses(unit, check).into_iter().find(is_local) else { return Vec::new() };
    let definer = subject.stmts.iter().rev().find(|&id| id < check && defines(unit, id).contains(&place));
    let name = split_words(&unit.place(place).name);
    let made = definer.and_then(|id| called(unit, id)).filter(|made| *made != name);
    match made {
        // `text = slug("A b")` says more by its call.
        Some(made) if is_vague(&name) => made,
        Some(_) | None => name,
    }
}

/// Whether a variable's name says nothing of what it holds.
fn is_vague(name: &[String]) -> bool {
    const VAGUE: [&str; 20] = [
        "actual", "after", "before", "buffer", "data", "got", "item", "line", "name", "obj", "out", "output",
        "res", "result", "ret", "string", "text", "tmp", "value", "val",
    ];
    name.iter().all(|word| word.len() < 3 || VAGUE.contains(&word.as_str()))
}

/// The first call in a check that is none of an assertion itself.
fn asked(unit: &Unit, check: StmtId) -> Option<Vec<String>> {
    let is_assertion = |name: &str| {
        [
            "assert", "expect", "verify", "raises", "fail", "is", "of", "len", "list", "set", "sorted",
            "str", "repr",
        ]
        .iter()
        .any(|word| name == *word || *word == "assert" && name.starts_with(word))
    };
    calls(unit, check).find_map(|call| {
        let words = method_words(callee_text(unit, call));
        let is_told = words.first().is_some_and(|first| !is_assertion(first));
        is_told.then_some(words)
    })
}

/// The method that a statement calls last.
fn called(unit: &Unit, id: StmtId) -> Option<Vec<String>> {
    let words = calls(unit, id).last().map(|call| method_words(callee_text(unit, call)))?;
    (!words.is_empty()).then_some(words)
}

fn method_words(callee: &str) -> Vec<String> {
    let start = callee.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    split_words(&callee[start..])
}

/// `removeItem` and `remove_item` are "remove" and "item".
fn split_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_lower {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("there is a word").extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_word(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric()) && word.chars().any(|c| c.is_ascii_alphabetic())
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
