//! The lines of a source text: where they start, what they are indented by, which hold only comments or begin inside a text
//! block.

use super::syntax::{is_comment, offset, range_of, walk};
use paring_model::TextRange;
pub use paring_model::text::line_starts;
use tree_sitter::Node;

pub struct Lines<'s> {
    source: &'s str,
    starts: &'s [u32],
    /// Lines that hold comments and nothing else.
    comments: Vec<bool>,
    /// Lines that begin inside a text block.
    in_string: Vec<bool>,
    /// Comments that begin a line.
    leading: Vec<TextRange>,
}

impl<'s> Lines<'s> {
    pub fn new(source: &'s str, starts: &'s [u32], root: Node) -> Self {
        let n_lines = starts.len();
        let (comments, in_string) = (vec![false; n_lines], vec![false; n_lines]);
        let mut lines = Self { source, starts, comments, in_string, leading: Vec::new() };
        walk(root, &mut |node| {
            let range = range_of(node);
            if is_comment(node) {
                lines.comment(range);
            } else if node.kind() == "string_literal" {
                let (first, last) = (lines.of(range.start), lines.of(range.end));
                lines.in_string[first + 1..=last.max(first)].fill(true);
            }
            true
        });
        lines
    }

    fn comment(&mut self, range: TextRange) {
        let (first, last) = (self.of(range.start), self.of(range.end.max(range.start + 1) - 1));
        let before = &self.source[self.start(first) as usize..range.start as usize];
        let after = &self.source[range.end as usize..self.content_end(last).max(range.end) as usize];
        if before.trim().is_empty() {
            self.leading.push(range);
            if after.trim().is_empty() {
                self.comments[first..=last].fill(true);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// The line an offset is in.
    pub fn of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    pub fn start(&self, line: usize) -> u32 {
        self.starts.get(line).copied().unwrap_or_else(|| offset(self.source.len()))
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
        self.start(line) + offset(self.text(line).trim_end_matches(['\n', '\r']).len())
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

    /// Whether nothing stands before the offset in its line.
    pub fn begins_line(&self, offset: u32) -> bool {
        let line = self.of(offset);
        !self.in_string[line] && self.source[self.start(line) as usize..offset as usize].trim().is_empty()
    }

    /// Whether nothing but a comment stands behind the offset in its line.
    pub fn ends_line(&self, end: u32) -> bool {
        let line = self.of(end.max(1) - 1);
        let rest = self.source[end as usize..self.content_end(line).max(end) as usize].trim();
        rest.is_empty()
            || rest.starts_with("//")
            || (rest.starts_with("/*") && rest.find("*/") == Some(rest.len() - 2))
    }

    /// Where the documentation comment right above a declaration begins, or the declaration itself.
    pub fn documented(&self, start: u32) -> u32 {
        let above = self.leading.iter().rev().find(|range| range.end <= start);
        let is_own = |range: &&TextRange| {
            range.of(self.source).starts_with("/**")
                && self.source[range.end as usize..start as usize].trim().is_empty()
        };
        above.filter(is_own).map_or(start, |range| range.start)
    }

    /// The text of a range as it would stand at the top of a file; what begins inside a text block stays.
    pub fn dedented(&self, range: TextRange) -> String {
        let (first, last) = (self.of(range.start), self.of(range.end.max(range.start + 1) - 1));
        let indent = self.indent(first);
        let mut text = String::new();
        for line in first..=last {
            let start = if line == first { range.start } else { self.start(line) };
            let end = self.start(line + 1).min(range.end);
            let part = &self.source[start as usize..end as usize];
            let is_shifted = line > first && !self.in_string[line];
            text.push_str(if is_shifted { part.strip_prefix(indent).unwrap_or(part) } else { part });
        }
        text
    }
}
