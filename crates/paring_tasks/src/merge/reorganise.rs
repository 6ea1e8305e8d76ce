//! Tests that share steps become one: what they share runs once, and the rest of each where it finds all as it did in its own test.
//!
//! [`cluster`](super::cluster) tells which tests may share something; [`choose`] traces them one after the other and keeps those for
//! which there is a common path ([`schedule`]); [`join`](super::join) writes it.

use super::Request;
use super::cluster::n_common;
use super::effects::{Effects, effects};
use super::schedule::{Placed, schedule};
use super::versions::{Known, Numbers, Sharing, Tag, numbers};
use paring_engine::{Runs, Stop};
use paring_model::{Framework, Refusal, Shape};
use std::collections::BTreeMap;

/// More tests than this are not tried for one path.
const MAX_TRIED: usize = 40;
/// Functions by which a test measures how long something takes.
const CLOCKS: [&str; 9] = [
    "clock_gettime",
    "currentTimeMillis",
    "monotonic",
    "monotonic_ns",
    "nanoTime",
    "perf_counter",
    "perf_counter_ns",
    "process_time",
    "time_ns",
];
/// Fixtures whose values remember what was done, or stand for what is outside the process.
const FIXTURES: [&str; 17] = [
    "capsys",
    "capfd",
    "capsysbinary",
    "capfdbinary",
    "caplog",
    "monkeypatch",
    "tmp_path",
    "tmpdir",
    "tmp_path_factory",
    "tmpdir_factory",
    "recwarn",
    "request",
    "mocker",
    "testdir",
    "pytester",
    "patch",
    "usefixtures",
];

/// A test that is to be joined with others.
#[derive(Clone)]
pub struct Member<'s> {
    pub shape: &'s Shape,
    pub id: &'s str,
    pub numbers: Numbers,
}

/// Tests with a common path. Of some, all steps are those of others.
#[derive(Clone)]
pub struct Chosen<'s> {
    pub members: Vec<Member<'s>>,
    pub path: Vec<Placed>,
    /// Tests that one of the members does all of, assertions included.
    pub contained: Vec<(&'s Shape, &'s str)>,
}

/// What no merged test may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longer than this; 0 for no limit.
    pub max_statements: usize,
    /// One in which an assertion that fails hides what another says.
    pub may_hide: bool,
}

impl Limits {
    pub fn of(request: &Request<'_>) -> Self {
        Self { max_statements: request.max_statements, may_hide: request.may_hide }
    }
}

/// What traced runs told of tests, by their ids.
pub type Traced = BTreeMap<String, Result<Effects, Refusal>>;

/// The tests of a cluster that one path goes through, the first and those that share most with it; an error where there are none.
pub fn choose<'s>(
    request: &Request<'_>,
    runs: &Runs<'_>,
    source: &str,
    cluster: &[(&'s Shape, &'s str)],
    traced: &mut Traced,
) -> Result<Result<Chosen<'s>, Refusal>, Stop> {
    let mut why = None;
    let mut best: Option<Chosen<'s>> = None;
    for first in 0..cluster.len().saturating_sub(1) {
        let mut taken: Vec<(&Shape, &str)> = Vec::new();
        let mut order: Vec<usize> = (0..cluster.len()).filter(|it| *it > first).collect();
        order.sort_by_key(|&it| (std::cmp::Reverse(n_common(cluster[first].0, cluster[it].0, source)), it));
        for it in std::iter::once(first).chain(order).take(MAX_TRIED) {
            let (shape, id) = cluster[it];
            if let Some(refusal) = forbidden(shape, source) {
                why = why.or(Some(refusal));
            } else if let Err(refusal) = trace(request, runs, source, shape, id, traced)? {
                why = why.or(Some(refusal));
            } else {
                taken.push((shape, id));
                match path_of(&taken, source, traced, Limits::of(request)) {
                    Ok(chosen) if taken.len() > 1 => best = Some(chosen),
                    Ok(_) => {}
                    Err(refusal) => {
                        taken.pop();
                        why = why.or(Some(refusal));
                    }
                }
            }
            if taken.is_empty() {
                break;
            }
        }
        if best.is_some() {
            break;
        }
    }
    let state = || Refusal::new("state", "each of them changes what they share");
    Ok(best.ok_or_else(|| why.unwrap_or_else(state)))
}

/// Has a test traced, once.
pub fn trace(
    request: &Request<'_>,
    runs: &Runs<'_>,
    source: &str,
    shape: &Shape,
    id: &str,
    traced: &mut Traced,
) -> Result<Result<(), Refusal>, Stop> {
    let key = key(shape, id, source);
    if !traced.contains_key(&key) {
        let told = effects(request, runs, source, id, shape)?;
        traced.insert(key.clone(), told);
    }
    Ok(traced[&key].as_ref().map(|_| ()).map_err(Refusal::clone))
}

/// What a traced run is known by: a merge may have changed the text of a test since.
fn key(shape: &Shape, id: &str, source: &str) -> String {
    format!("{id}\n{}", shape.body.of(source))
}

/// What a test does, where it was traced and nothing forbids to share it.
pub fn known_effects<'t>(shape: &Shape, id: &str, source: &str, traced: &'t Traced) -> Option<&'t Effects> {
    traced.get(&key(shape, id, source)).and_then(|it| it.as_ref().ok())
}

/// One path through some tests, each of which shares a call with the others.
pub fn path_of<'s>(
    tests: &[(&'s Shape, &'s str)],
    source: &str,
    traced: &Traced,
    limits: Limits,
) -> Result<Chosen<'s>, Refusal> {
    let all: Vec<(&Shape, &str, &Effects)> = (tests.iter())
        .filter_map(|(shape, id)| Some((*shape, *id, known_effects(shape, id, source, traced)?)))
        .collect();
    let hidden = all.iter().any(|(_, _, effects)| effects.steps.iter().any(|step| step.changes_hidden));
    let mut known = Known::default();
    let mut number = |tag: usize, sharing: Sharing| {
        let (shape, _, effects) = all[tag];
        numbers(shape, effects, source, Tag { nth: tag, hidden, sharing }, &mut known)
    };
    let whole: Vec<Numbers> = (0..all.len()).map(|tag| number(tag, Sharing::Checks)).collect();
    let is_contained = |it: usize| {
        let is_more = |other: usize| !contains(&whole[it], &whole[other]) || other < it;
        (0..all.len()).any(|other| other != it && contains(&whole[other], &whole[it]) && is_more(other))
    };
    let (mut members, mut contained) = (Vec::new(), Vec::new());
    for (it, (shape, id, _)) in all.iter().enumerate() {
        if is_contained(it) {
            contained.push((*shape, *id));
        } else {
            members.push(Member { shape, id, numbers: number(it, Sharing::Steps) });
        }
    }
    let numbers: Vec<&Numbers> = members.iter().map(|member| &member.numbers).collect();
    let state = || Refusal::new("state", "each of them changes what they share");
    let path = schedule(&numbers).ok_or_else(state)?;
    let shares = |it: usize| {
        let own = numbers[it].steps.iter().filter(|step| step.calls && step.may_be_shared);
        let mut others = numbers.iter().enumerate().filter(|(other, _)| *other != it);
        let keys: Vec<u32> = own.map(|step| step.key).collect();
        others.any(|(_, other)| other.steps.iter().any(|step| keys.contains(&step.key)))
    };
    if members.len() > 1 && !(0..members.len()).all(shares) {
        return Err(state());
    }
    let has_message = |shape: &Shape| shape.steps.iter().any(|step| step.has_message);
    let is_plain = matches!(members[0].shape.framework, Framework::Junit4 | Framework::Junit3);
    if is_plain && !limits.may_hide && members.iter().filter(|it| has_message(it.shape)).count() > 1 {
        let text = "the first assertion that fails would hide what another says";
        return Err(Refusal::new("hides", text));
    }
    let max_statements = limits.max_statements;
    if members.len() > 1 && max_statements > 0 && path.len() > max_statements {
        let text = format!("the merged test would have {} statements", path.len());
        return Err(Refusal::new("too_long", text));
    }
    Ok(Chosen { members, path, contained })
}

/// Whether a test makes all steps of another, from equal states.
fn contains(large: &Numbers, small: &Numbers) -> bool {
    let keys: Vec<u32> = large.steps.iter().map(|step| step.key).collect();
    small.steps.iter().all(|step| keys.contains(&step.key))
}

/// Whether a test asks for `time.time()`.
fn reads_time(shape: &Shape, source: &str) -> bool {
    let is_it = |step: &paring_model::Step| {
        let words: Vec<&str> = step.atoms.iter().map(|atom| atom.range.of(source)).collect();
        words.windows(4).any(|words| words == ["time", ".", "time", "("])
    };
    shape.steps.iter().any(is_it)
}

/// What no run has to be made for.
fn forbidden(shape: &Shape, source: &str) -> Option<Refusal> {
    let ends =
        ["return", "skip", "skipTest", "xfail", "importorskip", "assumeTrue", "assumeThat", "assumeFalse"];
    let words = || shape.steps.iter().flat_map(|step| &step.atoms).map(|atom| atom.range.of(source));
    let is_java = matches!(shape.framework, Framework::Jupiter | Framework::Junit4 | Framework::Junit3);
    let header = shape.header.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    if shape.has_parameters && is_java || header.clone().any(|word| FIXTURES.contains(&word)) {
        return Some(Refusal::new("fixtures", "what its parameters or fixtures give would be shared"));
    }
    if words().any(|word| ends.contains(&word)) {
        return Some(Refusal::new("unsupported", "it may end early"));
    }
    if words().any(|word| CLOCKS.contains(&word)) || reads_time(shape, source) {
        return Some(Refusal::new(
            "unknown_state",
            "it measures time, and would measure what the others do too",
        ));
    }
    let is_apart = |step: &paring_model::Step| {
        source[..step.range.start as usize].rsplit('\n').next().unwrap_or_default().trim().is_empty()
    };
    (!shape.steps.iter().all(is_apart)).then(|| Refusal::new("unsupported", "statements share a line"))
}
