//! The form for people: removed statements are gone with their lines and the comments over them, opened blocks are
//! indented anew, and what is not touched stays byte for byte.

use super::lines::Lines;
use super::plan::{Fate, Plan};
use super::shape::Body;
use super::splice::{Splice, apply};
use paring_model::{StmtId, StmtKind, TextRange};
use std::collections::BTreeSet;
use tree_sitter::Tree;

pub fn render(plan: &Plan, cuts: &[TextRange], literals: Vec<Splice>, tree: &Tree) -> String {
    let unit = plan.unit;
    let lines = Lines::new(&unit.source, &unit.line_starts, tree.root_node());
    let n_lines = lines.len();
    let mut page =
        Page { plan, lines, dropped: vec![false; n_lines], shift: vec![None; n_lines], splices: literals };
    for &id in &unit.routines[0].body {
        page.node(id, 0);
    }
    for cut in cuts {
        page.cut(*cut);
    }
    page.drop_emptied();
    page.drop_headings();
    page.shift_lines();
    page.drop_lines();
    let mut text = apply(&unit.source, page.splices);
    if !unit.source.ends_with(['\n', '\r']) {
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
    }
    text
}

struct Page<'p, 'u> {
    plan: &'p Plan<'u>,
    lines: Lines<'u>,
    dropped: Vec<bool>,
    /// The piece of indentation that a line loses.
    shift: Vec<Option<String>>,
    splices: Vec<Splice>,
}

impl Page<'_, '_> {
    fn range(&self, id: StmtId) -> TextRange {
        self.plan.unit.stmt(id).range
    }

    /// `depth` is by how many characters the node is moved to the left.
    fn node(&mut self, id: StmtId, depth: usize) {
        let (inline, body, clauses) = self.plan.parts(id);
        let mut inner = depth;
        match self.plan.fate(id) {
            Fate::Gone => {
                self.drop(self.range(id));
                return;
            }
            Fate::Stay => self.inline(id, inline, depth),
            Fate::Open => inner = self.open(id, body, depth),
        }
        let is_filled = self.plan.fate(id) == Fate::Stay && !self.plan.any(body);
        match self.plan.shape(id).body {
            Body::Bare | Body::Arrow if is_filled => {
                let end = body.last().map(|&child| self.range(child).end);
                let start = self.plan.unit.stmt(id).header.end;
                let range = TextRange::new(start, end.unwrap_or(start));
                self.splices.push(Splice { range, text: " {}".to_owned() });
            }
            Body::None | Body::Braced { .. } | Body::Group | Body::Bare | Body::Arrow => {
                for &child in body {
                    self.node(child, inner);
                }
            }
        }
        let mut end = self.body_end(id);
        for &clause in clauses {
            if self.plan.unit.stmt(clause).kind == StmtKind::Case {
                self.node(clause, depth);
            } else {
                self.clause(id, clause, end, depth);
            }
            end = self.range(clause).end;
        }
    }

    /// The end of a node's own block.
    fn body_end(&self, id: StmtId) -> u32 {
        let (_, body, _) = self.plan.parts(id);
        match self.plan.shape(id).body {
            Body::Braced { close, .. } => close + 1,
            Body::None | Body::Bare | Body::Arrow | Body::Group => {
                body.last().map_or(self.plan.unit.stmt(id).header.end, |&last| self.range(last).end)
            }
        }
    }

    /// `else`, `catch` and `finally` stand behind a brace: what goes, goes from there.
    fn clause(&mut self, of: StmtId, clause: StmtId, end_before: u32, depth: usize) {
        let range = self.range(clause);
        match self.plan.fate(clause) {
            Fate::Gone if self.plan.fate(of) == Fate::Open => self.delete(range.start, range.end),
            Fate::Gone => {
                if self.lines.begins_line(range.start) {
                    self.drop(range);
                } else {
                    self.delete(end_before, range.end);
                }
            }
            Fate::Stay | Fate::Open => self.node(clause, depth),
        }
    }

    /// Whole lines where the cut goes from one line to another: what follows has its own indentation.
    fn cut(&mut self, cut: TextRange) {
        let (first, last) = (self.lines.of(cut.start), self.lines.of(cut.end));
        let is_lines = self.lines.begins_line(cut.start) && self.lines.begins_line(cut.end);
        if is_lines && first < last {
            self.delete(self.lines.start(first), self.lines.start(last));
        } else {
            self.delete(cut.start, cut.end);
        }
    }

    fn delete(&mut self, start: u32, end: u32) {
        if start < end {
            self.splices.push(Splice::delete(start, end));
        }
    }

    /// Takes a header and its braces away, or leaves the braces where names of the body are taken outside; answers with how far
    /// the body moves.
    fn open(&mut self, id: StmtId, body: &[StmtId], depth: usize) -> usize {
        let stmt = self.plan.unit.stmt(id);
        let shape = self.plan.shape(id);
        let range = TextRange::new(stmt.range.start, self.body_end(id).max(stmt.header.end));
        if !self.plan.any(body) {
            self.take(range);
            self.take_tail(shape.tail);
            return depth;
        }
        if let Body::Braced { open, close } = shape.body {
            if self.clashes(id, body) {
                self.splices
                    .push(Splice { range: TextRange::new(stmt.header.start, open), text: String::new() });
                self.delete(close + 1, shape.tail.end.max(close + 1));
                return depth;
            }
            let moved = self.outdent(id, body, open, close);
            self.take(stmt.header);
            self.take(TextRange::new(close, shape.tail.end.max(close + 1)));
            return depth + moved;
        }
        let moved = self.outdent_bare(id, body);
        self.take(stmt.header);
        self.take_tail(shape.tail);
        depth + moved
    }

    fn take_tail(&mut self, tail: TextRange) {
        if !tail.is_empty() {
            self.take(tail);
        }
    }

    /// Removes a piece of a statement: its lines where it has them for itself.
    fn take(&mut self, range: TextRange) {
        if self.lines.begins_line(range.start) && self.lines.ends_line(range.end) {
            self.drop_between(range.start, range.end);
        } else {
            let rest = &self.plan.unit.source[range.end as usize..];
            let n_blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            self.delete(range.start, range.end + super::syntax::offset(n_blanks));
        }
    }

    /// Moves the lines of a body to the left; by how much.
    fn outdent(&mut self, id: StmtId, body: &[StmtId], open: u32, close: u32) -> usize {
        let (first, last) = (self.lines.of(open) + 1, self.lines.of(close));
        self.outdent_lines(id, body, first, last)
    }

    fn outdent_bare(&mut self, id: StmtId, body: &[StmtId]) -> usize {
        let Some(&only) = body.first() else { return 0 };
        let range = self.range(only);
        let (first, last) = (self.lines.of(range.start), self.lines.of(range.end.max(1) - 1) + 1);
        self.outdent_lines(id, body, first, last)
    }

    fn outdent_lines(&mut self, id: StmtId, body: &[StmtId], first: usize, last: usize) -> usize {
        let header_line = self.lines.of(self.range(id).start);
        let outer = self.lines.indent(header_line).to_owned();
        let start = body.first().map(|&child| self.range(child).start);
        let Some(start) = start.filter(|&start| self.lines.begins_line(start)) else { return 0 };
        let inner = self.lines.indent(self.lines.of(start));
        let Some(deeper) = inner.strip_prefix(outer.as_str()).map(str::to_owned) else { return 0 };
        for line in first..last.max(first) {
            let shift = self.shift[line].get_or_insert_with(String::new);
            shift.push_str(&deeper);
        }
        deeper.len()
    }

    /// Whether the body declares a name that the block around it has too, in a way that would clash without braces.
    fn clashes(&self, id: StmtId, body: &[StmtId]) -> bool {
        let names = |ids: &mut dyn Iterator<Item = StmtId>| -> BTreeSet<&str> {
            ids.flat_map(|id| self.plan.shape(id).declares.iter().map(String::as_str)).collect()
        };
        let with_parts = |id: StmtId| std::iter::once(id).chain(self.plan.unit.inline(id));
        let mut own_ids =
            body.iter().copied().filter(|&id| self.plan.fate(id) != Fate::Gone).flat_map(with_parts);
        let own = names(&mut own_ids);
        if own.is_empty() {
            return false;
        }
        let routine = self.plan.unit.stmt(id).routine;
        let inside: BTreeSet<StmtId> = self.plan.unit.descendants(id).into_iter().collect();
        let mut other_ids = self.plan.unit.ids().filter(|other| {
            self.plan.unit.stmt(*other).routine == routine
                && !inside.contains(other)
                && self.plan.fate(*other) != Fate::Gone
        });
        let others = names(&mut other_ids);
        let params = &self.plan.unit.routine(routine).params;
        let is_param = |name: &&str| params.iter().any(|&place| self.plan.unit.place(place).name == **name);
        own.iter().any(|name| others.contains(name) || is_param(name))
    }

    /// The nodes of a header: variables with their commas, values, definitions.
    fn inline(&mut self, id: StmtId, inline: &[StmtId], depth: usize) {
        let shape = self.plan.shape(id);
        let source = &self.plan.unit.source;
        let mut any_before = false;
        for (position, &child) in inline.iter().enumerate() {
            let range = self.range(child);
            if self.plan.fate(child) != Fate::Gone {
                any_before = true;
                self.node(child, depth);
                continue;
            }
            if self.plan.shape(child).is_rule {
                self.splices.push(Splice { range, text: "{}".to_owned() });
                continue;
            }
            if !shape.is_list {
                let before = source[..range.start as usize].trim_end_matches([' ', '\t']).len();
                self.delete(super::syntax::offset(before), range.end);
                continue;
            }
            let comma = |at: Option<usize>| at.and_then(|at| shape.commas.get(at)).copied();
            if any_before {
                let start = comma(position.checked_sub(1)).unwrap_or(range.start);
                self.delete(start, range.end);
            } else {
                let next = inline.get(position + 1).map_or(range.end, |&next| self.range(next).start);
                self.delete(range.start, next);
            }
        }
    }

    fn drop_between(&mut self, start: u32, end: u32) {
        let (first, last) = (self.lines.of(start), self.lines.of(end.max(start + 1) - 1));
        self.dropped[first..=last].fill(true);
    }

    /// Drops a statement: with its lines and the comments that belong to it where it has lines of its own.
    fn drop(&mut self, range: TextRange) {
        let begins = self.lines.begins_line(range.start);
        if begins && self.lines.ends_line(range.end) {
            self.drop_between(range.start, range.end);
            self.drop_comments_above(range.start);
            return;
        }
        let source = &self.plan.unit.source;
        if begins {
            let rest = &source[range.end as usize..];
            let n_blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            self.delete(range.start, range.end + super::syntax::offset(n_blanks));
        } else {
            let before = source[..range.start as usize].trim_end_matches([' ', '\t']).len();
            self.delete(super::syntax::offset(before), range.end);
        }
    }

    fn drop_comments_above(&mut self, start: u32) {
        let line = self.lines.of(start);
        let above: Vec<usize> = (0..line).rev().take_while(|&above| self.lines.is_comment(above)).collect();
        // What the file begins with is about the file.
        if above.last() != Some(&0) {
            for line in above {
                self.dropped[line] = true;
            }
        }
    }

    /// Drops the lines of which replacements leave nothing. A line that begins within a replacement only goes with the line in
    /// which that begins: else the line end would go that is to end what is left there.
    fn drop_emptied(&mut self) {
        let source = self.plan.unit.source.as_bytes();
        let mut is_deleted = vec![false; source.len()];
        for splice in self.splices.iter().filter(|splice| splice.text.is_empty()) {
            is_deleted[splice.range.start as usize..splice.range.end as usize].fill(true);
        }
        let inserted: BTreeSet<usize> = (self.splices.iter().filter(|splice| !splice.text.is_empty()))
            .map(|splice| self.lines.of(splice.range.start))
            .collect();
        for line in 0..self.lines.len() {
            let (start, end) = (self.lines.start(line), self.lines.start(line + 1));
            let is_empty =
                (start as usize..end as usize).all(|at| is_deleted[at] || source[at].is_ascii_whitespace());
            let is_held = self.splices.iter().any(|splice| {
                let TextRange { start: from, end: to } = splice.range;
                from < start && start < to && !self.dropped[self.lines.of(from)]
            });
            if is_empty && !is_held && !self.lines.is_blank(line) && !inserted.contains(&line) {
                self.dropped[line] = true;
            }
        }
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
                || self.lines.text(next).trim_start().starts_with('}');
            if any_dropped && is_over && line > 0 {
                self.dropped[line..=last].fill(true);
            }
        }
    }

    fn shift_lines(&mut self) {
        let covered = self.covered();
        for (line, is_covered) in covered.into_iter().enumerate() {
            let Some(shift) = self.shift[line].take() else { continue };
            let is_fixed = self.dropped[line] || is_covered || self.lines.begins_in_string(line);
            if !is_fixed && self.lines.indent(line).len() >= shift.len() {
                let start = self.lines.start(line);
                self.delete(start, start + super::syntax::offset(shift.len()));
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

    /// Deletes the dropped lines, and of the blank lines around them all but one; none where a block begins or ends.
    fn drop_lines(&mut self) {
        let covered = self.covered();
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
            let is_edge = start == 0
                || line >= self.lines.len()
                || self.lines.text(start - 1).trim_end().ends_with('{')
                || self.lines.text(line).trim_start().starts_with('}');
            let mut n_left = usize::from(!is_edge);
            for line in run.rev() {
                if !self.dropped[line] && n_left > 0 {
                    n_left -= 1;
                } else if self.lines.start(line) < self.lines.start(line + 1) {
                    self.splices.push(Splice::delete(self.lines.start(line), self.lines.start(line + 1)));
                }
            }
        }
    }
}
