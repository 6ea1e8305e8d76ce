//! Splitters to compare with: the paper's, and the one that copies all that stands before each assertion. Nothing is run to check
//! what they make.

use super::check::Check;
use super::settle::Settled;
use paring_graph::{Level, dependence, slice};
use paring_model::{Facts, How, Resource, StmtId, StmtSet, Unit};

/// As DS3 has it: a static backward slice for each assertion, completed by all who define a resource that one of its statements
/// uses, in whatever order they ran, and by the static slices of those. A slice whose statements, assertions aside, are a subset of another's
/// gives its assertion to that one.
pub fn ds3(unit: &Unit, facts: &Facts, checks: &[Check]) -> Vec<Settled> {
    let dependence = dependence(unit, &Facts::default(), Level::Zero);
    let triples = triples(facts);
    let mut slices: Vec<Settled> = Vec::new();
    for (idx, check) in checks.iter().enumerate() {
        let mut wanted: StmtSet = check.whole.clone();
        let stmts = loop {
            let start: Vec<StmtId> = wanted.iter().collect();
            let kept = slice(unit, &dependence, &start).kept;
            let definers = kept.iter().flat_map(|id| definers(&triples, id));
            let more: Vec<StmtId> = definers.filter(|&id| !kept.contains(id)).collect();
            if more.is_empty() {
                break kept;
            }
            wanted.extend(more);
        };
        slices.push(Settled { checks: vec![idx], stmts, table: None });
    }
    minimized(slices, checks)
}

/// All statements before each assertion, other assertions left out.
pub fn prefix(unit: &Unit, checks: &[Check]) -> Vec<Settled> {
    let of_checks: StmtSet = checks.iter().flat_map(|check| check.whole.iter()).collect();
    let test = |(idx, check): (usize, &Check)| {
        let before = unit.test_body().into_iter().filter(|&id| id < check.stmt && !of_checks.contains(id));
        Settled { checks: vec![idx], stmts: before.chain(check.whole.iter()).collect(), table: None }
    };
    checks.iter().enumerate().map(test).collect()
}

/// Statement, resource, and whether it defines it.
type Triple<'f> = (StmtId, &'f Resource, bool);

fn triples(facts: &Facts) -> Vec<Triple<'_>> {
    let named = facts.resources.touches().filter(|(_, resource)| **resource != Resource::Unknown);
    named.map(|(touch, resource)| (touch.stmt, resource, touch.how != How::Use)).collect()
}

fn definers<'t>(triples: &'t [Triple<'_>], id: StmtId) -> impl Iterator<Item = StmtId> + 't {
    let used = triples.iter().filter(move |(stmt, _, defines)| *stmt == id && !defines);
    used.flat_map(move |(_, resource, _)| {
        let others = triples.iter().filter(move |(_, other, defines)| other == resource && *defines);
        others.map(|(stmt, _, _)| *stmt)
    })
}

/// The paper's MINIMIZE: the first slice that has all statements of another takes its assertion.
fn minimized(mut slices: Vec<Settled>, checks: &[Check]) -> Vec<Settled> {
    let asserts: StmtSet = checks.iter().flat_map(|check| check.whole.iter()).collect();
    let own =
        |slice: &Settled| -> StmtSet { slice.stmts.iter().filter(|&id| !asserts.contains(id)).collect() };
    let mut idx = 0;
    while idx < slices.len() {
        let this = own(&slices[idx]);
        let larger = (0..slices.len()).find(|&other| other != idx && this.is_subset(&own(&slices[other])));
        match larger {
            Some(larger) => {
                let gone = slices.remove(idx);
                let larger = &mut slices[if larger > idx { larger - 1 } else { larger }];
                larger.checks.extend(gone.checks);
                larger.checks.sort_unstable();
                larger.stmts.union_with(&gone.stmts);
                idx = 0;
            }
            None => idx += 1,
        }
    }
    slices
}
