//! Loops over literals: each element may go by itself.

use super::list::Items;
use super::scope::ScopeKind;
use super::tree::{Node, Tree};
use super::trim::Context;
use paring_model::{Op, PlaceId, RoutineId, StmtId, Trim, TrimKind};
use ruff_python_ast::{Expr, Stmt};
use std::collections::{BTreeSet, HashMap};

/// With more there would be more experiments than the loop is worth.
const MAX_ELEMENTS: usize = 64;

pub fn offer(context: Context, sequence: &[RoutineId], trims: &mut Vec<Trim>) {
    let tree = context.tree;
    let mut literals: BTreeSet<StmtId> = BTreeSet::new();
    let bound = bound_once(tree);
    for (idx, node) in tree.nodes.iter().enumerate() {
        let Node::Stmt(Stmt::For(stmt)) = node else { continue };
        if !runs_for_target(tree, sequence, tree.stmts[idx].routine) {
            continue;
        }
        let Some((holder, literal)) = literal(tree, &bound, StmtId::from_idx(idx), collection(&stmt.iter))
        else {
            continue;
        };
        let Some(items) = Items::of_literal(context.source, context.tokens, literal) else { continue };
        let n_items = items.len();
        if !(2..=MAX_ELEMENTS).contains(&n_items) || !literals.insert(holder) {
            continue;
        }
        trims.extend((0..n_items).map(|position| Trim {
            kind: TrimKind::Element,
            stmt: holder,
            edits: items.without(position),
            unused: Vec::new(),
            label: format!("element {} of {n_items}", position + 1),
        }));
    }
}

/// In a routine of the sequence that is not the module, or in a function nested in one.
fn runs_for_target(tree: &Tree, sequence: &[RoutineId], routine: RoutineId) -> bool {
    let mut current = routine;
    while current.idx() != 0 {
        if sequence.contains(&current) {
            return true;
        }
        let def = tree.routines[current.idx()].def.expect("only the module has no definition");
        current = tree.stmts[def.idx()].routine;
    }
    false
}

/// What is iterated, seen through `.items()`, `enumerate` and the like.
fn collection(iter: &Expr) -> &Expr {
    let Expr::Call(call) = iter else { return iter };
    match (&*call.func, call.arguments.args.first()) {
        (Expr::Attribute(attribute), None)
            if matches!(attribute.attr.as_str(), "items" | "values" | "keys") =>
        {
            &attribute.value
        }
        (Expr::Name(name), Some(first))
            if matches!(name.id.as_str(), "enumerate" | "sorted" | "reversed" | "list") =>
        {
            collection(first)
        }
        _ => iter,
    }
}

/// The only statement that binds each place, for those that have just one.
fn bound_once(tree: &Tree) -> HashMap<PlaceId, Option<StmtId>> {
    let mut found: HashMap<PlaceId, Option<StmtId>> = HashMap::new();
    for (idx, stmt) in tree.stmts.iter().enumerate() {
        for op in &stmt.ops {
            if let Op::Define(place) | Op::MayDefine(place) = op {
                let only = Some(StmtId::from_idx(idx));
                found.entry(*place).and_modify(|known| *known = None).or_insert(only);
            }
        }
    }
    found
}

/// The literal an expression stands for, and the statement that holds it.
fn literal<'a>(
    tree: &Tree<'a>,
    bound: &HashMap<PlaceId, Option<StmtId>>,
    at: StmtId,
    expr: &'a Expr,
) -> Option<(StmtId, &'a Expr)> {
    let Expr::Name(name) = expr else { return Some((at, expr)) };
    let scope = tree.scope[at.idx()];
    let owner = tree.scopes.owner(scope, name.id.as_str())?;
    let is_class = tree.scopes.all[owner].kind == ScopeKind::Class;
    let used = tree.stmts[at.idx()].ops.iter().find_map(|op| match op {
        Op::Use(place) => Some(*place),
        Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
    })?;
    let holder = (*bound.get(&used)?)?;
    match tree.nodes[holder.idx()] {
        Node::Stmt(Stmt::Assign(assign)) if !is_class => match assign.targets.as_slice() {
            [Expr::Name(target)] if target.id == name.id => Some((holder, &assign.value)),
            _ => None,
        },
        _ => None,
    }
}
