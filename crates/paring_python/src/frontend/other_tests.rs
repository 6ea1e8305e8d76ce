//! The tests of the file that are not the target.

use super::target::{TargetStmts, definitions};
use super::tree::Tree;
use paring_model::{StmtId, StmtKind};

/// The definitions of the test functions of the file, but for the target.
pub fn other_tests(tree: &Tree, found: &TargetStmts) -> Vec<StmtId> {
    let mut tests = Vec::new();
    let mut stack = definitions(tree, &tree.routines[0].body);
    while let Some(id) = stack.pop() {
        if tree.stmts[id.idx()].kind == StmtKind::Class {
            stack.extend(definitions(tree, &tree.stmts[id.idx()].children));
        } else if Some(id) != found.test
            && tree.nodes[id.idx()].function().is_some_and(|def| def.name.as_str().starts_with("test"))
        {
            tests.push(id);
        }
    }
    tests
}
