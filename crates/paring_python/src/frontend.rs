//! Python as a [`Frontend`]: ruff's parser in, a [`Unit`] out, and texts from edited units.
//!
//! The way of the data: `tree` makes the arena, `target` finds the test in it, `fixture` puts what runs for it in order,
//! `ops` and `effect` say what every statement reads and writes, `trim` offers the edits that are smaller than a
//! statement. `plan` settles what becomes of every node of an [`EditSet`]; `blanked` and `compact` write it out.

mod before;
mod blanked;
mod builtin;
mod case_id;
mod case_words;
mod cases;
mod compact;
mod compose;
mod effect;
mod element;
mod encoding;
mod expr;
mod fixture;
mod given;
mod heirs;
mod kind;
mod lines;
mod list;
mod literal;
mod loading;
mod merge;
mod mutate;
mod one_case;
mod ops;
mod other_tests;
mod outline;
mod parametrize;
mod pin;
mod place;
mod plan;
mod protect;
mod reads_all;
mod rename;
mod round_text;
mod rounds;
mod scope;
mod splice;
mod taken_names;
mod target;
#[cfg(test)]
mod tests;
mod tree;
mod trim;
mod turn_off;
mod unused_imports;
mod write;

pub use encoding::{Encoding, decode, encode};
pub use heirs::heirs;
pub use loading::{Loading, loading};
pub use outline::outline;
pub use taken_names::{TakenNames, taken_names};

use camino::Utf8Path;
use lines::Lines;
use paring_model::{
    Draft, Failure, Form, Frontend, Merger, Mutant, Pinned, Problem, Rounds, RoutineKind, StmtId, StmtKind,
    StmtSet, TargetSpec, TextRange, Token, TokenKind, Unit, Unwritable, WorkingText, Written,
};
use place::Places;
use ruff_python_ast::token::TokenKind as Lexed;
use ruff_python_ast::{ModModule, PySourceType};
use ruff_python_parser::{Parsed, parse_unchecked_source};
use std::collections::BTreeSet;
use target::NodeId;

/// The front end for pytest and unittest files.
#[derive(Clone, Copy, Debug, Default)]
pub struct PythonFrontend;

fn parsed(source: &str) -> Parsed<ModModule> {
    parse_unchecked_source(source, PySourceType::Python)
}

impl Frontend for PythonFrontend {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        let parsed = parsed(source);
        let problems = parsed
            .errors()
            .iter()
            .map(|error| Problem { range: tree::range_of(error), message: error.error.to_string() });
        (unit(path, source, target, &parsed), problems.collect())
    }

    fn with_literals(&self, unit: Unit) -> Unit {
        literal::offer(unit)
    }

    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable> {
        paring_model::write(self, units, draft, form)
    }

    fn pin(&self, source: &str, target: &TargetSpec, failure: &Failure) -> Vec<Pinned> {
        pin::pin(source, target, failure)
    }

    fn assertions(&self, unit: &Unit) -> Vec<TextRange> {
        turn_off::assertions(unit)
    }

    fn rounds(&self, unit: &Unit, stmt: StmtId) -> Option<Rounds> {
        rounds::rounds(unit, stmt)
    }

    fn turned_off(&self, unit: &Unit, off: &[TextRange]) -> Option<WorkingText> {
        turn_off::turned_off(unit, off)
    }

    fn without_unused_imports(&self, before: &str, after: &str) -> String {
        unused_imports::without(before, after)
    }

    fn turns_off(&self, unit: &Unit, id: StmtId) -> bool {
        turn_off::turns_off(unit, id)
    }

    fn reads_all(&self, unit: &Unit, id: StmtId) -> bool {
        reads_all::reads_all(unit.stmt(id).range.of(&unit.source))
    }

    fn test_text(&self, unit: &Unit) -> String {
        let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return String::new() };
        let parsed = parsed(&unit.source);
        let docstrings = unit.stmts.iter().filter(|stmt| stmt.kind == StmtKind::Docstring);
        let docstrings: Vec<TextRange> = docstrings.map(|stmt| stmt.range).collect();
        let lines = Lines::new(&unit.source, &unit.line_starts, parsed.tokens());
        lines.dedented(unit.stmt(def).range, &docstrings)
    }

    fn mutants(&self, path: &Utf8Path, source: &str, lines: &BTreeSet<u32>) -> Vec<Mutant> {
        mutate::mutants(path, source, lines)
    }

    fn merger(&self) -> Option<&dyn Merger> {
        Some(self)
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        let parsed = parsed(text);
        let tokens = parsed.tokens().iter().filter(|token| counts(token.kind()));
        tokens.map(|token| Token { range: tree::range_of(token), kind: token_kind(token.kind()) }).collect()
    }
}

/// Layout and comments are no tokens.
fn counts(kind: Lexed) -> bool {
    !matches!(
        kind,
        Lexed::Comment
            | Lexed::Newline
            | Lexed::NonLogicalNewline
            | Lexed::Indent
            | Lexed::Dedent
            | Lexed::EndOfFile
    )
}

fn token_kind(kind: Lexed) -> TokenKind {
    match kind {
        Lexed::Name => TokenKind::Name,
        Lexed::Int | Lexed::Float | Lexed::Complex => TokenKind::Number,
        Lexed::String | Lexed::FStringStart | Lexed::FStringMiddle | Lexed::FStringEnd => TokenKind::Text,
        _ => TokenKind::Other,
    }
}

fn unit(path: &Utf8Path, source: &str, target: &TargetSpec, parsed: &Parsed<ModModule>) -> Unit {
    let n_bytes = u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes");
    let mut tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let found = target::find(&tree, NodeId::new(&target.id));
    for &class in &found.classes {
        let scope = tree.opens[class.idx()].expect("a class opens a scope");
        tree.scopes.all[scope].related = true;
        let class = tree.nodes[class.idx()].class().expect("a class node");
        tree.scopes.related_names.insert(class.name.to_string());
    }
    let mut places = Places::default();
    let fixtures = fixture::fixtures(&tree);
    let sequence = fixture::sequence(&mut tree, &mut places, source, &found, &fixtures);
    ops::fill(&mut tree, &mut places);
    let mentions = effect::mentions(&tree, &mut places);
    effect::expand(&mut tree, &places, &mentions, &sequence);
    for test in other_tests::other_tests(&tree, &found) {
        if let Some(routine) = tree.defines[test.idx()] {
            tree.routines[routine.idx()].kind = RoutineKind::OtherTest;
        }
    }
    let line_starts = lines::line_starts(source);
    protect::mark(&mut tree, source, &line_starts, parsed.tokens());
    let before = before::protect(&mut tree, &fixtures, path, &target.after);
    let trims = trim::offer(&tree, &mut places, source, parsed.tokens(), &found, &sequence, &target.id);
    Unit {
        path: path.to_owned(),
        source: source.to_owned(),
        stmts: tree.stmts,
        places: places.all,
        routines: tree.routines,
        sequence,
        target: target.id.clone(),
        after: target.after.clone(),
        before,
        test: found.test.and_then(|test| tree.defines[test.idx()]),
        trims,
        literals: Vec::new(),
        masks: StmtSet::default(),
        line_starts,
    }
}

fn test_unit(source: &str, target_id: &str) -> Unit {
    PythonFrontend.parse(Utf8Path::new("test.py"), source, &TargetSpec::new(target_id)).0
}

/// Statements of the test's body: nested ones included, constants not, `elif` as one, other clauses not.
pub fn count_statements(source: &str, target_id: &str) -> Option<usize> {
    let unit = test_unit(source, target_id);
    unit.test.map(|_| unit.test_body().len())
}
