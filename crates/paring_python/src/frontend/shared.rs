//! Which routines other tests of the file use too: those must not be edited in place.

use super::effect::{Mentions, reachable};
use super::fixture::{Fixture, class_around, lookup, marked, requested};
use super::target::{TargetStmts, definitions};
use super::tree::Tree;
use paring_model::{RoutineId, RoutineKind, StmtId, StmtKind};
use std::collections::BTreeSet;

/// The test functions of the file but the target, with the class each is in.
pub fn other_tests(tree: &Tree, found: &TargetStmts) -> Vec<(StmtId, Option<StmtId>)> {
    let mut tests = Vec::new();
    let mut stack = definitions(tree, &tree.routines[0].body);
    while let Some(id) = stack.pop() {
        if tree.stmts[id.idx()].kind == StmtKind::Class {
            stack.extend(definitions(tree, &tree.stmts[id.idx()].children));
        } else if Some(id) != found.test
            && tree.nodes[id.idx()].function().is_some_and(|def| def.name.as_str().starts_with("test"))
        {
            tests.push((id, class_around(tree, id)));
        }
    }
    tests
}

/// Marks them. Must see the operations as the statements have them, before `effect::expand`.
pub fn mark(tree: &mut Tree, mentions: &Mentions, fixtures: &[Fixture], found: &TargetStmts) {
    let others = other_tests(tree, found);
    let mut used: BTreeSet<RoutineId> = BTreeSet::new();
    for &(test, class) in &others {
        let routine = tree.defines[test.idx()].expect("a test is a function");
        let def = tree.nodes[test.idx()].function().expect("a test is a function");
        let classes: Vec<StmtId> = class.into_iter().collect();
        used.insert(routine);
        let autouse = fixtures.iter().filter(|fixture| fixture.autouse).map(|fixture| fixture.name.as_str());
        let mut stack: Vec<(RoutineId, &str)> = autouse.map(|name| (routine, name)).collect();
        stack.extend(marked(tree, def, &classes).into_iter().map(|name| (routine, name)));
        stack.extend(requested(def, class.is_some()).into_iter().map(|name| (routine, name)));
        while let Some((asker, name)) = stack.pop() {
            if let Some(fixture) = lookup(fixtures, &classes, name, asker)
                && used.insert(fixture.routine)
            {
                let names = requested(fixture.def, fixture.class.is_some());
                stack.extend(names.into_iter().map(|name| (fixture.routine, name)));
            }
        }
    }
    for (idx, routine) in tree.routines.iter().enumerate() {
        if !matches!(routine.kind, RoutineKind::SetUp | RoutineKind::TearDown) {
            continue;
        }
        let def = routine.def.expect("set-up is a function");
        let is_used = match class_around(tree, def) {
            // A class that derives from it would be another class of the file.
            Some(class) => others
                .iter()
                .any(|(_, of)| *of == Some(class) || of.is_some_and(|of| derives(tree, of, class))),
            None => !others.is_empty(),
        };
        if is_used {
            used.insert(RoutineId::from_idx(idx));
        }
    }
    let from: Vec<RoutineId> = used.into_iter().collect();
    let reached = reachable(tree, mentions, &from);
    let test = found.test.and_then(|test| tree.defines[test.idx()]);
    for (idx, routine) in tree.routines.iter_mut().enumerate() {
        let id = RoutineId::from_idx(idx);
        routine.shared =
            if idx == 0 { !others.is_empty() } else { Some(id) != test && reached.contains(&id) };
    }
}

/// Whether one class names another among its bases.
fn derives(tree: &Tree, class: StmtId, base: StmtId) -> bool {
    let Some(base) = tree.nodes[base.idx()].class() else { return false };
    let bases = tree.nodes[class.idx()].class().and_then(|class| class.arguments.as_ref());
    bases.is_some_and(|bases| {
        let mut names = bases.args.iter().filter_map(super::kind::last_name);
        names.any(|name| name == base.name.as_str())
    })
}
