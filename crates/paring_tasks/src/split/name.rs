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
//! Words are added until each name is unlike all others. A number comes last, and only where nothing else tells two apart.

use super::words::Words;
use paring_engine::ops::{callee_text, calls, defines, uses};
use paring_model::{PlaceScope, RoutineKind, StmtId, StmtSet, Unit};
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
    let phrases: Vec<Vec<Vec<String>>> =
        subjects.iter().map(|subject| phrases(unit, words, subject)).collect();
    let mut lengths = vec![1; subjects.len()];
    loop {
        let names: Vec<String> =
            phrases.iter().zip(&lengths).map(|(all, &n)| name(base, case, all, n)).collect();
        let clashes: Vec<usize> = (0..names.len())
            .filter(|&idx| {
                let others =
                    names.iter().enumerate().filter(|(other, name)| *other != idx && **name == names[idx]);
                others.count() > 0 || !is_free(&names[idx])
            })
            .collect();
        let can_grow: Vec<usize> =
            clashes.iter().copied().filter(|&idx| lengths[idx] < phrases[idx].len()).collect();
        if can_grow.is_empty() {
            return numbered(&names, case, is_free);
        }
        for idx in can_grow {
            lengths[idx] += 1;
        }
    }
}

/// Names made from the first phrases of a subject.
fn name(base: &str, case: Case, phrases: &[Vec<String>], n: usize) -> String {
    let known: Vec<String> = split_words(base);
    let words = phrases.iter().take(n).flatten();
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
fn phrases(unit: &Unit, words: &Words, subject: &Subject<'_>) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let in_test = |id: &StmtId| unit.routine(unit.stmt(*id).routine).kind == RoutineKind::Test;
    let own: Vec<StmtId> = subject.own.iter().filter(in_test).collect();
    found.extend(own.first().and_then(|&first| heading(unit, first)));
    let last = subject.checks.last().copied();
    found.extend(last.map(|last| checked(unit, subject, last)));
    let effect = own.iter().rev().find(|&&id| !subject.checks.contains(&id) && defines(unit, id).is_empty());
    let effect = effect.and_then(|&id| called(unit, id));
    found.extend(effect.map(|words| std::iter::once("after".to_owned()).chain(words).collect()));
    let literal =
        last.map(|last| words.of(last).iter().filter(|word| is_word(word)).take(2).cloned().collect());
    found.extend(literal);
    let defined =
        own.iter().flat_map(|&id| defines(unit, id)).map(|place| split_words(&unit.place(place).name));
    found.extend(defined.take(2));
    found.extend(subject.checks.iter().take(2).map(|&check| checked(unit, subject, check)));
    found.retain(|words| !words.is_empty());
    found.dedup();
    found
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
    let is_local = |place: &paring_model::PlaceId| matches!(unit.place(*place).scope, PlaceScope::Local(_));
    if let Some(words) = asked(unit, check) {
        return words;
    }
    let Some(place) = uses(unit, check).into_iter().find(is_local) else { return Vec::new() };
    let definer = subject.stmts.iter().rev().find(|&id| id < check && defines(unit, id).contains(&place));
    let name = split_words(&unit.place(place).name);
    let made = definer.and_then(|id| called(unit, id)).filter(|made| *made != name);
    match made {
        // `place = index.find("cake")` says more by its call.
        Some(made) if name.iter().all(|word| word.len() < 3) => made,
        Some(_) | None => name,
    }
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
