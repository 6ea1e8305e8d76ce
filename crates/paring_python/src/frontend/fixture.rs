//! Which routines run for the target besides itself: fixtures by their parameters, and set-up by its names.
//!
//! ```python
//! @pytest.fixture
//! def db(path): …        # 2nd: `path` is asked for by `db`
//! @pytest.fixture
//! def path(): …          # 1st
//! def test_rows(db): …   # 3rd
//! ```

use super::expr::REQUEST;
use super::kind::callee_name;
use super::parametrize::{Parametrize, string};
use super::place::Places;
use super::target::{TargetStmts, definitions, function_in};
use super::tree::{Node, Tree};
use paring_model::{PlaceId, RoutineId, RoutineKind, StmtId, StmtKind};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Decorator, Expr, ExprCall, Identifier, Stmt, StmtFunctionDef};

/// A function that pytest calls to make a value.
#[derive(Clone, Debug)]
pub struct Fixture<'a> {
    pub name: String,
    pub routine: RoutineId,
    pub def: &'a StmtFunctionDef,
    /// The class it is a method of.
    pub class: Option<StmtId>,
    pub autouse: bool,
    /// Wider scopes run first: session 0, package 1, module 2, class 3, function 4.
    rank: u8,
}

/// All fixtures of the file, in source order.
pub fn fixtures<'a>(tree: &Tree<'a>) -> Vec<Fixture<'a>> {
    let mut found = Vec::new();
    for (idx, node) in tree.nodes.iter().enumerate() {
        let Some(def) = node.function() else { continue };
        let Some(decorator) = def.decorator_list.iter().find(|decorator| is_fixture(decorator)) else {
            continue;
        };
        let routine = tree.defines[idx].expect("a function is a routine");
        let mut fixture =
            Fixture { name: def.name.to_string(), routine, def, class: None, autouse: false, rank: 4 };
        let id = StmtId::from_idx(idx);
        fixture.class = class_around(tree, id);
        if let Expr::Call(call) = &decorator.expression {
            read_options(&mut fixture, call);
        }
        found.push(fixture);
    }
    found
}

fn read_options(fixture: &mut Fixture, call: &ExprCall) {
    for keyword in &call.arguments.keywords {
        match (keyword.arg.as_ref().map(Identifier::as_str), &keyword.value) {
            (Some("autouse"), Expr::BooleanLiteral(literal)) => fixture.autouse = literal.value,
            (Some("name"), value) => {
                if let Some(name) = string(value) {
                    name.clone_into(&mut fixture.name);
                }
            }
            (Some("scope"), value) => {
                fixture.rank = match string(value) {
                    Some("session") => 0,
                    Some("package") => 1,
                    Some("module") => 2,
                    Some("class") => 3,
                    Some(_) | None => 4,
                };
            }
            _ => {}
        }
    }
}

fn is_fixture(decorator: &Decorator) -> bool {
    callee_name(&decorator.expression)
        .is_some_and(|name| name.rsplit('.').next().is_some_and(|last| last.ends_with("fixture")))
}

/// The class a definition is a member of, if it is one.
pub fn class_around(tree: &Tree, id: StmtId) -> Option<StmtId> {
    let mut up = tree.stmts[id.idx()].parent;
    while let Some(at) = up {
        match tree.stmts[at.idx()].kind {
            StmtKind::Class => return Some(at),
            StmtKind::Def => return None,
            _ => up = tree.stmts[at.idx()].parent,
        }
    }
    None
}

/// The names pytest fills in: parameters without defaults, `self` left out.
pub fn requested(def: &StmtFunctionDef, is_method: bool) -> Vec<&str> {
    let parameters = &def.parameters;
    let named = parameters.posonlyargs.iter().chain(&parameters.args);
    let named = named.skip(usize::from(is_method)).chain(&parameters.kwonlyargs);
    named.filter(|parameter| parameter.default.is_none()).map(|parameter| parameter.name().as_str()).collect()
}

/// The names in `usefixtures("a", "b")`, of any expression that holds such a call.
fn used<'a>(expr: &'a Expr, into: &mut Vec<&'a str>) {
    match expr {
        Expr::Call(call) if callee_name(expr).is_some_and(|name| name.ends_with("usefixtures")) => {
            into.extend(call.arguments.args.iter().filter_map(string));
        }
        Expr::List(list) => list.elts.iter().for_each(|expr| used(expr, into)),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|expr| used(expr, into)),
        _ => {}
    }
}

/// The names in `pytestmark = …` of a block.
fn used_by_mark<'a>(tree: &Tree<'a>, block: &[StmtId], into: &mut Vec<&'a str>) {
    for id in block {
        if let Node::Stmt(Stmt::Assign(assign)) = tree.nodes[id.idx()]
            && assign
                .targets
                .iter()
                .any(|target| matches!(target, Expr::Name(name) if name.id == "pytestmark"))
        {
            used(&assign.value, into);
        }
    }
}

/// What a test asks for beyond its parameters: `usefixtures` on it, on its classes, on the module.
pub fn marked<'a>(tree: &Tree<'a>, def: &'a StmtFunctionDef, classes: &[StmtId]) -> Vec<&'a str> {
    let mut names = Vec::new();
    used_by_mark(tree, &tree.routines[0].body, &mut names);
    for class in classes {
        used_by_mark(tree, &tree.stmts[class.idx()].children, &mut names);
        let class = tree.nodes[class.idx()].class().expect("a class node");
        class.decorator_list.iter().for_each(|decorator| used(&decorator.expression, &mut names));
    }
    def.decorator_list.iter().for_each(|decorator| used(&decorator.expression, &mut names));
    names
}

/// The parameters that `parametrize` fills in itself.
pub fn parametrized<'a>(tree: &Tree<'a>, def: &'a StmtFunctionDef, classes: &[StmtId]) -> Vec<&'a str> {
    let of_classes = classes.iter().filter_map(|class| tree.nodes[class.idx()].class());
    let decorators =
        def.decorator_list.iter().chain(of_classes.flat_map(|class| class.decorator_list.iter()));
    let direct = decorators.filter_map(Parametrize::of).filter(|parametrize| !parametrize.indirect);
    direct.flat_map(|parametrize| parametrize.argnames).collect()
}

/// The fixture a name means to `asker`, which may itself be a fixture that overrides one of the same name.
pub fn lookup<'f, 'a>(
    fixtures: &'f [Fixture<'a>],
    classes: &[StmtId],
    name: &str,
    asker: RoutineId,
) -> Option<&'f Fixture<'a>> {
    let level = |fixture: &Fixture| match fixture.class {
        None => Some(classes.len()),
        Some(class) => classes.iter().position(|&known| known == class),
    };
    let own =
        fixtures.iter().find(|fixture| fixture.routine == asker && fixture.name == name).and_then(level);
    let named = fixtures.iter().filter(|fixture| fixture.name == name);
    let outer = named.filter_map(|fixture| Some((level(fixture)?, fixture)));
    let outer = outer.filter(|(at, _)| own.is_none_or(|own| *at > own));
    // The nearest class wins, and of several at one level the last.
    outer.rev().min_by_key(|(at, _)| *at).map(|(_, fixture)| fixture)
}

/// Set-up by name, in the order it runs, and its counterparts.
const MODULE_SETUPS: &[&str] = &["setUpModule", "setup_module"];
const CLASS_SETUPS: &[&str] = &["setUpClass", "setup_class"];
const METHOD_SETUPS: &[&str] = &["setup_method", "setup", "setUp", "asyncSetUp"];
const TEARDOWNS: &[&str] = &[
    "tearDownModule",
    "teardown_module",
    "tearDownClass",
    "teardown_class",
    "teardown_function",
    "teardown_method",
    "teardown",
    "tearDown",
    "asyncTearDown",
];

/// Gives the routines their kinds, the unit its sequence, and fixtures what they define.
pub fn sequence(
    tree: &mut Tree,
    places: &mut Places,
    source: &str,
    found: &TargetStmts,
    fixtures: &[Fixture],
) -> Vec<RoutineId> {
    let mut sequence = vec![RoutineId(0)];
    mark_teardowns(tree, found);
    let Some(test) = found.test else { return sequence };
    let test_routine = tree.defines[test.idx()].expect("a test is a function");
    let module: Vec<StmtId> = tree.routines[0].body.clone();
    let mut setups: Vec<RoutineId> = Vec::new();
    setups.extend(MODULE_SETUPS.iter().filter_map(|name| routine_in(tree, &module, name)));
    setups.extend(CLASS_SETUPS.iter().flat_map(|name| inherited(tree, source, &found.classes, name)));
    if found.classes.is_empty() {
        setups.extend(routine_in(tree, &module, "setup_function"));
    }
    let methods: Vec<RoutineId> =
        METHOD_SETUPS.iter().flat_map(|name| inherited(tree, source, &found.classes, name)).collect();
    for routine in setups.iter().chain(&methods) {
        tree.routines[routine.idx()].kind = RoutineKind::SetUp;
    }
    sequence.extend(setups);

    let def = tree.nodes[test.idx()].function().expect("a test is a function");
    let direct = parametrized(tree, def, &found.classes);
    let autouse = fixtures.iter().filter(|fixture| fixture.autouse).map(|fixture| fixture.name.clone());
    let mut roots: Vec<String> = autouse.collect();
    roots.extend(marked(tree, def, &found.classes).into_iter().map(str::to_owned));
    let mut closure = Closure { fixtures, classes: &found.classes, order: Vec::new(), edges: Vec::new() };
    for name in &roots {
        closure.reach(name, test_routine, false);
    }
    for name in requested(def, !found.classes.is_empty()).into_iter().filter(|name| !direct.contains(name)) {
        closure.reach(name, test_routine, true);
    }
    for name in by_name(def) {
        closure.reach_by_name(name, test_routine);
    }
    let Closure { mut order, edges, .. } = closure;
    order.sort_by_key(|fixture| fixture.rank);
    for fixture in &order {
        tree.routines[fixture.routine.idx()].kind = RoutineKind::Fixture;
        sequence.push(fixture.routine);
    }
    for (fixture, asker, name) in edges {
        let place: PlaceId = places.local(asker, name);
        let returns = &mut tree.routines[fixture.idx()].returns;
        if !returns.contains(&place) {
            returns.push(place);
        }
    }
    sequence.extend(methods);
    sequence.push(test_routine);
    tree.routines[test_routine.idx()].kind = RoutineKind::Test;
    sequence
}

/// Names that `request.getfixturevalue` may be given in a function: every string there is, where it calls that at all.
fn by_name(def: &StmtFunctionDef) -> Vec<&str> {
    let mut strings = Strings { all: Vec::new(), asks: false };
    def.decorator_list.iter().for_each(|decorator| strings.visit_decorator(decorator));
    strings.visit_body(&def.body);
    if strings.asks { strings.all } else { Vec::new() }
}

struct Strings<'a> {
    all: Vec<&'a str>,
    /// Whether a fixture is asked for by its name.
    asks: bool,
}

impl<'a> Visitor<'a> for Strings<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.all.extend(string(expr));
        self.asks |=
            matches!(expr, Expr::Attribute(attribute) if attribute.attr.as_str() == "getfixturevalue");
        visitor::walk_expr(self, expr);
    }
}

struct Closure<'f, 'a> {
    fixtures: &'f [Fixture<'a>],
    classes: &'f [StmtId],
    order: Vec<&'f Fixture<'a>>,
    /// Fixture, who asks for it, and by what name.
    edges: Vec<(RoutineId, RoutineId, String)>,
}

impl Closure<'_, '_> {
    fn reach(&mut self, name: &str, asker: RoutineId, by_parameter: bool) {
        let Some(fixture) = lookup(self.fixtures, self.classes, name, asker) else { return };
        if by_parameter {
            self.edges.push((fixture.routine, asker, name.to_owned()));
        }
        let seen = |known: &(RoutineId, RoutineId, String)| known.1 == fixture.routine;
        if self.order.iter().any(|known| known.routine == fixture.routine) || self.edges.iter().any(seen) {
            return;
        }
        for name in requested(fixture.def, fixture.class.is_some()) {
            self.reach(name, fixture.routine, true);
        }
        for name in by_name(fixture.def) {
            self.reach_by_name(name, fixture.routine);
        }
        self.order.push(fixture);
    }

    /// What is asked for by name comes through the asker's `request`.
    fn reach_by_name(&mut self, name: &str, asker: RoutineId) {
        if let Some(routine) = lookup(self.fixtures, self.classes, name, asker).map(|fixture| fixture.routine)
        {
            self.edges.push((routine, asker, REQUEST.to_owned()));
            self.reach(name, asker, false);
        }
    }
}

fn routine_in(tree: &Tree, block: &[StmtId], name: &str) -> Option<RoutineId> {
    tree.defines[function_in(tree, block, name)?.idx()]
}

/// The methods of a name that run for a class: its own, and where that calls `super`, those above it first.
fn inherited(tree: &Tree, source: &str, classes: &[StmtId], name: &str) -> Vec<RoutineId> {
    let mut found = Vec::new();
    for class in classes {
        let Some(def) = function_in(tree, &tree.stmts[class.idx()].children, name) else { continue };
        found.extend(tree.defines[def.idx()]);
        let text = tree.stmts[def.idx()].range.of(source);
        if !text.contains("super(") && !text.contains(&format!(".{name}(self")) {
            break;
        }
    }
    found.reverse();
    found
}

fn mark_teardowns(tree: &mut Tree, found: &TargetStmts) {
    let mut blocks = vec![tree.routines[0].body.clone()];
    blocks.extend(found.classes.iter().map(|class| tree.stmts[class.idx()].children.clone()));
    for block in blocks {
        for id in definitions(tree, &block) {
            if let Some(routine) = tree.defines[id.idx()]
                && TEARDOWNS.contains(&tree.routines[routine.idx()].name.as_str())
            {
                tree.routines[routine.idx()].kind = RoutineKind::TearDown;
            }
        }
    }
}
