//! The edits a unit offers that are smaller than a statement.

use super::cases;
use super::element;
use super::expr::Walker;
use super::fixture::class_around;
use super::kind::callee_name;
use super::list::Items;
use super::ops::imported_names;
use super::parametrize::{Parametrize, gives_cases};
use super::place::Places;
use super::target::{NodeId, TargetStmts};
use super::tree::{Node, Tree, range_of};
use paring_model::{Op, PlaceId, PlaceScope, RoutineId, RoutineKind, StmtId, TextRange, Trim, TrimKind};
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{Decorator, Expr, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;

/// What every kind of trim is made from.
#[derive(Clone, Copy)]
pub struct Context<'t, 'a> {
    pub tree: &'t Tree<'a>,
    pub source: &'t str,
    pub tokens: &'t [Token],
    pub found: &'t TargetStmts,
}

pub fn offer(
    tree: &Tree,
    places: &mut Places,
    source: &str,
    tokens: &[Token],
    found: &TargetStmts,
    sequence: &[RoutineId],
    target: &str,
) -> Vec<Trim> {
    let context = Context { tree, source, tokens, found };
    let mut trims = Vec::new();
    for &routine in sequence {
        if matches!(tree.routines[routine.idx()].kind, RoutineKind::Test | RoutineKind::Fixture) {
            parameters(context, places, routine, &mut trims);
        }
    }
    for (idx, node) in tree.nodes.iter().enumerate() {
        let id = StmtId::from_idx(idx);
        match node {
            Node::Stmt(stmt @ (Stmt::Import(_) | Stmt::ImportFrom(_))) => {
                imports(context, places, id, stmt, &mut trims);
            }
            Node::Stmt(Stmt::With(with)) if with.items.len() > 1 => {
                let ranges: Vec<TextRange> = with.items.iter().map(range_of).collect();
                let limit = tree.stmts[idx].header.end;
                let Some(items) = Items::of_ranges(source, tokens, &ranges, limit) else { continue };
                for (position, item) in with.items.iter().enumerate() {
                    let target = item.optional_vars.as_deref();
                    trims.push(Trim {
                        kind: TrimKind::WithItem,
                        stmt: id,
                        edits: items.without(position),
                        unused: target.map_or(Vec::new(), |target| defined_in(context, places, id, target)),
                        label: format!("with item {}", one_line(range_of(item).of(source))),
                    });
                }
            }
            _ => {}
        }
    }
    decorators(context, places, &mut trims);
    case_parameters(context, places, &mut trims);
    trims.extend(cases::trims(context, NodeId::new(target)));
    element::offer(context, sequence, &mut trims);
    trims
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The places that storing into a target of a statement defines.
fn defined_in<'a>(
    context: Context<'_, 'a>,
    places: &mut Places,
    id: StmtId,
    target: &'a Expr,
) -> Vec<PlaceId> {
    let mut walker = Walker::new(&context.tree.scopes, places, context.tree.scope[id.idx()], &[]);
    walker.store(target);
    let defined = walker.ops.into_iter().filter_map(|op| match op {
        Op::Define(place) | Op::MayDefine(place) => Some(place),
        Op::Use(_) | Op::Mutate(_) | Op::Call(_) => None,
    });
    defined.collect()
}

/// Parameters pytest fills in by name: all that no decorator gives.
fn parameters(context: Context, places: &mut Places, routine: RoutineId, trims: &mut Vec<Trim>) {
    let tree = context.tree;
    let stmt = tree.routines[routine.idx()].def.expect("a test or fixture is a function");
    let def = tree.nodes[stmt.idx()].function().expect("a test or fixture is a function");
    if def.decorator_list.iter().any(gives_arguments) || !def.parameters.posonlyargs.is_empty() {
        return;
    }
    let is_method = class_around(tree, stmt).is_some();
    let given: Vec<&str> = parametrized(context, def).into_iter().chain(injected(def, is_method)).collect();
    let Some(items) = parameter_items(context, stmt, def) else { return };
    for (position, parameter) in def.parameters.args.iter().enumerate() {
        let name = parameter.name().as_str();
        if (is_method && position == 0) || given.contains(&name) {
            continue;
        }
        trims.push(Trim {
            kind: TrimKind::Parameter,
            stmt,
            edits: items.without(position),
            unused: vec![places.local(routine, name)],
            label: format!("parameter {name}"),
        });
    }
}

fn parameter_items(context: Context, stmt: StmtId, def: &StmtFunctionDef) -> Option<Items> {
    let ranges: Vec<TextRange> = def.parameters.iter_source_order().map(|item| range_of(&item)).collect();
    Items::of_ranges(context.source, context.tokens, &ranges, context.tree.stmts[stmt.idx()].header.end)
}

/// Hypothesis and the like give arguments in ways that are not followed here.
fn gives_arguments(decorator: &Decorator) -> bool {
    let name = callee_name(&decorator.expression).unwrap_or_default();
    matches!(name.rsplit('.').next(), Some("given" | "data" | "unpack" | "expand" | "file_data"))
}

fn parametrized<'a>(context: Context<'_, 'a>, def: &'a StmtFunctionDef) -> Vec<&'a str> {
    let of_classes = context.found.classes.iter().filter_map(|class| context.tree.nodes[class.idx()].class());
    let decorators =
        def.decorator_list.iter().chain(of_classes.flat_map(|class| class.decorator_list.iter()));
    decorators.filter_map(Parametrize::of).flat_map(|parametrize| parametrize.argnames).collect()
}

/// `mock.patch` decorators that pass a mock, the lowest first.
fn patches(def: &StmtFunctionDef) -> Vec<&Decorator> {
    let passes = |decorator: &&Decorator| {
        let Expr::Call(call) = &decorator.expression else { return false };
        let name = callee_name(&decorator.expression).unwrap_or_default();
        let n_named = match name.rsplit('.').next() {
            Some("patch") => 1,
            Some("object") if name.contains("patch") => 2,
            Some(_) | None => return false,
        };
        let has_new = call
            .arguments
            .keywords
            .iter()
            .any(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg.as_str() == "new"));
        call.arguments.args.len() <= n_named && !has_new
    };
    def.decorator_list.iter().rev().filter(passes).collect()
}

/// The parameters that `patches` fill in.
fn injected(def: &StmtFunctionDef, is_method: bool) -> Vec<&str> {
    let n_patches = patches(def).len();
    let names = def.parameters.args.iter().skip(usize::from(is_method)).take(n_patches);
    names.map(|parameter| parameter.name().as_str()).collect()
}

fn imports(context: Context, places: &mut Places, id: StmtId, stmt: &Stmt, trims: &mut Vec<Trim>) {
    let aliases = match stmt {
        Stmt::Import(import) => &import.names,
        Stmt::ImportFrom(import) => &import.names,
        _ => return,
    };
    let names = imported_names(stmt);
    if aliases.len() < 2 || names.len() != aliases.len() {
        return;
    }
    let ranges: Vec<TextRange> = aliases.iter().map(range_of).collect();
    let limit = context.tree.stmts[id.idx()].range.end;
    let Some(items) = Items::of_ranges(context.source, context.tokens, &ranges, limit) else { return };
    let scope = context.tree.scope[id.idx()];
    for (position, name) in names.iter().enumerate() {
        let Some((owner, own)) = context.tree.scopes.resolve(scope, name) else { continue };
        // What a class imports is read through the class.
        if owner == PlaceScope::Member {
            continue;
        }
        trims.push(Trim {
            kind: TrimKind::ImportName,
            stmt: id,
            edits: items.without(position),
            unused: vec![places.intern(owner, own)],
            label: format!("imported name {name}"),
        });
    }
}

/// Decorators of the test and of its class that it may do without.
fn decorators(context: Context, places: &mut Places, trims: &mut Vec<Trim>) {
    let tree = context.tree;
    let Some(test) = context.found.test else { return };
    let Some(def) = tree.nodes[test.idx()].function() else { return };
    let class = context.found.classes.first().and_then(|&id| Some((id, tree.nodes[id.idx()].class()?)));
    let of_class = class.iter().flat_map(|(id, class)| class.decorator_list.iter().map(|item| (*id, item)));
    let is_method = class_around(tree, test).is_some();
    let patches = patches(def);
    let items = parameter_items(context, test, def);
    let routine = tree.defines[test.idx()].expect("a test is a function");
    for (stmt, decorator) in def.decorator_list.iter().map(|item| (test, item)).chain(of_class) {
        if is_needed(decorator) {
            continue;
        }
        let mut edits = vec![(deletion(context, decorator), String::new())];
        let mut unused = Vec::new();
        let injected = patches.iter().position(|patch| patch.range() == decorator.range());
        if let Some(position) = injected {
            let position = position + usize::from(is_method);
            let (Some(items), Some(parameter)) = (&items, def.parameters.args.get(position)) else {
                continue;
            };
            edits.extend(items.without(position));
            unused.push(places.local(routine, parameter.name().as_str()));
        }
        let label = format!("decorator {}", one_line(range_of(decorator).of(context.source)));
        trims.push(Trim { kind: TrimKind::Decorator, stmt, edits, unused, label });
    }
}

/// Each `parametrize` of the test itself, with its parameters: only a job that leaves no case out takes them away.
fn case_parameters(context: Context, places: &mut Places, trims: &mut Vec<Trim>) {
    let tree = context.tree;
    let Some(test) = context.found.test else { return };
    let Some(def) = tree.nodes[test.idx()].function() else { return };
    let Some(items) = parameter_items(context, test, def) else { return };
    let routine = tree.defines[test.idx()].expect("a test is a function");
    for decorator in &def.decorator_list {
        let Some(given) = Parametrize::of(decorator).filter(|given| !given.indirect) else { continue };
        let position = |name: &&str| def.parameters.args.iter().position(|arg| arg.name().as_str() == *name);
        let Some(positions) = given.argnames.iter().map(position).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let mut edits = vec![(deletion(context, decorator), String::new())];
        edits.extend(positions.into_iter().flat_map(|position| items.without(position)));
        let unused = given.argnames.iter().map(|name| places.local(routine, *name)).collect();
        let label = format!("decorator {}", one_line(range_of(decorator).of(context.source)));
        trims.push(Trim { kind: TrimKind::Parameters, stmt: test, edits, unused, label });
    }
}

/// From the decorator to the next one, or to the definition.
fn deletion(context: Context, decorator: &Decorator) -> TextRange {
    let start = decorator.start().to_u32();
    let after = context.tokens.partition_point(|token| token.start() < decorator.end());
    let next = context.tokens[after..].iter().find(|token| {
        !matches!(token.kind(), TokenKind::Newline | TokenKind::NonLogicalNewline | TokenKind::Comment)
    });
    TextRange::new(start, next.map_or(decorator.end().to_u32(), |token| token.start().to_u32()))
}

/// Decorators without which a test is no test, or another one.
fn is_needed(decorator: &Decorator) -> bool {
    let name = callee_name(&decorator.expression).unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    // Marks and skips say where and when a test is run: that is not for one failing run to judge.
    let is_mark = name.contains("mark.") && last != "usefixtures";
    gives_cases(decorator)
        || is_mark
        || last.ends_with("fixture")
        || matches!(
            last,
            "staticmethod"
                | "classmethod"
                | "property"
                | "given"
                | "inlineCallbacks"
                | "gen_test"
                | "skip"
                | "skipIf"
                | "skipUnless"
                | "expectedFailure"
        )
        || ["asyncio", "anyio", "trio", "async_test", "asynctest"].iter().any(|word| name.contains(word))
}
