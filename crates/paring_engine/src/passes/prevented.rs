//! Where the failure is the same without anything that was done to one of its objects, some of that stays all the same: of a crash all
//! of it, since it may have been to prevent the crash; where the user is bold, the last. One run for each object of the failing
//! statement.
//!
//! A bold search also looks at calls of one method: where the failure is another without all of them, each may matter on correct code.

use crate::lab::Stop;
use crate::rules::{Freedom, Rules};
use crate::search::Search;
use crate::users::without;
use paring_graph::slice;
use paring_model::{EditSet, FailureKind, StmtId, StmtSet};

pub fn prevented(search: &mut Search<'_>) -> Result<(), Stop> {
    let groups: Vec<(StmtSet, EditSet)> = lacking(search, &search.rules.groups.clone(), &search.rules);
    let alike = search.rules.alike.clone();
    let all_alike: StmtSet = alike.iter().flat_map(StmtSet::iter).collect();
    // That some of them stay anyway says nothing about the others.
    let frozen = search.rules.frozen.iter().filter(|&id| !all_alike.contains(id)).collect();
    let alike = lacking(search, &alike, &Rules { frozen, ..search.rules.clone() });
    let all: Vec<EditSet> = groups.iter().chain(&alike).map(|(_, draft)| draft.clone()).collect();
    search.lab.run_ahead(&all)?;
    for (group, draft) in groups {
        if search.judge(&draft)?.is_same() {
            hold(search, &group);
        }
    }
    for (stmts, draft) in alike {
        if !search.judge(&draft)?.is_same() {
            search.rules.frozen.union_with(&stmts);
        }
    }
    Ok(())
}

/// The current draft without each of these; not where some of it stays anyway.
fn lacking(search: &Search<'_>, groups: &[StmtSet], rules: &Rules) -> Vec<(StmtSet, EditSet)> {
    let draft = |group: &StmtSet| without_all(search, group, rules).map(|draft| (group.clone(), draft));
    groups.iter().filter_map(draft).collect()
}

fn hold(search: &mut Search<'_>, group: &StmtSet) {
    let is_crash = search.lab.oracle.failure().is_none_or(|failure| failure.kind == FailureKind::Exception);
    let is_bold = search.lab.bench.freedom() == Freedom::Bold && !is_crash;
    let held: Vec<StmtId> =
        if is_bold { group.iter().next_back().into_iter().collect() } else { group.iter().collect() };
    if is_bold {
        search.rules.frozen.extend(held);
    } else {
        let computed = slice(search.unit, &search.graph().dependence, &held).strong;
        search.rules.frozen.union_with(&computed);
    }
}

/// The current draft without a group; `None` where some of it stays anyway.
fn without_all(search: &Search<'_>, group: &StmtSet, rules: &Rules) -> Option<EditSet> {
    if group.iter().any(|id| rules.frozen.contains(id)) {
        return None;
    }
    let free = Rules { groups: Vec::new(), ..rules.clone() };
    let graph = search.graph();
    let mut draft = search.current().clone();
    for id in group.iter().rev() {
        if draft.kept.contains(id) {
            draft = without(search.unit, &draft, &free, &graph.users, id)?;
        }
    }
    Some(draft)
}
