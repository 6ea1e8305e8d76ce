//! A file of instructions as a unit, and a unit's kept instructions as a file.

use super::instruction::{Instruction, instruction, n_open, without_comment};
use crate::whole_file::{self, KEEP, ROOT, TEST, offset};
use camino::Utf8Path;
use paring_model::{
    Call, CallResult, EditSet, Form, Op, Place, PlaceId, PlaceScope, Problem, StmtKind, TextRange, Unit,
};

/// The unit of a sequence; what is no instruction is a statement all the same, and a problem.
pub fn unit(path: &Utf8Path, source: &str, target: &str) -> (Unit, Vec<Problem>) {
    let mut unit = whole_file::open(path, source, target);
    let mut problems = Vec::new();
    for range in ranges(source) {
        let text = range.of(source);
        let parsed = instruction(text);
        if parsed.is_none() {
            let message = "this is no instruction of AutoTest's notation".to_owned();
            problems.push(Problem { range, message });
        }
        let ops = parsed.map(|parsed| ops(&mut unit, &parsed, range)).unwrap_or_default();
        let line_end = source[range.end as usize..].lines().next().unwrap_or_default();
        let protected = line_end.contains(KEEP);
        let id = whole_file::push(&mut unit, StmtKind::Simple, range, Some(ROOT), true);
        let stmt = &mut unit.stmts[id.idx()];
        (stmt.ops, stmt.protected) = (ops, protected);
    }
    whole_file::close(&mut unit);
    (unit, problems)
}

/// The text with only the kept instructions. Comments above a removed one go with it.
pub fn text(unit: &Unit, edits: &EditSet, form: Form) -> String {
    let mut text = String::new();
    let mut at = 0;
    for &id in &unit.stmt(ROOT).children {
        let range = unit.stmt(id).range;
        let end = line_end(&unit.source, range.end as usize);
        let lines = &unit.source[at..end];
        match form {
            _ if edits.kept.contains(id) => text.push_str(lines),
            Form::Blanked => {
                let before = &unit.source[at..range.start as usize];
                text.push_str(before);
                let newlines =
                    unit.source[range.start as usize..end].chars().filter(|c| matches!(c, '\n' | '\r'));
                text.extend(newlines);
            }
            Form::Compact => {}
        }
        at = end;
    }
    text.push_str(&unit.source[at..]);
    text
}

/// Behind the end of the line that an offset is in.
fn line_end(source: &str, from: usize) -> usize {
    source[from..].find('\n').map_or(source.len(), |at| from + at + 1)
}

/// Where the instructions stand: a line each, or several where brackets are open at its end.
fn ranges(source: &str) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut open: Option<TextRange> = None;
    for line in source.split_inclusive('\n') {
        let code = without_comment(line);
        let indent = code.len() - code.trim_start().len();
        let (from, to) = (start + indent, start + code.trim_end().len().max(indent));
        start += line.len();
        if from == to {
            continue;
        }
        let range = TextRange::new(open.map_or(offset(from), |open| open.start), offset(to));
        open = (n_open(range.of(source)) > 0).then_some(range);
        if open.is_none() {
            found.push(range);
        }
    }
    found.extend(open);
    found
}

fn ops(unit: &mut Unit, parsed: &Instruction<'_>, range: TextRange) -> Vec<Op> {
    let call = |receiver: Option<PlaceId>, args: Vec<PlaceId>, result: CallResult, constructs: bool| {
        Op::Call(Call { range, receiver, args, result, constructs, callee: None })
    };
    match parsed {
        Instruction::Create { made, args } => {
            let args = places(unit, args);
            vec![call(None, args, CallResult::Used, true), Op::Define(place(unit, made))]
        }
        Instruction::Call { on, args } => {
            let (on, args) = (place(unit, on), places(unit, args));
            vec![call(Some(on), args, CallResult::Dropped, false)]
        }
        Instruction::CallAndAssign { to, on, args } => {
            let (on, args) = (place(unit, on), places(unit, args));
            vec![call(Some(on), args, CallResult::Used, false), Op::Define(place(unit, to))]
        }
        Instruction::Assign { to, from } => {
            let mut ops: Vec<Op> = places(unit, from).into_iter().map(Op::Use).collect();
            ops.push(Op::Define(place(unit, to)));
            ops
        }
    }
}

fn places(unit: &mut Unit, names: &[&str]) -> Vec<PlaceId> {
    names.iter().map(|name| place(unit, name)).collect()
}

/// The place of a name, made where it is new. Eiffel's names are the same in upper and lower case.
fn place(unit: &mut Unit, name: &str) -> PlaceId {
    let wanted = Place { scope: PlaceScope::Local(TEST), name: name.to_ascii_lowercase() };
    let known = unit.places.iter().position(|place| *place == wanted);
    PlaceId::from_idx(known.unwrap_or_else(|| {
        unit.places.push(wanted);
        unit.places.len() - 1
    }))
}
