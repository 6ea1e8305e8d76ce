//! Tests that begin alike: the same steps with the same literals, up to the names of their own variables.

use super::style::Style;
use paring_model::{AtomKind, RemarkAt, Shape, Survey, TextRange};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Words that begin a statement which is no plain one: what it defines or ends is known to the test alone.
const NOT_PLAIN: [&str; 27] = [
    "import",
    "from",
    "def",
    "class",
    "async",
    "with",
    "for",
    "while",
    "if",
    "try",
    "match",
    "return",
    "raise",
    "del",
    "global",
    "nonlocal",
    "yield",
    "pass",
    "do",
    "switch",
    "throw",
    "synchronized",
    "record",
    "interface",
    "enum",
    "{",
    "@",
];

/// Tests with a common beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// Indices into the survey, in source order.
    pub tests: Vec<usize>,
    pub n_steps: usize,
}

/// For each number of steps, the tests that begin with the same ones and go on behind them (or end there, where `may_end`); the
/// largest saving of steps first.
pub fn alike(
    survey: &Survey,
    source: &str,
    may_end: bool,
    may_meet: impl Fn(&Shape) -> bool,
    saved: impl Fn(usize, usize) -> usize,
) -> Vec<Alike> {
    let mut found: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
    for (idx, shape) in survey.shapes.iter().enumerate().filter(|(_, shape)| may_meet(shape)) {
        let mut key = shape.header.clone();
        let mut variables: BTreeMap<&str, usize> = BTreeMap::new();
        for (nth, step) in shape.steps.iter().enumerate() {
            let is_whole = may_end || nth + 1 < shape.steps.len();
            if !is_whole || !may_end && step.checks || !is_plain(shape, nth, source) && !may_end {
                break;
            }
            write_step(&mut key, &mut variables, shape, nth, source);
            found.entry((nth + 1, key.clone())).or_default().push(idx);
        }
    }
    let groups = found.into_iter().filter(|(_, tests)| tests.len() > 1);
    let mut all: Vec<Alike> = groups.map(|((n_steps, _), tests)| Alike { tests, n_steps }).collect();
    all.sort_by_key(|it| (std::cmp::Reverse(saved(it.tests.len(), it.n_steps)), it.tests.clone()));
    all
}

/// How tests are told to do the same from beginning to end.
pub fn whole(shape: &Shape, source: &str) -> String {
    let mut key = format!("{}\n{:?}", shape.header, shape.expects);
    let mut variables: BTreeMap<&str, usize> = BTreeMap::new();
    for nth in 0..shape.steps.len() {
        write_step(&mut key, &mut variables, shape, nth, source);
    }
    key
}

fn write_step<'s>(
    key: &mut String,
    variables: &mut BTreeMap<&'s str, usize>,
    shape: &Shape,
    nth: usize,
    source: &'s str,
) {
    key.push('\n');
    for atom in &shape.steps[nth].atoms {
        let text = atom.range.of(source);
        if atom.kind == AtomKind::Variable {
            let n_known = variables.len();
            let number = variables.entry(text).or_insert(n_known);
            let _ = write!(key, " \u{1}{number}");
        } else {
            let _ = write!(key, " {text}");
        }
    }
}

/// Whether a step is a plain statement in lines of its own.
pub fn is_plain(shape: &Shape, nth: usize, source: &str) -> bool {
    let range = shape.steps[nth].range;
    let first = shape.steps[nth].atoms.first().map_or("", |atom| atom.range.of(source));
    let before = source[..range.start as usize].rsplit('\n').next().unwrap_or_default();
    let next = shape.steps.get(nth + 1);
    let is_apart =
        next.is_none_or(|next| source[range.end as usize..next.range.start as usize].contains('\n'));
    !NOT_PLAIN.contains(&first) && before.trim().is_empty() && is_apart
}

/// The variables of a test's first steps, in the order in which they first occur.
pub fn variables<'s>(shape: &Shape, steps: std::ops::Range<usize>, source: &'s str) -> Vec<&'s str> {
    let mut found: Vec<&str> = Vec::new();
    for step in &shape.steps[steps] {
        for atom in step.atoms.iter().filter(|atom| atom.kind == AtomKind::Variable) {
            let text = atom.range.of(source);
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// The words of some steps that name something outside the test.
pub fn outside<'s>(shape: &Shape, source: &'s str) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    for step in &shape.steps {
        for (idx, atom) in step.atoms.iter().enumerate().filter(|(_, atom)| atom.kind == AtomKind::Word) {
            let text = atom.range.of(source);
            let before = idx.checked_sub(1).map_or("", |idx| step.atoms[idx].range.of(source));
            let behind = step.atoms.get(idx + 1).map_or("", |next| next.range.of(source));
            let is_keyword = behind == "=" && matches!(before, "(" | ",");
            // In Java a method is no variable.
            let is_method = behind == "(" && Style::of(shape.framework) == Style::Camel;
            let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_method;
            if is_name && before != "." && !is_keyword {
                found.insert(text);
            }
        }
    }
    found
}

/// Whether any step calls something.
pub fn calls(shape: &Shape, n_steps: usize, source: &str) -> bool {
    shape.steps[..n_steps].iter().any(|step| step.atoms.iter().any(|atom| atom.range.of(source) == "("))
}

/// The lines of the first steps; of none, where the body begins.
pub fn lines(shape: &Shape, n_steps: usize, source: &str) -> TextRange {
    let Some(last) = n_steps.checked_sub(1) else {
        return TextRange::new(shape.body.start, shape.body.start);
    };
    let first = super::text::whole_lines(source, shape.steps[0].range).start;
    let over = shape.remarks.iter().filter(|it| it.at == RemarkAt::Over(0)).map(|it| it.range.start).min();
    let end = super::text::whole_lines(source, shape.steps[last].range).end;
    TextRange::new(over.map_or(first, |over| over.min(first)), end.min(shape.body.end.max(first)))
}

/// The remarks at the first steps, but for those over the first of all.
pub fn remarks(shape: &Shape, n_steps: usize) -> Vec<(Vec<String>, String)> {
    let is_within = |at: RemarkAt| match at {
        RemarkAt::Over(step) => step > 0 && step < n_steps,
        RemarkAt::Behind(step) | RemarkAt::Within(step) => step < n_steps,
        RemarkAt::Test => false,
    };
    let own = shape.remarks.iter().filter(|remark| is_within(remark.at));
    own.map(|remark| (remark.lines.clone(), format!("{:?}", remark.at))).collect()
}

/// The comment lines over the first step, and those about the test as a whole.
pub fn over(shape: &Shape, about_test: bool) -> Vec<String> {
    let is_wanted = |at: RemarkAt| at == RemarkAt::Over(0) || about_test && at == RemarkAt::Test;
    let own = shape.remarks.iter().filter(|remark| is_wanted(remark.at));
    own.flat_map(|remark| remark.lines.iter().cloned()).collect()
}
