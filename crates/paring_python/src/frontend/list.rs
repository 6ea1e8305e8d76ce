//! Items of comma-separated lists, and how to take some of them out so that any choice leaves a valid list.

use paring_model::TextRange;
use ruff_python_ast::Expr;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_text_size::Ranged;

/// The items of one list.
#[derive(Clone, Debug)]
pub struct Items {
    /// What to delete for each.
    deletions: Vec<TextRange>,
    /// Ends of the items, parentheses included.
    last_end: u32,
    has_trailing_comma: bool,
    is_tuple: bool,
}

fn is_trivia(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comment
            | TokenKind::NonLogicalNewline
            | TokenKind::Newline
            | TokenKind::Indent
            | TokenKind::Dedent
    )
}

fn significant(tokens: &[Token], from: u32, to: u32) -> impl DoubleEndedIterator<Item = &Token> {
    let start = tokens.partition_point(|token| token.start().to_u32() < from);
    let end = tokens.partition_point(|token| token.start().to_u32() < to).max(start);
    tokens[start..end].iter().filter(|token| !is_trivia(token.kind()))
}

impl Items {
    /// Of a list, tuple, set or dict display. `None` for what is not one, and where an item is unpacked into it.
    pub fn of_literal(source: &str, tokens: &[Token], literal: &Expr) -> Option<Self> {
        let ranges: Vec<TextRange> = match literal {
            Expr::List(list) => list.elts.iter().map(plain).collect::<Option<_>>()?,
            Expr::Set(set) => set.elts.iter().map(plain).collect::<Option<_>>()?,
            Expr::Tuple(tuple) if tuple.parenthesized => {
                tuple.elts.iter().map(plain).collect::<Option<_>>()?
            }
            Expr::Dict(dict) => {
                let pairs = dict.items.iter().map(|item| {
                    Some(TextRange::new(item.key.as_ref()?.start().to_u32(), item.value.end().to_u32()))
                });
                pairs.collect::<Option<_>>()?
            }
            _ => return None,
        };
        let (lower, close) = (literal.start().to_u32() + 1, literal.end().to_u32().checked_sub(1)?);
        let mut items = Self::new(source, tokens, &ranges, (lower, close), true)?;
        items.is_tuple = literal.is_tuple_expr();
        Some(items)
    }

    /// Of names, parameters or `with` items.
    pub fn of_ranges(source: &str, tokens: &[Token], ranges: &[TextRange], limit: u32) -> Option<Self> {
        let (first, last) = (ranges.first()?, ranges.last()?);
        let comma =
            significant(tokens, last.end, limit).next().filter(|token| token.kind() == TokenKind::Comma);
        let close = comma.map_or(last.end, |token| token.end().to_u32());
        let after = significant(tokens, close, limit).next().map(Token::kind);
        let is_enclosed = after == Some(TokenKind::Rpar);
        Self::new(source, tokens, ranges, (first.start, close), is_enclosed)
    }

    /// `bounds` are the first byte of the list and the first after it. A list that is not enclosed in brackets may not
    /// lose its line ends.
    fn new(
        source: &str,
        tokens: &[Token],
        ranges: &[TextRange],
        (lower, close): (u32, u32),
        is_enclosed: bool,
    ) -> Option<Self> {
        let mut starts = vec![significant(tokens, lower, close).next()?.start().to_u32()];
        let mut commas: Vec<Option<u32>> = Vec::new();
        for (position, range) in ranges.iter().enumerate() {
            let comma = significant(tokens, range.end, close).find(|token| token.kind() == TokenKind::Comma);
            let comma = comma.map(|token| token.end().to_u32());
            commas.push(comma);
            if position + 1 < ranges.len() {
                starts.push(significant(tokens, comma?, close).next()?.start().to_u32());
            }
        }
        let last = significant(tokens, *starts.last()?, close)
            .rev()
            .find(|token| token.kind() != TokenKind::Comma)?;
        let last_end = last.end().to_u32();
        let mut deletions = Vec::new();
        for (position, &start) in starts.iter().enumerate() {
            let end = commas[position].unwrap_or(last_end);
            let next = starts.get(position + 1).copied().unwrap_or(end).max(end);
            let has_line_end = source[end as usize..next as usize].contains(['\n', '\r']);
            let plain = TextRange::new(start, if has_line_end && !is_enclosed { end } else { next });
            let lines = if is_enclosed { whole_lines(source, start, end) } else { None };
            deletions.push(lines.unwrap_or(plain));
        }
        let has_trailing_comma = commas.last().is_some_and(Option::is_some);
        Some(Self { deletions, last_end, has_trailing_comma, is_tuple: false })
    }

    pub fn len(&self) -> usize {
        self.deletions.len()
    }

    /// The edits that take out one item.
    pub fn without(&self, position: usize) -> Vec<(TextRange, String)> {
        self.without_all(&[position])
    }

    /// The edits that take out all items but one.
    pub fn only(&self, position: usize) -> Vec<(TextRange, String)> {
        let others: Vec<usize> = (0..self.len()).filter(|&other| other != position).collect();
        self.without_all(&others)
    }

    fn without_all(&self, positions: &[usize]) -> Vec<(TextRange, String)> {
        let mut edits: Vec<(TextRange, String)> = Vec::new();
        for &position in positions {
            let range = self.deletions[position];
            match edits.last_mut() {
                Some((last, _)) if range.start <= last.end => last.end = last.end.max(range.end),
                Some(_) | None => edits.push((range, String::new())),
            }
        }
        // The last item may come to stand alone, and a tuple of one needs its comma.
        if self.is_tuple && !self.has_trailing_comma && !positions.contains(&(self.len() - 1)) {
            edits.push((TextRange::new(self.last_end, self.last_end), ",".to_owned()));
        }
        edits
    }
}

fn plain(expr: &Expr) -> Option<TextRange> {
    (!expr.is_starred_expr()).then(|| super::tree::range_of(expr))
}

/// Where the comment lines that a text ends with begin.
fn with_comments(text: &str) -> usize {
    let mut first = text.len();
    for line in text.split_inclusive('\n').rev() {
        if !line.trim_start().starts_with('#') {
            break;
        }
        first -= line.len();
    }
    first
}

/// The lines of an item that shares them with nothing but white space and a comment after it, with the comments over it.
fn whole_lines(source: &str, start: u32, end: u32) -> Option<TextRange> {
    let before = &source[..start as usize];
    let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let after = &source[end as usize..];
    let line_end = after.find('\n')? + 1;
    let rest = after[..line_end].trim();
    let is_alone = before[line_start..].trim().is_empty() && (rest.is_empty() || rest.starts_with('#'));
    let offset = |at: usize| u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
    let first = with_comments(&before[..line_start]);
    is_alone.then(|| TextRange::new(offset(first), end + offset(line_end)))
}
