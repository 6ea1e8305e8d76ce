//! Java as a [`Frontend`]: tree-sitter's tree in, a [`Unit`] out, and texts from edited units.
//!
//! The way of the data: `outline` names the classes, `target` finds the test among them, `build` makes the arena in one walk
//! (through `class`, `method`, `stmts` and `expr`), `needs` and `sequence` add what stays and what runs for the test. `plan`
//! settles what becomes of every node of an [`EditSet`]; `blanked` and `compact` write it out.

mod access;
mod attempt;
mod blanked;
mod branches;
mod build;
mod call;
mod case_trim;
mod cases;
mod class;
mod code_lines;
mod compact;
mod compose;
mod declaration;
mod element;
mod expr;
mod kind;
mod lines;
mod literal;
mod loops;
mod merge;
mod method;
mod mutate;
mod needs;
mod one_case;
mod outline;
mod place;
mod plan;
mod protect;
mod remembered;
mod rename;
mod scope;
mod sequence;
mod shape;
mod splice;
mod stmts;
mod syntax;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod turn_off;
mod unused_imports;
mod write;

pub use code_lines::code_lines;
pub use outline::{ClassOutline, Import, Outline, outline};
pub use place::is_variable;
pub use target::split as split_target;

use build::Builder;
use camino::Utf8Path;
use lines::Lines;
use paring_model::{
    Draft, Form, Frontend, Merger, Mutant, Problem, StmtId, StmtSet, Table, TargetSpec, TextRange, Token,
    Unit, Unwritable, WorkingText, Written,
};
use std::collections::BTreeSet;
use tree_sitter::Tree;

/// The front end for `JUnit` 3, 4 and 5.
#[derive(Clone, Copy, Debug, Default)]
pub struct JavaFrontend;

impl Frontend for JavaFrontend {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        let tree = syntax::parsed(source);
        (unit(path, source, target, &tree), syntax::problems(tree.root_node()))
    }

    fn with_literals(&self, unit: Unit) -> Unit {
        literal::offer(unit)
    }

    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable> {
        paring_model::write(self, units, draft, form)
    }

    fn assertions(&self, unit: &Unit) -> Vec<TextRange> {
        turn_off::assertions(unit)
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

    fn table(&self, unit: &Unit, id: StmtId) -> Option<Table> {
        table::table(unit, id)
    }

    /// javac refuses what reads a variable that has no value, wherever it does.
    fn reads_all(&self, _unit: &Unit, _id: StmtId) -> bool {
        true
    }

    fn test_text(&self, unit: &Unit) -> String {
        let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return String::new() };
        let tree = syntax::parsed(&unit.source);
        let lines = Lines::new(&unit.source, &unit.line_starts, tree.root_node());
        let range = unit.stmt(def).range;
        lines.dedented(TextRange::new(lines.documented(range.start), range.end))
    }

    fn mutants(&self, path: &Utf8Path, source: &str, lines: &BTreeSet<u32>) -> Vec<Mutant> {
        mutate::mutants(path, source, lines)
    }

    fn merger(&self) -> Option<&dyn Merger> {
        Some(self)
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        syntax::tokens(syntax::parsed(text).root_node())
    }
}

/// Builds the arena of a text and hands it on.
fn built<'t, R>(tree: &'t Tree, source: &str, target: &str, take: impl FnOnce(Builder<'t, '_>) -> R) -> R {
    let root = tree.root_node();
    let outline = outline::outline_of(root, source);
    let found = target::find(root, source, &outline, target);
    take(build::build(root, source, &outline, &found))
}

fn unit(path: &Utf8Path, source: &str, target: &TargetSpec, tree: &Tree) -> Unit {
    let line_starts = lines::line_starts(source);
    let mut unit = built(tree, source, &target.id, |mut builder| {
        let (sequence, test) = sequence::order(&mut builder);
        needs::fill(&mut builder, tree.root_node());
        Unit {
            path: path.to_owned(),
            source: source.to_owned(),
            stmts: builder.stmts,
            places: builder.places.all,
            routines: builder.routines,
            sequence,
            target: target.id.clone(),
            after: target.after.clone(),
            before: Vec::new(),
            test,
            trims: Vec::new(),
            literals: Vec::new(),
            masks: StmtSet::default(),
            line_starts,
        }
    });
    protect::mark(&mut unit, tree.root_node());
    protect::before(&mut unit, tree.root_node());
    element::offer(&mut unit, tree.root_node());
    case_trim::offer(&mut unit, tree.root_node());
    unit
}

fn test_unit(source: &str, target_id: &str) -> Unit {
    JavaFrontend.parse(Utf8Path::new("Test.java"), source, &TargetSpec::new(target_id)).0
}

/// Statements of the test's body: nested ones included, blocks not, every variable of a declaration as one.
pub fn count_statements(source: &str, target_id: &str) -> Option<usize> {
    let unit = test_unit(source, target_id);
    unit.test.map(|_| unit.test_body().len())
}
