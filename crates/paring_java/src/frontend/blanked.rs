//! The form for searching: what is removed becomes spaces, so that lines and columns of all that stays are the same.
//!
//! ```text
//! if (ready) {                         {
//!     a(); b(); c();            b();
//! } else d();               }
//! for (;;) poll();          for (;;) ;
//! ```

use super::plan::{Fate, Plan};
use super::shape::Body;
use paring_model::{StmtId, TextRange};

pub fn render(plan: &Plan, cuts: &[TextRange]) -> String {
    let mut canvas = Canvas { plan, bytes: plan.unit.source.clone().into_bytes() };
    for &id in &plan.unit.routines[0].body {
        canvas.node(id);
    }
    for &cut in cuts {
        canvas.blank(cut);
    }
    String::from_utf8(canvas.bytes).expect("only whole characters are blanked")
}

/// Without the spaces of lines on which nothing else is left: of a long file that is most of the text, and javac reads it all.
pub fn emptied(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| if line.trim().is_empty() { line.trim_start_matches([' ', '\t']) } else { line })
        .collect()
}

struct Canvas<'p, 'u> {
    plan: &'p Plan<'u>,
    bytes: Vec<u8>,
}

impl Canvas<'_, '_> {
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

    fn node(&mut self, id: StmtId) {
        let (inline, body, clauses) = self.plan.parts(id);
        match self.plan.fate(id) {
            Fate::Gone => {
                self.blank(self.range(id));
                return;
            }
            Fate::Stay => self.inline(id, inline),
            Fate::Open => {
                let stmt = self.plan.unit.stmt(id);
                self.blank(stmt.header);
                self.blank(self.plan.shape(id).tail);
                if let Body::Braced { open, close } = self.plan.shape(id).body {
                    if self.plan.any(body) {
                        self.put(open, "{");
                    } else {
                        self.blank(TextRange::new(open, close + 1));
                    }
                }
            }
        }
        self.block(id, body);
        for &clause in clauses {
            self.node(clause);
        }
    }

    fn block(&mut self, id: StmtId, body: &[StmtId]) {
        for &child in body {
            self.node(child);
            if self.plan.fate(child) == Fate::Gone && self.plan.fate(id) == Fate::Stay {
                // One statement must stand here.
                match self.plan.shape(id).body {
                    Body::Bare => self.put(self.range(child).start, ";"),
                    Body::Arrow => self.put(self.range(child).start, "{}"),
                    Body::None | Body::Braced { .. } | Body::Group => {}
                }
            }
        }
    }

    /// The nodes of a header: variables with the commas between them, or definitions.
    fn inline(&mut self, id: StmtId, inline: &[StmtId]) {
        let mut any_before = false;
        for (position, &child) in inline.iter().enumerate() {
            self.node(child);
            let is_gone = self.plan.fate(child) == Fate::Gone;
            if is_gone && self.plan.shape(child).is_rule {
                // Apart, for there may be a line end between.
                self.put(self.range(child).start, "{");
                self.put(self.range(child).end - 1, "}");
            }
            if is_gone && self.plan.shape(id).is_list {
                let comma = if any_before { position.checked_sub(1) } else { Some(position) };
                if let Some(&comma) = comma.and_then(|at| self.plan.shape(id).commas.get(at)) {
                    self.blank(TextRange::new(comma, comma + 1));
                }
            }
            any_before |= !is_gone;
        }
    }
}
