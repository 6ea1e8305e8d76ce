//! A toy language in which a line is a statement, to try the engine without a real one.
//!
//! ```text
//! test:
//!   a = 1          defines a
//!   b = a c        reads a and c, defines b
//!   b ! a          calls something on b with a, and drops the result
//!   b ? a = c      b = a.call(c): reads a, defines b, and the call's result is used
//!   if a:          a block; `loop a:` and `with a:` are others
//!     c = b
//!   assert b       reads b
//! ```
//!
//! An `assert` is turned off by `with off:` around it; `assert! b` cannot be.
//!
//! Words that start with a letter are names; `'text'`, `[a,b]` and numbers are literals; `# keep` at the end of a line
//! protects it. The first line is the test, which has all that is indented below it. Nothing is ever broken: what makes no
//! sense reads the names in it.

use crate::line_literals;
use camino::Utf8Path;
use paring_model::{
    Call, CallResult, Candidate, EditSet, Form, Frontend, Op, Pinned, Place, PlaceId, PlaceScope, Problem,
    Routine, RoutineId, RoutineKind, Stmt, StmtId, StmtKind, TargetSpec, TextRange, Token, TokenKind, Unit,
};
use std::fmt::Write;

const MODULE: RoutineId = RoutineId(0);
const TEST: RoutineId = RoutineId(1);

#[derive(Clone, Copy, Debug, Default)]
pub struct LineFrontend;

impl LineFrontend {
    /// The unit of a text, as every test needs it.
    pub fn unit(source: &str) -> Unit {
        Self.parse(Utf8Path::new("test.lines"), source, &TargetSpec::new("test.lines::test")).0
    }
}

impl Frontend for LineFrontend {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        let mut unit = Unit {
            path: path.to_owned(),
            source: source.to_owned(),
            stmts: Vec::new(),
            places: Vec::new(),
            routines: vec![routine(RoutineKind::Module, None), routine(RoutineKind::Test, Some(StmtId(0)))],
            sequence: vec![MODULE, TEST],
            target: target.id.clone(),
            after: target.after.clone(),
            before: Vec::new(),
            test: None,
            trims: Vec::new(),
            literals: Vec::new(),
            line_starts: line_starts(source),
        };
        // The blocks that are open: their indentation and their statement.
        let mut open: Vec<(usize, StmtId)> = Vec::new();
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            if !line.trim().is_empty() {
                statement(&mut unit, &mut open, start, line);
            }
            start += line.len();
        }
        if !unit.stmts.is_empty() {
            unit.test = Some(TEST);
            unit.routines[MODULE.idx()].body = vec![StmtId(0)];
            unit.routines[TEST.idx()].body.clone_from(&unit.stmts[0].children);
        }
        (unit, Vec::new())
    }

    fn with_literals(&self, unit: Unit) -> Unit {
        line_literals::offer(unit)
    }

    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let mut text = String::new();
        let mut start = 0;
        for (line_idx, line) in unit.source.split_inclusive('\n').enumerate() {
            let line_no = u32::try_from(line_idx + 1).expect("a test's text is short");
            let id = unit.ids().find(|&id| unit.line_of(unit.stmt(id).range.start) == line_no);
            let gone = id.is_some_and(|id| !edits.kept.contains(id) || edits.unwrapped.contains(id));
            let whole = TextRange::new(start, start + offset(line.len()));
            start = whole.end;
            let line = if gone { line } else { &line_literals::line(unit, edits, whole, form) };
            match (gone, form) {
                (true, Form::Compact) => {}
                (true, Form::Blanked) => text.push_str(if line.ends_with('\n') { "\n" } else { "" }),
                (false, Form::Blanked) => text.push_str(line),
                (false, Form::Compact) => {
                    let n_unwrapped = id.map_or(0, |id| {
                        unit.ancestors(id).filter(|&up| edits.unwrapped.contains(up)).count()
                    });
                    let _ = write!(text, "{}", line.get(2 * n_unwrapped..).unwrap_or_default());
                }
            }
        }
        Candidate { text, target: unit.target.clone(), after: unit.after.clone(), form }
    }

    fn assertions(&self, unit: &Unit) -> Vec<TextRange> {
        let all = unit.ids().filter(|&id| unit.stmt(id).kind == StmtKind::Assert);
        all.map(|id| unit.stmt(id).range).collect()
    }

    fn turned_off(&self, unit: &Unit, off: &[TextRange]) -> Option<Pinned> {
        let splice = |range: &TextRange| {
            let at = TextRange::new(range.start, range.start);
            let can_be = !range.of(&unit.source).starts_with("assert!");
            can_be.then(|| (at, "with off:\n    ".to_owned()))
        };
        Some(Pinned::spliced(&unit.source, off.iter().map(splice).collect::<Option<_>>()?, ""))
    }

    fn turns_off(&self, unit: &Unit, id: StmtId) -> bool {
        unit.stmt(id).range.of(&unit.source).starts_with("with off:")
    }

    fn side_by_side(&self, _unit: &Unit, tests: &[Candidate]) -> Option<Vec<Candidate>> {
        let text: String = tests.iter().map(|test| test.text.as_str()).collect();
        Some(tests.iter().map(|test| Candidate { text: text.clone(), ..test.clone() }).collect())
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        let words = text.lines().flat_map(|line| without_comment(line).split_whitespace());
        // A word is a part of the text: where it lies there tells where it starts.
        let start = |word: &str| offset(word.as_ptr().addr() - text.as_ptr().addr());
        words
            .map(|word| {
                let is_number = word.starts_with(|c: char| c.is_ascii_digit());
                let kind = if is_number { TokenKind::Number } else { TokenKind::Name };
                Token { range: TextRange::new(start(word), start(word) + offset(word.len())), kind }
            })
            .collect()
    }
}

fn routine(kind: RoutineKind, def: Option<StmtId>) -> Routine {
    Routine {
        kind,
        name: "test".to_owned(),
        def,
        body: Vec::new(),
        params: Vec::new(),
        returns: Vec::new(),
        shared: false,
    }
}

fn line_starts(source: &str) -> Vec<u32> {
    let after_newlines = source.match_indices('\n').map(|(at, _)| offset(at + 1));
    std::iter::once(0).chain(after_newlines).collect()
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a test's text is short")
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn statement(unit: &mut Unit, open: &mut Vec<(usize, StmtId)>, start: usize, line: &str) {
    let code = without_comment(line).trim_end();
    let indent = line.len() - line.trim_start().len();
    let range = TextRange::new(offset(start + indent), offset(start + line.trim_end().len().max(indent)));
    while open.last().is_some_and(|&(outer, _)| outer >= indent && open.len() > 1) {
        open.pop();
    }
    let id = StmtId::from_idx(unit.stmts.len());
    let parent = open.last().map(|&(_, parent)| parent);
    let is_test = parent.is_none();
    let kind = if is_test { StmtKind::Def } else { kind(code.trim()) };
    let ops = if is_test { Vec::new() } else { ops(unit, code.trim().trim_end_matches(':')) };
    unit.stmts.push(Stmt {
        kind,
        range,
        header: range,
        parent,
        children: Vec::new(),
        routine: if is_test { MODULE } else { TEST },
        ops,
        needs: Vec::new(),
        protected: line.trim_end().ends_with("# keep"),
        counts: !is_test,
    });
    for &(_, above) in open.iter() {
        let stmt = &mut unit.stmts[above.idx()];
        stmt.range = TextRange::new(stmt.range.start, range.end);
    }
    if let Some(parent) = parent {
        unit.stmts[parent.idx()].children.push(id);
    }
    if is_test || code.ends_with(':') {
        open.push((indent, id));
    }
}

fn kind(code: &str) -> StmtKind {
    match code.split_whitespace().next().unwrap_or_default().trim_end_matches(':') {
        "assert" | "assert!" => StmtKind::Assert,
        "if" => StmtKind::If,
        "loop" => StmtKind::Loop { endless: false },
        "with" => StmtKind::With { expects: false },
        "return" => StmtKind::Return,
        _ => StmtKind::Simple,
    }
}

fn ops(unit: &mut Unit, code: &str) -> Vec<Op> {
    let words: Vec<&str> = code.split_whitespace().collect();
    match words.as_slice() {
        [to, "?", receiver, "=", args @ ..] => {
            let mut ops = call(unit, receiver, args, CallResult::Used);
            ops.extend(places(unit, &[to]).into_iter().map(Op::Define));
            ops
        }
        [receiver, "!", args @ ..] => call(unit, receiver, args, CallResult::Dropped),
        [to, "=", from @ ..] => {
            let mut ops: Vec<Op> = places(unit, from).into_iter().map(Op::Use).collect();
            ops.extend(places(unit, &[to]).into_iter().map(Op::Define));
            ops
        }
        ["assert" | "assert!" | "if" | "loop" | "with" | "return", read @ ..] => {
            places(unit, read).into_iter().map(Op::Use).collect()
        }
        other => places(unit, other).into_iter().map(Op::Use).collect(),
    }
}

fn call(unit: &mut Unit, receiver: &str, args: &[&str], result: CallResult) -> Vec<Op> {
    let receiver = places(unit, &[receiver]).first().copied();
    let args = places(unit, args);
    let mut ops: Vec<Op> = receiver.iter().chain(&args).map(|&place| Op::Use(place)).collect();
    let range = TextRange::default();
    ops.push(Op::Call(Call { range, receiver, args, result, constructs: false, callee: None }));
    ops
}

/// The places of those words that are names, made where they are new.
fn places(unit: &mut Unit, words: &[&str]) -> Vec<PlaceId> {
    let names = words.iter().filter(|word| word.starts_with(|first: char| first.is_alphabetic()));
    names
        .map(|name| {
            let place = Place { scope: PlaceScope::Local(TEST), name: (*name).to_owned() };
            let known = unit.places.iter().position(|other| *other == place);
            PlaceId::from_idx(known.unwrap_or_else(|| {
                unit.places.push(place);
                unit.places.len() - 1
            }))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "test:\n  a = 1\n  if a:\n    b = a\n    b ! a  # keep\n  assert b\n";

    #[test]
    fn indentation_makes_the_tree() {
        let unit = LineFrontend::unit(SOURCE);
        assert_eq!(unit.stmt(StmtId(0)).children, [StmtId(1), StmtId(2), StmtId(5)]);
        assert_eq!(unit.stmt(StmtId(2)).children, [StmtId(3), StmtId(4)]);
        assert_eq!(unit.test_body().len(), 5);
        assert!(unit.stmt(StmtId(4)).protected);
    }

    #[test]
    fn names_are_read_and_written_in_order() {
        let unit = LineFrontend::unit(SOURCE);
        let (a, b) = (PlaceId(0), PlaceId(1));
        assert_eq!(unit.stmt(StmtId(1)).ops, [Op::Define(a)]);
        assert_eq!(unit.stmt(StmtId(3)).ops, [Op::Use(a), Op::Define(b)]);
        assert_eq!(unit.stmt(StmtId(5)).ops, [Op::Use(b)]);
        assert!(matches!(&unit.stmt(StmtId(4)).ops[2], Op::Call(call) if call.receiver == Some(b)));
    }

    #[test]
    fn an_unwrapped_block_gives_way_to_its_body() {
        let unit = LineFrontend::unit(SOURCE);
        let mut edits = EditSet::all(&unit);
        edits.unwrapped.insert(StmtId(2));
        edits.remove(&unit, StmtId(1));
        let compact = LineFrontend.render(&unit, &edits, Form::Compact);
        assert_eq!(compact.text, "test:\n  b = a\n  b ! a  # keep\n  assert b\n");
        let blanked = LineFrontend.render(&unit, &edits, Form::Blanked);
        assert_eq!(blanked.text, "test:\n\n\n    b = a\n    b ! a  # keep\n  assert b\n");
    }

    #[test]
    fn the_toy_passes_the_suite_of_every_front_end() {
        crate::conformance::frontend(&LineFrontend, "test.lines", SOURCE, "test.lines::test");
    }
}
