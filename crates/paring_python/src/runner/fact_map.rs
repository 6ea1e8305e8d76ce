//! From what a traced run told, by lines and names, to [`Facts`] about a unit's statements and places.
//!
//! A line belongs to the statements whose header it is part of, in the function it was reported for: one in most
//! files, several where `;` or a one-line block puts them together (then each gets what the line did). A name is
//! looked up in the scope it was told with. What the unit does not know is left out.

use super::message::{FactReport, HowReport, LineReport, TouchReport};
use paring_model::{
    Facts, How, PlaceId, PlaceScope, Resource, Resources, RoutineId, StmtId, StmtKind, TextRange, Transfer,
    Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a report.
pub fn facts(unit: &Unit, report: &FactReport) -> Facts {
    let map = FactMap::new(unit, report);
    let mut facts = Facts { observed: true, threads: report.threads, ..Facts::default() };
    for line in &report.lines {
        let stmts = map.stmts(line.frame, line.line);
        for &stmt in &stmts {
            facts.hits.entry(stmt).and_modify(|hits| *hits = (*hits).max(line.hits)).or_insert(line.hits);
            if !facts.order.contains(&stmt) {
                facts.order.push(stmt);
            }
            let changed = line.changed.iter().filter_map(|name| map.place(line.frame, name));
            let changed: Vec<PlaceId> = changed.collect();
            if !changed.is_empty() {
                facts.changed.entry(stmt).or_default().extend(changed);
            }
            if line.void {
                facts.void_like.insert(stmt);
            }
        }
    }
    facts.resources = resources(&map, report);
    facts.watched = report.watch.clone().map(Into::into);
    let places = |names: &[(usize, String)]| {
        names.iter().filter_map(|(frame, name)| map.place(*frame, name)).collect::<Vec<_>>()
    };
    facts.opaque.extend(places(&report.opaque));
    facts.immutable = map.immutable(report);
    for (frame, inner, outer) in &report.reaches {
        if let (Some(inner), Some(outer)) = (map.place(*frame, inner), map.place(*frame, outer)) {
            facts.reaches.insert((inner, outer));
        }
    }
    for &(frame, from, to) in &report.transfers {
        if let Some(handler) = map.handler(frame, to) {
            facts.transfers.extend(map.stmts(frame, from).into_iter().map(|from| Transfer { from, handler }));
        }
    }
    for &routine in map.routines.iter().flatten() {
        if !facts.routines.contains(&routine) {
            facts.routines.push(routine);
        }
    }
    facts
}

/// What happened to resources. The uses of a statement are all known where that holds for each of its lines.
fn resources(map: &FactMap<'_>, report: &FactReport) -> Resources {
    let mut found = Resources::default();
    for TouchReport(frame, line, nth, how, name) in &report.touches {
        let how = match how {
            HowReport::Use => How::Use,
            HowReport::Define => How::Define,
            HowReport::Kill => How::Kill,
            HowReport::Clear => How::Clear,
            HowReport::Undo => How::Undo,
        };
        let stmts = map.stmts(*frame, *line);
        for &stmt in &stmts {
            // Of several statements in one line nobody knows which ended something.
            let how = if how != How::Use && stmts.len() > 1 { How::Define } else { how };
            found.touch(stmt, *nth, resource(name), how);
        }
    }
    let (partly, whole): (Vec<_>, Vec<_>) = report.lines.iter().partition(|line| line.partial);
    let stmts = |lines: &[&LineReport]| -> BTreeSet<StmtId> {
        lines.iter().flat_map(|line| map.stmts(line.frame, line.line)).collect()
    };
    for &stmt in stmts(&whole).difference(&stmts(&partly)) {
        found.complete(stmt);
    }
    for line in report.lines.iter().filter(|line| line.ran_code) {
        map.stmts(line.frame, line.line).into_iter().for_each(|stmt| found.ran_code(stmt));
    }
    found
}

/// A kind of which nobody knows what it is stays hidden.
fn resource(name: &[String]) -> Resource {
    let name: Vec<&str> = name.iter().map(String::as_str).collect();
    match name[..] {
        ["file", path] => Resource::File(path.into()),
        ["cwd"] => Resource::Cwd,
        ["env", name] => Resource::Env(name.to_owned()),
        ["table", db, name] => Resource::Table { db: db.to_owned(), name: name.to_owned() },
        ["attribute", owner, name] => Resource::Attribute { owner: owner.to_owned(), name: name.to_owned() },
        ["logger", name] => Resource::Logger(name.to_owned()),
        ["socket", address] => Resource::Socket(address.to_owned()),
        ["output", name] => Resource::Output(name.to_owned()),
        ["clock"] => Resource::Clock,
        ["logged", kind, name] => Resource::Logged { kind: kind.to_owned(), name: name.to_owned() },
        ["random"] => Resource::Random,
        _ => Resource::Unknown,
    }
}

struct FactMap<'a> {
    unit: &'a Unit,
    /// The routine of each frame.
    routines: Vec<Option<RoutineId>>,
    places: BTreeMap<(PlaceScope, &'a str), PlaceId>,
}

impl<'a> FactMap<'a> {
    fn new(unit: &'a Unit, report: &FactReport) -> Self {
        let places = unit.places.iter().enumerate();
        Self {
            unit,
            routines: report.frames.iter().map(|frame| routine_at(unit, frame.line)).collect(),
            places: places
                .map(|(idx, place)| ((place.scope, &*place.name), PlaceId::from_idx(idx)))
                .collect(),
        }
    }

    /// Statements of the frame's function whose header the line is part of.
    fn stmts(&self, frame: usize, line: u32) -> Vec<StmtId> {
        let Some(&Some(routine)) = self.routines.get(frame) else { return Vec::new() };
        let own = |id: &StmtId| {
            let stmt = self.unit.stmt(*id);
            stmt.routine == routine && runs_its_header(stmt.kind) && self.spans(stmt.header, line)
        };
        let found: Vec<StmtId> = self.unit.ids().filter(own).collect();
        // A line on which a statement begins is that one's, although an earlier one ends there.
        let begun: Vec<StmtId> = found
            .iter()
            .copied()
            .filter(|&id| self.unit.line_of(self.unit.stmt(id).header.start) == line)
            .collect();
        if begun.is_empty() { found } else { begun }
    }

    fn spans(&self, range: TextRange, line: u32) -> bool {
        let last = range.end.saturating_sub(1).max(range.start);
        self.unit.line_of(range.start) <= line && line <= self.unit.line_of(last)
    }

    /// The handler (or `finally`) that a line is part of.
    fn handler(&self, frame: usize, line: u32) -> Option<StmtId> {
        let routine = (*self.routines.get(frame)?)?;
        self.unit.ids().rev().find(|&id| {
            let stmt = self.unit.stmt(id);
            stmt.routine == routine
                && matches!(stmt.kind, StmtKind::Handler | StmtKind::Finally)
                && self.spans(stmt.range, line)
        })
    }

    fn place(&self, frame: usize, name: &str) -> Option<PlaceId> {
        let routine = (*self.routines.get(frame)?)?;
        let (scope, name) = name.split_once(':')?;
        match scope {
            "l" => self.lookup(PlaceScope::Local(routine), name),
            "f" => self.enclosing(routine, name),
            "m" => self.lookup(PlaceScope::Member, name),
            "g" => self.lookup(PlaceScope::Global, name),
            _ => None,
        }
    }

    fn lookup(&self, scope: PlaceScope, name: &str) -> Option<PlaceId> {
        self.places.get(&(scope, name)).copied()
    }

    /// A local of a function around this one.
    fn enclosing(&self, routine: RoutineId, name: &str) -> Option<PlaceId> {
        let def = self.unit.routine(routine).def?;
        let outer = self.unit.stmt(def).routine;
        if outer == routine {
            return None;
        }
        self.lookup(PlaceScope::Local(outer), name).or_else(|| self.enclosing(outer, name))
    }

    /// Places that every frame saw with immutable values only.
    fn immutable(&self, report: &FactReport) -> BTreeSet<PlaceId> {
        let mut mutable = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for (frame, name) in &report.immutable {
            seen.extend(self.place(*frame, name));
        }
        for (frame, name) in &report.mutable {
            mutable.extend(self.place(*frame, name));
        }
        seen.difference(&mutable).copied().collect()
    }
}

/// The routine whose definition begins on the line (that of its first decorator).
fn routine_at(unit: &Unit, line: u32) -> Option<RoutineId> {
    (0..unit.routines.len()).map(RoutineId::from_idx).find(|&id| {
        let def = unit.routine(id).def.map(|def| unit.stmt(def));
        def.is_some_and(|def| def.kind == StmtKind::Def && unit.line_of(def.range.start) == line)
    })
}

/// Whether running the node begins on its own header; `else` and `finally` have nothing to run.
fn runs_its_header(kind: StmtKind) -> bool {
    match kind {
        StmtKind::Else | StmtKind::Finally | StmtKind::Docstring => false,
        StmtKind::Simple
        | StmtKind::Import
        | StmtKind::Assert
        | StmtKind::Raise
        | StmtKind::Return
        | StmtKind::Break { .. }
        | StmtKind::Continue { .. }
        | StmtKind::If
        | StmtKind::Loop { .. }
        | StmtKind::Try
        | StmtKind::With { .. }
        | StmtKind::Match
        | StmtKind::Def
        | StmtKind::Class
        | StmtKind::Block
        | StmtKind::Elif
        | StmtKind::Handler
        | StmtKind::Case => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{Place, Routine, RoutineKind, Stmt};

    const SOURCE: &str = "\
G = []
def test_a(self):
    try:
        x = f(
            1)
    except E:
        y = 1; z = 2
    def inner():
        return x
";

    fn range(of: &str) -> TextRange {
        let start = SOURCE.find(of).expect("a part of the source");
        let start = u32::try_from(start).expect("short");
        TextRange::new(start, start + u32::try_from(of.len()).expect("short"))
    }

    fn to_end(from: &str) -> TextRange {
        TextRange::new(range(from).start, u32::try_from(SOURCE.len()).expect("short"))
    }

    fn stmt(kind: StmtKind, whole: TextRange, header: TextRange, parent: Option<u32>, routine: u32) -> Stmt {
        Stmt {
            kind,
            range: whole,
            header,
            parent: parent.map(StmtId),
            children: Vec::new(),
            routine: RoutineId(routine),
            ops: Vec::new(),
            needs: Vec::new(),
            protected: false,
            counts: !kind.is_clause(),
        }
    }

    fn simple(text: &str, parent: Option<u32>, routine: u32) -> Stmt {
        stmt(StmtKind::Simple, range(text), range(text), parent, routine)
    }

    fn routine(kind: RoutineKind, name: &str, def: Option<u32>) -> Routine {
        Routine {
            kind,
            name: name.to_owned(),
            def: def.map(StmtId),
            body: Vec::new(),
            params: Vec::new(),
            returns: Vec::new(),
        }
    }

    /// Statements: 0 `G`, 1 the test, 2 `try`, 3 `x`, 4 `except`, 5 `y`, 6 `z`, 7 `inner`, 8 `return`.
    fn unit() -> Unit {
        let handler = TextRange::new(range("except E:").start, range("z = 2").end);
        let stmts = vec![
            simple("G = []", None, 0),
            stmt(StmtKind::Def, to_end("def test_a"), range("def test_a(self):"), None, 0),
            stmt(StmtKind::Try, TextRange::new(range("try:").start, handler.end), range("try:"), Some(1), 1),
            simple("x = f(\n            1)", Some(2), 1),
            stmt(StmtKind::Handler, handler, range("except E:"), Some(2), 1),
            simple("y = 1", Some(4), 1),
            simple("z = 2", Some(4), 1),
            stmt(StmtKind::Def, to_end("def inner"), range("def inner():"), Some(1), 1),
            stmt(StmtKind::Return, range("return x"), range("return x"), Some(7), 2),
        ];
        let local = |routine, name: &str| Place {
            scope: PlaceScope::Local(RoutineId(routine)),
            name: name.to_owned(),
        };
        let places = vec![
            Place { scope: PlaceScope::Global, name: "G".into() },
            local(1, "x"),
            local(2, "x"),
            Place { scope: PlaceScope::Member, name: "x".into() },
        ];
        let line_starts = std::iter::once(0)
            .chain(SOURCE.match_indices('\n').map(|(at, _)| u32::try_from(at + 1).expect("short")))
            .collect();
        Unit {
            path: "test_a.py".into(),
            source: SOURCE.to_owned(),
            target: "test_a.py::test_a".into(),
            after: Vec::new(),
            before: Vec::new(),
            stmts,
            places,
            routines: vec![
                routine(RoutineKind::Module, "", None),
                routine(RoutineKind::Test, "test_a", Some(1)),
                routine(RoutineKind::Helper, "inner", Some(7)),
            ],
            sequence: vec![RoutineId(0), RoutineId(1)],
            test: Some(RoutineId(1)),
            trims: Vec::new(),
            literals: Vec::new(),
            masks: paring_model::StmtSet::default(),
            line_starts,
        }
    }

    fn mapped(report: &str) -> Facts {
        let frames = r#""frames": [{"name": "test_a", "line": 2}, {"name": "inner", "line": 8}]"#;
        let report = serde_json::from_str(&format!("{{{frames}, {report}}}")).expect("a report");
        facts(&unit(), &report)
    }

    #[test]
    fn a_line_in_the_middle_of_a_statement_is_that_statement() {
        let facts = mapped(
            r#""lines": [{"frame": 0, "line": 5, "hits": 2}], "touches": [[0, 5, 1, "define", ["unknown"]]]"#,
        );
        assert_eq!(facts.hits, BTreeMap::from([(StmtId(3), 2)]));
        assert!(facts.resources.changes(StmtId(3)));
        assert_eq!(facts.routines, [RoutineId(1), RoutineId(2)]);
    }

    #[test]
    fn statements_that_share_a_line_share_what_it_did() {
        let facts =
            mapped(r#""lines": [{"frame": 0, "line": 7, "hits": 1, "changed": ["g:G"], "void": true}]"#);
        assert_eq!(facts.order, [StmtId(5), StmtId(6)]);
        assert_eq!(facts.changed.keys().copied().collect::<Vec<_>>(), [StmtId(5), StmtId(6)]);
        assert_eq!(facts.void_like.len(), 2);
    }

    #[test]
    fn of_statements_that_share_a_line_none_ends_a_resource() {
        let facts = mapped(
            r#""lines": [{"frame": 0, "line": 5, "hits": 1}, {"frame": 0, "line": 7, "hits": 1, "partial": true}],
               "touches": [[0, 5, 1, "kill", ["file", "/a"]], [0, 7, 2, "kill", ["env", "A"]]]"#,
        );
        let told: Vec<_> =
            facts.resources.touches().map(|(touch, name)| (touch.stmt.0, touch.how, name)).collect();
        let (file, env) = (Resource::File("/a".into()), Resource::Env("A".into()));
        assert_eq!(told, [(3, How::Kill, &file), (5, How::Define, &env), (6, How::Define, &env)]);
        assert!(facts.resources.is_complete(StmtId(3)));
        assert!(!facts.resources.is_complete(StmtId(5)));
    }

    #[test]
    fn names_are_looked_up_in_their_scope() {
        let facts = mapped(
            r#""lines": [{"frame": 1, "line": 9, "hits": 1, "changed": ["f:x", "l:x", "m:x", "g:none"]}],
               "reaches": [[0, "l:x", "g:G"]], "opaque": [[0, "m:x"]]"#,
        );
        assert_eq!(facts.changed[&StmtId(8)], [PlaceId(1), PlaceId(2), PlaceId(3)].into());
        assert_eq!(facts.reaches, [(PlaceId(1), PlaceId(0))].into());
        assert_eq!(facts.opaque, [PlaceId(3)].into());
    }

    #[test]
    fn a_place_is_immutable_if_every_function_saw_it_so() {
        let facts = mapped(r#""immutable": [[0, "m:x"], [0, "l:x"]], "mutable": [[1, "m:x"]]"#);
        assert_eq!(facts.immutable, [PlaceId(1)].into());
    }

    #[test]
    fn an_exception_goes_to_the_handler_around_the_line() {
        let transfer = Transfer { from: StmtId(3), handler: StmtId(4) };
        assert_eq!(mapped(r#""transfers": [[0, 4, 6]]"#).transfers, [transfer].into());
        assert_eq!(mapped(r#""transfers": [[0, 4, 7]]"#).transfers, [transfer].into());
    }
}
