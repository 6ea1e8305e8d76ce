//! Drafts as files, as far as it is the same in all languages: which file a test goes to, in whose place, under which name;
//! and where the lines of a written file come from.
//!
//! A front end implements [`TestWriter`] and calls [`write()`] from its `write`. What it adds is syntax: where a test stands,
//! what edits leave of it, what a composed one looks like, how an id names it. How the parts work together:
//! `docs/design/writer.md`.

mod files;
mod names;
mod origins;
mod test_names;

pub use names::{Names, called, given, names, params};
pub use origins::LineMap;

use crate::candidate::{Candidate, Form};
use crate::draft::{Body, Composed, Draft, EditSet, Name, Reach, Rounds};
use crate::port::Frontend;
use crate::text::{TextRange, TokenKind};
use crate::unit::{StmtId, Unit};
use files::Files;
use std::collections::BTreeSet;

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
    /// Where it ends with the comments that belong to its last statements. Invariant: not before the end of `range`.
    pub end: u32,
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

/// A file of a parametrised test without one of its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherCases {
    /// The text. Where the case cannot be left out by itself, it has all of them.
    pub text: String,
    /// What a test of the case alone is called.
    pub name: String,
}

/// What [`write()`] asks of a language. The defaults are those of a language in which a test is a file.
pub trait TestWriter: Frontend {
    /// The unit's file with its edits, wherever they are. Without edits, both forms are the source, byte for byte.
    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate;

    /// Where the unit's test stands in its text.
    fn spot(&self, unit: &Unit) -> Option<Spot>;

    /// The unit's file without the case that the unit is of. `None` where its test has no other cases.
    fn other_cases(&self, unit: &Unit) -> Option<OtherCases> {
        let _ = unit;
        None
    }

    /// The unit's file with the edits within its test, which has no other case than the unit's: asked for where there are
    /// other cases.
    fn only_case(&self, unit: &Unit, edits: &EditSet) -> Candidate {
        self.render(unit, &edits.only_in_test(unit), Form::Compact)
    }

    /// The text of a composed test of that name.
    fn composed(
        &self,
        units: &[&Unit],
        composed: &Composed,
        names: &Names,
        name: &str,
    ) -> Result<TestText, Unwritable> {
        let _ = (units, composed, names, name);
        Err(Unwritable::NotSupported)
    }

    /// The unit's file with the edits within its test, in which the rounds of loops are told apart.
    fn with_rounds(&self, unit: &Unit, edits: &EditSet, rounds: &[Rounds]) -> Result<Candidate, Unwritable> {
        let _ = (unit, edits, rounds);
        Err(Unwritable::NotSupported)
    }

    /// What stands between two tests, the indentation of the second included.
    fn gap(&self, unit: &Unit, spot: Spot) -> String {
        let _ = (unit, spot);
        "\n".to_owned()
    }

    /// The id of a test that stands where a unit's does and has another name.
    fn id(&self, unit: &Unit, old: &str, new: &str, case: &str) -> String {
        format!("{}{new}{case}", unit.target.strip_suffix(old).unwrap_or(&unit.target))
    }

    /// The imports of the file that a part of its text names, as [`TestWriter::with_imports`] takes them.
    fn imports(&self, unit: &Unit, range: TextRange) -> Vec<String> {
        let _ = (unit, range);
        Vec::new()
    }

    /// The text with imports that it does not have yet.
    fn with_imports(&self, text: String, imports: &BTreeSet<String>) -> String {
        let _ = imports;
        text
    }
}

/// Writes a draft. Masks are kept whole here, and so whatever becomes a text has them whole.
pub fn write(
    language: &dyn TestWriter,
    units: &[&Unit],
    draft: &Draft,
    form: Form,
) -> Result<Written, Unwritable> {
    let draft = &draft.clone().with_whole_masks(units);
    let candidate = match (draft.reach, only_edited(units, draft)) {
        (Reach::File, Some((unit, edits))) => language.render(unit, edits, form),
        (Reach::File, None) => return Err(Unwritable::NotSupported),
        (Reach::Test, Some((unit, edits))) if language.other_cases(unit).is_none() => {
            language.render(unit, &edits.only_in_test(unit), Form::Compact)
        }
        (Reach::Test, _) => Files::new(language, units, draft)?.candidate()?,
    };
    let origins = LineMap::of(language, units, draft, &candidate);
    Ok(Written { candidate, origins })
}

/// The edits of a draft of the only unit's test under its own name.
fn only_edited<'a>(units: &[&'a Unit], draft: &'a Draft) -> Option<(&'a Unit, &'a EditSet)> {
    let ([unit], [test]) = (units, draft.tests.as_slice()) else { return None };
    match (&test.name, &test.body) {
        (Name::AsItWas, Body::Edited { unit: 0, edits }) => Some((unit, edits)),
        _ => None,
    }
}

/// The unit a test stands in the place of.
fn host(body: &Body) -> usize {
    match body {
        Body::Edited { unit, .. } | Body::Rounds { unit, .. } => *unit,
        Body::Composed(composed) => composed.host,
    }
}

/// The unit whose text is that of the file of another one: the first of its path.
fn base<'u>(units: &[&'u Unit], unit: &'u Unit) -> &'u Unit {
    units.iter().copied().find(|first| first.path == unit.path).unwrap_or(unit)
}

/// All identifiers of a file, whatever they name.
fn words<'u>(language: &dyn TestWriter, unit: &'u Unit) -> Vec<&'u str> {
    let tokens = language.tokens(&unit.source).into_iter().filter(|token| token.kind == TokenKind::Name);
    let is_other = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
    let words = tokens.flat_map(|token| token.range.of(&unit.source).split(is_other));
    words.filter(|word| !word.is_empty()).collect()
}
