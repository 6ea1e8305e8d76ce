//! What of a file runs when it is loaded, and what it then loads.
//!
//! ```text
//!  1  from .prices import TAX    loads `prices`, and the package it is in
//!  2  LIMIT = 3                  runs
//!  3  def total(prices):         runs: the name is bound
//!  4      return sum(prices)     does not: left out
//! ```
//!
//! A test that runs no function of the file depends on this part alone. Names are told wherever they are imported, in functions too:
//! whoever runs those may load more.

use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Stmt, StmtFunctionDef, StmtImportFrom};
use ruff_text_size::Ranged;

/// The part of a text that runs when it is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loading {
    /// The source without the bodies of functions. Docstrings stay: programs read them.
    pub text: String,
    pub imports: Vec<Import>,
}

/// A module that is asked for by name. What is imported from it may be one too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    /// How many packages up the name starts: 0 is absolute, 1 the package of the file.
    pub level: usize,
    /// `shop.prices`; empty for the package itself.
    pub name: String,
}

/// Of a text that is broken all of it counts.
pub fn loading(source: &str) -> Loading {
    let parsed = super::parsed(source);
    let mut found = LoadingVisitor::default();
    found.visit_body(&parsed.syntax().body);
    found.imports.sort();
    found.imports.dedup();
    let text = if parsed.has_valid_syntax() { without(source, &found.bodies) } else { source.to_owned() };
    Loading { text, imports: found.imports }
}

/// Collects what does not run when the file is loaded, and what is imported.
#[derive(Default)]
struct LoadingVisitor {
    /// Of functions that are in no other, in source order.
    bodies: Vec<std::ops::Range<usize>>,
    imports: Vec<Import>,
    /// Functions around the node.
    depth: usize,
}

impl<'a> Visitor<'a> for LoadingVisitor {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                if self.depth == 0 {
                    self.bodies.extend(body(function));
                }
                self.depth += 1;
                walk_stmt(self, stmt);
                self.depth -= 1;
            }
            Stmt::Import(import) => {
                let names = import.names.iter().map(|alias| alias.name.to_string());
                self.imports.extend(names.map(|name| Import { level: 0, name }));
            }
            Stmt::ImportFrom(import) => self.imports.extend(from(import)),
            _ => walk_stmt(self, stmt),
        }
    }
}

fn body(function: &StmtFunctionDef) -> Option<std::ops::Range<usize>> {
    let is_text = |stmt: &Stmt| matches!(stmt, Stmt::Expr(it) if it.value.is_string_literal_expr());
    let n_docs = usize::from(function.body.first().is_some_and(is_text));
    let (first, last) = (function.body.get(n_docs)?, function.body.last()?);
    Some(first.start().to_usize()..last.end().to_usize())
}

fn from(import: &StmtImportFrom) -> Vec<Import> {
    let level = import.level as usize;
    let module = import.module.as_ref().map(ToString::to_string).unwrap_or_default();
    let within = |name: &str| if module.is_empty() { name.to_owned() } else { format!("{module}.{name}") };
    let names = import.names.iter().map(|alias| within(&alias.name)).collect::<Vec<String>>();
    std::iter::once(module.clone()).chain(names).map(|name| Import { level, name }).collect()
}

fn without(source: &str, ranges: &[std::ops::Range<usize>]) -> String {
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for range in ranges {
        text.push_str(&source[at..range.start]);
        at = range.end;
    }
    text.push_str(&source[at..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, text: &str, imports: &[(usize, &str)]) {
        let imports = imports.iter().map(|(level, name)| Import { level: *level, name: (*name).to_owned() });
        let expected = Loading { text: text.to_owned(), imports: imports.collect() };
        assert_eq!(loading(source), expected, "{source}");
    }

    #[test]
    fn bodies_of_functions_do_not_run_when_a_file_is_loaded() {
        check(
            "A = 1\n\n@d\ndef f(x=2):\n    def g():\n        return 1\n    return g\nB = f()\n",
            "A = 1\n\n@d\ndef f(x=2):\n    \nB = f()\n",
            &[],
        );
    }

    #[test]
    fn those_of_classes_do_and_docstrings_stay() {
        check(
            "class C:\n    x = 1\n    async def f(self):\n        'words'\n        await y\n",
            "class C:\n    x = 1\n    async def f(self):\n        'words'\n        \n",
            &[],
        );
    }

    #[test]
    fn functions_behind_a_condition_are_found_too() {
        check(
            "if x:\n    def f(): return 1\nelse:\n    y()\n",
            "if x:\n    def f(): \nelse:\n    y()\n",
            &[],
        );
    }

    #[test]
    fn imports_are_told_wherever_they_stand() {
        check(
            "import a.b, c\nfrom ..d import e\nfrom . import f\ndef g():\n    from h import *\n",
            "import a.b, c\nfrom ..d import e\nfrom . import f\ndef g():\n    \n",
            &[(0, "a.b"), (0, "c"), (0, "h"), (0, "h.*"), (1, ""), (1, "f"), (2, "d"), (2, "d.e")],
        );
    }

    #[test]
    fn a_broken_text_counts_whole() {
        check("def f(:\n    return 1\n", "def f(:\n    return 1\n", &[]);
    }
}
