//! What an experiment may remove.
//!
//! A test that still fails need not be a test any more: drop the broken call that has no effect and the same assertion fails
//! with the same message, on correct code too. With a good version at hand a run tells, and everything may be tried.
//! Without one:
//!
//! | failure | frozen (never removed) | watched (removed only with a doubt) |
//! |---|---|---|
//! | assertion, omission, hang, exception in an assertion or in the test's own expression | all that the value is computed from, and what decides it | – |
//! | `fail()` reached | that, and every condition on the way there | – |
//! | other exception | the failing call, calls that speak of what the message names, and [what may have been to prevent it](crate::prevent) | what the failing call's objects are made from |
//! | any | calls that prepare state no name shows, and the bodies of functions and classes of the test | – |
//!
//! Headers are sealed (not unwrapped) where they decide what the frozen statements compute, where they say which
//! exceptions the test allows, and where a context manager sets something up.

use crate::criterion::Criterion;
use crate::ops::is_for_effect;
use crate::{bold, prevent};
use paring_graph::{Reason, Slice};
use paring_model::{
    Facts, Failure, FailureKind, Op, PlaceScope, RoutineKind, StmtId, StmtKind, StmtSet, Unit,
};
use std::collections::BTreeSet;

/// How much experiments may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Everything: a good version tells what is wrong.
    All,
    /// What correct code is not likely to need.
    Bold,
    /// What correct code cannot need.
    Careful,
}

#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Statements that no experiment removes.
    pub frozen: StmtSet,
    /// Headers that no experiment unwraps.
    pub sealed: StmtSet,
    /// A header that nothing changes.
    pub intact: Option<StmtId>,
    /// Statements whose removal leaves a doubt.
    pub watched: StmtSet,
    /// Of each of these sets something stays.
    pub groups: Vec<StmtSet>,
    /// Where the failure is another without all of one of these sets, none of it goes. Only for who is bold.
    pub alike: Vec<StmtSet>,
    /// Whether every accepted draft is checked on a good version.
    pub has_good: bool,
    /// The failing statement, how control came there, and the blocks around them: only their loops may lose iterations.
    pub around: StmtSet,
    /// Whether what an experiment finds needed is frozen with all it is computed from: it may reach the asserted value by
    /// ways that no name shows, a file or a registry.
    pub binding: bool,
}

impl Rules {
    /// Whether nothing is left of something of which a part has to stay.
    pub fn is_too_little(&self, before: &StmtSet, after: &StmtSet) -> bool {
        let is_in = |group: &StmtSet, kept: &StmtSet| group.iter().any(|id| kept.contains(id));
        self.groups.iter().any(|group| is_in(group, before) && !is_in(group, after))
    }
}

pub fn rules(
    unit: &Unit,
    facts: &Facts,
    criterion: &Criterion,
    failure: Option<&Failure>,
    slice: &Slice,
    freedom: Freedom,
) -> Rules {
    let has_good = freedom == Freedom::All;
    let mut rules = Rules { has_good, intact: criterion.intact, ..Rules::default() };
    rules.frozen.extend(unit.ids().filter(|&id| unit.stmt(id).protected));
    rules.frozen.extend(criterion.failing.into_iter().chain(criterion.anchor));
    if has_good {
        return rules;
    }
    if freedom == Freedom::Bold {
        rules.frozen.extend(criterion.seen());
        hold_little(unit, facts, criterion, failure, slice, &mut rules);
        return rules;
    }
    rules.frozen.extend(criterion.stmts.iter().copied());
    rules.frozen.union_with(&prepared(unit, facts, slice));
    match kind_of(unit, criterion, failure) {
        FailureKind::Assertion | FailureKind::Omission | FailureKind::Hang => {
            rules.binding = true;
            rules.frozen.union_with(&slice.strong);
            rules.frozen.union_with(&slice.potential);
            rules.frozen.union_with(&deciding(unit, facts, slice));
        }
        FailureKind::Exception => {
            rules.watched.union_with(&slice.strong);
            rules.frozen.union_with(&speaking(unit, criterion, failure, &slice.strong, usize::MAX));
            rules.groups = prevent::prepared(unit, facts, criterion, slice);
        }
    }
    rules.frozen.union_with(&defined(unit, &slice.kept));
    if reached_by_jump(unit, criterion) {
        rules.frozen.union_with(&slice.kept);
        rules.sealed.union_with(&slice.kept);
    }
    seal(unit, criterion, slice, &mut rules);
    rules
}

/// What stays where the user asked to be bold. All that goes beyond what a careful search lets go is doubtful.
fn hold_little(
    unit: &Unit,
    facts: &Facts,
    criterion: &Criterion,
    failure: Option<&Failure>,
    slice: &Slice,
    rules: &mut Rules,
) {
    match kind_of(unit, criterion, failure) {
        FailureKind::Assertion | FailureKind::Omission | FailureKind::Hang => {
            let acts = bold::acts(unit, facts, criterion, slice);
            rules.frozen.union_with(&acts.frozen);
            rules.frozen.union_with(&bold::waited_for(slice));
            (rules.groups, rules.alike) = (acts.groups, acts.alike);
        }
        FailureKind::Exception => {
            rules.frozen.union_with(&speaking(unit, criterion, failure, &slice.strong, 1));
            rules.groups = prevent::prepared(unit, facts, criterion, slice);
        }
    }
    rules.watched.union_with(&slice.kept);
    // How often something is done is part of the value.
    let allows = |id: &StmtId| {
        matches!(
            unit.stmt(*id).kind,
            StmtKind::Try | StmtKind::Loop { .. } | StmtKind::With { expects: true }
        )
    };
    seal(unit, criterion, slice, rules);
    rules.sealed = rules.sealed.iter().filter(allows).collect();
    if reached_by_jump(unit, criterion) {
        let ways = bold::ways(unit, facts, slice);
        rules.frozen.union_with(&ways);
        rules.sealed.union_with(&ways);
    }
}

/// What functions and classes of the test do is not sliced, and an experiment cannot tell what good code needs of it.
fn defined(unit: &Unit, kept: &StmtSet) -> StmtSet {
    let is_helper = |id: &StmtId| {
        let routine = unit.routine(unit.stmt(*id).routine);
        routine.kind == RoutineKind::Helper || unit.ancestors(*id).any(|up| is_inner_class(unit, up))
    };
    kept.iter().filter(is_helper).filter(|&id| unit.stmt(id).kind != StmtKind::Assert).collect()
}

/// A class within a function.
fn is_inner_class(unit: &Unit, id: StmtId) -> bool {
    unit.stmt(id).kind == StmtKind::Class && unit.routine(unit.stmt(id).routine).kind != RoutineKind::Module
}

/// Calls made for an effect that no name shows, and that was seen: a variable of the environment, a registry, the working
/// directory. The author prepared the ground with them. With what they are computed from.
fn prepared(unit: &Unit, facts: &Facts, slice: &Slice) -> StmtSet {
    let mut found: StmtSet = slice
        .kept
        .iter()
        .filter(|&id| is_for_effect(unit, id) || is_only_for_hidden(unit, slice, id))
        .filter(|&id| changes_hidden(unit, facts, id))
        .collect();
    loop {
        let asked = |why: &[(StmtId, Reason)]| {
            why.iter().any(|(from, reason)| found.contains(*from) && reason.is_strong())
        };
        let more: Vec<StmtId> = slice
            .why
            .iter()
            .filter(|(id, why)| !found.contains(**id) && asked(why))
            .map(|(id, _)| *id)
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Whether a statement is in the slice for state that no name shows, though it gives a value: `done = sync(source, target)`,
/// where nothing of the slice reads `done`. An assertion is no preparation.
fn is_only_for_hidden(unit: &Unit, slice: &Slice, id: StmtId) -> bool {
    let is_named =
        |reason: &Reason| reason.is_strong() || matches!(reason, Reason::Binding | Reason::Potential { .. });
    let is_read = slice.why.get(&id).is_some_and(|why| why.iter().any(|(_, reason)| is_named(reason)));
    unit.stmt(id).kind == StmtKind::Simple && !is_read
}

fn changes_hidden(unit: &Unit, facts: &Facts, id: StmtId) -> bool {
    facts.resources.changes(id)
        || unit.stmt(id).ops.iter().any(|op| match op {
            Op::Mutate(place) => unit.place(*place).scope == PlaceScope::Hidden,
            Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Call(_) => false,
        })
}

/// An exception that the test's own expression raised has no stack below it to speak for it: it is like an assertion on the
/// value it stumbled over. One raised within an assertion leaves the assertion to hold on good code.
fn kind_of(unit: &Unit, criterion: &Criterion, failure: Option<&Failure>) -> FailureKind {
    let in_assertion = criterion.stmts.iter().any(|&id| unit.stmt(id).kind == StmtKind::Assert);
    match failure {
        Some(failure)
            if failure.kind == FailureKind::Exception && (failure.below.is_empty() || in_assertion) =>
        {
            FailureKind::Assertion
        }
        Some(failure) => failure.kind,
        None => FailureKind::Exception,
    }
}

/// Statements that decide which of the strong ones run: on good code the other branch may be taken, with the jump that ends it. A guard that was not taken decides nothing, unless its `break` is what
/// keeps the loop from its `else`.
fn deciding(unit: &Unit, facts: &Facts, slice: &Slice) -> StmtSet {
    let is_simple = |id: StmtId| {
        let stmt = unit.stmt(id);
        stmt.kind == StmtKind::Def || (stmt.children.is_empty() && !stmt.kind.is_clause())
    };
    let ran = |id: StmtId| !facts.observed || facts.hits.contains_key(&id);
    let is_other = |why: &[(StmtId, Reason)]| {
        why.iter()
            .any(|(from, reason)| matches!(reason, Reason::Potential { .. }) && slice.strong.contains(*from))
    };
    let other: StmtSet =
        slice.why.iter().filter(|(id, why)| !ran(**id) && is_other(why)).map(|(id, _)| *id).collect();
    let ends_other = |id: StmtId| {
        let around = unit.stmt(id).parent;
        other.iter().any(|beside| unit.stmt(beside).parent == around) || misses_else(unit, &slice.strong, id)
    };
    let is_guard = |id: StmtId| {
        matches!(unit.stmt(id).kind, StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Return)
    };
    let is_deciding = |&id: &StmtId| is_simple(id) && (ran(id) || !is_guard(id) || ends_other(id));
    slice.control.iter().filter(is_deciding).collect()
}

/// Whether a `break` leaves a loop whose `else` has a part in the value.
fn misses_else(unit: &Unit, strong: &StmtSet, id: StmtId) -> bool {
    let StmtKind::Break { loops } = unit.stmt(id).kind else { return false };
    let is_loop = |up: &StmtId| matches!(unit.stmt(*up).kind, StmtKind::Loop { .. });
    let left = unit.ancestors(id).filter(is_loop).nth(loops.saturating_sub(1) as usize);
    let children = left.into_iter().flat_map(|left| unit.stmt(left).children.iter());
    let mut clauses = children.copied().filter(|&child| unit.stmt(child).kind == StmtKind::Else);
    clauses.any(|clause| unit.descendants(clause).into_iter().any(|below| strong.contains(below)))
}

/// Whether the failure is that control came to a place it should not have come to.
fn reached_by_jump(unit: &Unit, criterion: &Criterion) -> bool {
    criterion.failing.is_some_and(|failing| unit.stmt(failing).kind == StmtKind::Raise)
}

fn seal(unit: &Unit, criterion: &Criterion, slice: &Slice, rules: &mut Rules) {
    let around: StmtSet =
        criterion.stmts.iter().flat_map(|&id| unit.ancestors(id).chain(std::iter::once(id))).collect();
    for id in slice.kept.iter() {
        match unit.stmt(id).kind {
            // What the test lets through stays let through.
            StmtKind::Try | StmtKind::With { expects: true } => {
                rules.sealed.insert(id);
                if around.contains(id) || attempts_frozen(unit, &rules.frozen, id) {
                    let handlers = unit.stmt(id).children.iter().copied();
                    let handlers = handlers.filter(|&clause| unit.stmt(clause).kind == StmtKind::Handler);
                    rules.frozen.extend(handlers);
                }
            }
            // What a context manager sets up (or expects), the failing statement may need on good code.
            StmtKind::With { expects: false } => {
                rules.sealed.insert(id);
            }
            StmtKind::If | StmtKind::Loop { .. } | StmtKind::Block if !around.contains(id) => {
                rules.sealed.insert(id);
            }
            _ => {}
        }
    }
    rules.around = around;
}

/// Whether what a `try` attempts has to stay: good code may throw there, though this run did not.
fn attempts_frozen(unit: &Unit, frozen: &StmtSet, id: StmtId) -> bool {
    let body = unit.stmt(id).children.iter().copied().filter(|&child| !unit.stmt(child).kind.is_clause());
    body.flat_map(|child| std::iter::once(child).chain(unit.descendants(child)))
        .any(|below| frozen.contains(below))
}

/// Calls for effect that name what the failure names: a key, a file, an option. The crash may be that this very call did
/// not do its work. What such a call names, others may have to provide: the words grow with the calls. Of each call so many
/// words count, from its first on: what it is about is named first.
fn speaking(
    unit: &Unit,
    criterion: &Criterion,
    failure: Option<&Failure>,
    strong: &StmtSet,
    n_first: usize,
) -> StmtSet {
    let message = failure.map(|failure| failure.exception().message.as_str()).unwrap_or_default();
    let text = |id: StmtId| unit.stmt(id).header.of(&unit.source);
    let mut words: BTreeSet<&str> = criterion.failing.into_iter().flat_map(|id| literals(text(id))).collect();
    let mut found = StmtSet::default();
    loop {
        let before = found.len();
        for id in strong.iter().filter(|&id| is_for_effect(unit, id)) {
            let named = || literals(text(id));
            let speaks = || named().take(n_first).any(|word| words.contains(word) || message.contains(word));
            if !found.contains(id) && speaks() {
                found.insert(id);
                words.extend(named());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The insides of quoted strings of at least two characters, roughly: enough to compare with a message.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'']).skip(1).step_by(2).filter(|literal| literal.trim().len() >= 2)
}
