//! Other classes of a file that run a test's code: those that inherit it.
//!
//! ```python
//! class Base:
//!     def test_size(self): ...
//!
//! class TestList(Base): ...     the test that is named: TestList::test_size
//! class TestText(Base): ...     an heir: TestText::test_size
//! ```

use super::parsed;
use ruff_python_ast::{Expr, Stmt, StmtClassDef};
use std::collections::BTreeMap;

/// Classes up from a test to look for its code in.
const DEPTH: usize = 32;

/// The ids of the tests of other classes that a test shares its code with.
pub fn heirs(source: &str, id: &str) -> Vec<String> {
    let Some((file, names)) = id.split_once("::") else { return Vec::new() };
    let Some((class, test)) = names.split_once("::").filter(|(_, test)| !test.contains("::")) else {
        return Vec::new();
    };
    let method = test.split('[').next().unwrap_or(test);
    let parsed = parsed(source);
    let classes: BTreeMap<&str, &StmtClassDef> = (parsed.syntax().body.iter())
        .filter_map(|stmt| match stmt {
            Stmt::ClassDef(class) => Some((class.name.as_str(), class)),
            _ => None,
        })
        .collect();
    let Some(definer) = definer(&classes, class, method, DEPTH) else { return Vec::new() };
    let is_heir =
        |name: &&str| **name != *class && self::definer(&classes, name, method, DEPTH) == Some(definer);
    classes.keys().copied().filter(is_heir).map(|name| format!("{file}::{name}::{test}")).collect()
}

/// The class whose method of that name a class has.
fn definer<'a>(
    classes: &BTreeMap<&'a str, &'a StmtClassDef>,
    class: &str,
    method: &str,
    depth: usize,
) -> Option<&'a str> {
    let (&name, found) = classes.get_key_value(class)?;
    let is_it = |stmt: &Stmt| matches!(stmt, Stmt::FunctionDef(def) if def.name.as_str() == method);
    if found.body.iter().any(is_it) {
        return Some(name);
    }
    let bases = found.arguments.iter().flat_map(|arguments| &arguments.args);
    let named = bases.filter_map(|base| match base {
        Expr::Name(name) => Some(name.id.as_str()),
        _ => None,
    });
    named.filter(|_| depth > 0).find_map(|base| definer(classes, base, method, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "class Base:\n    def test_a(self): pass\n    def test_b(self): pass\n\nclass TestOne(Base): pass\n\nclass TestTwo(TestOne):\n    def test_b(self): pass\n\nclass Other:\n    def test_a(self): pass\n";

    #[test]
    fn heirs_are_the_classes_with_the_same_method() {
        assert_eq!(
            heirs(SOURCE, "t.py::TestOne::test_a[1]"),
            ["t.py::Base::test_a[1]", "t.py::TestTwo::test_a[1]"]
        );
        assert_eq!(heirs(SOURCE, "t.py::TestOne::test_b"), ["t.py::Base::test_b"]);
        assert_eq!(heirs(SOURCE, "t.py::Other::test_a"), Vec::<String>::new());
        assert_eq!(heirs(SOURCE, "t.py::test_a"), Vec::<String>::new());
    }
}
