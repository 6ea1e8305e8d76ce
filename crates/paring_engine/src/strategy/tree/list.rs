//! Lists of nodes that may go: the siblings below one node, all comments, all keywords.

use super::memo::{Memo, Trial, look};
use super::names::Names;
use super::parts::{heaviest, parts, spares_protected};
use super::{Reach, take};
use crate::lab::Stop;
use crate::ops::weight;
use crate::search::Search;
use crate::strategy::ddmin::ddmin;
use crate::strategy::probdd::probdd;
use crate::strategy::wdd::wdd;
use paring_model::{EditSet, Op, StmtId, StmtKind, StmtSet, TrimKind, Unit};

/// How a list is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    Ddmin,
    Probdd,
    Wdd,
    /// All at once; then from the last to the first, where a success doubles how many are tried at once, and a failure makes
    /// it one again. Costs about a run for each node that stays, where ddmin costs several.
    Strides,
    /// One by one, from the last to the first.
    Singles,
}

/// Minimises the parts of every node, the heaviest node first.
pub fn lists(
    search: &mut Search<'_>,
    how: Lists,
    names: Option<&Names>,
    reach: Reach,
    memo: &mut Memo,
) -> Result<(), Stop> {
    let unit = search.unit;
    let mut seen = StmtSet::default();
    while let Some(id) = heaviest(unit, search.current(), &seen) {
        seen.insert(id);
        let current = search.current();
        let mut items = parts(unit, current, id);
        items.retain(|&item| reach == Reach::Everything || unit.stmt(item).counts);
        items.retain(|&item| !memo.is_vain(Trial::Remove(item), look(unit, current, names, item)));
        items.retain(|&item| search.lab.is_well_formed(&without(unit, current, &[item])));
        items.retain(|&item| !is_name_of(unit, current, id, item));
        let is_new = !items.iter().any(|&item| memo.is_known(Trial::Remove(item)));
        let how = if how == Lists::Strides && !is_new { Lists::Singles } else { how };
        minimise(search, &items, how, names)?;
        let current = search.current();
        for item in items.into_iter().filter(|&item| current.kept.contains(item)) {
            memo.failed(Trial::Remove(item), look(unit, current, names, item));
        }
    }
    Ok(())
}

/// Whether an item is the name that its node gives to something: without it there is no point in the node.
fn is_name_of(unit: &Unit, current: &EditSet, id: StmtId, item: StmtId) -> bool {
    let defines = |id: StmtId| unit.stmt(id).ops.iter().any(|op| matches!(op, Op::Define(_)));
    defines(item) && parts(unit, current, id).into_iter().any(|part| !defines(part))
}

fn minimise(
    search: &mut Search<'_>,
    items: &[StmtId],
    how: Lists,
    names: Option<&Names>,
) -> Result<(), Stop> {
    let unit = search.unit;
    let base = search.current().clone();
    let test = |left: &[StmtId]| -> Result<bool, Stop> {
        let gone: Vec<StmtId> = items.iter().copied().filter(|id| !left.contains(id)).collect();
        let edits = without(unit, &base, &gone);
        let settled = match names {
            Some(names) => names.settle(unit, &base, edits),
            None => spares_protected(unit, &edits).then_some(edits),
        };
        let Some(edits) = settled else { return Ok(false) };
        if edits == *search.current() {
            return Ok(true);
        }
        let is_there = |id: &StmtId| search.current().kept.contains(*id);
        let alone: Vec<StmtId> = gone.into_iter().filter(is_there).collect();
        match alone.as_slice() {
            [id] => search.take_without(*id, &edits),
            _ => search.take(&edits),
        }
    };
    match how {
        Lists::Ddmin => ddmin(items, test)?,
        Lists::Probdd => probdd(items, test)?,
        Lists::Wdd => wdd(items, |&id| weight(unit, id), test)?,
        Lists::Strides => strides(items, items.len(), test)?,
        Lists::Singles => strides(items, 1, test)?,
    };
    Ok(())
}

/// Removes from the end, at most so many at once.
fn strides<T: Clone, E>(
    items: &[T],
    most: usize,
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if most > 1 && test(&[])? {
        return Ok(Vec::new());
    }
    let mut left = items.to_vec();
    let (mut end, mut stride) = (left.len(), 1);
    while end > 0 {
        let start = end.saturating_sub(stride);
        // All at once was tried.
        if start == 0 && end == items.len() && stride > 1 {
            stride = 1;
            continue;
        }
        let mut rest = left.clone();
        rest.drain(start..end);
        if test(&rest)? {
            left = rest;
            end = start;
            stride = (stride * 2).min(most);
        } else if end - start > 1 {
            stride = 1;
        } else {
            end = start;
            stride = 1;
        }
    }
    Ok(left)
}

/// Tries to do without any comment.
pub fn comments(search: &mut Search<'_>) -> Result<(), Stop> {
    let unit = search.unit;
    let is_comment = |id: &StmtId| unit.stmt(*id).kind == StmtKind::Docstring && !unit.stmt(*id).protected;
    let comments: Vec<StmtId> = search.current().kept.iter().filter(is_comment).collect();
    let edits = without(unit, search.current(), &comments);
    take(search, &edits)?;
    Ok(())
}

/// Tries to do without keywords such as `async` or `static`.
pub fn keywords(search: &mut Search<'_>, memo: &mut Memo) -> Result<(), Stop> {
    let unit = search.unit;
    for id in unit.trim_ids().filter(|&id| unit.trim(id).kind == TrimKind::Decorator) {
        let current = search.current();
        let owner = unit.trim(id).stmt;
        let is_there = current.kept.contains(owner) && !current.unwrapped.contains(owner);
        let seen = look(unit, current, None, owner);
        if !is_there || current.trims.contains(id) || memo.is_vain(Trial::Trim(id), seen) {
            continue;
        }
        let mut edits = current.clone();
        edits.trims.insert(id);
        if !spares_protected(unit, &edits) || !take(search, &edits)? {
            memo.failed(Trial::Trim(id), seen);
        }
    }
    Ok(())
}

fn without(unit: &Unit, edits: &EditSet, gone: &[StmtId]) -> EditSet {
    let mut smaller = edits.clone();
    for &id in gone {
        smaller.remove(unit, id);
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strides_find_exactly_the_needed_items(n in 1usize..40, most in 1usize..40, seed in proptest::collection::vec(0usize..40, 1..5)) {
            let needed: std::collections::BTreeSet<usize> = seed.into_iter().map(|x| x % n).collect();
            let items: Vec<usize> = (0..n).collect();
            let found = strides(&items, most, |kept| Ok::<_, ()>(needed.iter().all(|x| kept.contains(x)))).unwrap();
            prop_assert_eq!(found, needed.into_iter().collect::<Vec<_>>());
        }
    }
}
