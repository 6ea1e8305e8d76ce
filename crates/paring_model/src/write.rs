//! Drafts as files, as far as it is the same in all languages: which file a test goes to, in whose place, under which name;
//! and where the lines of a written file come from.
//!
//! A front end implements [`TestWriter`] and calls [`write()`] from its `write`. What it adds is syntax: where a test stands,
//! what a composed one looks like, how an id names it. How the parts work together: `docs/design/writer.md`.

mod names;
mod origins;

pub use names::{Names, called, given, names, params};
pub use origins::LineMap;

use crate::candidate::{Candidate, Form, Target};
use crate::draft::{Body, Composed, Draft, EditSet, Name};
use crate::port::Frontend;
use crate::target::TargetSpec;
use crate::text::{TextRange, TokenKind};
use crate::unit::{StmtId, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Files with the tests of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub candidate: Candidate,
    pub origins: LineMap,
}

/// Why a draft has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// A name that was asked for means something else there.
    NameTaken(String),
    /// A statement that cannot stand in the file: what it needs is not known there, or its test was not found.
    NoHome(StmtId),
    /// A statement or parameter whose type is not known.
    NeedsType(String),
    /// The language or the framework has no such thing.
    NotSupported,
}

/// Where a test stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The whole of it, from its first decorator.
    pub range: TextRange,
    /// Its name. Invariant: within `range`.
    pub name: TextRange,
}

/// The text of one test, and what it needs in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestText {
    /// Without the indentation of its first line.
    pub text: String,
    /// Further members that stand before it, likewise: a fixture, a method with cases.
    pub before: Vec<String>,
    /// Lines of imports, as the language writes them.
    pub imports: Vec<String>,
    /// What the id has behind the test's name: `[1]`.
    pub case: String,
}

/// What [`write()`] asks of a language.
pub trait TestWriter: Frontend {
    /// Where the unit's test stands in its text.
    fn spot(&self, unit: &Unit) -> Option<Spot>;

    /// The text of a composed test of that name.
    fn composed(
        &self,
        units: &[&Unit],
        composed: &Composed,
        names: &Names,
        name: &str,
    ) -> Result<TestText, Unwritable>;

    /// What stands between two tests, the indentation of the second included.
    fn gap(&self, unit: &Unit, spot: Spot) -> String;

    /// The id of a test that stands where a unit's does and has another name.
    fn id(&self, unit: &Unit, old: &str, new: &str, case: &str) -> String;

    /// The text with imports that it does not have yet.
    fn with_imports(&self, text: String, imports: &BTreeSet<String>) -> String;
}

/// Writes a draft. One edited test under its own name is the plain rendering of its edits, in either form; everything else is
/// written compactly.
pub fn write(
    language: &dyn TestWriter,
    units: &[&Unit],
    draft: &Draft,
    form: Form,
) -> Result<Written, Unwritable> {
    if let ([only], [unit]) = (draft.tests.as_slice(), units)
        && let (Name::AsItWas, Body::Edited { unit: 0, edits }) = (&only.name, &only.body)
    {
        let candidate = language.render(unit, edits, form);
        let origins = LineMap::of(language, &[*unit], draft, &candidate);
        return Ok(Written { candidate, origins });
    }
    let writing = Writing { language, units, draft, names: test_names(language, units, draft)? };
    let candidate = writing.candidate()?;
    let origins = LineMap::of(language, units, draft, &candidate);
    Ok(Written { candidate, origins })
}

/// The unit a test stands in the place of.
pub(crate) fn host(body: &Body) -> usize {
    match body {
        Body::Edited { unit, .. } => *unit,
        Body::Composed(composed) => composed.host,
    }
}

/// The name of each test: free in its file, and unlike the others.
fn test_names(language: &dyn TestWriter, units: &[&Unit], draft: &Draft) -> Result<Vec<String>, Unwritable> {
    let own = |idx: usize| {
        let unit = units[idx];
        language.spot(unit).map(|spot| spot.name.of(&unit.source)).ok_or(Unwritable::NoHome(StmtId(0)))
    };
    let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
    for test in draft.tests.iter().filter(|test| test.name == Name::AsItWas) {
        *wanted.entry(own(host(&test.body))?).or_default() += 1;
    }
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for unit in units {
        taken.extend(words(language, unit));
    }
    let mut given: BTreeSet<String> = BTreeSet::new();
    let mut names = Vec::new();
    for test in &draft.tests {
        let name = match &test.name {
            Name::AsItWas => {
                let own = own(host(&test.body))?;
                let mut numbered = (1..).map(|number: usize| format!("{own}_{number}"));
                let is_free = |name: &String| !taken.contains(name.as_str()) && !given.contains(name);
                if wanted[own] == 1 { Some(own.to_owned()) } else { numbered.find(is_free) }
            }
            Name::New(name) => Some(name.clone()).filter(|name| !taken.contains(name.as_str())),
        };
        let name = name.ok_or_else(|| match &test.name {
            Name::New(name) => Unwritable::NameTaken(name.clone()),
            Name::AsItWas => Unwritable::NotSupported,
        })?;
        if !given.insert(name.clone()) {
            return Err(Unwritable::NameTaken(name));
        }
        names.push(name);
    }
    Ok(names)
}

/// All identifiers of a file, whatever they name.
fn words<'u>(language: &dyn TestWriter, unit: &'u Unit) -> Vec<&'u str> {
    let tokens = language.tokens(&unit.source).into_iter().filter(|token| token.kind == TokenKind::Name);
    let is_other = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
    let words = tokens.flat_map(|token| token.range.of(&unit.source).split(is_other));
    words.filter(|word| !word.is_empty()).collect()
}

struct Writing<'a> {
    language: &'a dyn TestWriter,
    units: &'a [&'a Unit],
    draft: &'a Draft,
    names: Vec<String>,
}

impl Writing<'_> {
    fn candidate(&self) -> Result<Candidate, Unwritable> {
        let texts: Vec<TestText> =
            (0..self.draft.tests.len()).map(|idx| self.text(idx)).collect::<Result<_, _>>()?;
        let mut files = BTreeMap::new();
        for (idx, unit) in self.units.iter().enumerate() {
            if self.units[..idx].iter().all(|other| other.path != unit.path) {
                files.insert(unit.path.clone(), self.file(idx, &texts)?);
            }
        }
        let target = |(test, text): (usize, &TestText)| {
            let unit = self.units[host(&self.draft.tests[test].body)];
            let old = self.language.spot(unit).map_or("", |spot| spot.name.of(&unit.source));
            Target { id: self.language.id(unit, old, &self.names[test], &text.case), test }
        };
        let targets = texts.iter().enumerate().map(target).collect();
        let after = self.units.first().map(|unit| unit.after.clone()).unwrap_or_default();
        Ok(Candidate { files, targets, after, form: Form::Compact })
    }

    fn text(&self, idx: usize) -> Result<TestText, Unwritable> {
        let test = &self.draft.tests[idx];
        let name = &self.names[idx];
        match &test.body {
            Body::Edited { unit, edits } => self.edited(self.units[*unit], edits, name),
            Body::Composed(composed) => {
                let home = &self.units[composed.host].path;
                let mut pieces = composed.setup.iter().chain(&composed.pieces);
                if let Some(piece) = pieces.find(|piece| self.units[piece.unit].path != *home) {
                    return Err(Unwritable::NoHome(piece.stmt));
                }
                let names = names(self.language, self.units, composed);
                self.language.composed(self.units, composed, &names, name)
            }
        }
    }

    /// The test as its edits leave it, under its name.
    fn edited(&self, unit: &Unit, edits: &EditSet, name: &str) -> Result<TestText, Unwritable> {
        let candidate = self.language.render(unit, &edits.only_in_test(unit), Form::Compact);
        let target = TargetSpec::new(candidate.target());
        let (rendered, _) = self.language.parse(&unit.path, candidate.text(), &target);
        let spot = self.language.spot(&rendered).ok_or(Unwritable::NoHome(StmtId(0)))?;
        let source = &rendered.source;
        let before = TextRange::new(spot.range.start, spot.name.start);
        let behind = TextRange::new(spot.name.end, spot.range.end);
        let old = self.language.id(&rendered, spot.name.of(source), spot.name.of(source), "");
        Ok(TestText {
            text: format!("{}{name}{}", before.of(source), behind.of(source)),
            case: candidate.target().strip_prefix(&old).unwrap_or_default().to_owned(),
            ..TestText::default()
        })
    }

    /// The text of the file of a unit. Every test of a unit gives way to the tests that stand in its place.
    fn file(&self, first: usize, written: &[TestText]) -> Result<String, Unwritable> {
        let unit = self.units[first];
        let mut replaced: BTreeMap<TextRange, (usize, Vec<usize>)> = BTreeMap::new();
        for (idx, other) in self.units.iter().enumerate().filter(|(_, other)| other.path == unit.path) {
            let same =
                self.language.parse(&unit.path, &unit.source, &TargetSpec::new(other.target.clone())).0;
            let spot = self.language.spot(&same).ok_or(Unwritable::NoHome(StmtId(0)))?;
            let (_, tests) = replaced.entry(spot.range).or_insert_with(|| (idx, Vec::new()));
            let hosted = (0..written.len()).filter(|&test| host(&self.draft.tests[test].body) == idx);
            tests.extend(hosted);
        }
        let gone: Vec<usize> =
            replaced.values().filter(|(_, tests)| tests.is_empty()).map(|(idx, _)| *idx).collect();
        let mut text = unit.source.clone();
        for (range, (_, tests)) in replaced.iter().rev().filter(|(_, (_, tests))| !tests.is_empty()) {
            let spot = Spot { range: *range, name: *range };
            let gap = self.language.gap(unit, spot);
            let members = tests.iter().flat_map(|&test| {
                written[test].before.iter().chain(std::iter::once(&written[test].text)).map(String::as_str)
            });
            let members_text = members.collect::<Vec<_>>().join(&gap);
            text.replace_range(range.start as usize..range.end as usize, &members_text);
        }
        for idx in gone {
            text = self.without(&text, self.units[idx]);
        }
        let hosted = |test: &usize| self.units[host(&self.draft.tests[*test].body)].path == unit.path;
        let imports =
            (0..written.len()).filter(hosted).flat_map(|test| written[test].imports.iter().cloned());
        Ok(self.language.with_imports(text, &imports.collect()))
    }

    /// The text without the test of a unit.
    fn without(&self, text: &str, unit: &Unit) -> String {
        let (written, _) = self.language.parse(&unit.path, text, &TargetSpec::new(unit.target.clone()));
        let Some(def) = written.test.and_then(|test| written.routine(test).def) else {
            return text.to_owned();
        };
        let mut edits = EditSet::all(&written);
        edits.remove(&written, def);
        self.language.render(&written, &edits, Form::Compact).into_text()
    }
}
