//! Which checks belong together, and the statements each group needs.
//!
//! As DS3 has it (Messaoudi et al., ISSTA 2021): a backward slice for each check; a slice whose statements (checks aside) are a
//! subset of another's is no scenario of its own. The paper does not say where such a check goes if several slices have its
//! statements. Here it goes to the one with the statement nearest before it, or else to the first that follows.
//!
//! ```text
//! cart = Cart()              1 2
//! assert cart.is_empty       1      a subset of both: to the first that follows
//! cart.add("tea", 4)         1
//! assert cart.total() == 4   1
//! other = Cart.copy(cart)      2    …
//! ```
//!
//! A check that another one needs (`assert xs.pop() == 1`, then `assert xs == []`) stands with it, since every check stands in
//! one test.

use super::check::{Check, CheckKind};
use super::depth::{Depth, Sources};
use super::settle::Plan;
use super::table::Tables;
use paring_engine::ops::calls;
use paring_model::{StmtId, StmtSet, Unit};
use std::collections::BTreeSet;

/// Checks that stand in one test, with all that they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Indices of checks, in source order. None of a scenario that only makes calls.
    pub checks: Vec<usize>,
    /// All that its checks may need within its depth, with themselves.
    pub stmts: StmtSet,
    pub depth: Depth,
    /// Calls that no check depends on and that belong here.
    pub calls: Vec<StmtId>,
}

/// How checks are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Checks that need the same statements stay together.
    Scenarios,
    /// Only those of which one needs the other.
    EachCheck,
}

/// Groups of checks by their slices, in source order. Each check has a depth.
pub fn scenarios(
    sources: &Sources<'_>,
    checks: &[Check],
    depths: &[Depth],
    tables: &Tables,
    plan: Plan<'_>,
) -> Vec<Scenario> {
    let slices: Vec<StmtSet> =
        checks.iter().zip(depths).map(|(check, &depth)| slice(sources, checks, check, depth)).collect();
    let mut groups = tied(sources.unit, checks, &slices, plan.bound);
    if plan.grouping == Grouping::Scenarios {
        groups = joined(sources.unit, checks, tables, groups);
    }
    let depth = |group: &Group| group.checks.iter().map(|&idx| depths[idx]).max().unwrap_or_default();
    groups
        .into_iter()
        .map(|group| Scenario {
            depth: depth(&group),
            checks: group.checks,
            stmts: group.stmts,
            calls: Vec::new(),
        })
        .collect()
}

/// What a check needs, within its depth.
fn slice(sources: &Sources<'_>, checks: &[Check], check: &Check, depth: Depth) -> StmtSet {
    let mut start = check.whole.clone();
    if depth == Depth::Before {
        let is_check = |id: StmtId| checks.iter().any(|other| other.whole.contains(id));
        let before = sources.unit.test_body().into_iter().take_while(|&id| id < check.stmt);
        start.extend(before.filter(|&id| !is_check(id)));
    }
    sources.slice(&start, depth, &StmtSet::default())
}

#[derive(Clone, Debug)]
struct Group {
    checks: Vec<usize>,
    stmts: StmtSet,
}

impl Group {
    fn merge(&mut self, other: Self) {
        self.checks.extend(other.checks);
        self.checks.sort_unstable();
        self.stmts.union_with(&other.stmts);
    }
}

/// Checks that are in each other's slices, about two of a kind, or bound to each other, as one group.
fn tied(unit: &Unit, checks: &[Check], slices: &[StmtSet], bound: &[(StmtId, StmtId)]) -> Vec<Group> {
    let has = |group: &Group, stmt: StmtId| group.checks.iter().any(|&check| checks[check].stmt == stmt);
    let are_bound = |one: &Group, two: &Group| {
        bound.iter().any(|&(a, b)| has(one, a) && has(two, b) || has(one, b) && has(two, a))
    };
    let mut groups: Vec<Group> = Vec::new();
    for (idx, slice) in slices.iter().enumerate() {
        let mut group = Group { checks: vec![idx], stmts: slice.clone() };
        let mut rest = Vec::new();
        for other in groups {
            let needs = |one: &Group, two: &Group| {
                two.checks.iter().any(|&check| one.stmts.contains(checks[check].stmt))
            };
            let is_one = needs(&group, &other)
                || needs(&other, &group)
                || are_bound(&group, &other)
                || are_twins(unit, &group, &other);
            if is_one { group.merge(other) } else { rest.push(other) }
        }
        rest.push(group);
        groups = rest;
    }
    groups.sort_by_key(|group| group.checks[0]);
    groups
}

/// Whether each of two groups makes an object in the same way, and what they do to them goes back and forth: the test is about
/// how the two get along.
///
/// ```python
/// one, two = Store(), Store()
/// one.put(1)
/// two.put(2)
/// assert one.all() == [1]
/// assert two.all() == [2]
/// ```
fn are_twins(unit: &Unit, one: &Group, two: &Group) -> bool {
    let own = |group: &Group, other: &Group| -> Vec<StmtId> {
        let own = group.stmts.iter().filter(|&id| counts(unit, id) && !other.stmts.contains(id));
        own.collect()
    };
    let (first, second) = (own(one, two), own(two, one));
    let makes =
        |id: &StmtId| calls(unit, *id).find(|call| call.constructs).map(|call| call.range.of(&unit.source));
    let made: BTreeSet<&str> = first.iter().filter_map(makes).collect();
    let is_twin = second.iter().filter_map(makes).any(|text| made.contains(text));
    let (Some(first_end), Some(second_start)) = (first.last(), second.first()) else { return false };
    let (Some(second_end), Some(first_start)) = (second.last(), first.first()) else { return false };
    is_twin && second_start < first_end && first_start < second_end
}

/// Groups whose statements are no subset of another's, and the others merged into them. What is checked for each case of a table
/// stays apart from what is checked once.
fn joined(unit: &Unit, checks: &[Check], tables: &Tables, groups: Vec<Group>) -> Vec<Group> {
    let asserts = checks.iter().filter(|check| check.kind == CheckKind::Assertion);
    let of_checks: StmtSet = asserts.flat_map(|check| check.whole.iter().collect::<Vec<_>>()).collect();
    let own = |group: &Group| -> StmtSet {
        group.stmts.iter().filter(|&id| counts(unit, id) && !of_checks.contains(id)).collect()
    };
    let owns: Vec<StmtSet> = groups.iter().map(own).collect();
    let table = |group: &Group| tables.around(unit, checks[group.checks[0]].stmt);
    let loops: Vec<Option<StmtId>> = groups.iter().map(table).collect();
    let is_below = |one: usize, two: usize| {
        let is_smaller = owns[one].len() < owns[two].len() || one > two;
        one != two && loops[one] == loops[two] && owns[one].is_subset(&owns[two]) && is_smaller
    };
    let n_groups = groups.len();
    let is_largest = |idx: &usize| (0..n_groups).all(|other| !is_below(*idx, other));
    let largest: Vec<usize> = (0..n_groups).filter(is_largest).collect();
    let home = |idx: usize| -> usize {
        let check = checks[groups[idx].checks[0]].stmt;
        let fits = largest.iter().copied().filter(|&large| idx == large || is_below(idx, large));
        let last_before = |large: usize| owns[large].iter().take_while(|&id| id < check).last();
        let first_after = |large: usize| {
            let next = groups[large].checks.iter().map(|&check| checks[check].stmt).find(|&id| id >= check);
            std::cmp::Reverse(next.unwrap_or(StmtId(u32::MAX)))
        };
        let best = fits.max_by_key(|&large| (idx == large, last_before(large), first_after(large)));
        best.expect("a group is a subset of a largest one")
    };
    let homes: Vec<usize> = (0..n_groups).map(home).collect();
    let mut found: Vec<Option<Group>> = vec![None; n_groups];
    for (group, home) in groups.into_iter().zip(homes) {
        match &mut found[home] {
            Some(there) => there.merge(group),
            empty @ None => *empty = Some(group),
        }
    }
    let mut found: Vec<Group> = found.into_iter().flatten().collect();
    found.sort_by_key(|group| group.checks[0]);
    found
}

/// Whether a statement of the test's own body tells scenarios apart.
fn counts(unit: &Unit, id: StmtId) -> bool {
    let test = unit.test.and_then(|test| unit.routine(test).def);
    unit.stmt(id).counts && unit.ancestors(id).any(|up| Some(up) == test)
}
