//! Tests that begin alike become one: what they share runs once, and then the rest of each.
//!
//! The rest of a test leaves all as it was before it, shown by a traced run ([`purity`](super::purity)); one that does not comes last.

use super::Request;
use super::naming;
use super::prefix::{Alike, alike, calls, is_plain, lines, outside, over, remarks, variables, whole};
use super::purity::{Rested, rested};
use super::style::Style;
use super::text::{Splice, spliced, with_blank_before};
use super::written::Rewritten;
use paring_engine::{Runs, Stop};
use paring_model::{AtomKind, Joint, Merger, Refusal, RemarkAt, Rest, Shape, Survey, TextRange};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of tests that do the same from beginning to end.
pub fn duplicates(survey: &Survey, source: &str, may_meet: impl Fn(&Shape) -> bool) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, shape) in survey.shapes.iter().enumerate().filter(|(_, shape)| may_meet(shape)) {
        found.entry(whole(shape, source)).or_default().push(idx);
    }
    found.into_values().filter(|group| group.len() > 1).collect()
}

/// Writes the file with the first of tests that do the same, and with the remarks of the others above it.
pub fn deduplicate(merger: &dyn Merger, source: &str, shapes: &[&Shape], ids: &[&str]) -> Rewritten {
    let host = shapes[0];
    let sign = Style::of(host.framework).comment();
    let of_host = all_remarks(host);
    let more = shapes[1..].iter().flat_map(|shape| all_remarks(shape)).filter(|line| !of_host.contains(line));
    let above: String =
        more.map(|line| format!("{}{sign} {line}\n", host.indent)).collect::<Vec<_>>().concat();
    let start = TextRange::new(host.whole.start, host.whole.start);
    let mut splices = vec![Splice { range: start, text: above }];
    let gone = shapes[1..].iter().map(|shape| with_blank_before(source, shape.whole));
    splices.extend(gone.map(|range| Splice { range, text: String::new() }));
    let text = merger.import(spliced(source, all(source), splices), &BTreeSet::new());
    let kept = ids[0].to_owned();
    let map = ids.iter().map(|id| ((*id).to_owned(), vec![kept.clone()])).collect();
    Rewritten { text, tests: vec![kept], map }
}

fn all_remarks(shape: &Shape) -> Vec<String> {
    let lines = shape.remarks.iter().flat_map(|remark| remark.lines.iter().cloned());
    lines.chain(shape.shown.clone()).collect()
}

fn all(source: &str) -> TextRange {
    TextRange::new(0, u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes"))
}

/// Tests whose beginnings could run once, the largest saving first.
pub fn groups(survey: &Survey, source: &str, may_meet: impl Fn(&Shape) -> bool) -> Vec<Alike> {
    let saved = |n_tests: usize, n_steps: usize| (n_tests - 1) * n_steps;
    let is_worth = |it: &Alike| {
        let host = &survey.shapes[it.tests[0]];
        calls(host, it.n_steps, source) && (0..it.n_steps).all(|nth| is_plain(host, nth, source))
    };
    alike(survey, source, false, may_meet, saved).into_iter().filter(is_worth).collect()
}

/// Tests with their ids.
type Members<'s> = Vec<(&'s Shape, &'s str)>;

/// Which tests of a group can be one, those that leave all as it was first; an error where fewer than two can.
pub fn choose<'s>(
    request: &Request<'_>,
    runs: &Runs<'_>,
    source: &str,
    members: &[(&'s Shape, &'s str)],
    n_steps: usize,
) -> Result<Result<Members<'s>, Refusal>, Stop> {
    let (mut leaves, mut changes) = (Vec::new(), Vec::new());
    let mut why = None;
    for &(shape, id) in members {
        if let Some(refusal) = forbidden(shape, n_steps, source) {
            why = Some(refusal);
            continue;
        }
        match rested(request, runs, source, id, shape, n_steps)? {
            Err(refusal) => why = Some(refusal),
            Ok(Rested::LeavesAll) if shape.expects.is_none() => leaves.push((shape, id)),
            Ok(Rested::LeavesAll | Rested::Changes) => changes.push((shape, id)),
        }
    }
    let state = || Refusal::new("state", "each of them changes what they share");
    leaves.extend(changes.into_iter().take(1));
    Ok(if leaves.len() > 1 { Ok(leaves) } else { Err(why.unwrap_or_else(state)) })
}

/// What no run has to be made for.
fn forbidden(shape: &Shape, n_steps: usize, source: &str) -> Option<Refusal> {
    let rest = &shape.steps[n_steps..];
    let ends = ["return", "skip", "skipTest", "xfail", "importorskip"];
    let word =
        |step: &paring_model::Step| step.atoms.iter().any(|atom| ends.contains(&atom.range.of(source)));
    if shape.has_parameters {
        return Some(Refusal::new("fixtures", "what its parameters give would be shared"));
    }
    if rest.iter().any(word) {
        return Some(Refusal::new("unsupported", "it may end early"));
    }
    let is_apart = |step: &paring_model::Step| {
        source[..step.range.start as usize].rsplit('\n').next().unwrap_or_default().trim().is_empty()
    };
    (!rest.iter().all(is_apart)).then(|| Refusal::new("unsupported", "statements share a line"))
}

/// How a reorganised test is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// No longer test is written; 0 for no limit.
    pub max_statements: usize,
    pub may_hide: bool,
}

/// Writes the file with one test in the place of several.
pub fn join(
    merger: &dyn Merger,
    survey: &Survey,
    source: &str,
    members: &[(&Shape, &str)],
    n_steps: usize,
    manner: Manner,
) -> Result<Rewritten, Refusal> {
    let shapes: Vec<&Shape> = members.iter().map(|(shape, _)| *shape).collect();
    let n_statements = n_steps + shapes.iter().map(|shape| shape.steps.len() - n_steps).sum::<usize>();
    if manner.max_statements > 0 && n_statements > manner.max_statements {
        return Err(Refusal::new(
            "too_long",
            format!("the merged test would have {n_statements} statements"),
        ));
    }
    let host = *shapes.iter().min_by_key(|shape| shape.whole.start).expect("a group has members");
    let first = remarks(host, n_steps);
    if shapes.iter().any(|shape| remarks(shape, n_steps) != first) {
        return Err(Refusal::new("remarks", "comments in what they share differ"));
    }
    let mut taken: BTreeSet<String> =
        variables(host, 0..n_steps, source).into_iter().map(str::to_owned).collect();
    let named = naming::joined(survey, &shapes);
    let mut rests = Vec::new();
    for (idx, shape) in shapes.iter().enumerate() {
        let renames = renames(host, shape, n_steps, source, &mut taken)?;
        rests.push(rest(shape, *shape == host, n_steps, source, &renames, named.labels[idx].clone()));
    }
    let joint = Joint {
        name: named.name.clone(),
        beginning: lines(host, n_steps, source).of(source).to_owned(),
        rests,
        may_hide: manner.may_hide,
    };
    let headed = merger.joined(source, host, &joint)?;
    let text = format!("{}{}", headed.head, headed.foot);
    let mut splices = vec![Splice { range: replaced(host), text }];
    for shape in shapes.iter().filter(|shape| **shape != host) {
        splices.push(Splice { range: with_blank_before(source, shape.whole), text: String::new() });
    }
    let imports: BTreeSet<String> = headed.imports.into_iter().collect();
    let text = merger.import(spliced(source, all(source), splices), &imports);
    let new = merger.id(members[0].1, &named.name);
    let map = members.iter().map(|(_, id)| ((*id).to_owned(), vec![new.clone()])).collect();
    Ok(Rewritten { text, tests: vec![new], map })
}

/// All of the host but the comments above it.
fn replaced(host: &Shape) -> TextRange {
    let above = host.remarks.iter().filter(|it| it.at == RemarkAt::Test && it.range.end <= host.head_start);
    let start = above.map(|it| it.range.end).max().unwrap_or(host.whole.start);
    TextRange::new(start.max(host.whole.start), host.whole.end)
}

/// What the variables of a test are called in the merged one: those of the beginning as the host's, others by free names.
fn renames(
    host: &Shape,
    shape: &Shape,
    n_steps: usize,
    source: &str,
    taken: &mut BTreeSet<String>,
) -> Result<BTreeMap<String, String>, Refusal> {
    let style = Style::of(host.framework);
    let shared = variables(host, 0..n_steps, source);
    let own = variables(shape, 0..n_steps, source);
    let outside = outside(shape, source);
    let mut renames: BTreeMap<String, String> =
        own.iter().zip(&shared).map(|(own, shared)| ((*own).to_owned(), (*shared).to_owned())).collect();
    for name in variables(shape, n_steps..shape.steps.len(), source) {
        if renames.contains_key(name) {
            continue;
        }
        let numbered = (2..).map(|n: u32| format!("{name}{}", style.number(n)));
        let mut all = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| !taken.contains(name) && (!outside.contains(name.as_str()));
        let free = all.find(is_free).expect("there is always another number");
        taken.insert(free.clone());
        renames.insert(name.to_owned(), free);
    }
    // A variable of another test would hide what the name means here.
    if let Some(name) = outside.iter().find(|name| taken.contains(**name)) {
        return Err(Refusal::new(
            "names",
            format!("{name} is a variable in one of them, and none in another"),
        ));
    }
    Ok(renames)
}

fn rest(
    shape: &Shape,
    is_host: bool,
    n_steps: usize,
    source: &str,
    renames: &BTreeMap<String, String>,
    label: String,
) -> Rest {
    let start = lines(shape, n_steps, source).end;
    let range = TextRange::new(start.min(shape.body.end), shape.body.end);
    let behind = &shape.steps[n_steps..];
    let atoms = behind.iter().flat_map(|step| &step.atoms).filter(|atom| atom.kind == AtomKind::Variable);
    let splice = |atom: &paring_model::Atom| {
        let new = renames.get(atom.range.of(source))?;
        Some(Splice { range: atom.range, text: new.clone() })
    };
    let splices: Vec<Splice> = atoms.filter_map(splice).collect();
    let text = spliced(source, range, splices.clone());
    let text = text.trim_matches(['\n', '\r']);
    let above =
        if is_host { Vec::new() } else { shape.shown.iter().cloned().chain(over(shape, true)).collect() };
    Rest {
        label,
        above,
        lines: format!("{}\n", text.trim_end()),
        steps: behind.iter().map(|step| spliced(source, step.range, splices.clone())).collect(),
        expects: shape.expects.clone(),
        has_message: behind.iter().any(|step| step.has_message),
    }
}
