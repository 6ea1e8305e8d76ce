//! The head of a test, taken apart: decorators and `def`, parameters, and the rest up to the colon.

use super::super::lines::{Lines, line_starts};
use super::super::parsed;
use super::super::tree::range_of;
use paring_model::{Refusal, Shape, TextRange};
use ruff_python_ast::token::TokenKind;

pub struct Head {
    /// Up to the name.
    pub before: String,
    /// From the opening bracket on, without the closing one.
    pub params: String,
    /// From the closing bracket to the colon.
    pub behind: String,
    /// The brackets with all between them.
    pub brackets: TextRange,
}

pub fn unsupported() -> Refusal {
    Refusal::new("unsupported", "its head is no plain one")
}

impl Head {
    pub fn of(source: &str, host: &Shape) -> Option<Self> {
        let parsed = parsed(source);
        let head = TextRange::new(host.head_start, host.body.start);
        let layout =
            [TokenKind::NonLogicalNewline, TokenKind::Newline, TokenKind::Comment, TokenKind::Indent];
        let tokens: Vec<(TokenKind, TextRange)> = (parsed.tokens().iter())
            .map(|token| (token.kind(), range_of(token)))
            .filter(|(kind, range)| head.covers(*range) && !layout.contains(kind) && !range.is_empty())
            .collect();
        let at = tokens
            .windows(2)
            .position(|pair| pair[0].0 == TokenKind::Def && pair[1].1.of(source) == host.name)?;
        let name = tokens[at + 1].1;
        let mut depth = 0_u32;
        let close = tokens[at + 2..].iter().find(|(kind, _)| {
            match kind {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *kind == TokenKind::Rpar
        })?;
        let starts = line_starts(source);
        let lines = Lines::new(source, &starts, parsed.tokens());
        let end = lines.content_end(lines.of(host.body.start.max(1) - 1));
        let params = TextRange::new(name.end, close.1.start).of(source);
        let behind = TextRange::new(close.1.start, end).of(source);
        Some(Self {
            before: TextRange::new(host.head_start, name.start).of(source).to_owned(),
            params: params.trim_end().trim_end_matches(',').to_owned(),
            // A comment behind the colon goes with the remarks.
            behind: behind.rfind('#').map_or(behind, |at| &behind[..at]).trim_end().to_owned(),
            brackets: TextRange::new(name.end, close.1.end),
        })
    }

    /// The texts of the parameters.
    pub fn all_params(&self) -> Vec<&str> {
        let inner = self.params.trim_start().trim_start_matches('(');
        inner.split(',').map(str::trim).filter(|param| !param.is_empty()).collect()
    }
}

/// The name of a parameter, with or without an annotation.
pub fn name_of(param: &str) -> &str {
    param.split(':').next().unwrap_or(param).trim()
}
