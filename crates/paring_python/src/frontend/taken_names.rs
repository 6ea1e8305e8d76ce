//! The names that a file takes from a module: those that it imports, and those that it reads of the module.
//!
//! ```python
//! from tests.test_base import TestBase      # of test_base: TestBase
//! from tests import test_base as base
//! class TestMore(base.TestOther): ...       # of test_base: TestOther
//! ```

use super::parsed;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenNames {
    /// `from module import *`.
    All,
    Some(BTreeSet<String>),
}

impl TakenNames {
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Some(names) => names.contains(name),
        }
    }
}

/// What a file takes from a module with this last part of its name. Where it imports a module as a whole, each attribute that the file
/// reads of anything may be of the module.
pub fn taken_names(source: &str, module: &str) -> TakenNames {
    let mut imports = Imports { module, ..Imports::default() };
    parsed(source).suite().iter().for_each(|stmt| imports.visit_stmt(stmt));
    if imports.all {
        return TakenNames::All;
    }
    if imports.whole {
        imports.names.extend(imports.attributes);
    }
    TakenNames::Some(imports.names)
}

#[derive(Default)]
struct Imports<'m> {
    module: &'m str,
    all: bool,
    /// Whether the module itself is imported.
    whole: bool,
    names: BTreeSet<String>,
    attributes: BTreeSet<String>,
}

impl Visitor<'_> for Imports<'_> {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        let last = |path: &str| path.rsplit('.').next().is_some_and(|last| last == self.module);
        match stmt {
            Stmt::Import(import) => self.whole |= import.names.iter().any(|alias| last(&alias.name)),
            Stmt::ImportFrom(import) if import.module.as_ref().is_some_and(|module| last(module)) => {
                self.all |= import.names.iter().any(|alias| alias.name.as_str() == "*");
                self.names.extend(import.names.iter().map(|alias| alias.name.to_string()));
            }
            Stmt::ImportFrom(import) => {
                self.whole |= import.names.iter().any(|alias| alias.name.as_str() == self.module);
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        if let Expr::Attribute(attribute) = expr {
            self.attributes.insert(attribute.attr.to_string());
        }
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let names = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(taken_names(source, "test_base"), TakenNames::Some(names), "{source}");
    }

    #[test]
    fn names_are_taken_by_import_and_by_attribute() {
        check("from tests.test_base import TestBase as Base, make", &["TestBase", "make"]);
        check("from .test_base import TestBase", &["TestBase"]);
        check("from . import test_base as base\nclass A(base.TestBase): pass", &["TestBase"]);
        check("import tests.test_base\nclass A(tests.test_base.B): pass", &["B", "test_base"]);
        check("def f():\n    from test_base import late", &["late"]);
    }

    #[test]
    fn other_modules_give_nothing() {
        check("from tests.test_base_more import TestBase\nimport test_bases\nclass A(x.B): pass", &[]);
        assert_eq!(taken_names("from test_base import *", "test_base"), TakenNames::All);
    }
}
