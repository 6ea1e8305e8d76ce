//! Definitions that only trimmed text read: `jam`, once `for item in (tea, jam)` has become `for item in (tea,)`.
//!
//! The statement that was trimmed still counts as a reader of all it read before, so removal would take it along. What it reads
//! now is told by its text.

use crate::domain::{domain, removal_order};
use crate::drafts::{all_uses, static_trims};
use crate::lab::Stop;
use crate::ops::{defines, uses};
use crate::search::Search;
use paring_model::{
    EditSet, Form, Op, PlaceId, PlaceScope, RoutineId, StmtId, StmtKind, StmtSet, TargetSpec, TrimKind, Unit,
};
use std::collections::BTreeSet;

pub fn unread(search: &mut Search<'_>) -> Result<(), Stop> {
    let unit = search.unit;
    if !search.current().trims.iter().any(|id| shortens(unit.trim(id).kind)) {
        return Ok(());
    }
    let mut refused = StmtSet::default();
    while let Some(id) = first_unread(search, &refused) {
        let mut draft = search.current().clone();
        draft.remove(unit, id);
        draft.trims.union_with(&static_trims(unit, &draft.written()));
        if !search.take_without(id, &draft)? {
            refused.insert(id);
        }
    }
    Ok(())
}

/// Whether a trim leaves out something that may read a name.
fn shortens(kind: TrimKind) -> bool {
    match kind {
        TrimKind::WithItem
        | TrimKind::Decorator
        | TrimKind::Parameters
        | TrimKind::Cases
        | TrimKind::Iteration
        | TrimKind::Element
        | TrimKind::Item => true,
        TrimKind::Parameter | TrimKind::ImportName | TrimKind::Characters | TrimKind::Number => false,
    }
}

/// The last definition whose names were read and are no longer.
fn first_unread(search: &Search<'_>, refused: &StmtSet) -> Option<StmtId> {
    let (unit, current, rules) = (search.unit, search.current(), &search.rules);
    let frontend = search.lab.bench.frontend;
    let candidate = frontend.edited(unit, current, Form::Blanked);
    let (written, _) = frontend.parse(&unit.path, candidate.text(), &TargetSpec::new(candidate.target()));
    let lost = Lost::between(
        names(unit, all_uses(unit, &current.kept)),
        &names(&written, all_uses(&written, &written.ids().collect())),
    );
    let is_unread = |id: &StmtId| unit.stmt(*id).kind == StmtKind::Simple && lost.has_all_of(unit, *id);
    let order = removal_order(unit, &domain(unit, &current.kept, rules.has_good));
    order.into_iter().filter(|&id| !rules.frozen.contains(id) && !refused.contains(id)).find(is_unread)
}

/// The draft without the definitions of the file's top level that only removed text read: of a list that lost elements, what
/// those named; of a helper, what its body no longer does. `written` is the unit of the text that the draft makes. `None`
/// where there are none. Nothing is run: they may go where the whole is verified.
pub fn without_unread(unit: &Unit, written: &Unit, draft: &EditSet) -> Option<EditSet> {
    let is_global = |unit: &Unit, place: &PlaceId| unit.place(*place).scope == PlaceScope::Global;
    let read =
        |unit: &Unit, id: StmtId| uses(unit, id).into_iter().filter(|place| is_global(unit, place)).collect();
    let was_read: BTreeSet<PlaceId> = draft.kept.iter().flat_map::<Vec<_>, _>(|id| read(unit, id)).collect();
    let is_read: BTreeSet<PlaceId> = written.ids().flat_map::<Vec<_>, _>(|id| read(written, id)).collect();
    let lost = Lost::between(names(unit, was_read), &names(written, is_read));
    let mut smaller = draft.clone();
    for &id in unit.routines[0].body.iter().filter(|&&id| draft.kept.contains(id)) {
        if is_plain_definition(unit, id) && !unit.stmt(id).protected && lost.has_all_of(unit, id) {
            smaller.remove(unit, id);
        }
    }
    for id in unit.trim_ids().filter(|&id| unit.trim(id).kind == TrimKind::ImportName) {
        let trim = unit.trim(id);
        let is_lost = |place: &PlaceId| is_global(unit, place) && lost.has(unit, *place);
        if draft.kept.contains(trim.stmt) && trim.unused.iter().all(is_lost) {
            smaller.trims.insert(id);
        }
    }
    (smaller != *draft).then_some(smaller)
}

/// Whether a statement only gives names to things, and does not run for the test.
fn is_plain_definition(unit: &Unit, id: StmtId) -> bool {
    let runs = |routine: &RoutineId| {
        let def = unit.routine(*routine).def;
        def.is_some_and(|def| def == id || unit.ancestors(def).any(|up| up == id))
    };
    let stmt = unit.stmt(id);
    let only_defines = match stmt.kind {
        StmtKind::Import | StmtKind::Def | StmtKind::Class => true,
        StmtKind::Simple => stmt.ops.iter().all(|op| matches!(op, Op::Use(_) | Op::Define(_))),
        _ => false,
    };
    only_defines && !unit.sequence.iter().any(runs)
}

/// Names that a draft's statements read as they were, and its text reads no longer.
struct Lost<'u>(BTreeSet<&'u str>);

impl<'u> Lost<'u> {
    fn between(was_read: BTreeSet<&'u str>, is_read: &BTreeSet<&str>) -> Self {
        Self(was_read.into_iter().filter(|name| !is_read.contains(name)).collect())
    }

    fn has(&self, unit: &Unit, place: PlaceId) -> bool {
        self.0.contains(unit.place(place).name.as_str())
    }

    /// Whether a statement gives a value to these names and no others.
    fn has_all_of(&self, unit: &Unit, id: StmtId) -> bool {
        let defined = defines(unit, id);
        !defined.is_empty() && defined.iter().all(|&place| self.has(unit, place))
    }
}

fn names(unit: &Unit, places: BTreeSet<PlaceId>) -> BTreeSet<&str> {
    places.into_iter().map(|place| unit.place(place).name.as_str()).collect()
}
