//! The tests of this file that run before the target, with the fixtures they ask for.
//!
//! What runs before the target is there for what it leaves behind, which no name need show. So no slice takes anything out of
//! it; what of it is needed is for experiments to say.

use super::fixture::{Fixture, class_around, lookup, marked, requested};
use super::target::{self, NodeId};
use super::tree::Tree;
use camino::Utf8Path;
use paring_model::{RoutineId, StmtId};

/// Protects them, and finds their definitions. `path` is the file's own, `after` the ids as the user gave them.
pub fn protect(tree: &mut Tree, fixtures: &[Fixture], path: &Utf8Path, after: &[String]) -> Vec<StmtId> {
    let mut tests: Vec<StmtId> = Vec::new();
    let mut defs: Vec<StmtId> = Vec::new();
    for id in after {
        let Some((file, _)) = id.split_once("::") else { continue };
        if !path.ends_with(file.trim_start_matches("./")) {
            continue;
        }
        let found = target::find(tree, NodeId::new(id));
        let Some(test) = found.test else { continue };
        defs.push(test);
        if !tests.contains(&test) {
            tests.push(test);
        }
        let (Some(def), Some(routine)) = (tree.nodes[test.idx()].function(), tree.defines[test.idx()]) else {
            continue;
        };
        let is_method = class_around(tree, test).is_some();
        let names = marked(tree, def, &found.classes).into_iter().chain(requested(def, is_method));
        let mut open: Vec<(RoutineId, &str)> = names.map(|name| (routine, name)).collect();
        while let Some((asker, name)) = open.pop() {
            let Some(fixture) = lookup(fixtures, &found.classes, name, asker) else { continue };
            let Some(def) = tree.routines[fixture.routine.idx()].def.filter(|def| !defs.contains(def)) else {
                continue;
            };
            defs.push(def);
            let names = requested(fixture.def, fixture.class.is_some());
            open.extend(names.into_iter().map(|name| (fixture.routine, name)));
        }
    }
    let mut open = defs;
    while let Some(id) = open.pop() {
        tree.stmts[id.idx()].protected = true;
        open.extend(tree.stmts[id.idx()].children.iter());
    }
    tests
}
