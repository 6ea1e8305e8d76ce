//! A statement with new names for its variables, and with parts of it replaced.

use super::parsed;
use super::splice::{Splice, apply};
use super::tree::range_of;
use paring_model::{Piece, PlaceId, RoutineKind, StmtKind, TextRange, Unit, Unwritable};
use ruff_python_ast::token::TokenKind;
use std::collections::BTreeMap;

/// The unit's source with the piece rewritten where it stands.
pub fn renamed(unit: &Unit, piece: &Piece, names: &BTreeMap<PlaceId, String>) -> Result<String, Unwritable> {
    let range = unit.stmt(piece.stmt).range;
    let new: BTreeMap<&str, &str> = names
        .iter()
        .map(|(place, name)| (unit.place(*place).name.as_str(), name.as_str()))
        .filter(|(old, new)| old != new)
        .collect();
    let mut splices: Vec<Splice> =
        piece.holes.iter().map(|(range, text)| Splice { range: *range, text: text.clone() }).collect();
    if !new.is_empty() {
        refuse_parameters(unit, piece, &new)?;
        splices.extend(names_in(unit, piece, range, &new)?);
    }
    Ok(apply(&unit.source, splices))
}

/// A parameter of a function within the statement may be given by its name: it keeps it, so that nobody else may lose it.
fn refuse_parameters(unit: &Unit, piece: &Piece, new: &BTreeMap<&str, &str>) -> Result<(), Unwritable> {
    let inside = std::iter::once(piece.stmt).chain(unit.descendants(piece.stmt));
    for id in inside.filter(|&id| unit.stmt(id).kind == StmtKind::Def) {
        let own = unit
            .routines
            .iter()
            .filter(|routine| routine.def == Some(id) && routine.kind == RoutineKind::Helper);
        for &param in own.flat_map(|routine| &routine.params) {
            let name = unit.place(param).name.as_str();
            if new.contains_key(name) {
                return Err(Unwritable::NameTaken(name.to_owned()));
            }
        }
    }
    Ok(())
}

fn names_in(
    unit: &Unit,
    piece: &Piece,
    range: TextRange,
    new: &BTreeMap<&str, &str>,
) -> Result<Vec<Splice>, Unwritable> {
    let parsed = parsed(&unit.source);
    let layout = [TokenKind::NonLogicalNewline, TokenKind::Comment];
    let tokens: Vec<(TokenKind, TextRange)> = parsed
        .tokens()
        .iter()
        .map(|token| (token.kind(), range_of(token)))
        .filter(|(kind, at)| range.covers(*at) && !layout.contains(kind))
        .collect();
    let mut splices = Vec::new();
    let mut depth = 0_u32;
    for (idx, (kind, at)) in tokens.iter().enumerate() {
        match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some(name) = new.get(at.of(&unit.source)).filter(|_| *kind == TokenKind::Name) else { continue };
        let before = idx.checked_sub(1).map(|idx| tokens[idx].0);
        let behind = tokens.get(idx + 1).map(|(kind, _)| *kind);
        let is_attribute = before == Some(TokenKind::Dot);
        let is_keyword = depth > 0
            && behind == Some(TokenKind::Equal)
            && matches!(before, Some(TokenKind::Lpar | TokenKind::Comma));
        if is_attribute || is_keyword {
            continue;
        }
        let stmt = unit.stmt_at(at.start).unwrap_or(piece.stmt);
        if unit.stmt(stmt).kind == StmtKind::Import && before != Some(TokenKind::As) {
            return Err(Unwritable::NameTaken(at.of(&unit.source).to_owned()));
        }
        splices.push(Splice { range: *at, text: (*name).to_owned() });
    }
    Ok(splices)
}
