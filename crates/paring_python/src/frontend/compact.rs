//! The form for people: removed statements are gone with their lines and the comments over them, opened blocks are
//! indented anew, and what is not touched stays byte for byte.

use super::lines::Lines;
use super::plan::{Fate, Plan, end_with_semicolon, lines_of};
use super::splice::{Splice, apply, trims};
use paring_model::{Form, StmtId, TextRange, TrimKind};
use ruff_python_ast::token::Token;

pub fn render(plan: &Plan, tokens: &[Token]) -> String {
    render_with(plan, tokens, Vec::new())
}

/// With replacements beyond those of the plan, in parts of the text that stay.
pub fn render_with(plan: &Plan, tokens: &[Token], also: Vec<Splice>) -> String {
    let unit = plan.unit;
    let lines = Lines::new(&unit.source, &unit.line_starts, tokens);
    let n_lines = lines.len();
    let mut page = Page {
        plan,
        lines,
        dropped: vec![false; n_lines],
        shift: vec![None; n_lines],
        splices: also.into_iter().chain(trims(plan, Form::Compact)).collect(),
    };
    page.shorten_imports();
    let top = Indent { from: String::new(), to: String::new() };
    page.block(&unit.routines[0].body, false, &top, n_lines);
    page.drop_headings();
    page.shift_lines();
    page.drop_lines();
    let mut text = apply(&unit.source, page.splices);
    if !unit.source.ends_with(['\n', '\r']) {
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
    }
    text
}

/// What a block was indented by, and what it shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Indent {
    from: String,
    to: String,
}

struct Page<'p, 'u> {
    plan: &'p Plan<'u>,
    lines: Lines<'u>,
    dropped: Vec<bool>,
    /// The indentation a line gets instead of its block's.
    shift: Vec<Option<Indent>>,
    splices: Vec<Splice>,
}

impl Page<'_, '_> {
    fn range(&self, id: StmtId) -> TextRange {
        self.plan.unit.stmt(id).range
    }

    /// `end_line` is the line before which the block's region ends, comments after its last statement included.
    fn block(&mut self, stmts: &[StmtId], needs_one: bool, indent: &Indent, end_line: usize) {
        let groups = lines_of(&self.plan.unit.source, self.plan.unit, stmts);
        let fills = needs_one && !self.plan.any(stmts);
        for (position, group) in groups.iter().enumerate() {
            let next =
                groups.get(position + 1).map_or(end_line, |next| self.lines.of(self.range(next[0]).start));
            if fills && position == 0 {
                self.fill(group);
            } else {
                self.group(group, indent, next);
            }
        }
    }

    fn group_range(&self, group: &[StmtId]) -> TextRange {
        let last = group[group.len() - 1];
        let end = end_with_semicolon(&self.plan.unit.source, self.range(last).end);
        TextRange::new(self.range(group[0]).start, end)
    }

    /// Replaces the first line of a block that has lost everything.
    fn fill(&mut self, group: &[StmtId]) {
        let mut range = self.group_range(group);
        if self.lines.begins_line(range.start) {
            self.drop_comments_above(range.start);
            let line = self.lines.of(range.end.max(range.start + 1) - 1);
            range.end = self.lines.content_end(line).max(range.end);
            self.drop_comments_below(range);
        }
        self.splices.push(Splice { range, text: "pass".to_owned() });
    }

    fn group(&mut self, group: &[StmtId], indent: &Indent, end_line: usize) {
        if group.len() == 1 {
            self.node(group[0], indent, end_line);
            return;
        }
        let range = self.group_range(group);
        let kept: Vec<StmtId> =
            group.iter().copied().filter(|&id| self.plan.fate(id) != Fate::Gone).collect();
        if kept.len() == group.len() {
            return;
        }
        let begins_line = self.lines.begins_line(range.start);
        let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else {
            if begins_line {
                self.drop(range);
            } else {
                self.splices.push(Splice::delete(range.start, range.end));
            }
            return;
        };
        self.splices.push(Splice::delete(range.start, self.range(first).start));
        let line = self.lines.of(range.start);
        let between =
            if begins_line { format!("{}{}", self.lines.line_end(line), indent.to) } else { "; ".to_owned() };
        for pair in kept.windows(2) {
            let gap = TextRange::new(self.range(pair[0]).end, self.range(pair[1]).start);
            self.splices.push(Splice { range: gap, text: between.clone() });
        }
        self.splices.push(Splice::delete(self.range(last).end, range.end));
    }

    fn node(&mut self, id: StmtId, indent: &Indent, end_line: usize) {
        let range = self.range(id);
        let header = self.plan.unit.stmt(id).header;
        let (body, clauses) = self.plan.parts(id);
        let first_clause = clauses.first().map(|&clause| self.lines.of(self.range(clause).start));
        let body_end = first_clause.unwrap_or(end_line);
        match self.plan.fate(id) {
            Fate::Gone => {
                let whole = TextRange::new(range.start, self.group_range(&[id]).end);
                if self.lines.begins_line(range.start) {
                    self.drop(whole);
                } else {
                    self.splices.push(Splice::delete(whole.start, whole.end));
                }
                return;
            }
            Fate::Stay => {
                let inner = self.inner(header, body, indent, false, body_end);
                self.block(body, true, &inner, body_end);
            }
            Fate::Open if self.plan.any(body) => {
                let inner = self.inner(header, body, indent, true, body_end);
                let first = self.range(body[0]).start;
                if self.lines.begins_line(first) {
                    self.drop_between(header.start, header.end);
                } else {
                    self.splices.push(Splice::delete(header.start, first));
                }
                self.block(body, true, &inner, body_end);
            }
            Fate::Open => {
                let end = body.last().map_or(header.end, |&last| self.group_range(&[last]).end);
                self.drop_between(header.start, end.max(header.end));
            }
        }
        for (position, &clause) in clauses.iter().enumerate() {
            let next =
                clauses.get(position + 1).map_or(end_line, |&next| self.lines.of(self.range(next).start));
            self.node(clause, indent, next);
        }
    }

    /// The indentation of a block, entered for its lines where it changes.
    fn inner(
        &mut self,
        header: TextRange,
        body: &[StmtId],
        outer: &Indent,
        is_open: bool,
        end_line: usize,
    ) -> Indent {
        let Some(&first) = body.first() else { return outer.clone() };
        let start = self.range(first).start;
        if !self.lines.begins_line(start) {
            return outer.clone();
        }
        let from = self.lines.indent(self.lines.of(start)).to_owned();
        let deeper = from.strip_prefix(outer.from.as_str()).unwrap_or(&from);
        let to = if is_open { outer.to.clone() } else { format!("{}{deeper}", outer.to) };
        let indent = Indent { from, to };
        if indent.from != indent.to {
            let first_line = self.lines.of(header.end.max(1) - 1) + 1;
            self.shift[first_line.min(end_line)..end_line].fill(Some(indent.clone()));
        }
        indent
    }

    /// An import of a few names that is left of one in brackets goes on one line.
    fn shorten_imports(&mut self) {
        let unit = self.plan.unit;
        let mut trimmed: Vec<StmtId> = (self.plan.trims.iter().map(|&id| unit.trim(id)))
            .filter(|trim| trim.kind == TrimKind::ImportName)
            .map(|trim| trim.stmt)
            .collect();
        trimmed.sort_unstable();
        trimmed.dedup();
        for id in trimmed {
            let range = self.range(id);
            let inside = |splice: &&Splice| range.covers(splice.range);
            let shifted = |splice: &Splice| Splice {
                range: TextRange::new(splice.range.start - range.start, splice.range.end - range.start),
                text: splice.text.clone(),
            };
            let splices = self.splices.iter().filter(inside).map(shifted).collect();
            let text = apply(range.of(&unit.source), splices);
            if let Some(line) = on_one_line(&text) {
                self.splices.push(Splice { range, text: line });
            }
        }
    }

    fn drop_between(&mut self, start: u32, end: u32) {
        let (first, last) = (self.lines.of(start), self.lines.of(end.max(start + 1) - 1));
        self.dropped[first..=last].fill(true);
    }

    /// Drops the lines of a statement with the comments that belong to it.
    fn drop(&mut self, range: TextRange) {
        self.drop_between(range.start, range.end);
        self.drop_comments_above(range.start);
        self.drop_comments_below(range);
    }

    fn drop_comments_above(&mut self, start: u32) {
        let line = self.lines.of(start);
        let column = self.lines.indent(line);
        let belongs = |&above: &usize| self.lines.is_comment(above) && self.lines.indent(above) == column;
        let above: Vec<usize> = (0..line).rev().take_while(belongs).collect();
        // What the file begins with is about the file.
        if above.last() != Some(&0) {
            for line in above {
                self.dropped[line] = true;
            }
        }
    }

    /// Comments after the last statement of a block, still in the block.
    fn drop_comments_below(&mut self, range: TextRange) {
        let last = self.lines.of(range.end.max(range.start + 1) - 1);
        let end = self.lines.last_of_block(range);
        self.dropped[last + 1..=end].fill(true);
    }

    /// Comments that stand alone over a part of a block of which nothing is left: up to the next such comment, or the end of
    /// the block.
    fn drop_headings(&mut self) {
        let mut line = self.lines.len();
        while line > 0 {
            line -= 1;
            if !self.lines.is_comment(line) || self.dropped[line] {
                continue;
            }
            let last = line;
            while line > 0 && self.lines.is_comment(line - 1) && !self.dropped[line - 1] {
                line -= 1;
            }
            let column = self.lines.indent(last);
            let passed = |&next: &usize| self.dropped[next] || self.lines.is_blank(next);
            let n_passed = (last + 1..self.lines.len()).take_while(passed).count();
            let next = last + 1 + n_passed;
            let any_dropped = self.dropped[last + 1..next].contains(&true);
            let is_over = next == self.lines.len()
                || self.lines.is_comment(next) && self.lines.indent(next) == column
                || self.lines.indent(next).len() < column.len();
            // What the file begins with is about the file.
            if any_dropped && is_over && line > 0 {
                self.dropped[line..=last].fill(true);
            }
        }
    }

    fn shift_lines(&mut self) {
        for (line, is_covered) in self.covered().into_iter().enumerate() {
            let Some(indent) = &self.shift[line] else { continue };
            if self.dropped[line] || is_covered || self.lines.begins_in_string(line) {
                continue;
            }
            if self.lines.text(line).starts_with(indent.from.as_str()) {
                let start = self.lines.start(line);
                let end = start + u32::try_from(indent.from.len()).expect("an indentation is short");
                self.splices.push(Splice { range: TextRange::new(start, end), text: indent.to.clone() });
            }
        }
    }

    /// Lines that begin within a replacement.
    fn covered(&self) -> Vec<bool> {
        let mut covered = vec![false; self.lines.len()];
        for splice in &self.splices {
            let (first, last) = (self.lines.of(splice.range.start), self.lines.of(splice.range.end));
            covered[first + 1..=last.max(first)].fill(true);
        }
        covered
    }

    /// Deletes the dropped lines, and of the blank lines around them all but as many as stood on one side.
    fn drop_lines(&mut self) {
        let covered = self.covered();
        let opens = self.opening_lines();
        let mut line = 0;
        while line < self.lines.len() {
            let in_run = |line: usize| self.dropped[line] || (self.lines.is_blank(line) && !covered[line]);
            if !in_run(line) {
                line += 1;
                continue;
            }
            let start = line;
            while line < self.lines.len() && in_run(line) {
                line += 1;
            }
            let run = start..line;
            if !run.clone().any(|line| self.dropped[line]) {
                continue;
            }
            let mut longest = 0;
            let mut current = 0;
            for line in run.clone() {
                current = if self.dropped[line] { 0 } else { current + 1 };
                longest = longest.max(current);
            }
            let limit = if start == 0 || line >= self.lines.len() || opens[start - 1] {
                0
            } else if self.lines.indent(line).is_empty() && self.stands_apart(start - 1, line) {
                2
            } else {
                1
            };
            let mut n_left = longest.min(limit);
            for line in run.rev() {
                if !self.dropped[line] && n_left > 0 {
                    n_left -= 1;
                } else if self.lines.start(line) < self.lines.start(line + 1) {
                    self.splices.push(Splice::delete(self.lines.start(line), self.lines.start(line + 1)));
                }
            }
        }
    }

    /// Whether a function or class ends on one line, or begins on the other, under its comments.
    fn stands_apart(&self, before: usize, after: usize) -> bool {
        let begins = (after..self.lines.len()).find(|&line| !self.lines.is_comment(line));
        let begins = begins.map_or("", |line| self.lines.text(line));
        !self.lines.indent(before).is_empty()
            || ["def ", "class ", "async def ", "@"].iter().any(|word| begins.starts_with(word))
    }

    /// Lines that end with the header of a block.
    fn opening_lines(&self) -> Vec<bool> {
        let mut opens = vec![false; self.lines.len()];
        for id in self.plan.unit.ids() {
            let stmt = self.plan.unit.stmt(id);
            let Some(&first) = stmt.children.first() else { continue };
            let line = self.lines.of(stmt.header.end.max(1) - 1);
            if self.plan.fate(id) == Fate::Stay && self.lines.of(self.range(first).start) > line {
                opens[line] = true;
            }
        }
        opens
    }
}

/// The longest line made of an import.
const LINE: usize = 79;

/// `from a import (b, c)`, on lines of its own, without its brackets; `None` where it is none, has comments or is too long.
fn on_one_line(import: &str) -> Option<String> {
    let (head, rest) = import.split_once('(')?;
    let names = rest.trim_end().strip_suffix(')')?;
    if import.contains('#') {
        return None;
    }
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let line = format!("{} {}", head.trim_end(), names.join(", "));
    (line.len() <= LINE).then_some(line)
}
