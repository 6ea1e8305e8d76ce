//! What of a file can run while a test does: statements by their first lines, and the functions they are in.
//!
//! What runs while a file is loaded runs for no test in particular, but gives names that tests read: `LIMIT = 3`.

use crate::coverage::{CodeLine, Constant, FunctionSpan, Given, NameScope, Taken};
use std::collections::{BTreeMap, BTreeSet};

/// Invariant: what is added later stands within what it shares lines with, or after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// By first line.
    pub statements: BTreeMap<u32, CodeLine>,
    pub functions: Vec<FunctionSpan>,
    /// The first line of the innermost statement on each line, from line 0, which is none.
    start_of: Vec<u32>,
    /// Statements that only run while the file is loaded, unless a function is in them that has no name.
    loaded: BTreeMap<u32, CodeLine>,
    /// The names that those give, by their first lines.
    given: BTreeMap<u32, BTreeSet<Given>>,
    /// Names of other files that the file uses as if they were its own.
    pub taken: Taken,
}

/// When a statement runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Called,
    /// While the file is loaded, for no test in particular.
    Loaded,
}

impl Outline {
    /// Adds a statement whose own text, or whose last part, ends on `end`.
    pub fn add(&mut self, line: CodeLine, end: u32, when: When) {
        let end = end as usize;
        if self.start_of.len() <= end {
            self.start_of.resize(end + 1, 0);
        }
        self.start_of[line.line as usize..=end].fill(line.line);
        let lines = match when {
            When::Called => &mut self.statements,
            When::Loaded => &mut self.loaded,
        };
        lines.entry(line.line).or_insert(line);
    }

    /// A statement that runs while the file is loaded gives a name.
    pub fn give(&mut self, line: u32, name: &str, scope: NameScope) {
        self.given.entry(line).or_default().insert(Given { name: name.to_owned(), scope });
    }

    /// Lines without those of statements that are known by the names they give.
    pub fn without_constants(&self, lines: &[u32]) -> Vec<u32> {
        let is_constant = |&line: &u32| {
            self.start_of.get(line as usize).is_some_and(|start| self.given.contains_key(start))
        };
        lines.iter().copied().filter(|line| !is_constant(line)).collect()
    }

    /// Statements that give names while the file is loaded.
    pub fn constants(&self) -> Vec<Constant> {
        let constant = |(line, given): (&u32, &BTreeSet<Given>)| {
            Some(Constant { code: *self.loaded.get(line)?, given: given.iter().cloned().collect() })
        };
        self.given.iter().filter_map(constant).collect()
    }

    /// The statements to which lines belong that are said to have run.
    pub fn starts(&self, lines: &[u32]) -> Vec<u32> {
        let start_of = |&line: &u32| self.start_of.get(line as usize).copied().filter(|&start| start > 0);
        lines.iter().filter_map(start_of).collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// Adds what was seen to run although it stands outside of all functions: lambdas do.
    pub fn admit(&mut self, starts: &[u32]) {
        for start in starts {
            if let Some(&line) = self.loaded.get(start) {
                self.statements.entry(*start).or_insert(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u32) -> CodeLine {
        CodeLine { line, last_line: line, function: None, n_tokens: 1 }
    }

    #[test]
    fn a_line_belongs_to_the_innermost_statement() {
        let mut outline = Outline::default();
        outline.add(line(2), 6, When::Called);
        outline.add(line(3), 4, When::Called);
        assert_eq!(outline.starts(&[1, 2, 3, 4, 5, 6, 7]), [2, 3]);
        assert_eq!(outline.starts(&[4]), [3]);
        assert_eq!(outline.starts(&[6]), [2]);
    }

    #[test]
    fn what_is_loaded_counts_once_it_was_seen_to_run() {
        let mut outline = Outline::default();
        outline.add(line(1), 1, When::Loaded);
        assert!(outline.statements.is_empty());
        outline.admit(&[1, 5]);
        assert_eq!(outline.statements.keys().copied().collect::<Vec<u32>>(), [1]);
    }

    #[test]
    fn what_is_loaded_is_known_by_the_names_it_gives() {
        let mut outline = Outline::default();
        outline.add(line(1), 1, When::Loaded);
        outline.add(line(2), 2, When::Loaded);
        outline.give(2, "LIMIT", NameScope::File);
        outline.give(2, "LIMIT", NameScope::File);
        let given = vec![Given { name: "LIMIT".to_owned(), scope: NameScope::File }];
        assert_eq!(outline.constants(), [Constant { code: line(2), given }]);
        assert_eq!(outline.without_constants(&[1, 2, 3]), [1, 3]);
    }
}
