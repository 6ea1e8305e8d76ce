//! A toy language in which a line is a statement, to try the engine without a real one.
//!
//! ```text
//! test:
//!   a = 1          defines a
//!   b = a c        reads a and c, defines b
//!   b ! a          calls something on b with a, and drops the result
//!   b ? a = c      b = a.call(c): reads a, defines b, and the call's result is used
//!   b += a         changes b with a
//!   b.put(a)       calls a method of b for its effect; `c = b.get(a)` for its value
//!   check(a)       calls a function; `Box(a)` a constructor
//!   if a:          a block, with `elif a:` and `else:`
//!     c = b
//!   for x in {a,b}:    a loop, and elements of which each may go; `loop a:` is another
//!     break        or `continue`
//!   try:           with `catch e:`, `else:` and `finally:`
//!     raise a
//!   with a:        `expect a:` waits for an exception, `block:` is a plain block
//!   helper f a:    a function within the test
//!     return a
//!   assert b       reads b
//! ```
//!
//! Before the test there may be other definitions and statements. Names of theirs are known to all that follows:
//!
//! ```text
//! use a b          an import, whose names may go one by one
//! d = 1            a statement of the file's top level
//! helper f a:      a function
//! setup:           runs before the test
//!   @c = 1         `@c` is a member of the test object
//! fixture g a:     gives its value to the test and the fixtures below that have a parameter of its name
//!   yield a        or `return a`
//! earlier x:       another test, called `x`
//! test g:          the test, with a parameter that may go; others are called `test_2`, `test_price`
//! ```
//!
//! An `assert` is turned off by `with off:` around it; `assert! b` cannot be.
//!
//! Words that start with a letter are names; `'text'`, `[a,b]` and numbers are literals; `# keep` at the end of a line
//! protects it. The test is the first definition of the name that the target ends with, or of a `test`. Nothing is ever broken: what makes no sense reads the names
//! in it.

use crate::line_literals;
use crate::line_parse::{offset, parse};
use camino::Utf8Path;
use paring_model::{
    Draft, Form, Frontend, Mutant, Operator, Problem, StmtId, StmtKind, TargetSpec, TextRange, Token,
    TokenKind, Unit, Unwritable, WorkingText, Written,
};
use std::collections::BTreeSet;

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
        (parse(path, source, target), Vec::new())
    }

    fn with_literals(&self, unit: Unit) -> Unit {
        line_literals::offer(unit)
    }

    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable> {
        paring_model::write(self, units, draft, form)
    }

    fn assertions(&self, unit: &Unit) -> Vec<TextRange> {
        let all = unit.ids().filter(|&id| unit.stmt(id).kind == StmtKind::Assert);
        all.map(|id| unit.stmt(id).range).collect()
    }

    fn turned_off(&self, unit: &Unit, off: &[TextRange]) -> Option<WorkingText> {
        let splice = |range: &TextRange| {
            let at = TextRange::new(range.start, range.start);
            let can_be = !range.of(&unit.source).starts_with("assert!");
            can_be.then(|| (at, "with off:\n    ".to_owned()))
        };
        let splices = off.iter().map(splice).collect::<Option<_>>()?;
        Some(WorkingText::spliced(&unit.source, splices))
    }

    fn turns_off(&self, unit: &Unit, id: StmtId) -> bool {
        unit.stmt(id).range.of(&unit.source).starts_with("with off:")
    }

    /// Each line asked for without its text.
    fn mutants(&self, path: &Utf8Path, source: &str, lines: &BTreeSet<u32>) -> Vec<Mutant> {
        let all = (1..).zip(source.lines()).filter(|(line, _)| lines.contains(line));
        let gone = |(line, text): (u32, &str)| {
            let start = offset(text.as_ptr().addr() - source.as_ptr().addr());
            Mutant {
                path: path.to_owned(),
                line,
                operator: Operator::Statement,
                range: TextRange::new(start, start + offset(text.len())),
                from: text.to_owned(),
                to: String::new(),
            }
        };
        all.map(gone).collect()
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

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    use paring_model::{EditSet, Op, PlaceId};

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
        let compact = LineFrontend.edited(&unit, &edits, Form::Compact);
        assert_eq!(compact.text(), "test:\n  b = a\n  b ! a  # keep\n  assert b\n");
        let blanked = LineFrontend.edited(&unit, &edits, Form::Blanked);
        assert_eq!(blanked.text(), "test:\n\n\n    b = a\n    b ! a  # keep\n  assert b\n");
    }

    const FILE: &str = "use a b\nhelper f x:\n  return x\nsetup:\n  @c = 1\nfixture h:\n  return 1\nfixture k:\n  return 2\n\
        fixture g h:\n  yield h\n  h ! close\nearlier y:\n  a ! b\ntest g:\n  try:\n    n = f(g)\n  catch e:\n    \
        n = e\n  else:\n    n += a\n  for v in {n,g}:\n    v.put(n)\n  assert @c\n";

    fn stmt(unit: &Unit, line: &str) -> StmtId {
        let is_it = |id: &StmtId| unit.stmt(*id).header.of(&unit.source) == line;
        unit.ids().find(is_it).expect("the line is there")
    }

    #[test]
    fn fixtures_that_are_asked_for_run_before_the_test() {
        let unit = LineFrontend::unit(FILE);
        let names: Vec<&str> = unit.sequence.iter().map(|&id| unit.routine(id).name.as_str()).collect();
        assert_eq!(names, ["", "test", "h", "g", "test"]);
        let own = unit.routine(unit.test.unwrap()).params[0];
        assert!(unit.stmt(stmt(&unit, "yield h")).ops.contains(&Op::Define(own)));
        assert!(unit.stmt(stmt(&unit, "n = f(g)")).ops.contains(&Op::Use(own)));
    }

    #[test]
    fn clauses_are_parts_of_their_statement_and_go_with_its_header() {
        let unit = LineFrontend::unit(FILE);
        let block = stmt(&unit, "try:");
        let kinds: Vec<StmtKind> = unit.stmt(block).children.iter().map(|&id| unit.stmt(id).kind).collect();
        assert_eq!(kinds, [StmtKind::Simple, StmtKind::Handler, StmtKind::Else]);
        let mut edits = EditSet::all(&unit);
        edits.unwrapped.insert(block);
        edits.remove(&unit, stmt(&unit, "catch e:"));
        let text = LineFrontend.edited(&unit, &edits, Form::Compact).into_text();
        assert!(text.contains("test g:\n  n = f(g)\n  n += a\n  for"), "{text}");
    }

    #[test]
    fn names_of_imports_parameters_and_elements_can_go() {
        let unit = LineFrontend::unit(FILE);
        let mut edits = EditSet::all(&unit);
        edits.trims.extend(unit.trim_ids().step_by(2));
        let text = LineFrontend.edited(&unit, &edits, Form::Compact).into_text();
        let lines: Vec<&str> = text.lines().filter(|line| line.ends_with(['b', ':'])).collect();
        assert_eq!(
            lines,
            [
                "use b",
                "helper f x:",
                "setup:",
                "fixture h:",
                "fixture k:",
                "fixture g:",
                "earlier y:",
                "  a ! b",
                "test g:",
                "  try:",
                "  catch e:",
                "  else:",
                "  for v in {g}:"
            ]
        );
    }

    #[test]
    fn an_earlier_test_that_is_to_run_before_is_protected() {
        let target =
            TargetSpec { id: "test.lines::test".to_owned(), after: vec!["test.lines::y".to_owned()] };
        let unit = LineFrontend.parse(Utf8Path::new("test.lines"), FILE, &target).0;
        assert_eq!(unit.before, [stmt(&unit, "earlier y:")]);
        assert!(unit.stmt(stmt(&unit, "a ! b")).protected);
    }

    #[test]
    fn the_toy_passes_the_suite_of_every_front_end() {
        for source in [SOURCE, FILE] {
            crate::conformance::frontend(&LineFrontend, "test.lines", source, "test.lines::test");
        }
    }
}
