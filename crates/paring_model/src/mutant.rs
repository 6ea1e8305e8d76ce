//! Small faults put into the code under test, to see which tests catch them.
//!
//! A front end proposes mutants of a text ([`Frontend::mutants`](crate::Frontend::mutants)), a run has one of them in the place of a
//! file ([`CodeText`]). The user's files stay as they are. No mutant moves a line: what is cut keeps its line ends.
//!
//! ```text
//! if total > LIMIT:        total >= LIMIT     comparison
//!     total -= rebate      total += rebate    arithmetic
//!     self.n = total       pass               statement
//! return total             None               returned
//! ```

use crate::text::TextRange;
use camino::Utf8PathBuf;
use std::fmt;

/// A fault: one piece of a file with another text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mutant {
    /// Of the file that has it.
    pub path: Utf8PathBuf,
    /// The first line of the statement it is in, counted from 1.
    pub line: u32,
    pub operator: Operator,
    pub range: TextRange,
    /// What stood there.
    pub from: String,
    pub to: String,
}

/// What sort of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    Arithmetic,
    Comparison,
    Boolean,
    Constant,
    /// What a function returns.
    Returned,
    /// A statement is gone.
    Statement,
}

impl Operator {
    pub fn word(self) -> &'static str {
        match self {
            Operator::Arithmetic => "arithmetic",
            Operator::Comparison => "comparison",
            Operator::Boolean => "boolean",
            Operator::Constant => "constant",
            Operator::Returned => "returned",
            Operator::Statement => "statement",
        }
    }
}

impl Mutant {
    /// The file with the fault.
    pub fn text(&self, source: &str) -> String {
        let (start, end) = (self.range.start as usize, self.range.end as usize);
        format!("{}{}{}", &source[..start], self.to, &source[end..])
    }

    /// The file with the fault, for a run.
    pub fn in_file(&self, source: &str) -> CodeText {
        CodeText { path: self.path.clone(), text: self.text(source) }
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (from, to) = (short(&self.from), short(&self.to));
        match self.operator {
            Operator::Statement => write!(f, "{}:{}: without `{from}`", self.path, self.line),
            _ => write!(f, "{}:{}: `{to}` instead of `{from}`", self.path, self.line),
        }
    }
}

/// A file of the code under test that has another text in one run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeText {
    pub path: Utf8PathBuf,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_says_where_it_is_and_what_it_changes() {
        let source = "x = a +\\\n  b\n";
        let mutant = Mutant {
            path: "shop.py".into(),
            line: 1,
            operator: Operator::Arithmetic,
            range: TextRange::new(4, 12),
            from: "a +\\\n  b".to_owned(),
            to: "a -\\\n  b".to_owned(),
        };
        assert_eq!(mutant.text(source), "x = a -\\\n  b\n");
        assert_eq!(mutant.to_string(), "shop.py:1: `a -\\ b` instead of `a +\\ b`");
        let gone = Mutant { operator: Operator::Statement, to: "pass".to_owned(), ..mutant };
        assert_eq!(gone.to_string(), "shop.py:1: without `a +\\ b`");
    }
}
