//! A common beginning becomes a fixture or set-up, and the tests stay apart.

use super::prefix::{Alike, alike, calls, is_plain, lines, over, remarks, variables};
use super::text::Splice;
use super::text::spliced;
use super::written::Rewritten;
use paring_model::{AtomKind, Beginning, Merger, Refusal, Shape, Survey, TextRange};
use std::collections::BTreeSet;

/// Fewer steps saved than this are not worth a fixture.
const MIN_SAVED: usize = 2;
const MIN_STEPS: usize = 2;

/// Tests whose beginnings are worth to be shared, the best first.
pub fn groups(survey: &Survey, source: &str, may_meet: impl Fn(&Shape) -> bool) -> Vec<Alike> {
    let saved = |n_tests: usize, n_steps: usize| (n_tests * n_steps).saturating_sub(n_steps);
    let all = alike(survey, source, false, may_meet, saved);
    let is_worth = |it: &Alike| {
        let host = &survey.shapes[it.tests[0]];
        it.n_steps >= MIN_STEPS
            && saved(it.tests.len(), it.n_steps) >= MIN_SAVED
            && calls(host, it.n_steps, source)
            && (0..it.n_steps).all(|nth| is_plain(host, nth, source))
    };
    all.into_iter().filter(is_worth).collect()
}

/// Writes the file with the beginning in a place of its own.
pub fn extract(
    merger: &dyn Merger,
    survey: &Survey,
    source: &str,
    shapes: &[&Shape],
    ids: &[&str],
    n_steps: usize,
) -> Result<Rewritten, Refusal> {
    let host = shapes[0];
    let first = remarks(host, n_steps);
    if shapes.iter().any(|shape| remarks(shape, n_steps) != first) {
        return Err(Refusal::new("remarks", "comments in what they share differ"));
    }
    let used = used(shapes, n_steps, source);
    let beginning = Beginning {
        n_steps,
        lines: lines_without_over(host, n_steps, source),
        variables: used.iter().map(|(name, _)| name.clone()).collect(),
        n_tests: survey.shapes.iter().filter(|shape| home(shape) == home(host)).count(),
    };
    if beginning.variables.is_empty() {
        return Err(Refusal::new("no_variable", "what they share gives them no variable"));
    }
    if beginning.n_tests > shapes.len() && !merger.shares_with_some(host) {
        return Err(Refusal::new("others", "set-up would run for the other tests of the class too"));
    }
    let set_up = merger.set_up(source, host, &beginning)?;
    let mut splices =
        vec![Splice { range: TextRange::new(host.whole.start, host.whole.start), text: set_up.text.clone() }];
    for shape in shapes {
        splices.extend(rest(merger, source, shape, n_steps, &used, &set_up)?);
    }
    let all =
        TextRange::new(0, u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes"));
    let imports: BTreeSet<String> = set_up.imports.into_iter().collect();
    let text = merger.import(spliced(source, all, splices), &imports);
    let own = |id: &&str| ((*id).to_owned(), vec![(*id).to_owned()]);
    Ok(Rewritten {
        text,
        tests: ids.iter().map(|id| (*id).to_owned()).collect(),
        map: ids.iter().map(own).collect(),
    })
}

fn home(shape: &Shape) -> &str {
    shape.id.strip_suffix(&shape.name).unwrap_or_default()
}

/// The beginning without the remarks over its first step: they are about the test.
fn lines_without_over(shape: &Shape, n_steps: usize, source: &str) -> TextRange {
    let first = super::text::whole_lines(source, shape.steps[0].range).start;
    TextRange::new(first, lines(shape, n_steps, source).end)
}

/// The host's variables of the beginning that some test reads behind it, with their numbers.
fn used(shapes: &[&Shape], n_steps: usize, source: &str) -> Vec<(String, usize)> {
    let host = variables(shapes[0], 0..n_steps, source);
    let is_read = |nth: usize| {
        shapes.iter().any(|shape| {
            let own = variables(shape, 0..n_steps, source)[nth];
            variables(shape, n_steps..shape.steps.len(), source).contains(&own)
        })
    };
    let named = host.iter().enumerate().filter(|(nth, _)| is_read(*nth));
    named.map(|(nth, name)| ((*name).to_owned(), nth)).collect()
}

/// What becomes of one test: its beginning goes, and its variables have the names of the host's.
fn rest(
    merger: &dyn Merger,
    source: &str,
    shape: &Shape,
    n_steps: usize,
    used: &[(String, usize)],
    set_up: &paring_model::SetUp,
) -> Result<Vec<Splice>, Refusal> {
    let own = variables(shape, 0..n_steps, source);
    let behind = &shape.steps[n_steps..];
    let mut splices = vec![Splice { range: lines_without_over(shape, n_steps, source), text: String::new() }];
    // Blank lines behind what goes would begin the body.
    let cut = splices[0].range.end as usize;
    let blank = source[cut..].len() - source[cut..].trim_start_matches([' ', '\t', '\n', '\r']).len();
    if let Some(last) = source[cut..cut + blank].rfind('\n').filter(|_| over(shape, false).is_empty()) {
        let end = u32::try_from(cut + last + 1).expect("a source file has fewer than 2^32 bytes");
        splices[0].range.end = end;
    }
    for atom in behind.iter().flat_map(|step| &step.atoms).filter(|atom| atom.kind == AtomKind::Variable) {
        let text = atom.range.of(source);
        let Some(number) = own.iter().position(|name| *name == text) else {
            if set_up.called.iter().any(|name| name == text) {
                return Err(Refusal::new("names", format!("{text} means something else in {}", shape.name)));
            }
            continue;
        };
        let at = used.iter().position(|(_, nth)| *nth == number);
        let name = at.and_then(|at| set_up.called.get(at));
        if let Some(name) = name.filter(|name| *name != text) {
            splices.push(Splice { range: atom.range, text: name.clone() });
        }
    }
    if let Some(parameter) = &set_up.parameter {
        // What the beginning alone reads, the test no longer needs.
        let has = |steps: &[paring_model::Step], name: &str| {
            steps.iter().flat_map(|step| &step.atoms).any(|atom| atom.range.of(source) == name)
        };
        let is_used = |name: &str| has(behind, name) || !has(&shape.steps[..n_steps], name);
        let (range, text) = merger
            .with_parameter(source, shape, parameter, &is_used)
            .ok_or_else(|| Refusal::new("unsupported", "a parameter cannot be added"))?;
        splices.push(Splice { range, text });
    }
    Ok(splices)
}
