//! Literals that may become smaller. They are offered only where the user asks for it (`--literals`): there are many.
//!
//! A literal becomes smaller by trims of its own, so that drafts, their order and what is remembered of them need to know
//! nothing new:
//!
//! | kind | a trim of it | several trims of it |
//! |---|---|---|
//! | [`LiteralKind::Text`] | takes out a character, or an escape sequence | take out all of them |
//! | [`LiteralKind::List`] | takes out an element | take out all of them |
//! | [`LiteralKind::Number`] | puts a smaller number in its place | the first one counts: it is the smallest |
//!
//! ```text
//! send(["a", "bc"], 20)    a list of 2 elements, texts of 1 and 2 characters, a number with 0, 1, 2, 5 and 10 in its place
//! ```

use crate::draft::{EditSet, TrimSet};
use crate::text::TextRange;
use crate::unit::{RoutineId, StmtId, StmtKind, Trim, TrimId, TrimKind, Unit};

/// More parts of one text are put together: each costs memory, and none of them matters much.
const MAX_PARTS: usize = 10_000;

/// A literal within a statement.
#[derive(Clone, Debug)]
pub struct Literal {
    pub kind: LiteralKind,
    pub stmt: StmtId,
    pub range: TextRange,
    /// In source order; of a number, the smallest first.
    pub trims: Vec<TrimId>,
    /// Whether it would be something else without any element: `{1}` is a set, `{}` is none.
    pub keeps_one: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiteralKind {
    /// A string, or bytes.
    Text,
    /// Anything with elements: a list, a tuple, a set, a dict, an array.
    List,
    Number,
}

impl Literal {
    /// What stands in the place of a text or a number; `None` where it is as it was. Of a list the trims themselves tell.
    fn replacement(&self, unit: &Unit, taken: &TrimSet) -> Option<String> {
        let mut active = self.trims.iter().filter(|&&id| taken.contains(id)).map(|&id| unit.trim(id));
        match self.kind {
            LiteralKind::List => None,
            LiteralKind::Number => active.next().map(|trim| trim.edits[0].1.clone()),
            LiteralKind::Text => {
                let mut text = String::new();
                let mut at = self.range.start;
                for trim in active {
                    let gone = trim.edits[0].0;
                    text.push_str(TextRange::new(at, gone.start).of(&unit.source));
                    at = gone.end;
                }
                text.push_str(TextRange::new(at, self.range.end).of(&unit.source));
                (at > self.range.start).then_some(text)
            }
        }
    }
}

/// The texts and numbers that become smaller with all that stands in their place, in source order.
pub fn replacements(unit: &Unit, edits: &EditSet) -> Vec<(StmtId, TextRange, String)> {
    let cuts = cuts(unit, edits);
    let mut found: Vec<(StmtId, TextRange, String)> = (unit.literals.iter())
        .filter(|literal| !cuts.iter().any(|cut| cut.covers(literal.range)))
        .filter_map(|literal| {
            let text = literal.replacement(unit, &edits.trims)?;
            Some((literal.stmt, literal.range, text))
        })
        .collect();
    found.sort_by_key(|(_, range, _)| *range);
    found
}

/// The literals of written statements that have become smaller.
pub fn smaller<'u>(unit: &'u Unit, edits: &EditSet) -> Vec<&'u Literal> {
    let cuts = cuts(unit, edits);
    let is_there = |literal: &&Literal| {
        edits.kept.contains(literal.stmt)
            && !edits.unwrapped.contains(literal.stmt)
            && !cuts.iter().any(|cut| cut.covers(literal.range))
    };
    let is_smaller = |literal: &&Literal| literal.trims.iter().any(|&id| edits.trims.contains(id));
    unit.literals.iter().filter(is_smaller).filter(is_there).collect()
}

/// What the trims of an edited unit take out of its statements, characters of texts aside.
pub fn cuts(unit: &Unit, edits: &EditSet) -> Vec<TextRange> {
    let trims = edits.trims.iter().map(|id| unit.trim(id)).filter(|trim| !trim.kind.is_within_token());
    let deleted = trims.flat_map(|trim| trim.edits.iter()).filter(|(_, text)| text.is_empty());
    deleted.map(|(range, _)| *range).collect()
}

/// The replacement of a literal with what keeps all that follows in its line and column. `join` ends a line within a
/// statement.
pub fn padded(old: &str, new: &str, join: &str) -> String {
    let n_lines = |text: &str| text.matches('\n').count();
    let last = |text: &str| text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    let n_lost = n_lines(old) - n_lines(new).min(n_lines(old));
    let n_spaces = if n_lost > 0 { last(old) } else { last(old).saturating_sub(last(new)) };
    format!("{new}{}{}", join.repeat(n_lost), " ".repeat(n_spaces))
}

/// The statement that a literal belongs to, where it is one whose literals may change: it runs for the target, nobody
/// protects it, and what it is does not depend on them, as that of a parametrised test, a handler or a case does.
pub fn holder(unit: &Unit, range: TextRange) -> Option<StmtId> {
    let id = unit.stmt_at(range.start)?;
    let stmt = unit.stmt(id);
    let has_values = match stmt.kind {
        StmtKind::Simple
        | StmtKind::Assert
        | StmtKind::Raise
        | StmtKind::Return
        | StmtKind::If
        | StmtKind::Elif
        | StmtKind::Loop { .. }
        | StmtKind::With { .. }
        | StmtKind::Match => true,
        StmtKind::Import
        | StmtKind::Docstring
        | StmtKind::Break { .. }
        | StmtKind::Continue { .. }
        | StmtKind::Try
        | StmtKind::Def
        | StmtKind::Class
        | StmtKind::Block
        | StmtKind::Else
        | StmtKind::Handler
        | StmtKind::Finally
        | StmtKind::Case => false,
    };
    let is_protected = std::iter::once(id)
        .chain(unit.ancestors(id))
        .any(|up| unit.stmt(up).protected && unit.stmt(up).header.covers(range));
    (has_values && stmt.header.covers(range) && !is_protected && runs_for_target(unit, stmt.routine))
        .then_some(id)
}

/// In a routine of the sequence that is not the file's, or in a definition nested in one.
fn runs_for_target(unit: &Unit, routine: RoutineId) -> bool {
    std::iter::successors(Some(routine), |&routine| {
        unit.routine(routine).def.map(|def| unit.stmt(def).routine)
    })
    .take_while(|routine| routine.idx() != 0)
    .any(|routine| unit.sequence.contains(&routine))
}

impl Unit {
    /// Offers a text that may lose any of these parts. Nothing, where it has none or its statement must not change.
    pub fn offer_text(&mut self, range: TextRange, parts: &[TextRange]) {
        let n_together = parts.len().div_ceil(MAX_PARTS).max(1);
        let edits = parts.chunks(n_together).map(|together| {
            let whole = TextRange::new(together[0].start, together[together.len() - 1].end);
            vec![(whole, String::new())]
        });
        self.offer(LiteralKind::Text, range, edits.collect(), false);
    }

    /// Offers a number with others to put in its place, the smallest first.
    pub fn offer_number(&mut self, range: TextRange, smaller: Vec<String>) {
        let edits = smaller.into_iter().map(|text| vec![(range, text)]).collect();
        self.offer(LiteralKind::Number, range, edits, false);
    }

    /// Offers a list, with the edits that take out each of its elements.
    pub fn offer_list(&mut self, range: TextRange, elements: Vec<Vec<(TextRange, String)>>, keeps_one: bool) {
        self.offer(LiteralKind::List, range, elements, keeps_one);
    }

    fn offer(
        &mut self,
        kind: LiteralKind,
        range: TextRange,
        edits: Vec<Vec<(TextRange, String)>>,
        keeps_one: bool,
    ) {
        let Some(stmt) = holder(self, range).filter(|_| !edits.is_empty()) else { return };
        let trim_kind = match kind {
            LiteralKind::Text => TrimKind::Characters,
            LiteralKind::List => TrimKind::Item,
            LiteralKind::Number => TrimKind::Number,
        };
        let first = self.trims.len();
        self.trims.extend(edits.into_iter().map(|edits| Trim {
            kind: trim_kind,
            stmt,
            edits,
            unused: Vec::new(),
            label: String::new(),
        }));
        let trims = (first..self.trims.len()).map(TrimId::from_idx).collect();
        self.literals.push(Literal { kind, stmt, range, trims, keeps_one });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        assert_eq!(padded(old, new, "\\\n"), expected);
    }

    #[test]
    fn what_follows_a_smaller_literal_stays_in_its_line_and_column() {
        check("'abc'", "'a'", "'a'  ");
        check("1000", "0", "0   ");
        check("'é'", "''", "''  ");
        check("'''a\nbc'''", "'''a\n'''", "'''a\n'''  ");
        check("'''a\nbc'''", "''''''", "''''''\\\n     ");
        check("'''a\nb\nc'''", "'''a\nc'''", "'''a\nc'''\\\n    ");
    }
}
