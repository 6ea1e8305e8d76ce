//! The lines of a source text: where they start, what they are indented by, which hold only a comment or begin inside a
//! string.

use paring_model::TextRange;
pub use paring_model::text::line_starts;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_text_size::Ranged;

pub struct Lines<'s> {
    source: &'s str,
    starts: &'s [u32],
    /// Lines that hold a comment and nothing else.
    comments: Vec<bool>,
    /// Lines that begin inside a string.
    in_string: Vec<bool>,
}

impl<'s> Lines<'s> {
    pub fn new(source: &'s str, starts: &'s [u32], tokens: &[Token]) -> Self {
        let mut lines = Self {
            source,
            starts,
            comments: vec![false; starts.len()],
            in_string: vec![false; starts.len()],
        };
        let mut opened: Vec<u32> = Vec::new();
        for token in tokens {
            let (start, end) = (token.start().to_u32(), token.end().to_u32());
            match token.kind() {
                TokenKind::Comment => {
                    let line = lines.of(start);
                    let before = &source[starts[line] as usize..start as usize];
                    lines.comments[line] = before.trim().is_empty();
                }
                TokenKind::String => lines.mark_string(start, end),
                TokenKind::FStringStart | TokenKind::TStringStart => opened.push(start),
                TokenKind::FStringEnd | TokenKind::TStringEnd => {
                    let start = opened.pop().unwrap_or(start);
                    lines.mark_string(start, end);
                }
                _ => {}
            }
        }
        lines
    }

    fn mark_string(&mut self, start: u32, end: u32) {
        let (first, last) = (self.of(start), self.of(end));
        self.in_string[first + 1..=last.max(first)].fill(true);
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// The line an offset is in.
    pub fn of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    pub fn start(&self, line: usize) -> u32 {
        self.starts.get(line).copied().unwrap_or_else(|| self.end_of_file())
    }

    fn end_of_file(&self) -> u32 {
        u32::try_from(self.source.len()).expect("a source file has fewer than 2^32 bytes")
    }

    /// With its line end.
    pub fn text(&self, line: usize) -> &'s str {
        &self.source[self.start(line) as usize..self.start(line + 1) as usize]
    }

    /// The white space a line begins with.
    pub fn indent(&self, line: usize) -> &'s str {
        let text = self.text(line);
        &text[..text.len() - text.trim_start_matches([' ', '\t', '\x0c']).len()]
    }

    /// The end of the line's text, its line end left out.
    pub fn content_end(&self, line: usize) -> u32 {
        let text = self.text(line).trim_end_matches(['\n', '\r']);
        self.start(line) + u32::try_from(text.len()).expect("a source file has fewer than 2^32 bytes")
    }

    pub fn line_end(&self, line: usize) -> &'static str {
        let text = self.text(line);
        if text.ends_with("\r\n") {
            "\r\n"
        } else if text.ends_with('\r') {
            "\r"
        } else {
            "\n"
        }
    }

    pub fn is_blank(&self, line: usize) -> bool {
        self.text(line).trim().is_empty()
    }

    pub fn is_comment(&self, line: usize) -> bool {
        self.comments[line]
    }

    pub fn begins_in_string(&self, line: usize) -> bool {
        self.in_string[line]
    }

    /// The last line of a statement, or of the comments that stand below it in its block.
    pub fn last_of_block(&self, range: TextRange) -> usize {
        let column = self.indent(self.of(range.start)).len();
        let last = self.of(range.end.max(range.start + 1) - 1);
        let below = (last + 1..self.len()).take_while(|&line| {
            self.is_blank(line) || self.is_comment(line) && self.indent(line).len() > column
        });
        below.filter(|&line| self.is_comment(line)).last().unwrap_or(last)
    }

    /// The text of a range as it would stand at the top of a file; what begins inside a string stays, docstrings apart.
    pub fn dedented(&self, range: TextRange, docstrings: &[TextRange]) -> String {
        let (first, last) = (self.of(range.start), self.of(range.end.max(range.start + 1) - 1));
        let indent = self.indent(first);
        let mut text = String::new();
        for line in first..=last {
            let start = if line == first { range.start } else { self.start(line) };
            let end = self.start(line + 1).min(range.end);
            let part = &self.source[start as usize..end as usize];
            let in_docstring = docstrings.iter().any(|docstring| docstring.contains(start));
            let is_shifted = line > first && (!self.in_string[line] || in_docstring);
            text.push_str(if is_shifted { part.strip_prefix(indent).unwrap_or(part) } else { part });
        }
        text
    }

    /// Whether nothing stands before the offset in its line.
    pub fn begins_line(&self, offset: u32) -> bool {
        let line = self.of(offset);
        let continues = line > 0 && self.text(line - 1).trim_end_matches(['\n', '\r']).ends_with('\\');
        !continues
            && !self.in_string[line]
            && self.source[self.start(line) as usize..offset as usize].trim().is_empty()
    }
}
