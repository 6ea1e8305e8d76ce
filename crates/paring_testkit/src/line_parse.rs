//! Reads a text of the toy language into a unit. The language is described in [`crate::line_frontend`], which writes it.
//!
//! Lines are read one after the other, with a stack of the blocks that are open. A name belongs to the routine in which it is
//! first read or defined, unless a routine around it, or the file's top level, has it already.

use crate::line_ops::{braced, ops};
use camino::Utf8Path;
use paring_model::{
    Op, Place, PlaceId, PlaceScope, Routine, RoutineId, RoutineKind, Stmt, StmtId, StmtKind, StmtSet,
    TargetSpec, TextRange, Trim, TrimKind, Unit,
};

const MODULE: RoutineId = RoutineId(0);

pub fn parse(path: &Utf8Path, source: &str, target: &TargetSpec) -> Unit {
    let mut parser =
        Parser { unit: empty(path, source, target), open: Vec::new(), wanted: wanted(source, &target.id) };
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        if !line.trim().is_empty() {
            parser.line(start, line);
        }
        start += line.len();
    }
    parser.finish(target)
}

fn empty(path: &Utf8Path, source: &str, target: &TargetSpec) -> Unit {
    Unit {
        path: path.to_owned(),
        source: source.to_owned(),
        stmts: Vec::new(),
        places: Vec::new(),
        routines: vec![routine(RoutineKind::Module, "", None)],
        sequence: vec![MODULE],
        target: target.id.clone(),
        after: target.after.clone(),
        before: Vec::new(),
        test: None,
        trims: Vec::new(),
        literals: Vec::new(),
        masks: StmtSet::default(),
        line_starts: line_starts(source),
    }
}

/// A word of a line, with where it starts in the file.
pub type Word<'l> = (usize, &'l str);

/// A block whose body the next lines may be part of.
struct Open {
    indent: usize,
    id: StmtId,
    /// The routine of the statements in it.
    routine: RoutineId,
}

pub struct Parser {
    pub unit: Unit,
    open: Vec<Open>,
    /// The name of the test.
    wanted: String,
}

/// The name that the target's id ends with, where the file has a test of that name.
fn wanted(source: &str, target: &str) -> String {
    let name = target.rsplit("::").next().unwrap_or_default();
    let has = |line: &str| line.split([' ', ':']).next() == Some(name) && line.contains(':');
    if source.lines().any(has) { name.to_owned() } else { "test".to_owned() }
}

impl Parser {
    fn line(&mut self, start: usize, line: &str) {
        let code = line.split('#').next().unwrap_or_default().trim_end();
        let indent = line.len() - line.trim_start().len();
        let opens = code.ends_with(':');
        let words = words(code.trim_end_matches(':'), start);
        let kind = kind(&words, opens, indent == 0);
        self.close(indent, kind.is_clause());
        let id = StmtId::from_idx(self.unit.stmts.len());
        let (parent, around) = self.open.last().map_or((None, MODULE), |up| (Some(up.id), up.routine));
        let range = TextRange::new(offset(start + indent), offset(start + line.trim_end().len().max(indent)));
        self.unit.stmts.push(Stmt {
            kind,
            range,
            header: range,
            parent,
            children: Vec::new(),
            routine: around,
            ops: Vec::new(),
            needs: Vec::new(),
            protected: line.trim_end().ends_with("# keep"),
            counts: kind == StmtKind::Elif || !kind.is_clause(),
        });
        self.nest(id, parent, around, range.end);
        let inner = if kind == StmtKind::Def {
            self.define(id, around, &words)
        } else {
            self.unit.stmts[id.idx()].ops = ops(self, around, &words);
            self.offer(id, kind, &words);
            around
        };
        if opens {
            self.open.push(Open { indent, id, routine: inner });
        }
    }

    /// Closes the blocks that end before a line. A clause closes the clause before it, and not the statement of both.
    fn close(&mut self, indent: usize, is_clause: bool) {
        while let Some(last) = self.open.last() {
            let continues = is_clause && last.indent == indent && !self.unit.stmt(last.id).kind.is_clause();
            if last.indent < indent || continues {
                break;
            }
            self.open.pop();
        }
    }

    fn nest(&mut self, id: StmtId, parent: Option<StmtId>, around: RoutineId, end: u32) {
        for open in &self.open {
            let stmt = &mut self.unit.stmts[open.id.idx()];
            stmt.range = TextRange::new(stmt.range.start, end);
        }
        if let Some(parent) = parent {
            self.unit.stmts[parent.idx()].children.push(id);
        }
        let routine = &mut self.unit.routines[around.idx()];
        if parent == routine.def {
            routine.body.push(id);
        }
    }

    /// A definition: its routine, its name, and its parameters with the trims that take them out.
    fn define(&mut self, id: StmtId, around: RoutineId, words: &[Word<'_>]) -> RoutineId {
        let kind = match words[0].1 {
            "fixture" => RoutineKind::Fixture,
            "setup" => RoutineKind::SetUp,
            "teardown" => RoutineKind::TearDown,
            "helper" => RoutineKind::Helper,
            "earlier" => RoutineKind::OtherTest,
            word if word == self.wanted && self.unit.test.is_none() => RoutineKind::Test,
            _ => RoutineKind::OtherTest,
        };
        let is_named = matches!(kind, RoutineKind::Fixture | RoutineKind::Helper)
            || kind == RoutineKind::OtherTest && words[0].1 == "earlier";
        let (name, params) = if is_named && words.len() > 1 {
            (words[1].1, &words[2..])
        } else {
            (
                Some(words[0].1).filter(|word| word.starts_with("test_")).unwrap_or("test"),
                words.get(1..).unwrap_or_default(),
            )
        };
        if is_named {
            let place = self.place(around, name);
            self.unit.stmts[id.idx()].ops = vec![Op::Define(place)];
        }
        let own = RoutineId::from_idx(self.unit.routines.len());
        self.unit.routines.push(routine(kind, name, Some(id)));
        if kind == RoutineKind::Test {
            self.unit.test = Some(own);
            self.unit.stmts[id.idx()].counts = false;
        }
        for &(at, name) in params {
            let place = self.own_place(PlaceScope::Local(own), name);
            self.unit.routines[own.idx()].params.push(place);
            if matches!(kind, RoutineKind::Helper | RoutineKind::OtherTest) {
                continue;
            }
            self.trim(
                TrimKind::Parameter,
                id,
                TextRange::new(offset(at - 1), offset(at + name.len())),
                vec![place],
            );
        }
        own
    }

    /// Trims of a statement: names of an import, elements of a `{a,b}`.
    fn offer(&mut self, id: StmtId, kind: StmtKind, words: &[Word<'_>]) {
        if kind == StmtKind::Import && words.len() > 2 {
            for &(at, name) in &words[1..] {
                let place = self.place(MODULE, name);
                let range = TextRange::new(offset(at - 1), offset(at + name.len()));
                self.trim(TrimKind::ImportName, id, range, vec![place]);
            }
        }
        for &(at, word) in words {
            let Some(inner) = braced(word) else { continue };
            let mut from = at + 1;
            for element in inner.split_inclusive(',') {
                let range = TextRange::new(offset(from), offset(from + element.len()));
                from += element.len();
                self.trim(TrimKind::Element, id, range, Vec::new());
            }
        }
    }

    fn trim(&mut self, kind: TrimKind, stmt: StmtId, range: TextRange, unused: Vec<PlaceId>) {
        let edits = vec![(range, String::new())];
        self.unit.trims.push(Trim { kind, stmt, edits, unused, label: String::new() });
    }

    /// The place of a name in a routine: that of the routine around it or of the top level, where one has it.
    pub fn place(&mut self, routine: RoutineId, name: &str) -> PlaceId {
        if let Some(name) = name.strip_prefix('@') {
            return self.own_place(PlaceScope::Member, name);
        }
        let mut around = Some(routine);
        while let Some(next) = around.filter(|next| *next != MODULE) {
            if let Some(place) = self.known(PlaceScope::Local(next), name) {
                return place;
            }
            around = self.unit.routine(next).def.map(|def| self.unit.stmt(def).routine);
        }
        let global = self.known(PlaceScope::Global, name);
        let scope = if routine == MODULE { PlaceScope::Global } else { PlaceScope::Local(routine) };
        global.unwrap_or_else(|| self.own_place(scope, name))
    }

    fn known(&self, scope: PlaceScope, name: &str) -> Option<PlaceId> {
        let is_it = |place: &Place| place.scope == scope && place.name == name;
        self.unit.places.iter().position(is_it).map(PlaceId::from_idx)
    }

    fn own_place(&mut self, scope: PlaceScope, name: &str) -> PlaceId {
        self.known(scope, name).unwrap_or_else(|| {
            self.unit.places.push(Place { scope, name: name.to_owned() });
            PlaceId::from_idx(self.unit.places.len() - 1)
        })
    }

    fn finish(mut self, target: &TargetSpec) -> Unit {
        self.sequence();
        let unit = &mut self.unit;
        for id in unit.ids().collect::<Vec<_>>() {
            let is_given = unit.stmt(id).kind == StmtKind::Return || is_yield(unit, id);
            let returns = unit.routine(unit.stmt(id).routine).returns.clone();
            if is_given {
                unit.stmts[id.idx()].ops.extend(returns.into_iter().map(Op::Define));
            }
        }
        for routine in unit.routines.iter().filter(|routine| routine.kind == RoutineKind::OtherTest) {
            let is_before = target.after.iter().any(|id| id.ends_with(&format!("::{}", routine.name)));
            unit.before.extend(routine.def.filter(|_| is_before));
        }
        for &def in &unit.before.clone() {
            for id in std::iter::once(def).chain(unit.descendants(def)) {
                unit.stmts[id.idx()].protected = true;
            }
        }
        self.unit
    }

    /// What runs for the test: the set-up, the fixtures that somebody asks for, the test itself.
    fn sequence(&mut self) {
        let Some(test) = self.unit.test else { return };
        let routines = (0..self.unit.routines.len()).map(RoutineId::from_idx);
        let of_kind = |unit: &Unit, kind: RoutineKind| -> Vec<RoutineId> {
            routines.clone().filter(|&id| unit.routine(id).kind == kind).collect()
        };
        let setups = of_kind(&self.unit, RoutineKind::SetUp);
        let mut users: Vec<RoutineId> = setups.iter().copied().chain([test]).collect();
        let mut asked = Vec::new();
        for fixture in of_kind(&self.unit, RoutineKind::Fixture).into_iter().rev() {
            let name = self.unit.routine(fixture).name.clone();
            let given: Vec<PlaceId> = users
                .iter()
                .flat_map(|&user| self.unit.routine(user).params.clone())
                .filter(|&place| self.unit.place(place).name == name)
                .collect();
            if !given.is_empty() {
                self.unit.routines[fixture.idx()].returns = given;
                users.push(fixture);
                asked.insert(0, fixture);
            }
        }
        self.unit.sequence.extend(setups.into_iter().chain(asked).chain([test]));
    }
}

fn is_yield(unit: &Unit, id: StmtId) -> bool {
    unit.stmt(id).header.of(&unit.source).split_whitespace().next() == Some("yield")
}

/// The words of a line with where they start. What stands in brackets or quotes is one word, blanks in it too.
fn words(code: &str, start: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut from, mut depth, mut is_quoted) = (None, 0_u32, false);
    for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
        match c {
            '\'' => is_quoted = !is_quoted,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_inside = (is_quoted || depth > 0) && at < code.len();
        if !c.is_whitespace() || is_inside {
            from = from.or(Some(at));
        } else if let Some(first) = from.take() {
            words.push((start + first, &code[first..at]));
        }
    }
    words
}

fn kind(words: &[Word<'_>], opens: bool, at_top: bool) -> StmtKind {
    match words.first().map_or("", |(_, word)| *word) {
        "test" | "fixture" | "setup" | "teardown" | "earlier" if opens && at_top => StmtKind::Def,
        test if opens && at_top && test.starts_with("test_") => StmtKind::Def,
        "helper" if opens => StmtKind::Def,
        "use" => StmtKind::Import,
        "assert" | "assert!" => StmtKind::Assert,
        "if" => StmtKind::If,
        "elif" => StmtKind::Elif,
        "else" => StmtKind::Else,
        "loop" | "for" => StmtKind::Loop { endless: false },
        "break" => StmtKind::Break { loops: 1 },
        "continue" => StmtKind::Continue { loops: 1 },
        "try" => StmtKind::Try,
        "catch" => StmtKind::Handler,
        "finally" => StmtKind::Finally,
        "with" => StmtKind::With { expects: false },
        "expect" => StmtKind::With { expects: true },
        "block" => StmtKind::Block,
        "raise" => StmtKind::Raise,
        "return" => StmtKind::Return,
        _ => StmtKind::Simple,
    }
}

fn routine(kind: RoutineKind, name: &str, def: Option<StmtId>) -> Routine {
    Routine { kind, name: name.to_owned(), def, body: Vec::new(), params: Vec::new(), returns: Vec::new() }
}

fn line_starts(source: &str) -> Vec<u32> {
    let after_newlines = source.match_indices('\n').map(|(at, _)| offset(at + 1));
    std::iter::once(0).chain(after_newlines).collect()
}

pub fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a test's text is short")
}
