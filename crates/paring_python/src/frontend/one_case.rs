//! A parametrised test in two: the failing case as a test of its own, and the original with the other cases.
//!
//! ```python
//! @pytest.mark.parametrize("n", [1, 3])
//! def test_half(n): …                       # as it was, without the case 2
//!
//! @pytest.mark.parametrize("n", [2])
//! def test_half_2(n): …                     # pared
//! ```

use super::cases::{self, Level, Part};
use super::compact;
use super::list::Items;
use super::parsed;
use super::plan::Plan;
use super::splice::Splice;
use super::target::{self, NodeId};
use super::tree::{self, range_of};
use paring_model::{Candidate, EditSet, Form, OtherCases, StmtId, TextRange, Trim, TrimId, TrimKind, Unit};
use ruff_python_ast::token::Token;

/// The longest suffix made from a case.
const MAX_SUFFIX: usize = 32;

/// The target's case among those of its test.
struct Case<'a> {
    def: StmtId,
    function: &'a str,
    id: &'a str,
    levels: Vec<Level<'a>>,
    /// What each level contributes to the case, where it can be read.
    parts: Option<Vec<Part>>,
    tokens: &'a [Token],
}

/// Reads the case of a unit; `None` where its test has no other cases.
fn with_case<R>(unit: &Unit, take: impl FnOnce(&Case<'_>) -> R) -> Option<R> {
    let id = NodeId::new(&unit.target);
    let case = id.case?;
    let parsed = parsed(&unit.source);
    let n_bytes = u32::try_from(unit.source.len()).expect("a source file has fewer than 2^32 bytes");
    let tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let found = target::find(&tree, id);
    let def = found.test?;
    let function = tree.nodes[def.idx()].function()?.name.as_str();
    let levels = cases::levels(&tree, &found);
    let parts = cases::reading(&levels, case).map(|(_, parts, _)| parts);
    let is_only = |level: &Level| level.values.is_some_and(|(_, values)| n_elements(values) == 1);
    if !levels.is_empty() && levels.iter().all(is_only) {
        return None;
    }
    Some(take(&Case { def, function, id: case, levels, parts, tokens: parsed.tokens() }))
}

fn n_elements(values: &ruff_python_ast::Expr) -> usize {
    cases::elements(values).map_or(0, <[_]>::len)
}

/// The file without the unit's case.
pub fn other_cases(unit: &Unit) -> Option<OtherCases> {
    with_case(unit, |case| OtherCases { text: case.without(unit), name: case.name() })
}

/// The unit's file with the edits within its test, in which the test has the unit's case alone. A list that is defined
/// elsewhere gives way to the one element.
pub fn only_case(unit: &Unit, edits: &EditSet) -> Option<Candidate> {
    let own = edits.only_in_test(unit);
    let text = with_case(unit, |case| {
        compact::render_with(&Plan::new(unit, &own), case.tokens, case.lists(unit, edits))
    })?;
    Some(unit.candidate(text, Form::Compact).with_target(cases::target(&Plan::new(unit, edits))))
}

impl Case<'_> {
    /// The test's name, with what is readable of the case.
    fn name(&self) -> String {
        let words = self.id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut suffix = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
        suffix.truncate(MAX_SUFFIX);
        let suffix = suffix.trim_end_matches('_');
        format!("{}_{}", self.function, if suffix.is_empty() { "case" } else { suffix })
    }

    /// The levels with the positions of their elements.
    fn read(&self) -> impl Iterator<Item = (&Level<'_>, &Part)> {
        self.levels.iter().zip(self.parts.iter().flatten())
    }

    /// What lists that stand elsewhere give way to, where edits leave one element of them.
    fn lists(&self, unit: &Unit, edits: &EditSet) -> Vec<Splice> {
        let applied = edits.trims.iter().map(|id| unit.trim(id)).filter(|trim| trim.kind == TrimKind::Cases);
        let applied: Vec<StmtId> = applied.map(|trim| trim.stmt).collect();
        let list = |(level, part): (&Level<'_>, &Part)| {
            let ((stmt, values), (position, _)) = (level.values?, part.element.as_ref()?);
            let is_elsewhere = stmt != level.stmt && level.stmt == self.def && applied.contains(&stmt);
            let element = range_of(cases::elements(values)?.get(*position)?).of(&unit.source);
            let range = range_of(level.parametrize.values);
            is_elsewhere.then(|| Splice { range, text: format!("[{element}]") })
        };
        self.read().filter_map(list).collect()
    }

    /// The file without the case, where one list of the test itself has it; else as it is.
    fn without(&self, unit: &Unit) -> String {
        let Some(edits) = self.without_element(&unit.source) else { return unit.source.clone() };
        let trim =
            Trim { kind: TrimKind::Element, stmt: self.def, edits, unused: Vec::new(), label: String::new() };
        let mut unit = unit.clone();
        unit.trims = vec![trim];
        unit.literals.clear();
        let mut edits = EditSet::all(&unit);
        edits.trims.insert(TrimId(0));
        compact::render(&Plan::new(&unit, &edits), self.tokens)
    }

    fn without_element(&self, source: &str) -> Option<Vec<(TextRange, String)>> {
        let ([level], Some([part])) = (self.levels.as_slice(), self.parts.as_deref()) else { return None };
        let ((stmt, values), (position, _)) = (level.values?, part.element.as_ref()?);
        let mut edits = Items::of_literal(source, self.tokens, values)?.without(*position);
        if let Some(ids) = level.parametrize.ids.filter(|ids| cases::elements(ids).is_some()) {
            edits.extend(Items::of_literal(source, self.tokens, ids)?.without(*position));
        }
        edits.sort();
        (stmt == self.def).then_some(edits)
    }
}
