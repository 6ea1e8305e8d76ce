//! From checks to scenarios that pass alone.
//!
//! Each scenario is first tried with the least that it may need. What fails gets all that it may share with others, then all that
//! hidden state may carry to it, then all that ran before it. Scenarios are formed anew each time, since what a check needs may
//! be another check.

use super::alone::Alone;
use super::check::{Check, CheckKind};
use super::depth::{Depth, Sources};
use super::outcome::{Ended, Whole};
use super::scenario::{Grouping, Scenario, scenarios};
use super::share::{fully, least};
use super::table::Tables;
use super::unasserted::{homes, left_out};
use paring_model::{StmtId, StmtSet};
use std::collections::{BTreeMap, BTreeSet};

/// The statements of one new test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Indices of checks.
    pub checks: Vec<usize>,
    pub stmts: StmtSet,
    /// The loop around all its checks that could be a parametrised test.
    pub table: Option<StmtId>,
}

/// How the test is taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    pub grouping: Grouping,
    /// Whether calls that nothing is checked of may go.
    pub drop_unasserted: bool,
    /// Checks that stand in one test, since apart they would take too long.
    pub bound: &'a [(StmtId, StmtId)],
}

/// Scenarios each of which passes alone; or why there are none. Some checks start with more than the likely depth.
pub fn settle(
    sources: &Sources<'_>,
    checks: &[Check],
    tables: &Tables,
    plan: Plan<'_>,
    deeper: &BTreeMap<StmtId, Depth>,
    alone: &Alone<'_>,
) -> Result<Vec<Settled>, Ended> {
    let mut checks = checks.to_vec();
    let depth = |check: &Check| deeper.get(&check.stmt).copied().unwrap_or_default();
    let mut depths: Vec<Depth> = checks.iter().map(depth).collect();
    // Scenarios that were seen to need more than the least, by their checks.
    let mut needy: BTreeSet<Vec<usize>> = BTreeSet::new();
    loop {
        let formed = form(sources, &mut checks, &mut depths, tables, plan);
        let table = |scenario: &Scenario| {
            let first = checks[*scenario.checks.first()?].stmt;
            tables.around(sources.unit, first)
        };
        if formed.len() < 2 && !formed.iter().any(|scenario| table(scenario).is_some()) {
            return Err(Whole::OneScenario.into());
        }
        let sets: Vec<StmtSet> = (0..formed.len())
            .map(|idx| {
                let is_least = alone.verifies && !needy.contains(&formed[idx].checks);
                if is_least { least(sources, &checks, &formed, idx) } else { fully(sources, &formed[idx]) }
            })
            .collect();
        let sets = with_lost(sources, &formed, sets, plan);
        let failures = alone.failures(&sets)?;
        let Some((_, failure)) = failures.first() else {
            let settled = |(scenario, stmts): (Scenario, StmtSet)| Settled {
                table: table(&scenario),
                checks: scenario.checks,
                stmts,
            };
            return Ok(formed.into_iter().zip(sets).map(settled).collect());
        };
        let mut can_grow = false;
        for (idx, _) in &failures {
            let scenario = &formed[*idx];
            if needy.insert(scenario.checks.clone()) && sets[*idx] != fully(sources, scenario) {
                can_grow = true;
                continue;
            }
            for &check in &scenario.checks {
                if let Some(more) = more(depths[check]) {
                    depths[check] = more;
                    can_grow = true;
                }
            }
        }
        if !can_grow {
            return Err(failure.clone().into());
        }
    }
}

pub fn more(depth: Depth) -> Option<Depth> {
    match depth {
        Depth::Least => Some(Depth::Likely),
        Depth::Likely => Some(Depth::All),
        Depth::All => Some(Depth::Before),
        Depth::Before => None,
    }
}

/// The scenarios of the checks, with the calls that nothing is checked of. Those that no scenario knows of become checks: that
/// they raise nothing.
fn form(
    sources: &Sources<'_>,
    checks: &mut Vec<Check>,
    depths: &mut Vec<Depth>,
    tables: &Tables,
    plan: Plan<'_>,
) -> Vec<Scenario> {
    let mut formed = scenarios(sources, checks, depths, tables, plan);
    if plan.drop_unasserted {
        return formed;
    }
    let cores: Vec<StmtSet> = (0..formed.len()).map(|idx| least(sources, checks, &formed, idx)).collect();
    let mut homeless: Vec<StmtId> = Vec::new();
    // Later ones first: what they depend on goes along with them, into these scenarios.
    let mut along: BTreeMap<StmtId, BTreeSet<usize>> = BTreeMap::new();
    for id in left_out(sources, formed.iter().map(|scenario| &scenario.stmts)).into_iter().rev() {
        let homes = homes(sources, &cores, id);
        if homes.is_empty() {
            homeless.push(id);
            continue;
        }
        if along.get(&id).is_some_and(|others| homes.iter().all(|home| others.contains(home))) {
            continue;
        }
        let whole: StmtSet = std::iter::once(id).collect();
        for needed in sources.slice(&whole, Depth::Likely, &StmtSet::default()).iter() {
            along.entry(needed).or_default().extend(&homes);
        }
        for home in homes {
            formed[home].calls.push(id);
        }
    }
    homeless.retain(|id| !along.contains_key(id));
    for scenario in &mut formed {
        scenario.calls.sort_unstable();
    }
    // The last of them depends on the others, or not; what does not is tried again.
    let Some(last) = homeless.first().copied() else { return formed };
    checks.push(Check::new(sources.unit, last, CheckKind::Call));
    depths.push(Depth::Likely);
    form(sources, checks, depths, tables, plan)
}

/// What every scenario could do without goes back to the first that had it.
fn with_lost(
    sources: &Sources<'_>,
    formed: &[Scenario],
    mut sets: Vec<StmtSet>,
    plan: Plan<'_>,
) -> Vec<StmtSet> {
    if plan.drop_unasserted {
        return sets;
    }
    for id in left_out(sources, &sets.clone()) {
        let had = |scenario: &Scenario| fully(sources, scenario).contains(id);
        if let Some(first) = formed.iter().position(had) {
            let whole: StmtSet = std::iter::once(id).collect();
            sets[first].union_with(&sources.slice(&whole, Depth::Likely, &StmtSet::default()));
        }
    }
    sets
}
