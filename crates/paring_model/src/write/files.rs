//! The files of a draft that is more than one edited test under its own name.

use super::test_names::test_names;
use super::{TestText, TestWriter, Unwritable, base, host, names};
use crate::candidate::{Candidate, Form, Target};
use crate::draft::{Body, Draft, EditSet, Rounds};
use crate::target::TargetSpec;
use crate::text::TextRange;
use crate::unit::{StmtId, Unit};
use std::collections::{BTreeMap, BTreeSet};

pub struct Files<'a> {
    language: &'a dyn TestWriter,
    units: &'a [&'a Unit],
    draft: &'a Draft,
    names: Vec<String>,
}

impl<'a> Files<'a> {
    pub fn new(
        language: &'a dyn TestWriter,
        units: &'a [&'a Unit],
        draft: &'a Draft,
    ) -> Result<Self, Unwritable> {
        Ok(Self { language, units, draft, names: test_names(language, units, draft)? })
    }

    pub fn candidate(&self) -> Result<Candidate, Unwritable> {
        let texts: Vec<TestText> =
            (0..self.draft.tests.len()).map(|test| self.text(test)).collect::<Result<_, _>>()?;
        let mut files = BTreeMap::new();
        for unit in self.units {
            if !files.contains_key(&unit.path) {
                files.insert(unit.path.clone(), self.file(unit, &texts)?);
            }
        }
        let targets = texts.iter().enumerate().map(|(test, text)| self.target(test, &text.case)).collect();
        let after = self.units.first().map(|unit| unit.after.clone()).unwrap_or_default();
        Ok(Candidate { files, targets, after, form: Form::Compact })
    }

    /// The unit a test stands in the place of.
    fn host(&self, test: usize) -> &'a Unit {
        self.units[host(&self.draft.tests[test].body)]
    }

    fn target(&self, test: usize, case: &str) -> Target {
        let unit = self.host(test);
        let old = self.language.spot(unit).map_or("", |spot| spot.name.of(&unit.source));
        Target { id: self.language.id(unit, old, &self.names[test], case), test }
    }

    fn text(&self, test: usize) -> Result<TestText, Unwritable> {
        match &self.draft.tests[test].body {
            Body::Edited { unit, edits } => self.edited(self.units[*unit], edits, &[], &self.names[test]),
            Body::Rounds { unit, edits, rounds } => {
                self.edited(self.units[*unit], edits, rounds, &self.names[test])
            }
            Body::Composed(composed) => {
                let home = &self.units[composed.host].path;
                let mut pieces = composed.setup.iter().chain(&composed.pieces);
                if let Some(piece) = pieces.find(|piece| self.units[piece.unit].path != *home) {
                    return Err(Unwritable::NoHome(piece.stmt));
                }
                let names = names(self.language, self.units, composed);
                self.language.composed(self.units, composed, &names, &self.names[test])
            }
        }
    }

    /// The test as its edits leave it, under its name.
    fn edited(
        &self,
        unit: &Unit,
        edits: &EditSet,
        rounds: &[Rounds],
        name: &str,
    ) -> Result<TestText, Unwritable> {
        let base = self.parse(&base(self.units, unit).source, unit);
        let candidate = match self.language.other_cases(&base) {
            Some(_) if rounds.is_empty() => self.language.only_case(unit, edits),
            Some(_) => return Err(Unwritable::NotSupported),
            None if !rounds.is_empty() => self.language.with_rounds(unit, edits, rounds)?,
            None => self.language.render(unit, &edits.only_in_test(unit), Form::Compact),
        };
        let target = TargetSpec::new(candidate.target());
        let (rendered, _) = self.language.parse(&unit.path, candidate.text(), &target);
        let spot = self.language.spot(&rendered).ok_or(Unwritable::NoHome(StmtId(0)))?;
        let source = &rendered.source;
        let old = spot.name.of(source);
        let stem = self.language.id(&rendered, old, old, "");
        let before = TextRange::new(spot.range.start, spot.name.start);
        let behind = TextRange::new(spot.name.end, spot.end);
        Ok(TestText {
            text: format!("{}{name}{}", before.of(source), behind.of(source)),
            before: Vec::new(),
            imports: self.language.imports(&rendered, spot.range),
            case: candidate.target().strip_prefix(&stem).unwrap_or_default().to_owned(),
        })
    }

    fn parse(&self, text: &str, unit: &Unit) -> Unit {
        self.language.parse(&unit.path, text, &TargetSpec::new(&unit.target)).0
    }

    /// The text of the file that a unit is the first of. The test of every unit gives way to the tests that stand in its
    /// place.
    fn file(&self, first: &Unit, written: &[TestText]) -> Result<String, Unwritable> {
        let mut places: Vec<(&Unit, Vec<&TestText>)> = Vec::new();
        for unit in self.units.iter().filter(|unit| unit.path == first.path) {
            if places.iter().all(|(known, _)| known.target != unit.target) {
                let is_there = |host: &Unit| host.path == unit.path && host.target == unit.target;
                let hosted = (0..written.len()).filter(|&test| is_there(self.host(test)));
                places.push((unit, hosted.map(|test| &written[test]).collect()));
            }
        }
        // What goes for good goes last: what stands around it is then as it stays.
        places.sort_by_key(|(_, tests)| tests.is_empty());
        let mut text = first.source.clone();
        for (unit, tests) in &places {
            text = self.with_tests(text, unit, tests)?;
        }
        let imports: BTreeSet<String> =
            places.iter().flat_map(|(_, tests)| tests).flat_map(|test| test.imports.clone()).collect();
        Ok(self.language.with_imports(text, &imports))
    }

    /// The text with tests in the place of a unit's.
    fn with_tests(&self, text: String, unit: &Unit, tests: &[&TestText]) -> Result<String, Unwritable> {
        let there = self.parse(&text, unit);
        let spot = self.language.spot(&there).ok_or(Unwritable::NoHome(StmtId(0)))?;
        let gap = self.language.gap(&there, spot);
        let members = tests.iter().flat_map(|test| test.before.iter().chain([&test.text]));
        let members = members.map(String::as_str).collect::<Vec<_>>().join(&gap);
        match self.language.other_cases(&there) {
            Some(others) if tests.is_empty() => Ok(others.text),
            Some(others) => {
                let there = self.parse(&others.text, unit);
                let spot = self.language.spot(&there).ok_or(Unwritable::NoHome(StmtId(0)))?;
                let (before, behind) = others.text.split_at(spot.end as usize);
                Ok(format!("{before}{gap}{members}{behind}"))
            }
            None if tests.is_empty() => Ok(self.without(&there)),
            None => {
                let mut text = text;
                text.replace_range(spot.range.start as usize..spot.end as usize, &members);
                Ok(text)
            }
        }
    }

    /// The text of a unit without its test.
    fn without(&self, unit: &Unit) -> String {
        let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return unit.source.clone() };
        let mut edits = EditSet::all(unit);
        edits.remove(unit, def);
        self.language.render(unit, &edits, Form::Compact).into_text()
    }
}
