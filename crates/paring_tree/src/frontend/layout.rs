//! Kept pieces as a person would write them: no holes, no trailing blanks, what was nested deeper moved out.
//!
//! Between two pieces that stood side by side stays what stood between them, byte for byte. Where something went, the white
//! space before it or that after it stays; where a node gave way to a part, that part has the node's surroundings.

use super::piece::{Kept, Piece, kept, pieces};
use paring_model::{EditSet, StmtId, TextRange, Unit};

/// The text that the edits make of a unit.
pub fn text(unit: &Unit, edits: &EditSet, filler: Option<&str>) -> String {
    let pieces = pieces(unit);
    let kept = kept(unit, edits, &pieces, filler);
    let page = Page { unit, edits, pieces: &pieces, kept: &kept };
    let mut text = page.head();
    for (at, piece) in kept.iter().enumerate() {
        if at > 0 {
            text.push_str(&page.gap(at));
        }
        text.push_str(piece.text);
    }
    text.push_str(page.tail());
    text
}

struct Page<'a> {
    unit: &'a Unit,
    edits: &'a EditSet,
    pieces: &'a [Piece],
    kept: &'a [Kept<'a>],
}

impl Page<'_> {
    /// What stands before the first piece.
    fn head(&self) -> String {
        match self.kept.first() {
            Some(first) if first.idx > 0 => String::new(),
            _ => self.before(0).to_owned(),
        }
    }

    /// What stands behind the last piece.
    fn tail(&self) -> &str {
        match self.kept.last() {
            Some(last) if last.idx + 1 < self.pieces.len() => {
                let ends = self.unit.source.ends_with('\n');
                if ends { self.newline() } else { "" }
            }
            Some(_) => self.before(self.pieces.len()),
            None => "",
        }
    }

    /// What stands between a kept piece and the one before it.
    fn gap(&self, at: usize) -> String {
        let (left, right) = (&self.kept[at - 1], &self.kept[at]);
        if left.idx + 1 == right.idx {
            return moved(self.before(right.idx), self.shift(right.owner));
        }
        let opened = self.opened(at);
        let after = self.before(opened.map_or(right.idx, |node| self.first_of(node)));
        let closed = self.closed(at - 1);
        let before = self.before(closed.map_or(left.idx + 1, |node| self.last_of(node) + 1));
        let shift = match opened {
            Some(node) => self.unit.stmt(node).parent.map_or(0, |parent| self.shift(parent)),
            None => self.shift(right.owner),
        };
        self.joined(left.text, before, after, right.text, shift)
    }

    fn joined(&self, left: &str, before: &str, after: &str, right: &str, shift: i64) -> String {
        let n_newlines = |gap: &str| gap.matches('\n').count();
        let n = match (n_newlines(before), n_newlines(after)) {
            (0, 0) => {
                return if is_spaced(left, before, after, right) { " ".to_owned() } else { String::new() };
            }
            // What stood apart from one of the two that went stands apart from what comes next.
            (n, m) => n.max(m),
        };
        let is_edge = left.ends_with('{') || left.ends_with(':') || right.starts_with('}');
        let n = if is_edge { 1 } else { n };
        let indent = if after.contains('\n') { after } else { before };
        let indent = indent.rsplit('\n').next().unwrap_or_default();
        self.newline().repeat(n) + &shifted(indent, shift)
    }

    /// The outermost node of which a kept piece is the first that is left.
    fn opened(&self, at: usize) -> Option<StmtId> {
        let left = self.pieces[self.kept[at - 1].idx].range.end;
        let ups = self.ups(self.kept[at].owner);
        ups.take_while(|&up| left <= self.unit.stmt(up).range.start).last()
    }

    /// The outermost node of which a kept piece is the last that is left.
    fn closed(&self, at: usize) -> Option<StmtId> {
        let right = self.pieces[self.kept[at + 1].idx].range.start;
        let ups = self.ups(self.kept[at].owner);
        ups.take_while(|&up| self.unit.stmt(up).range.end <= right).last()
    }

    fn ups(&self, id: StmtId) -> impl Iterator<Item = StmtId> + '_ {
        std::iter::once(id).chain(self.unit.ancestors(id))
    }

    /// How far the lines of a node are moved: for every node around it that is gone, what its parts were nested deeper.
    fn shift(&self, id: StmtId) -> i64 {
        self.ups(id)
            .filter(|&up| self.edits.unwrapped.contains(up))
            .filter_map(|up| {
                let stmt = self.unit.stmt(up);
                let first = stmt.children.iter().find(|child| self.edits.kept.contains(**child))?;
                Some(self.indent(stmt.range) - self.indent(self.unit.stmt(*first).range))
            })
            .sum()
    }

    /// The indentation of the line a range begins in.
    fn indent(&self, range: TextRange) -> i64 {
        let start = self.unit.line_starts[self.unit.line_of(range.start) as usize - 1] as usize;
        let line = &self.unit.source[start..];
        let n = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        i64::try_from(n).expect("a line is short")
    }

    fn first_of(&self, node: StmtId) -> usize {
        let start = self.unit.stmt(node).range.start;
        self.pieces.partition_point(|piece| piece.range.start < start)
    }

    fn last_of(&self, node: StmtId) -> usize {
        let end = self.unit.stmt(node).range.end;
        self.pieces.partition_point(|piece| piece.range.end < end)
    }

    /// The white space before a piece; behind the last one where there is no such piece.
    fn before(&self, idx: usize) -> &str {
        let from = idx.checked_sub(1).map_or(0, |left| self.pieces[left].range.end as usize);
        let to = self.pieces.get(idx).map_or(self.unit.source.len(), |piece| piece.range.start as usize);
        &self.unit.source[from..to]
    }

    fn newline(&self) -> &'static str {
        if self.unit.source.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

/// A gap as it was, but for its last line's indentation.
fn moved(gap: &str, shift: i64) -> String {
    match gap.rsplit_once('\n') {
        Some((lines, indent)) if shift != 0 => format!("{lines}\n{}", shifted(indent, shift)),
        _ => gap.to_owned(),
    }
}

fn shifted(indent: &str, shift: i64) -> String {
    let shift = isize::try_from(shift).expect("a line is short");
    if shift <= 0 {
        let n = indent.len().saturating_sub(shift.unsigned_abs());
        return indent[..n].to_owned();
    }
    let with = if indent.starts_with('\t') { "\t" } else { " " };
    indent.to_owned() + &with.repeat(shift.unsigned_abs())
}

/// Whether two pieces that came together in one line stand apart.
fn is_spaced(left: &str, before: &str, after: &str, right: &str) -> bool {
    let spaced = if left.ends_with(['(', '[', '.', '!']) {
        !before.is_empty()
    } else if right.starts_with([';', ',', ')', ']', '.', ':']) {
        !after.is_empty()
    } else {
        !before.is_empty() || !after.is_empty()
    };
    spaced || would_join(left, right)
}

/// Whether two pieces side by side would be read as one.
fn would_join(left: &str, right: &str) -> bool {
    let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else { return false };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_operator = |c: char| "+-*/%&|^<>=!~?:.@#".contains(c);
    is_word(last) && is_word(first) || is_operator(last) && is_operator(first)
}
