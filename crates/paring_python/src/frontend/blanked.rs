//! The form for searching: what is removed becomes spaces, so that lines and columns of all that stays are the same.
//!
//! ```text
//! with lock:           if 1:
//!     a(); b(); c()        0  ; b();
//! ```

use super::plan::{Fate, Plan, end_with_semicolon, lines_of};
use super::splice::{Splice, apply, trims};
use paring_model::{Form, StmtId, TextRange};

/// What a block is given that has lost all its statements, and a shorter one.
const FILLER: &str = "pass";
const SHORT_FILLER: &str = "0";

/// The header of a block that gives way to its body.
const OPEN: &str = "if 1:";

pub fn render(plan: &Plan) -> String {
    let mut canvas = Canvas { plan, bytes: plan.unit.source.clone().into_bytes(), inserts: Vec::new() };
    canvas.block(&plan.unit.routines[0].body, false);
    for splice in trims(plan, Form::Blanked) {
        if splice.text.is_empty() {
            canvas.blank(splice.range);
        } else {
            canvas.inserts.push(splice);
        }
    }
    let text = String::from_utf8(canvas.bytes).expect("only whole characters are blanked");
    apply(&text, canvas.inserts)
}

struct Canvas<'p, 'u> {
    plan: &'p Plan<'u>,
    bytes: Vec<u8>,
    /// Text for which there is no room.
    inserts: Vec<Splice>,
}

impl Canvas<'_, '_> {
    fn source(&self) -> &str {
        &self.plan.unit.source
    }

    fn range(&self, id: StmtId) -> TextRange {
        self.plan.unit.stmt(id).range
    }

    fn blank(&mut self, range: TextRange) {
        for byte in &mut self.bytes[range.start as usize..range.end as usize] {
            if !byte.is_ascii_whitespace() {
                *byte = b' ';
            }
        }
    }

    /// Writes over blanked text that has the room.
    fn put(&mut self, at: u32, text: &str) {
        self.bytes[at as usize..at as usize + text.len()].copy_from_slice(text.as_bytes());
    }

    /// The end of the first line of a range.
    fn line_end(&self, range: TextRange) -> u32 {
        let text = range.of(self.source());
        let length = text.find(['\n', '\r']).unwrap_or(text.len());
        range.start + u32::try_from(length).expect("a source file has fewer than 2^32 bytes")
    }

    fn fill(&mut self, id: StmtId) {
        let range = self.range(id);
        let room = self.line_end(range) - range.start;
        self.put(range.start, if room as usize >= FILLER.len() { FILLER } else { SHORT_FILLER });
    }

    fn block(&mut self, stmts: &[StmtId], needs_one: bool) {
        for line in lines_of(&self.plan.unit.source, self.plan.unit, stmts) {
            self.line(line);
        }
        if needs_one
            && !self.plan.any(stmts)
            && let Some(&first) = stmts.first()
        {
            self.fill(first);
        }
    }

    /// Statements with `;` between them.
    fn line(&mut self, stmts: &[StmtId]) {
        let (Some(&first), Some(&last)) = (stmts.first(), stmts.last()) else { return };
        let end = end_with_semicolon(self.source(), self.range(last).end);
        let whole = TextRange::new(self.range(first).start, end);
        if !self.plan.any(stmts) {
            self.blank(whole);
            self.blank_continuation(end);
            return;
        }
        // Joined by backslashes, a statement's indentation is that of the first one: all must stay in their places.
        let continued = stmts.windows(2).any(|pair| {
            let gap = TextRange::new(self.range(pair[0]).end, self.range(pair[1]).start);
            gap.of(self.source()).contains(['\n', '\r'])
        });
        let last_kept = stmts.iter().rposition(|&id| self.plan.fate(id) != Fate::Gone);
        for (position, &id) in stmts.iter().enumerate() {
            if self.plan.fate(id) != Fate::Gone {
                self.node(id);
                continue;
            }
            let range = self.range(id);
            self.blank(range);
            let has_lines = range.of(self.source()).contains(['\n', '\r']);
            let is_followed = last_kept.is_some_and(|kept| kept > position);
            if has_lines && (is_followed || continued) {
                // An empty tuple, to keep the lines together.
                self.put(range.start, "(");
                self.put(range.end - 1, ")");
            } else if continued || position == 0 {
                // The first one stands where the block's indentation is.
                self.fill(id);
            } else {
                self.blank(TextRange::new(range.start, end_with_semicolon(self.source(), range.end)));
            }
        }
    }

    /// A backslash after blanked text would join two lines that have nothing to do with each other.
    fn blank_continuation(&mut self, end: u32) {
        let mut at = end as usize;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => self.bytes[at] = b' ',
                b' ' | b'\t' | b'\x0c' => {}
                _ => return,
            }
            at += 1;
        }
    }

    fn node(&mut self, id: StmtId) {
        let (body, clauses) = self.plan.parts(id);
        let header = self.plan.unit.stmt(id).header;
        match self.plan.fate(id) {
            Fate::Gone => self.blank(self.range(id)),
            Fate::Stay => self.block(body, true),
            Fate::Open if self.plan.any(body) => {
                let first = self.range(*body.first().expect("a block that has something left")).start;
                self.open(header, first);
                self.block(body, true);
            }
            Fate::Open => {
                self.blank(header);
                self.block(body, false);
            }
        }
        if self.plan.fate(id) != Fate::Gone {
            for &clause in clauses {
                self.node(clause);
            }
        }
    }

    /// Writes `if 1:` for a header.
    fn open(&mut self, header: TextRange, body: u32) {
        self.blank(header);
        let line_end = self.line_end(header);
        let gap = TextRange::new(header.end, body).of(self.source());
        let is_one_line = !gap.contains(['\n', '\r']) || gap.contains('\\');
        if line_end == header.end || !is_one_line {
            self.write(header.start, line_end, OPEN);
            return;
        }
        // The body goes on in the last line of the header, which must not look like one of its own.
        self.write(header.start, line_end, "if (1");
        self.put(header.end - 1, ":");
        if matches!(self.bytes[header.end as usize - 2], b'\n' | b'\r') {
            self.inserts
                .push(Splice { range: TextRange::new(header.end - 1, header.end - 1), text: ")".into() });
        } else {
            self.put(header.end - 2, ")");
        }
    }

    /// Writes text into a blanked piece of a line, and beyond its end what has no room.
    fn write(&mut self, start: u32, end: u32, text: &str) {
        let room = ((end - start) as usize).min(text.len());
        self.put(start, &text[..room]);
        if room < text.len() {
            self.inserts.push(Splice { range: TextRange::new(end, end), text: text[room..].to_owned() });
        }
    }
}
