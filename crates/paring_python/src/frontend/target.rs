//! Finding the target in the file: its function, and the classes whose attributes are the test object's.

use super::tree::Tree;
use paring_model::{StmtId, StmtKind};
use ruff_python_ast::Expr;

/// A pytest node id, taken apart: `tests/test_x.py::TestA::test_b[3-abc]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId<'a> {
    /// All before the brackets.
    pub stem: &'a str,
    /// Between the brackets.
    pub case: Option<&'a str>,
}

impl<'a> NodeId<'a> {
    pub fn new(id: &'a str) -> Self {
        // The case may hold anything, `::` and `[` too, and so may the path; names may not.
        let names = id.find("::").map_or(0, |at| at + 2);
        match id[names..].find('[') {
            Some(at) => {
                let case = &id[names + at + 1..];
                Self { stem: &id[..names + at], case: Some(case.strip_suffix(']').unwrap_or(case)) }
            }
            None => Self { stem: id, case: None },
        }
    }

    /// Classes, then the function.
    pub fn names(self) -> Vec<&'a str> {
        self.stem.split("::").skip(1).collect()
    }
}

/// What the target is made of.
#[derive(Clone, Debug, Default)]
pub struct TargetStmts {
    pub test: Option<StmtId>,
    /// The target's class, then the classes of this file it derives from, in the order attributes are looked up.
    pub classes: Vec<StmtId>,
}

/// The functions and classes of a block, those under `if`, `try` and `with` too.
pub fn definitions(tree: &Tree, block: &[StmtId]) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut stack: Vec<StmtId> = block.iter().rev().copied().collect();
    while let Some(id) = stack.pop() {
        match tree.stmts[id.idx()].kind {
            StmtKind::Def | StmtKind::Class => found.push(id),
            _ => stack.extend(tree.stmts[id.idx()].children.iter().rev()),
        }
    }
    found
}

/// The function of that name in a block. The last one is what the name means in the end.
pub fn function_in(tree: &Tree, block: &[StmtId], name: &str) -> Option<StmtId> {
    let named = |id: &StmtId| tree.nodes[id.idx()].function().is_some_and(|def| def.name.as_str() == name);
    definitions(tree, block).into_iter().rev().find(named)
}

fn class_in(tree: &Tree, block: &[StmtId], name: &str) -> Option<StmtId> {
    let named = |id: &StmtId| tree.nodes[id.idx()].class().is_some_and(|class| class.name.as_str() == name);
    definitions(tree, block).into_iter().rev().find(named)
}

/// A class and the classes of the file it derives from.
fn lineage(tree: &Tree, class: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut stack = vec![class];
    while let Some(id) = stack.pop() {
        if found.contains(&id) {
            continue;
        }
        found.push(id);
        let Some(class) = tree.nodes[id.idx()].class() else { continue };
        let bases = class.arguments.iter().flat_map(|arguments| arguments.args.iter());
        let known = bases.filter_map(|base| match base {
            Expr::Name(name) => class_in(tree, &tree.routines[0].body, name.id.as_str()),
            _ => None,
        });
        let mut known: Vec<StmtId> = known.collect();
        known.reverse();
        stack.extend(known);
    }
    found
}

/// Finds the target by the names of its id.
pub fn find(tree: &Tree, id: NodeId) -> TargetStmts {
    let names = id.names();
    let Some((function, classes)) = names.split_last() else { return TargetStmts::default() };
    let mut block: &[StmtId] = &tree.routines[0].body;
    let mut class = None;
    for name in classes {
        let Some(next) = class_in(tree, block, name) else { return TargetStmts::default() };
        class = Some(next);
        block = &tree.stmts[next.idx()].children;
    }
    let Some(class) = class else {
        return TargetStmts { test: test_in(tree, block, function), classes: Vec::new() };
    };
    let classes = lineage(tree, class);
    let test = classes.iter().find_map(|class| test_in(tree, &tree.stmts[class.idx()].children, function));
    TargetStmts { test, classes }
}

/// The function of that name, or the one a decorator (`parameterized.expand`, `ddt`) made it from: `test_sum` for
/// `test_sum_0_small`.
fn test_in(tree: &Tree, block: &[StmtId], name: &str) -> Option<StmtId> {
    let made_from = |id: &StmtId| {
        tree.nodes[id.idx()].function().is_some_and(|def| {
            let rest = name.strip_prefix(def.name.as_str()).and_then(|rest| rest.strip_prefix('_'));
            !def.decorator_list.is_empty()
                && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    function_in(tree, block, name).or_else(|| definitions(tree, block).into_iter().rev().find(made_from))
}
