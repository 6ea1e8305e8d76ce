//! The literals of what runs for the test, each with the edits that make it smaller.
//!
//! Left alone are f-strings, for their text is a program; annotations and patterns; and what [`Unit::offer_text`] and its
//! like refuse: docstrings, headers of definitions, protected statements.
//!
//! [`Unit::offer_text`]: paring_model::Unit::offer_text

use super::list::Items;
use super::parsed;
use super::tree::range_of;
use paring_model::{TextRange, Unit, smaller_numbers};
use ruff_python_ast::token::Token;
use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, walk_expr};
use ruff_python_ast::{Expr, ExprContext, Number, Pattern, StringFlags, UnaryOp};

pub fn offer(mut unit: Unit) -> Unit {
    let source = unit.source.clone();
    let parsed = parsed(&source);
    let mut finder = Finder { unit: &mut unit, source: &source, tokens: parsed.tokens() };
    for stmt in parsed.suite() {
        finder.visit_stmt(stmt);
    }
    unit
}

struct Finder<'u, 's> {
    unit: &'u mut Unit,
    source: &'s str,
    tokens: &'s [Token],
}

impl<'a> SourceOrderVisitor<'a> for Finder<'_, 'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::FString(_) | Expr::TString(_) => return,
            Expr::StringLiteral(string) => {
                for part in &string.value {
                    let is_raw = part.flags.prefix().is_raw();
                    self.text(range_of(part), part.flags, Escapes::of(is_raw, true));
                }
            }
            Expr::BytesLiteral(bytes) => {
                for part in &bytes.value {
                    let is_raw = part.flags.prefix().is_raw();
                    self.text(range_of(part), part.flags, Escapes::of(is_raw, false));
                }
            }
            Expr::NumberLiteral(_) => self.number(expr),
            Expr::UnaryOp(unary) if unary.op == UnaryOp::USub && unary.operand.is_number_literal_expr() => {
                self.number(expr);
                return;
            }
            Expr::List(list) if list.ctx == ExprContext::Load => self.list(expr),
            Expr::Tuple(tuple) if tuple.ctx == ExprContext::Load => self.list(expr),
            Expr::Set(_) | Expr::Dict(_) => self.list(expr),
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_annotation(&mut self, _expr: &'a Expr) {}

    fn visit_pattern(&mut self, _pattern: &'a Pattern) {}
}

impl Finder<'_, '_> {
    fn text(&mut self, range: TextRange, flags: impl StringFlags, escapes: Escapes) {
        let (opener, closer) = (flags.opener_len().to_u32(), flags.closer_len().to_u32());
        let inner = TextRange::new(range.start + opener, (range.end - closer).max(range.start + opener));
        // Where a line ends with a carriage return alone, others count lines in other ways.
        if !inner.of(self.source).replace("\r\n", "").contains('\r') {
            self.unit.offer_text(range, &characters(self.source, inner, escapes));
        }
    }

    /// With the sign before it.
    fn number(&mut self, expr: &Expr) {
        let operand = if let Expr::UnaryOp(unary) = expr { &unary.operand } else { expr };
        let Expr::NumberLiteral(number) = operand else { return };
        if !matches!(number.value, Number::Complex { .. }) {
            let range = range_of(expr);
            self.unit.offer_number(range, smaller_numbers(range.of(self.source)));
        }
    }

    fn list(&mut self, expr: &Expr) {
        let Some(items) = Items::of_literal(self.source, self.tokens, expr) else { return };
        let elements = (0..items.len()).map(|position| items.without(position)).collect();
        self.unit.offer_list(range_of(expr), elements, expr.is_set_expr());
    }
}

/// What a backslash means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escapes {
    Text,
    Bytes,
    /// It only keeps a quote from ending the literal.
    Raw,
}

impl Escapes {
    fn of(is_raw: bool, is_text: bool) -> Self {
        match (is_raw, is_text) {
            (true, _) => Escapes::Raw,
            (false, true) => Escapes::Text,
            (false, false) => Escapes::Bytes,
        }
    }
}

/// The characters of a text, escape sequences whole.
fn characters(source: &str, inner: TextRange, escapes: Escapes) -> Vec<TextRange> {
    let text = inner.of(source);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = length_of_first(&text[at..], escapes);
        let offset =
            |at: usize| inner.start + u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
        found.push(TextRange::new(offset(at), offset(at + length)));
        at += length;
    }
    found
}

/// The bytes of the first character of a text that is not empty.
fn length_of_first(text: &str, escapes: Escapes) -> usize {
    if text.starts_with("\r\n") {
        return 2;
    }
    let mut chars = text.chars();
    let first = chars.next().map_or(0, char::len_utf8);
    if !text.starts_with('\\') {
        return first;
    }
    let rest = &text[1..];
    let Some(next) = rest.chars().next() else { return first };
    let digits =
        |n: usize, radix: u32| rest.chars().skip(1).take(n).take_while(|c| c.is_digit(radix)).count();
    let more = match (next, escapes) {
        ('\r', _) if rest.starts_with("\r\n") => 2,
        (_, Escapes::Raw) => next.len_utf8(),
        ('x', _) => 1 + digits(2, 16),
        ('u', Escapes::Text) => 1 + digits(4, 16),
        ('U', Escapes::Text) => 1 + digits(8, 16),
        ('N', Escapes::Text) if rest.starts_with("N{") => rest.find('}').map_or(1, |end| end + 1),
        ('0'..='7', _) => 1 + digits(2, 8),
        (_, Escapes::Text | Escapes::Bytes) => next.len_utf8(),
    };
    1 + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, escapes: Escapes, expected: &[&str]) {
        let all = TextRange::new(0, u32::try_from(text.len()).unwrap());
        let found: Vec<&str> =
            characters(text, all, escapes).into_iter().map(|range| range.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_escape_sequence_is_one_character() {
        check(r"a\n\\b", Escapes::Text, &["a", r"\n", r"\\", "b"]);
        check(
            r"\x41b\u20acc\U0001F600\N{DASH}\'",
            Escapes::Text,
            &[r"\x41", "b", r"\u20ac", "c", r"\U0001F600", r"\N{DASH}", r"\'"],
        );
        check(r"\1234\08", Escapes::Text, &[r"\123", "4", r"\0", "8"]);
        check("é€\\\nx", Escapes::Text, &["é", "€", "\\\n", "x"]);
    }

    #[test]
    fn bytes_and_raw_texts_have_escapes_of_their_own() {
        check(r"\x00\u12", Escapes::Bytes, &[r"\x00", r"\u", "1", "2"]);
        check(r#"\d\"x"#, Escapes::Raw, &[r"\d", r#"\""#, "x"]);
        check("a\\\r\nb\r\n", Escapes::Raw, &["a", "\\\r\n", "b", "\r\n"]);
    }
}
