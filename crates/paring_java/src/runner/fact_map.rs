//! From what a traced run told, by offsets and names, to [`Facts`] about a unit's statements and places.
//!
//! A point belongs to the statement that begins where it does; a statement that has no point of its own (the second
//! variable of a declaration, an `else if`) belongs to the one that begins within its header, or to the simple statement
//! around it. A local is looked up in the routine of its statement, then in those around it. What the unit does not know is left
//! out.

use super::message::{
    FactReport, HowReport, PointKind, PointReport, ResourceKind, ResourceReport, TouchReport,
};
use paring_model::{
    Facts, How, PlaceId, PlaceScope, Resource, Resources, RoutineId, StmtId, StmtKind, Transfer, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a report.
pub fn facts(unit: &Unit, report: &FactReport) -> Facts {
    let map = FactMap::new(unit, report);
    let mut facts = Facts { observed: true, threads: report.threads, ..Facts::default() };
    let mut first: Vec<(usize, StmtId)> = Vec::new();
    for id in unit.ids().filter(|&id| runs_its_header(unit.stmt(id).kind)) {
        let Some(order) = map.point_of(id) else { continue };
        let point = &report.points[order];
        facts.hits.insert(id, point.hits);
        first.push((order, id));
        let changed: BTreeSet<PlaceId> =
            point.changed.iter().filter_map(|name| map.place(unit.stmt(id).routine, name)).collect();
        if !changed.is_empty() {
            facts.changed.insert(id, changed);
        }
    }
    facts.resources = resources(&map);
    first.sort_unstable();
    facts.order = first.into_iter().map(|(_, id)| id).collect();
    facts.opaque = map.places(&report.opaque);
    let mutable = map.places(&report.mutable);
    facts.immutable = map.places(&report.immutable).difference(&mutable).copied().collect();
    for (frame, inner, outer) in &report.reaches {
        let Some(&Some(routine)) = map.routines.get(*frame) else { continue };
        if let (Some(inner), Some(outer)) = (map.place(routine, inner), map.place(routine, outer)) {
            facts.reaches.insert((inner, outer));
        }
    }
    facts.transfers = report
        .transfers
        .iter()
        .filter_map(|&(from, to)| Some(Transfer { from: map.stmt_from(from)?, handler: map.handler(to)? }))
        .collect();
    for routine in report.entered.iter().filter_map(|&frame| *map.routines.get(frame)?) {
        if !facts.routines.contains(&routine) {
            facts.routines.push(routine);
        }
    }
    facts
}

/// What statements did to resources.
fn resources(map: &FactMap<'_>) -> Resources {
    let (unit, report) = (map.unit, map.report);
    let mut stmts: BTreeMap<usize, Vec<StmtId>> = BTreeMap::new();
    for id in unit.ids().filter(|&id| runs_its_header(unit.stmt(id).kind)) {
        if let Some(order) = map.point_of(id) {
            stmts.entry(order).or_default().push(id);
        }
    }
    let mut resources = Resources::default();
    let names: Vec<Resource> = report.resources.iter().map(resource).collect();
    for &TouchReport(order, nth, is_between, number, how) in &report.touches {
        let how = match how {
            HowReport::Use => How::Use,
            HowReport::Define => How::Define,
            HowReport::Kill => How::Kill,
            HowReport::Clear => How::Clear,
        };
        let own = stmts.get(&order).into_iter().flatten().copied();
        let around = own.clone().next().filter(|_| is_between).and_then(|id| goes_on_around(unit, id));
        for id in own.chain(around) {
            resources.touch(id, nth, names[number].clone(), how);
        }
    }
    for (&order, ids) in &stmts {
        if report.points[order].ran_code {
            for &id in ids {
                resources.ran_code(id);
            }
        }
    }
    if report.complete {
        stmts.into_values().flatten().for_each(|id| resources.complete(id));
    }
    resources
}

/// The statement that goes on when one in its body is over: a loop asks for more, a `try` closes what it opened.
fn goes_on_around(unit: &Unit, id: StmtId) -> Option<StmtId> {
    let goes_on = |kind| matches!(kind, StmtKind::Loop { .. } | StmtKind::With { .. } | StmtKind::Try);
    unit.ancestors(id).find(|&up| goes_on(unit.stmt(up).kind))
}

fn resource(report: &ResourceReport) -> Resource {
    let ResourceReport(kind, first, second) = report.clone();
    match kind {
        ResourceKind::File => Resource::File(first.into()),
        ResourceKind::Env => Resource::Env(first),
        ResourceKind::Table => Resource::Table { db: first, name: second },
        ResourceKind::Attribute => Resource::Attribute { owner: first, name: second },
        ResourceKind::Logger => Resource::Logger(first),
        ResourceKind::Output => Resource::Output(first),
        ResourceKind::Socket => Resource::Socket(first),
        ResourceKind::Clock => Resource::Clock,
        ResourceKind::Random => Resource::Random,
        ResourceKind::Unknown => Resource::Unknown,
    }
}

struct FactMap<'a> {
    unit: &'a Unit,
    report: &'a FactReport,
    /// Byte offsets of the points, by their offsets in the report.
    bytes: BTreeMap<u32, u32>,
    /// The routine of each frame.
    routines: Vec<Option<RoutineId>>,
    places: BTreeMap<(PlaceScope, &'a str), PlaceId>,
    /// The point that begins at a byte.
    starts: BTreeMap<(u32, bool), usize>,
}

impl<'a> FactMap<'a> {
    fn new(unit: &'a Unit, report: &'a FactReport) -> Self {
        let bytes = byte_offsets(&unit.source, report);
        let byte = |offset: u32| bytes.get(&offset).copied().unwrap_or(offset);
        let mut starts = BTreeMap::new();
        for (order, point) in report.points.iter().enumerate() {
            starts.entry((byte(point.start), point.kind == PointKind::Stmt)).or_insert(order);
        }
        let routines = report.frames.iter().map(|&brace| routine_at(unit, byte(brace))).collect();
        let places = unit.places.iter().enumerate();
        let places =
            places.map(|(idx, place)| ((place.scope, &*place.name), PlaceId::from_idx(idx))).collect();
        Self { unit, report, bytes, routines, places, starts }
    }

    fn byte(&self, offset: u32) -> u32 {
        self.bytes.get(&offset).copied().unwrap_or(offset)
    }

    /// The point that tells of a statement, by its order.
    fn point_of(&self, id: StmtId) -> Option<usize> {
        let stmt = self.unit.stmt(id);
        let is_clause = matches!(stmt.kind, StmtKind::Handler | StmtKind::Case);
        if let Some(&order) = self.starts.get(&(stmt.range.start, !is_clause)) {
            return Some(order);
        }
        if is_clause || matches!(stmt.kind, StmtKind::Def | StmtKind::Class | StmtKind::Import) {
            return None;
        }
        // `else if` begins with its `else`, a labelled loop perhaps behind its label.
        let (from, to) = ((stmt.header.start, true), (stmt.header.end, true));
        let within = self.starts.range(from..to).filter(|((_, is_stmt), _)| *is_stmt);
        let own = within.map(|(_, &order)| order).find(|&order| {
            let end = self.byte(self.report.points[order].end);
            stmt.range.start < end && end <= stmt.range.end && stmt.kind == StmtKind::Elif
        });
        own.or_else(|| self.around(id))
    }

    /// The point of the simple statement that a statement is part of.
    fn around(&self, id: StmtId) -> Option<usize> {
        let stmt = self.unit.stmt(id);
        if stmt.kind != StmtKind::Simple {
            return None;
        }
        let before =
            self.starts.range(..=(stmt.range.start, true)).rev().filter(|((_, is_stmt), _)| *is_stmt);
        let (&(start, _), &order) = before.into_iter().next()?;
        let point: &PointReport = &self.report.points[order];
        let other = self.unit.ids().find(|&other| self.unit.stmt(other).range.start == start)?;
        let is_simple = self.unit.stmt(other).kind == StmtKind::Simple;
        let same_routine = self.unit.stmt(other).routine == stmt.routine;
        (is_simple && same_routine && stmt.range.end <= self.byte(point.end)).then_some(order)
    }

    /// The innermost statement that begins at an offset of the report, or holds it.
    fn stmt_from(&self, offset: u32) -> Option<StmtId> {
        let byte = self.byte(offset);
        let begun = self.unit.ids().find(|&id| {
            let stmt = self.unit.stmt(id);
            stmt.range.start == byte && runs_its_header(stmt.kind)
        });
        begun.or_else(|| self.unit.stmt_at(byte))
    }

    fn handler(&self, offset: u32) -> Option<StmtId> {
        let byte = self.byte(offset);
        let is_handler = |&id: &StmtId| {
            let stmt = self.unit.stmt(id);
            stmt.kind == StmtKind::Handler && stmt.range.contains(byte)
        };
        self.unit.ids().rev().find(is_handler)
    }

    fn places(&self, names: &[(usize, String)]) -> BTreeSet<PlaceId> {
        let routine = |frame: usize| self.routines.get(frame).copied().flatten();
        names.iter().filter_map(|(frame, name)| self.place(routine(*frame)?, name)).collect()
    }

    fn place(&self, routine: RoutineId, name: &str) -> Option<PlaceId> {
        let (scope, name) = name.split_once(':')?;
        match scope {
            "l" => self.local(routine, name),
            "m" => self.places.get(&(PlaceScope::Member, name)).copied(),
            _ => None,
        }
    }

    /// A local of the routine, or of one around it.
    fn local(&self, routine: RoutineId, name: &str) -> Option<PlaceId> {
        if let Some(&place) = self.places.get(&(PlaceScope::Local(routine), name)) {
            return Some(place);
        }
        let def = self.unit.routine(routine).def?;
        let outer = self.unit.stmt(def).routine;
        if outer == routine { None } else { self.local(outer, name) }
    }
}

/// The routine whose body the brace opens.
fn routine_at(unit: &Unit, brace: u32) -> Option<RoutineId> {
    let inner = unit.ids().rev().find(|&id| {
        let stmt = unit.stmt(id);
        matches!(stmt.kind, StmtKind::Def | StmtKind::Class) && stmt.range.contains(brace)
    })?;
    (0..unit.routines.len()).map(RoutineId::from_idx).find(|&id| unit.routine(id).def == Some(inner))
}

/// The report counts in units of UTF-16, a unit in bytes.
fn byte_offsets(source: &str, report: &FactReport) -> BTreeMap<u32, u32> {
    let points = report.points.iter().flat_map(|point| [point.start, point.end]);
    let transfers = report.transfers.iter().flat_map(|&(from, to)| [from, to]);
    let wanted: BTreeSet<u32> = points.chain(transfers).chain(report.frames.iter().copied()).collect();
    let mut found = BTreeMap::new();
    let mut utf16 = 0;
    let mut bytes = 0;
    let mut wanted = wanted.into_iter().peekable();
    for c in source.chars().map(Some).chain([None]) {
        while let Some(offset) = wanted.next_if(|&offset| offset <= utf16) {
            found.insert(offset, bytes);
        }
        let Some(c) = c else { break };
        utf16 += u32::try_from(c.len_utf16()).expect("one or two");
        bytes += u32::try_from(c.len_utf8()).expect("at most four");
    }
    found
}

/// Whether running the node begins on its own header; `else` and `finally` have nothing to run.
fn runs_its_header(kind: StmtKind) -> bool {
    match kind {
        StmtKind::Else | StmtKind::Finally | StmtKind::Docstring | StmtKind::Import => false,
        StmtKind::Simple
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
