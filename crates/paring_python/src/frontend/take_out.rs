//! A parametrised test pared in its own file: the failing case gets a function of its own, right after the original, which
//! keeps the other cases.
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
use super::plan::Plan;
use super::splice::Splice;
use super::target::{self, Found, NodeId};
use super::tree::{self, Tree, range_of};
use super::{lines, parsed, test_unit};
use paring_model::{Candidate, EditSet, Form, StmtId, Trim, TrimId, TrimKind, Unit};
use ruff_python_ast::token::Token;

/// The longest suffix made from a case.
const MAX_SUFFIX: usize = 32;

/// `None` where the test has no other cases.
pub fn render(unit: &Unit, edits: &EditSet) -> Option<Candidate> {
    let id = NodeId::new(&unit.target);
    let case = id.case?;
    let parsed = parsed(&unit.source);
    let n_bytes = u32::try_from(unit.source.len()).expect("a source file has fewer than 2^32 bytes");
    let tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let found = target::find(&tree, id);
    let def = found.test?;
    let levels = cases::levels(&tree, &found);
    let parts = cases::reading(&levels, case).map(|(_, parts, _)| parts);
    let is_only = |level: &Level| level.values.is_some_and(|(_, values)| n_elements(values) == 1);
    if !levels.is_empty() && levels.iter().all(is_only) {
        return None;
    }
    let name = tree.nodes[def.idx()].function()?.name.as_str();
    let new_name = unused_name(&unit.source, name, case);
    let plan = Plan::new(unit, edits);
    let function = pared(unit, edits, &tree, &found, &levels, parts.as_deref(), &new_name, parsed.tokens())?;
    let rest = without_case(unit, def, &levels, parts.as_deref(), parsed.tokens());
    let text = insert_after(&rest, &unit.target, &function)?;
    let target = cases::target(&plan);
    let stem = id.stem.strip_suffix(name)?;
    let target = format!("{stem}{new_name}{}", &target[id.stem.len()..]);
    Some(unit.candidate(text, Form::Compact).with_target(target))
}

fn n_elements(values: &ruff_python_ast::Expr) -> usize {
    cases::elements(values).map_or(0, <[_]>::len)
}

/// The pared test under its new name, as a function that stands in the original's place. A list that is defined elsewhere
/// gives way to the one element.
#[expect(clippy::too_many_arguments, reason = "all of what was read about one test")]
fn pared(
    unit: &Unit,
    edits: &EditSet,
    tree: &Tree,
    found: &Found,
    levels: &[Level],
    parts: Option<&[Part]>,
    new_name: &str,
    tokens: &[Token],
) -> Option<String> {
    let def = found.test?;
    let function = tree.nodes[def.idx()].function()?;
    let mut also = vec![Splice { range: range_of(&function.name), text: new_name.to_owned() }];
    let is_case = |id: &TrimId| unit.trim(*id).kind == TrimKind::Cases;
    for (level, part) in levels.iter().zip(parts.unwrap_or_default()) {
        let (Some((stmt, values)), Some((position, _))) = (level.values, &part.element) else { continue };
        let is_applied = edits.trims.iter().filter(is_case).any(|id| unit.trim(id).stmt == stmt);
        if stmt != level.stmt && level.stmt == def && is_applied {
            let element = range_of(cases::elements(values)?.get(*position)?).of(&unit.source);
            also.push(Splice { range: range_of(level.parametrize.values), text: format!("[{element}]") });
        }
    }
    let own = edits.only_in_test(unit);
    let text = compact::render_with(&Plan::new(unit, &own), tokens, also);
    let id = NodeId::new(&unit.target);
    let target = format!("{}{new_name}", id.stem.strip_suffix(function.name.as_str())?);
    let written = test_unit(&text, &target);
    let def = written.routine(written.test?).def?;
    Some(written.stmt(def).range.of(&text).to_owned())
}

/// The file without the failing case, where one list of the test itself has it; else as it is.
fn without_case(
    unit: &Unit,
    def: StmtId,
    levels: &[Level],
    parts: Option<&[Part]>,
    tokens: &[Token],
) -> String {
    let trim = || -> Option<Trim> {
        let ([level], Some([part])) = (levels, parts) else { return None };
        let ((stmt, values), (position, _)) = (level.values?, part.element.as_ref()?);
        let mut edits = Items::of_literal(&unit.source, tokens, values)?.without(*position);
        if let Some(ids) = level.parametrize.ids.filter(|ids| cases::elements(ids).is_some()) {
            edits.extend(Items::of_literal(&unit.source, tokens, ids)?.without(*position));
        }
        edits.sort();
        (stmt == def).then(|| Trim {
            kind: TrimKind::Element,
            stmt,
            edits,
            unused: Vec::new(),
            label: String::new(),
        })
    };
    let Some(trim) = trim() else { return unit.source.clone() };
    let mut unit = unit.clone();
    unit.trims = vec![trim];
    unit.literals.clear();
    let mut edits = EditSet::all(&unit);
    edits.trims.insert(TrimId(0));
    compact::render(&Plan::new(&unit, &edits), tokens)
}

/// Puts a function after another, as far apart as functions are there.
fn insert_after(text: &str, target: &str, function: &str) -> Option<String> {
    let unit = test_unit(text, NodeId::new(target).stem);
    let def = unit.stmt(unit.routine(unit.test?).def?);
    let parsed = parsed(text);
    let lines = lines::Lines::new(text, &unit.line_starts, parsed.tokens());
    let indent = lines.indent(lines.of(def.range.start));
    let last = lines.of(def.range.end - 1);
    let line_end = lines.line_end(last);
    let n_blank = if indent.is_empty() { 2 } else { 1 };
    let at = lines.content_end(last) as usize;
    let (before, after) = text.split_at(at);
    let gap = line_end.repeat(1 + n_blank);
    Some(format!("{before}{gap}{indent}{function}{}", if after.is_empty() { line_end } else { after }))
}

/// A name that the file does not have: the test's, with what is readable of the case.
fn unused_name(source: &str, name: &str, case: &str) -> String {
    let words = case.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut suffix = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
    suffix.truncate(MAX_SUFFIX);
    let suffix = suffix.trim_end_matches('_');
    let base = format!("{name}_{}", if suffix.is_empty() { "case" } else { suffix });
    let is_free = |name: &String| !source.contains(&format!("def {name}("));
    let numbered = (2..=u32::MAX).map(|n| format!("{base}_{n}"));
    std::iter::once(base.clone())
        .chain(numbered)
        .find(is_free)
        .expect("a file has fewer functions than there are numbers")
}
