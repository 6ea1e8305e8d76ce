//! A unit's text cut into what stays or goes as a whole, and which of it the edits leave.
//!
//! A leaf of the unit is one piece. What a node has beside its parts is cut at white space and around brackets, commas and
//! semicolons. In `f(a, b)` the pieces are `f`, `(`, `a`, `,`, `b` and `)`; without `b` the comma before it goes too.

use paring_model::{EditSet, StmtId, StmtKind, StmtSet, TextRange, Unit};

#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub range: TextRange,
    pub owner: StmtId,
}

/// A piece that stays.
#[derive(Clone, Debug)]
pub struct Kept<'a> {
    /// Among all pieces.
    pub idx: usize,
    pub owner: StmtId,
    pub text: &'a str,
}

/// All pieces, in order.
pub fn pieces(unit: &Unit) -> Vec<Piece> {
    let mut found = Vec::new();
    let trimmed: StmtSet = unit.trims.iter().map(|trim| trim.stmt).collect();
    if !unit.stmts.is_empty() {
        add(unit, StmtId(0), &trimmed, &mut found);
    }
    found
}

fn add(unit: &Unit, id: StmtId, trimmed: &StmtSet, found: &mut Vec<Piece>) {
    let stmt = unit.stmt(id);
    if stmt.children.is_empty() && id != StmtId(0) && !trimmed.contains(id) {
        found.push(Piece { range: stmt.range, owner: id });
        return;
    }
    let mut at = stmt.range.start;
    for &child in &stmt.children {
        cut(unit, TextRange::new(at, unit.stmt(child).range.start), id, found);
        add(unit, child, trimmed, found);
        at = unit.stmt(child).range.end;
    }
    cut(unit, TextRange::new(at, stmt.range.end), id, found);
}

fn cut(unit: &Unit, region: TextRange, owner: StmtId, found: &mut Vec<Piece>) {
    let mut start = None;
    let mut push = |from: u32, to: u32| found.push(Piece { range: TextRange::new(from, to), owner });
    let mut at = region.start;
    for c in region.of(&unit.source).chars() {
        let next = at + u32::try_from(c.len_utf8()).expect("a character has at most four bytes");
        let is_single = "()[]{},;".contains(c);
        if (is_single || c.is_whitespace())
            && let Some(start) = start.take()
        {
            push(start, at);
        }
        if is_single {
            push(at, next);
        } else if !c.is_whitespace() {
            start = start.or(Some(at));
        }
        at = next;
    }
    if let Some(start) = start {
        push(start, at);
    }
}

/// The pieces that the edits leave, with what stands in an emptied block.
pub fn kept<'a>(
    unit: &'a Unit,
    edits: &'a EditSet,
    pieces: &[Piece],
    filler: Option<&'a str>,
) -> Vec<Kept<'a>> {
    let gone = separators(unit, edits, pieces);
    let terminators = terminators(unit, edits, pieces);
    let emptied = if filler.is_some() { emptied(unit, edits) } else { Vec::new() };
    let mut found = Vec::new();
    for (idx, piece) in pieces.iter().enumerate() {
        let owner = piece.owner;
        if let Some(text) = filler
            && let Some(&(_, block)) =
                emptied.iter().find(|(first, _)| unit.stmt(*first).range.start == piece.range.start)
            && found.last().is_none_or(|last: &Kept<'_>| last.text != text || last.owner != block)
        {
            found.push(Kept { idx, owner: block, text });
        }
        let stays =
            edits.kept.contains(owner) && (!edits.unwrapped.contains(owner) || terminators.contains(&idx));
        if !stays || gone.contains(&idx) {
            continue;
        }
        let trimmed = trimmed(unit, edits, piece);
        let text = trimmed.unwrap_or_else(|| piece.range.of(&unit.source));
        if !text.is_empty() {
            found.push(Kept { idx, owner, text });
        }
    }
    found
}

fn trimmed<'a>(unit: &'a Unit, edits: &EditSet, piece: &Piece) -> Option<&'a str> {
    let trims = edits.trims.iter().map(|id| unit.trim(id)).filter(|trim| trim.stmt == piece.owner);
    let mut changes = trims.flat_map(|trim| &trim.edits);
    changes.find(|(range, _)| *range == piece.range).map(|(_, text)| text.as_str())
}

/// What a node's own pieces and parts are, in order.
enum Item {
    Part(StmtId),
    Own(usize),
}

fn items(unit: &Unit, pieces: &[Piece], id: StmtId) -> Vec<Item> {
    let stmt = unit.stmt(id);
    let first = pieces.partition_point(|piece| piece.range.start < stmt.range.start);
    let mut items: Vec<(u32, Item)> = pieces[first..]
        .iter()
        .enumerate()
        .take_while(|(_, piece)| piece.range.start < stmt.range.end)
        .filter(|(_, piece)| piece.owner == id)
        .map(|(idx, piece)| (piece.range.start, Item::Own(first + idx)))
        .collect();
    items.extend(stmt.children.iter().map(|&child| (unit.stmt(child).range.start, Item::Part(child))));
    items.sort_by_key(|(start, _)| *start);
    items.into_iter().map(|(_, item)| item).collect()
}

/// Commas and semicolons that go with what they separate: the one after it, or else the one before.
fn separators(unit: &Unit, edits: &EditSet, pieces: &[Piece]) -> Vec<usize> {
    let mut gone = Vec::new();
    let loses = |id: &StmtId| unit.stmt(*id).children.iter().any(|&child| is_empty(unit, edits, child));
    for id in edits.kept.iter().filter(|&id| !edits.unwrapped.contains(id)).filter(loses) {
        let may_lose_semicolon = !matches!(unit.stmt(id).kind, StmtKind::Loop { .. });
        let is_separator = |idx: usize| match pieces[idx].range.of(&unit.source) {
            "," => true,
            ";" => may_lose_semicolon,
            _ => false,
        };
        let items = items(unit, pieces, id);
        for (at, item) in items.iter().enumerate() {
            let Item::Part(part) = item else { continue };
            if !is_empty(unit, edits, *part) || unit.stmt(*part).kind == StmtKind::Docstring {
                continue;
            }
            let is_open = |idx: &usize| is_separator(*idx) && !gone.contains(idx);
            let after = match items.get(at + 1) {
                Some(Item::Own(idx)) => Some(*idx).filter(is_open),
                _ => None,
            };
            let before = || {
                let left = items[..at].iter().rev().find(|item| match item {
                    Item::Own(idx) => !gone.contains(idx),
                    Item::Part(part) => !is_empty(unit, edits, *part),
                });
                match left {
                    Some(Item::Own(idx)) => Some(*idx).filter(is_open),
                    _ => None,
                }
            };
            let separator = after.or_else(before);
            gone.extend(separator);
        }
    }
    gone
}

/// Whether nothing is left of a node.
pub fn is_empty(unit: &Unit, edits: &EditSet, id: StmtId) -> bool {
    !edits.kept.contains(id)
        || edits.unwrapped.contains(id)
            && unit.stmt(id).children.iter().all(|&child| is_empty(unit, edits, child))
}

/// Semicolons of statements that gave way to an expression in them, which then needs it.
fn terminators(unit: &Unit, edits: &EditSet, pieces: &[Piece]) -> Vec<usize> {
    let gave_way =
        |id: &StmtId| edits.kept.contains(*id) && unit.stmt(*id).counts && !holds_statement(unit, edits, *id);
    let last_own = |id: StmtId| {
        let end = unit.stmt(id).range.end;
        let idx = pieces.partition_point(|piece| piece.range.end < end);
        let is_own = |idx: &usize| {
            pieces.get(*idx).is_some_and(|piece| piece.owner == id && piece.range.of(&unit.source) == ";")
        };
        Some(idx).filter(is_own)
    };
    edits.unwrapped.iter().filter(gave_way).filter_map(last_own).collect()
}

fn holds_statement(unit: &Unit, edits: &EditSet, id: StmtId) -> bool {
    unit.stmt(id).children.iter().any(|&child| {
        let stays = edits.kept.contains(child);
        let is_open = edits.unwrapped.contains(child);
        stays && (unit.stmt(child).counts && !is_open || is_open && holds_statement(unit, edits, child))
    })
}

/// Blocks that are kept and lost all but comments, each with its first part.
fn emptied(unit: &Unit, edits: &EditSet) -> Vec<(StmtId, StmtId)> {
    let is_left = |id: &StmtId| unit.stmt(*id).kind != StmtKind::Docstring && !is_empty(unit, edits, *id);
    let blocks = edits.kept.iter().filter(|&id| unit.stmt(id).kind == StmtKind::Block);
    blocks
        .filter(|&id| !edits.unwrapped.contains(id) && !unit.stmt(id).children.iter().any(is_left))
        .filter_map(|id| Some((*unit.stmt(id).children.first()?, id)))
        .collect()
}
