//! Equal steps of several tests: the same words, with variables that hold what came about in the same way.
//!
//! Each variable has a version: the step that made it, and those that changed it since. Steps with the same words and the same
//! versions are one key, and leave the same versions behind.
//!
//! ```text
//! a = Cart()        1: "_ = Cart ( )"         a is 1.0
//! a.add("pen")      2: "1.0 . add ( "pen" )"  a is 2.0
//! ```

use super::effects::{Effect, Effects};
use super::prefix::is_plain;
use paring_model::{AtomKind, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Numbers for texts, the same for all tests of a group.
#[derive(Default)]
pub struct Known(BTreeMap<String, u32>);

impl Known {
    pub fn number(&mut self, text: String) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(text).or_insert(next)
    }
}

/// One step of one test, in numbers.
#[derive(Clone, Debug)]
pub struct Numbered {
    pub key: u32,
    /// Versions that it needs.
    pub needs: BTreeSet<u32>,
    /// All variables before it, and their versions.
    pub before: BTreeMap<String, u32>,
    /// Variables with a new version: the one before, where there was one, and the new one.
    pub makes: Vec<(String, Option<u32>, u32)>,
    /// Whether another test may leave it out.
    pub may_be_shared: bool,
    pub calls: bool,
}

/// One test in numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub steps: Vec<Numbered>,
    /// Versions that were there before the test began.
    pub at_start: BTreeSet<u32>,
    pub reaches: BTreeSet<(String, String)>,
    /// Whether it waits for an exception, so that others had better come first.
    pub expects: bool,
}

/// Names by which mocks are made: each remembers what was done to it.
const MOCKS: [&str; 10] = [
    "Mock",
    "MagicMock",
    "AsyncMock",
    "NonCallableMock",
    "create_autospec",
    "patch",
    "mocker",
    "mock",
    "spy",
    "mockStatic",
];
/// What holds all that no variable does.
const HIDDEN: &str = "hidden state";
const THROWS: [&str; 6] =
    ["raises", "assertRaises", "assertRaisesRegex", "assertThrows", "assertThrowsExactly", "warns"];

/// What tests may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Steps, but no assertion.
    Steps,
    /// Assertions too: for tests that others do all of.
    Checks,
}

/// Which test of a group this is.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    pub nth: usize,
    /// Whether a test of the group changes what no variable holds.
    pub hidden: bool,
    pub sharing: Sharing,
}

pub fn numbers(shape: &Shape, effects: &Effects, source: &str, tag: Tag, known: &mut Known) -> Numbers {
    let Tag { nth: tag, hidden, sharing } = tag;
    let mut env: BTreeMap<String, u32> = BTreeMap::new();
    let mut at_start = BTreeSet::new();
    let mut often: BTreeMap<u32, usize> = BTreeMap::new();
    let mut steps = Vec::new();
    let mut expects = shape.expects.is_some();
    for (nth, effect) in effects.steps.iter().enumerate() {
        let words: Vec<&str> = shape.steps[nth].atoms.iter().map(|atom| atom.range.of(source)).collect();
        expects |= words.iter().any(|word| THROWS.contains(word));
        let variables = variables(shape, nth, source);
        let mut uses = used(effect, &variables, &env);
        if hidden && words.contains(&"(") {
            uses.insert(HIDDEN.to_owned());
        }
        for name in &uses {
            if !env.contains_key(name) {
                let version = known.number(format!("start {name}"));
                at_start.insert(version);
                env.insert(name.clone(), version);
            }
        }
        let is_opaque = |name: &String| effects.opaque.contains(name);
        let may_be_shared = is_plain(shape, nth, source)
            && (sharing == Sharing::Checks || !shape.steps[nth].checks)
            && !effect.changes_hidden
            && !uses.iter().chain(&effect.defines).any(is_opaque)
            && !words.iter().any(|word| MOCKS.contains(word));
        let mut text = written(shape, nth, source, &uses, &env);
        if !may_be_shared {
            let _ = write!(text, " of {tag}.{nth}");
        }
        let key = known.number(text);
        let count = often.entry(key).or_default();
        *count += 1;
        let key = known.number(format!("{key} for the {count}. time"));
        let makes = made(effect, &variables, &env, key, hidden, known);
        let before = env.clone();
        env.extend(makes.iter().map(|(name, _, new)| (name.clone(), *new)));
        let needs = uses.iter().map(|name| before[name]).collect();
        steps.push(Numbered { key, needs, before, makes, may_be_shared, calls: words.contains(&"(") });
    }
    Numbers { steps, at_start, reaches: effects.reaches.clone(), expects }
}

/// The variables of a step, in order.
fn variables<'s>(shape: &Shape, nth: usize, source: &'s str) -> Vec<&'s str> {
    let own = shape.steps[nth].atoms.iter().filter(|atom| atom.kind == AtomKind::Variable);
    let mut found: Vec<&str> = Vec::new();
    for text in own.map(|atom| atom.range.of(source)) {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// What a step needs: all it reads or changes, but for what it makes itself.
fn used(effect: &Effect, variables: &[&str], env: &BTreeMap<String, u32>) -> BTreeSet<String> {
    let is_new = |name: &str| !env.contains_key(name) && effect.defines.contains(name);
    let is_read = |name: &str| effect.uses.contains(name) || effect.changes.contains(name);
    let named = variables.iter().map(|name| (*name).to_owned());
    let named = named.filter(|name| !effect.defines.contains(name) || is_read(name));
    let read = effect.uses.iter().chain(&effect.changes).cloned();
    named.chain(read).filter(|name| !is_new(name)).collect()
}

/// The step as text, with versions in the place of variables.
fn written(
    shape: &Shape,
    nth: usize,
    source: &str,
    uses: &BTreeSet<String>,
    env: &BTreeMap<String, u32>,
) -> String {
    let mut text = String::new();
    let mut new: Vec<&str> = Vec::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for atom in &shape.steps[nth].atoms {
        let word = atom.range.of(source);
        if atom.kind != AtomKind::Variable {
            let _ = write!(text, " {word}");
        } else if uses.contains(word) {
            told.insert(word);
            let _ = write!(text, " \u{1}{}", env[word]);
        } else {
            let at = new.iter().position(|name| *name == word).unwrap_or(new.len());
            if at == new.len() {
                new.push(word);
            }
            let _ = write!(text, " \u{2}{at}");
        }
    }
    for name in uses.iter().filter(|name| !told.contains(name.as_str())) {
        // An alias that the step does not name changes with it; what it is called does not count.
        if name.starts_with("self.") || name.starts_with("global ") || name == HIDDEN {
            let _ = write!(text, " {name}\u{1}{}", env[name]);
        }
    }
    text
}

fn made(
    effect: &Effect,
    variables: &[&str],
    env: &BTreeMap<String, u32>,
    key: u32,
    hidden: bool,
    known: &mut Known,
) -> Vec<(String, Option<u32>, u32)> {
    let hidden = (hidden && effect.changes_hidden).then(|| HIDDEN.to_owned());
    let all: BTreeSet<String> = effect.defines.iter().chain(&effect.changes).cloned().chain(hidden).collect();
    let mut found = Vec::new();
    for name in all {
        let old = env.get(&name).copied();
        let new = match (variables.iter().position(|it| *it == name), old) {
            (Some(at), _) => known.number(format!("version {key}.{at}")),
            (None, Some(old)) => known.number(format!("version {key}~{old}")),
            (None, None) => known.number(format!("version {key} {name}")),
        };
        found.push((name, old, new));
    }
    found
}
