//! What a written test is called, and what its rows are: by what the old names have in common, else by what is called.

use super::style::Style;
use paring_model::{Atom, AtomKind, Framework, Shape, Step, Survey};
use std::collections::BTreeSet;

pub struct Named {
    pub name: String,
    /// Of each test.
    pub labels: Vec<String>,
}

/// Words that say nothing by themselves.
const SMALL: [&str; 22] = [
    "a", "an", "the", "of", "with", "and", "or", "is", "in", "on", "for", "to", "by", "from", "as", "at",
    "no", "not", "when", "if", "has", "are",
];

/// Names for one test with rows in the place of some.
pub fn rows(survey: &Survey, shapes: &[&Shape], source: &str) -> Named {
    let style = Style::of(shapes[0].framework);
    let all: Vec<Vec<String>> = shapes.iter().map(|shape| bare(style, &shape.name)).collect();
    let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
    let shared = |nth: &dyn Fn(&[String]) -> &str| all.iter().all(|words| nth(words) == nth(&all[0]));
    let n_before = (0..shortest).take_while(|&n| shared(&|words| singular(&words[n]))).count();
    let n_behind = (0..shortest - n_before)
        .take_while(|&n| shared(&|words| singular(&words[words.len() - 1 - n])))
        .count();
    // No name ends in `with`, and none is `a`.
    let is_small = |nth: &usize| SMALL.contains(&all[0][*nth].as_str());
    let n_before = (0..n_before).rev().find(|nth| !is_small(nth)).map_or(0, |nth| nth + 1);
    let n_behind = if (0..n_behind).all(|nth| is_small(&(all[0].len() - 1 - nth))) { 0 } else { n_behind };
    let (stem, cut) = if n_before > 0 {
        let longest = |nth: usize| all.iter().map(|words| &words[nth]).max_by_key(|word| word.len());
        ((0..n_before).filter_map(longest).cloned().collect(), (n_before, 0))
    } else if n_behind > 0 {
        (all[0][all[0].len() - n_behind..].to_vec(), (0, n_behind))
    } else {
        let called = called(shapes[0], source, style).or_else(|| calls(shapes[0], source, style));
        let told = called.map(|called| {
            let shared = in_all(&all).into_iter().filter(|word| !called.contains(word));
            called.iter().cloned().chain(shared.take(MAX_MORE)).collect()
        });
        (told.unwrap_or_else(|| all[0].clone()), (0, 0))
    };
    let label = |words: &Vec<String>, shape: &&Shape| {
        let rest = &words[cut.0..words.len() - cut.1];
        let is_told = style == Style::Camel || rest.is_empty();
        match &shape.shown {
            Some(shown) => shown.clone(),
            None if style == Style::Camel => shape.name.clone(),
            None => style.joined(if is_told { words } else { rest }),
        }
    };
    let labels = all.iter().zip(shapes).map(|(words, shape)| label(words, shape)).collect();
    Named { name: best(survey, shapes, source, &stem, &all), labels }
}

/// A free name that begins with these words: as it is, with what else tells the tests from those that have the name, or with a number.
fn best(survey: &Survey, shapes: &[&Shape], source: &str, stem: &[String], all: &[Vec<String>]) -> String {
    let style = Style::of(shapes[0].framework);
    let own = |words: &[String]| {
        let name = free(survey, shapes, words);
        let is_as_asked = name.to_lowercase().ends_with(&style.joined(words).to_lowercase());
        is_as_asked.then_some(name)
    };
    let shared = in_all(all).into_iter().filter(|word| !stem.contains(word)).collect();
    let mut more = vec![Vec::new(), shared, looked_at(shapes[0], source, style)];
    more.extend(expected(shapes[0], source, style));
    more.extend(keyword(shapes[0], source, style));
    more.extend(callees(shapes[0], source, style));
    let is_told = |words: &&Vec<String>| words.is_empty() || !stem.ends_with(words);
    let mut further = more.iter().filter(is_told).filter(|words| words.len() <= MAX_MORE);
    let named = further.find_map(|words| own(&[stem, words.as_slice()].concat()));
    named.unwrap_or_else(|| free(survey, shapes, stem))
}

/// A word as it is for one thing, so that names that differ in number share it.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| rest.len() > 2 && !rest.ends_with('s')).unwrap_or(word)
}

/// The words that all names have, wherever they stand.
fn in_all(names: &[Vec<String>]) -> Vec<String> {
    let is_telling = |word: &&String| {
        !SMALL.contains(&word.as_str()) && word.len() > 2 && !word.contains(|c: char| c.is_ascii_digit())
    };
    let is_shared = |word: &&String| names.iter().all(|words| words.contains(word));
    names[0].iter().filter(is_telling).filter(is_shared).cloned().collect()
}

/// The first argument that is given a literal by its name: `slug(text, limit=9)` is about `limit`.
fn keyword(shape: &Shape, source: &str, style: Style) -> Option<Vec<String>> {
    shape.steps.iter().find_map(|step| {
        let text = |idx: usize| step.atoms[idx].range.of(source);
        let is_it = |&idx: &usize| {
            let is_given = text(idx + 1) == "=" && matches!(step.atoms[idx + 2].kind, AtomKind::Literal(_));
            is_given && idx > 0 && matches!(text(idx - 1), "," | "(")
        };
        (0..step.atoms.len().saturating_sub(2)).find(is_it).map(|idx| style.words(text(idx)))
    })
}

/// More words than that say too much.
const MAX_MORE: usize = 4;

/// A word for tests that wait for an exception, or look at how much there is.
fn expected(shape: &Shape, source: &str, style: Style) -> Option<Vec<String>> {
    let has = |words: &[&str]| {
        let atoms = shape.steps.iter().filter(|step| step.checks).flat_map(|step| &step.atoms);
        atoms.map(|atom| atom.range.of(source)).any(|text| words.contains(&text))
    };
    if shape.expects.is_some() || has(&["raises", "assertRaises", "assertThrows", "assertRaisesRegex"]) {
        return Some(style.words(if style == Style::Snake { "raises" } else { "throws" }));
    }
    has(&["len", "size", "length"])
        .then(|| style.words(if style == Style::Snake { "length" } else { "size" }))
}

/// The words of the last attribute that an assertion looks at.
fn looked_at(shape: &Shape, source: &str, style: Style) -> Vec<String> {
    let check = shape.steps.iter().rfind(|step| step.checks);
    let atoms: Vec<&str> = check.iter().flat_map(|step| &step.atoms).map(|it| it.range.of(source)).collect();
    let at = (1..atoms.len()).rev().find(|&at| {
        let is_name = atoms[at].starts_with(|c: char| c.is_alphabetic());
        atoms[at - 1] == "." && is_name && !atoms[at].starts_with("assert")
    });
    at.map(|at| style.words(atoms[at])).unwrap_or_default()
}

/// The words of the first function or method that is called.
fn calls(shape: &Shape, source: &str, style: Style) -> Option<Vec<String>> {
    callees(shape, source, style).into_iter().next()
}

/// The words of each function and method that is called, in the order of the text.
fn callees(shape: &Shape, source: &str, style: Style) -> Vec<Vec<String>> {
    let in_step = |step: &'_ Step| -> Vec<Vec<String>> {
        let text = |idx: usize| step.atoms[idx].range.of(source);
        let opens = (1..step.atoms.len()).filter(|&idx| text(idx) == "(").map(|idx| idx - 1);
        let callees = opens
            .filter(|&idx| !is_of_literal(step, source, idx))
            .map(text)
            .filter(|name| is_callee(name) && !style.is_keyword(name));
        let callees = callees.filter(|name| !name.starts_with('_') && name.len() > 2);
        callees.map(|name| style.words(&snake_or_camel(name, style))).collect()
    };
    shape.steps.iter().flat_map(in_step).collect()
}

/// The longest name that says all that a merged test does.
const MAX_NAME: usize = 72;

/// Names for one test that does what several did.
pub fn joined(survey: &Survey, shapes: &[&Shape]) -> Named {
    let style = Style::of(shapes[0].framework);
    let all: Vec<Vec<String>> = shapes.iter().map(|shape| bare(style, &shape.name)).collect();
    let labels = shapes.iter().zip(&all).map(|(shape, words)| match style {
        Style::Snake => style.joined(words),
        Style::Camel => shape.name.clone(),
    });
    let labels: Vec<String> = labels.collect();
    let and = ["and".to_owned()];
    let mut stem = all.join(&and[..]);
    if style.joined(&stem).len() > MAX_NAME {
        stem =
            [all[0].clone(), vec!["and".to_owned(), (all.len() - 1).to_string(), "more".to_owned()]].concat();
    }
    Named { name: free(survey, shapes, &stem), labels }
}

/// The words of a name without the `test` that it begins with.
fn bare(style: Style, name: &str) -> Vec<String> {
    let mut words = style.words(name);
    if words.first().is_some_and(|word| word == "test") && words.len() > 1 {
        words.remove(0);
    }
    words
}

/// A name that is free in the file, or that of a test that goes.
pub fn free(survey: &Survey, shapes: &[&Shape], stem: &[String]) -> String {
    let style = Style::of(shapes[0].framework);
    let needs_test = match shapes[0].framework {
        Framework::Pytest | Framework::Unittest | Framework::Junit3 => true,
        Framework::Jupiter | Framework::Junit4 => {
            let is_so = |shape: &&&Shape| style.words(&shape.name).first().is_some_and(|word| word == "test");
            shapes.iter().filter(is_so).count() * 2 > shapes.len()
        }
    };
    let before = if needs_test { vec!["test".to_owned()] } else { Vec::new() };
    let words: Vec<String> = before.iter().chain(stem).cloned().collect();
    let own: BTreeSet<&str> = shapes.iter().map(|shape| shape.name.as_str()).collect();
    let is_free = |name: &str| {
        let is_taken =
            !own.contains(name) && survey.words.contains(name) && !is_of_others(survey, shapes[0], name);
        !is_taken && !style.is_keyword(name)
    };
    let plain = style.joined(&words);
    let cases = format!("{plain}{}", style.suffix("cases"));
    let numbered = (2..).map(|n: u32| format!("{cases}{}", style.number(n)));
    let mut all = [plain, cases.clone()].into_iter().chain(numbered);
    all.find(|name| is_free(name)).expect("there is always another number")
}

/// Whether only tests of other classes have a name: a method of this class may have it too.
fn is_of_others(survey: &Survey, host: &Shape, name: &str) -> bool {
    let home = |shape: &Shape| shape.id.strip_suffix(shape.name.as_str()).unwrap_or_default().to_owned();
    let mut named = survey.shapes.iter().filter(|shape| shape.name == name).peekable();
    let is_inherited = |shape: &Shape| shape.refusal.as_ref().is_some_and(|it| it.code == "base_class");
    let is_other = |shape: &Shape| home(shape) != home(host) && !is_inherited(shape);
    !home(host).is_empty() && named.peek().is_some() && named.all(is_other)
}

/// The words of what is called with the first literal, assertions aside.
fn called(shape: &Shape, source: &str, style: Style) -> Option<Vec<String>> {
    let is_literal = |atom: &Atom| matches!(atom.kind, AtomKind::Literal(_));
    for step in &shape.steps {
        let text = |idx: usize| step.atoms[idx].range.of(source);
        for at in (0..step.atoms.len()).filter(|&at| is_literal(&step.atoms[at])) {
            let opens = (1..at).rev().filter(|&idx| text(idx) == "(");
            let is_it = |idx: &usize| is_callee(text(*idx)) && !is_of_literal(step, source, *idx);
            let callee = opens.map(|idx| idx - 1).find(is_it);
            if let Some(idx) = callee {
                let is_short = text(idx).len() < 3;
                let receiver = idx.checked_sub(2).filter(|&two| is_short && text(two + 1) == ".");
                return Some(style.words(&snake_or_camel(text(receiver.unwrap_or(idx)), style)));
            }
        }
    }
    None
}

/// Whether a method is one of a literal: `"\n".join(...)` says nothing of what is tested.
fn is_of_literal(step: &Step, source: &str, idx: usize) -> bool {
    let is_dot = idx.checked_sub(1).is_some_and(|dot| step.atoms[dot].range.of(source) == ".");
    is_dot && idx >= 2 && matches!(step.atoms[idx - 2].kind, AtomKind::Literal(_))
}

/// A class that is called has its name in small letters.
fn snake_or_camel(name: &str, style: Style) -> String {
    match style {
        Style::Camel => name.to_owned(),
        Style::Snake if name.contains('_') => name.to_lowercase(),
        Style::Snake => Style::Camel.words(name).join("_"),
    }
}

fn is_callee(name: &str) -> bool {
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    let is_helper = [
        "assert", "len", "str", "list", "tuple", "set", "dict", "sorted", "repr", "int", "pytest", "raises",
        "abs",
    ];
    is_name
        && !name.starts_with("assert")
        && !is_helper.contains(&name)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
