//! Units for tests, written as a small Python: one statement a line, four spaces a level.
//!
//! What it understands is what the tests here need: names, attributes, calls, subscripts, assignments, and every
//! compound statement. `self.x` is a member; a capitalised callee constructs; `raises(…)` expects an exception; `# keep`
//! protects. Functions named `fixture_x`, `setup…`, `test…` and `teardown…` make the sequence; without a test, the top
//! level alone is the sequence.

use paring_model::{
    Call, CallResult, Op, Place, PlaceId, PlaceScope, Routine, RoutineId, RoutineKind, Stmt, StmtId,
    StmtKind, StmtSet, TextRange, Unit,
};

const NOT_NAMES: [&str; 9] = ["and", "or", "not", "in", "is", "True", "False", "None", "lambda"];

pub fn unit(source: &str) -> Unit {
    let source = source.trim_start_matches('\n').to_owned();
    let line_starts = source.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += to_u32(line.len());
        Some(start)
    });
    let unit = Unit {
        path: "test_it.py".into(),
        line_starts: line_starts.collect(),
        source: source.clone(),
        stmts: Vec::new(),
        places: Vec::new(),
        routines: vec![routine(RoutineKind::Module, "", None)],
        sequence: Vec::new(),
        target: "test_it.py::test".to_owned(),
        after: Vec::new(),
        before: Vec::new(),
        test: None,
        trims: Vec::new(),
        literals: Vec::new(),
        masks: StmtSet::default(),
    };
    let mut parser = Parser { unit, open: Vec::new(), scopes: vec![RoutineId(0)], tokens: Vec::new(), at: 0 };
    for (line_idx, line) in source.lines().enumerate() {
        if !line.trim().is_empty() {
            parser.line(line_idx, line);
        }
    }
    parser.finish()
}

/// The statement of a 1-based line.
pub fn line(unit: &Unit, number: u32) -> StmtId {
    unit.ids().find(|&id| line_of(unit, id) == number).expect("a statement stands on the line")
}

pub fn line_of(unit: &Unit, id: StmtId) -> u32 {
    unit.line_of(unit.stmt(id).range.start)
}

pub fn place(unit: &Unit, name: &str) -> PlaceId {
    let found = unit.places.iter().position(|place| place.name == name);
    PlaceId::from_idx(found.expect("the name is used"))
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("test sources are short")
}

fn routine(kind: RoutineKind, name: &str, def: Option<StmtId>) -> Routine {
    let (name, body, params, returns) = (name.to_owned(), Vec::new(), Vec::new(), Vec::new());
    Routine { kind, name, def, body, params, returns }
}

struct Parser {
    unit: Unit,
    /// Open blocks: indentation of their content, and the node that holds it.
    open: Vec<(usize, StmtId)>,
    scopes: Vec<RoutineId>,
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn line(&mut self, line_idx: usize, text: &str) {
        let indent = text.len() - text.trim_start().len();
        let (code, comment) = text.split_once('#').unwrap_or((text, ""));
        let code = code.trim();
        let kind = kind(code);
        // A clause belongs to the statement at its own indentation; a case stands inside its match.
        let is_outdented = kind.is_clause() && kind != StmtKind::Case;
        let content = if is_outdented { indent + 4 } else { indent };
        while self.open.last().is_some_and(|&(inner, _)| inner > content) {
            self.close();
        }
        let is_clause = |&(_, id): &(usize, StmtId)| self.unit.stmt(id).kind.is_clause();
        if is_outdented && self.open.last().is_some_and(is_clause) {
            self.close();
        }
        let start = self.unit.line_starts[line_idx] + to_u32(indent);
        let range = TextRange::new(start, start + to_u32(code.len()));
        let parent = self.open.last().map(|&(_, id)| id);
        let id = StmtId::from_idx(self.unit.stmts.len());
        let scope = *self.scopes.last().expect("the module is open");
        let counts = !(kind == StmtKind::Docstring || kind.is_clause() && kind != StmtKind::Elif);
        let protected = comment.trim() == "keep";
        let stmt = Stmt {
            kind,
            range,
            header: range,
            parent,
            children: Vec::new(),
            routine: scope,
            ops: Vec::new(),
            needs: Vec::new(),
            protected,
            counts,
        };
        self.unit.stmts.push(stmt);
        if let Some(parent) = parent {
            self.unit.stmts[parent.idx()].children.push(id);
        }
        let is_top = parent.is_none_or(|parent| self.unit.stmt(parent).kind == StmtKind::Def);
        if is_top {
            self.unit.routines[scope.idx()].body.push(id);
        }
        let ops = self.ops(id, kind, code);
        self.unit.stmts[id.idx()].ops = ops;
        if code.ends_with(':') {
            self.open.push((indent + 4, id));
        }
    }

    fn close(&mut self) {
        let (_, id) = self.open.pop().expect("a block is open");
        if self.unit.stmt(id).kind == StmtKind::Def {
            self.scopes.pop();
        }
    }

    fn ops(&mut self, id: StmtId, kind: StmtKind, code: &str) -> Vec<Op> {
        let code = code.trim_end_matches(':');
        let (word, rest) = code.split_once(' ').unwrap_or((code, ""));
        match kind {
            StmtKind::Docstring | StmtKind::Else | StmtKind::Finally | StmtKind::Try | StmtKind::Case => {
                vec![]
            }
            StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Block => vec![],
            StmtKind::Import => vec![Op::Define(self.binding(rest))],
            StmtKind::Def => self.def(id, rest),
            StmtKind::Class => {
                let (name, bases) = rest.split_once('(').unwrap_or((rest, ""));
                let mut ops = self.expression(bases.trim_end_matches(')'));
                ops.push(Op::Define(self.binding(name)));
                ops
            }
            StmtKind::Loop { .. } if word == "for" => {
                let (target, iterated) = rest.split_once(" in ").expect("for x in xs");
                let mut ops = self.expression(iterated);
                ops.push(Op::Define(self.binding(target)));
                ops
            }
            StmtKind::With { .. } | StmtKind::Handler => {
                let (value, target) = rest.split_once(" as ").unwrap_or((rest, ""));
                let mut ops = self.expression(value);
                ops.extend((!target.is_empty()).then(|| Op::Define(self.binding(target))));
                ops
            }
            StmtKind::Simple => self.simple(code),
            StmtKind::Assert if word != "assert" => self.simple(code),
            StmtKind::If
            | StmtKind::Elif
            | StmtKind::Loop { .. }
            | StmtKind::Match
            | StmtKind::Return
            | StmtKind::Raise
            | StmtKind::Assert => self.expression(rest),
        }
    }

    fn def(&mut self, id: StmtId, rest: &str) -> Vec<Op> {
        let (name, params) = rest.trim_end_matches(')').split_once('(').expect("def f(…)");
        let is_method =
            self.unit.stmt(id).parent.is_some_and(|up| self.unit.stmt(up).kind == StmtKind::Class);
        let own = if is_method { self.place(PlaceScope::Member, name) } else { self.binding(name) };
        let kind = match name {
            _ if name.starts_with("fixture_") => RoutineKind::Fixture,
            _ if name.starts_with("setup") => RoutineKind::SetUp,
            _ if name.starts_with("test") => RoutineKind::Test,
            _ if name.starts_with("teardown") => RoutineKind::TearDown,
            _ => RoutineKind::Helper,
        };
        let scope = RoutineId::from_idx(self.unit.routines.len());
        self.unit.routines.push(routine(kind, name, Some(id)));
        self.scopes.push(scope);
        for param in params.split(',').map(str::trim).filter(|param| !param.is_empty() && *param != "self") {
            let place = self.place(PlaceScope::Local(scope), param);
            self.unit.routines[scope.idx()].params.push(place);
        }
        vec![Op::Define(own)]
    }

    fn simple(&mut self, code: &str) -> Vec<Op> {
        if let Some((target, value)) = code.split_once(" += ") {
            let mut ops = self.expression(value);
            let target = self.expression(target);
            let Some(Op::Use(place)) = target.first() else { panic!("a target starts with a name") };
            ops.push(Op::Mutate(*place));
            return ops;
        }
        let Some((target, value)) = code.split_once(" = ") else {
            let mut ops = self.expression(code);
            if let Some(Op::Call(call)) = ops.last_mut() {
                call.result = CallResult::Dropped;
            }
            return ops;
        };
        let mut ops = self.expression(value);
        let member = target.strip_prefix("self.").filter(|name| !name.contains(['.', '[']));
        if let Some(name) = member {
            ops.push(Op::Define(self.place(PlaceScope::Member, name)));
        } else if target.contains(['.', '[']) {
            let target = self.expression(target);
            let Some(Op::Use(place)) = target.first().cloned() else { panic!("a target starts with a name") };
            ops.extend(target);
            ops.push(Op::Mutate(place));
        } else {
            ops.push(Op::Define(self.binding(target)));
        }
        ops
    }

    fn expression(&mut self, text: &str) -> Vec<Op> {
        (self.tokens, self.at) = (tokens(text), 0);
        let mut ops = Vec::new();
        while self.at < self.tokens.len() {
            self.items(&mut ops);
            self.at += 1;
        }
        ops
    }

    /// Operands up to a closing bracket; the roots of those that are a path alone.
    fn items(&mut self, ops: &mut Vec<Op>) -> Vec<PlaceId> {
        let mut roots = Vec::new();
        while let Some(token) = self.tokens.get(self.at).cloned() {
            match token.as_str() {
                ")" | "]" => break,
                "(" | "[" => {
                    self.at += 1;
                    roots.extend(self.items(ops));
                    self.at += 1;
                }
                name if is_name(name) && !NOT_NAMES.contains(&name) => roots.extend(self.operand(ops)),
                _ => self.at += 1,
            }
        }
        roots
    }

    /// A name with its attributes, subscripts and calls. Its root, unless it is what a call returned.
    fn operand(&mut self, ops: &mut Vec<Op>) -> Option<PlaceId> {
        let mut last = self.tokens[self.at].clone();
        self.at += 1;
        let root = if last == "self" && self.peek() == "." {
            last = self.tokens[self.at + 1].clone();
            self.at += 2;
            self.place(PlaceScope::Member, &last)
        } else {
            self.resolve(&last)
        };
        ops.push(Op::Use(root));
        let (mut is_bare, mut is_path) = (true, true);
        loop {
            match self.peek() {
                "." => {
                    last = self.tokens[self.at + 1].clone();
                    self.at += 2;
                }
                "[" => {
                    self.at += 1;
                    self.items(ops);
                    self.at += 1;
                }
                "(" => {
                    self.at += 1;
                    let args = self.items(ops);
                    self.at += 1;
                    is_path = false;
                    ops.push(Op::Call(Call {
                        range: TextRange::default(),
                        receiver: (!is_bare).then_some(root),
                        args,
                        result: CallResult::Used,
                        constructs: last.starts_with(char::is_uppercase),
                        callee: is_bare.then_some(root),
                    }));
                }
                _ => return is_path.then_some(root),
            }
            is_bare = false;
        }
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn binding(&mut self, name: &str) -> PlaceId {
        let scope = *self.scopes.last().expect("the module is open");
        self.place(
            if scope == RoutineId(0) { PlaceScope::Global } else { PlaceScope::Local(scope) },
            name.trim(),
        )
    }

    /// The innermost scope that has the name already; else a global.
    fn resolve(&mut self, name: &str) -> PlaceId {
        let known = |scope: &&RoutineId| {
            let place = Place { scope: PlaceScope::Local(**scope), name: name.to_owned() };
            self.unit.places.contains(&place)
        };
        let scope =
            self.scopes.iter().rev().find(known).map_or(PlaceScope::Global, |&r| PlaceScope::Local(r));
        self.place(scope, name)
    }

    fn place(&mut self, scope: PlaceScope, name: &str) -> PlaceId {
        let place = Place { scope, name: name.to_owned() };
        let known = self.unit.places.iter().position(|other| *other == place);
        PlaceId::from_idx(known.unwrap_or_else(|| {
            self.unit.places.push(place);
            self.unit.places.len() - 1
        }))
    }

    fn finish(mut self) -> Unit {
        for id in self.unit.ids().rev() {
            if let Some(&last) = self.unit.stmt(id).children.last() {
                self.unit.stmts[id.idx()].range.end = self.unit.stmt(last).range.end;
            }
        }
        let ids = |kind| {
            let all = self.unit.routines.iter().enumerate();
            all.filter(move |(_, routine)| routine.kind == kind).map(|(idx, _)| RoutineId::from_idx(idx))
        };
        let test = ids(RoutineKind::Test).next();
        let in_order = [RoutineKind::Fixture, RoutineKind::SetUp].into_iter().flat_map(ids);
        let sequence =
            [RoutineId(0)].into_iter().chain(in_order).chain(test).chain(ids(RoutineKind::TearDown));
        self.unit.sequence = if test.is_some() { sequence.collect() } else { vec![RoutineId(0)] };
        self.unit.test = test;
        let params: Vec<PlaceId> =
            self.unit.routines.iter().flat_map(|routine| routine.params.clone()).collect();
        for fixture in self.unit.routines.iter_mut().filter(|routine| routine.kind == RoutineKind::Fixture) {
            let name = fixture.name.trim_start_matches("fixture_");
            let places = &self.unit.places;
            fixture.returns =
                params.iter().copied().filter(|place| places[place.idx()].name == name).collect();
        }
        self.unit
    }
}

fn kind(code: &str) -> StmtKind {
    let word = code.split([' ', ':', '(']).next().expect("a line has a first word");
    match word {
        "if" => StmtKind::If,
        "elif" => StmtKind::Elif,
        "else" => StmtKind::Else,
        "for" => StmtKind::Loop { endless: false },
        "while" => StmtKind::Loop { endless: code == "while True:" },
        "try" => StmtKind::Try,
        "except" => StmtKind::Handler,
        "finally" => StmtKind::Finally,
        "with" => StmtKind::With { expects: code.starts_with("with raises(") },
        "match" => StmtKind::Match,
        "case" => StmtKind::Case,
        "def" => StmtKind::Def,
        "class" => StmtKind::Class,
        "import" => StmtKind::Import,
        "return" => StmtKind::Return,
        "raise" => StmtKind::Raise,
        "break" => {
            StmtKind::Break { loops: code.split(' ').nth(1).map_or(1, |n| n.parse().expect("a number")) }
        }
        "continue" => StmtKind::Continue { loops: 1 },
        _ if code.starts_with("\"\"\"") => StmtKind::Docstring,
        _ if word.starts_with("assert") || word.starts_with("self.assert") => StmtKind::Assert,
        _ => StmtKind::Simple,
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names, numbers, strings and single signs.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if first.is_alphanumeric() || first == '_' => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        tokens.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    tokens
}
