//! The literals in which tests that are alike differ: what becomes a parameter, and what it is called.

use super::style::Style;
use paring_model::{Atom, AtomKind, Hint, LiteralShape, Refusal, RemarkAt, Shape, TextRange};
use std::collections::BTreeSet;

/// More parameters than this make rows that nobody can read.
const MAX_PARAMS: usize = 6;
/// As do more names than this that nothing but a number or `value` tells apart.
const MAX_MADE_UP: usize = 2;
/// As do values of more lines than this.
const MAX_LINES: usize = 10;

/// A parameter to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub class: String,
    /// Its text in each test.
    pub values: Vec<String>,
    /// Where it stands in the host.
    pub places: Vec<TextRange>,
    hint: Hint,
    noun: &'static str,
    is_mutable: bool,
    /// The step of the host that does nothing but give it to a variable of its name.
    pub replaces: Option<usize>,
}

/// The columns of tests of one group, the first of which is the host. `moves` says that remarks leave the body.
pub fn columns(shapes: &[&Shape], source: &str, moves: bool, style: Style) -> Result<Vec<Column>, Refusal> {
    let mut columns = differing(shapes, source, moves);
    if columns.len() > MAX_PARAMS {
        let text = format!("they differ in {} values", columns.len());
        return Err(Refusal::new("too_many_values", text));
    }
    if let Some(value) = columns.iter().flat_map(|it| &it.values).find(|it| it.lines().count() > MAX_LINES) {
        let text = format!("one of the values in which they differ has {} lines", value.lines().count());
        return Err(Refusal::new("long_values", text));
    }
    let host = shapes[0];
    let mut taken: BTreeSet<String> = columns
        .iter()
        .filter(|column| column.replaces.is_some())
        .filter_map(|column| variable(&column.hint).map(str::to_owned))
        .collect();
    for column in &mut columns {
        let name = name_of(column, host, source, style, &taken);
        taken.insert(name.clone());
        column.name = name;
    }
    let is_made_up = |column: &&Column| {
        let ends = |suffix: &str| column.name.ends_with(&style.suffix(suffix));
        column.replaces.is_none() && (column.name.ends_with(|c: char| c.is_ascii_digit()) || ends("value"))
    };
    if columns.iter().filter(is_made_up).count() > MAX_MADE_UP {
        let text = format!("they differ in {} values, for which there are no good names", columns.len());
        return Err(Refusal::new("too_many_values", text));
    }
    Ok(columns)
}

fn literals(shape: &Shape) -> Vec<(usize, &Atom, &LiteralShape)> {
    let mut found = Vec::new();
    for (idx, step) in shape.steps.iter().enumerate() {
        for atom in &step.atoms {
            if let AtomKind::Literal(literal) = &atom.kind {
                found.push((idx, atom, literal));
            }
        }
    }
    found
}

fn differing(shapes: &[&Shape], source: &str, moves: bool) -> Vec<Column> {
    let all: Vec<_> = shapes.iter().map(|shape| literals(shape)).collect();
    let mut columns: Vec<Column> = Vec::new();
    for (nth, (step, atom, literal)) in all[0].iter().enumerate() {
        let values: Vec<String> =
            all.iter().map(|literals| literals[nth].1.range.of(source).to_owned()).collect();
        if values.iter().all(|value| *value == values[0]) {
            continue;
        }
        let is_mutable = all.iter().any(|literals| literals[nth].2.is_mutable);
        let same = columns.iter_mut().find(|column| {
            column.values == values && column.hint == literal.hint && !is_mutable && !column.is_mutable
        });
        if let Some(same) = same {
            same.places.push(atom.range);
            continue;
        }
        let noun =
            if all.iter().all(|other| other[nth].2.noun == literal.noun) { literal.noun } else { "value" };
        let replaces = variable(&literal.hint).filter(|_| is_bare(shapes[0], *step, source, moves));
        let declared = match &literal.hint {
            Hint::Given { declared, .. } if replaces.is_some() => declared.clone(),
            _ => None,
        };
        columns.push(Column {
            name: String::new(),
            class: declared.unwrap_or_else(|| literal.class.clone()),
            values,
            places: vec![atom.range],
            hint: literal.hint.clone(),
            noun,
            is_mutable,
            replaces: replaces.map(|_| *step),
        });
    }
    columns
}

fn variable(hint: &Hint) -> Option<&str> {
    match hint {
        Hint::Given { variable, .. } => Some(variable),
        Hint::Named(_) | Hint::Expected | Hint::None => None,
    }
}

/// Whether a step stands in lines of its own, and takes no remark with it.
fn is_bare(host: &Shape, step: usize, source: &str, moves: bool) -> bool {
    let range = host.steps[step].range;
    let is_own = |remark: &paring_model::Remark| match remark.at {
        RemarkAt::Over(of) | RemarkAt::Behind(of) | RemarkAt::Within(of) => of == step,
        RemarkAt::Test => false,
    };
    let before = source[..range.start as usize].rsplit('\n').next().unwrap_or_default();
    let behind = source[range.end as usize..].split(['\n', '\r']).next().unwrap_or_default().trim();
    let ends = behind.is_empty() || moves && (behind.starts_with('#') || behind.starts_with("//"));
    before.trim().is_empty() && ends && (moves || !host.remarks.iter().any(is_own))
}

fn name_of(column: &Column, host: &Shape, source: &str, style: Style, taken: &BTreeSet<String>) -> String {
    if let (Some(variable), Some(_)) = (variable(&column.hint), column.replaces) {
        return variable.to_owned();
    }
    let (stem, may_be_keyword) = match &column.hint {
        Hint::Given { variable, .. } => (format!("{variable}{}", style.suffix("value")), false),
        Hint::Named(name) => (name.clone(), true),
        Hint::Expected => ("expected".to_owned(), false),
        Hint::None => (column.noun.to_owned(), false),
    };
    let is_free = |name: &str| {
        !taken.contains(name) && !occurs(host, source, name, may_be_keyword) && !mentions(&host.header, name)
    };
    let stem = if style.is_keyword(&stem) { format!("{stem}{}", style.suffix("value")) } else { stem };
    if is_free(&stem) {
        return stem;
    }
    let value = format!("{stem}{}", style.suffix("value"));
    let numbered = (2..).map(|n: u32| format!("{stem}{}", style.number(n)));
    let mut all = std::iter::once(value).filter(|_| column.hint != Hint::None).chain(numbered);
    all.find(|name| is_free(name)).expect("there is always another number")
}

/// Whether a name stands in the body, as more than the name of an argument.
fn occurs(host: &Shape, source: &str, name: &str, but_as_keyword: bool) -> bool {
    host.steps.iter().any(|step| {
        step.atoms.iter().enumerate().any(|(idx, atom)| {
            let next = step.atoms.get(idx + 1).map_or("", |next| next.range.of(source));
            let before = idx.checked_sub(1).map_or("", |idx| step.atoms[idx].range.of(source));
            let is_keyword = but_as_keyword && next == "=" && matches!(before, "(" | ",");
            atom.range.of(source) == name && !is_keyword && before != "."
        })
    })
}

fn mentions(header: &str, name: &str) -> bool {
    header.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}
