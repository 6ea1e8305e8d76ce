//! Tests of which other files of the project have a part: classes that derive from theirs, imports of their names.
//!
//! What is written in the place of such tests is checked in their own file. Whether it does the same work in a class of another file, with
//! another set-up, nobody has seen, and an import of a test that is gone does not load. So they stay as they are.

use paring_model::{Refusal, Survey};

/// A class or function of a test file that another file inherits or imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Borrowed {
    /// As the ids within the file begin: `TestCart`, `CartTest$Small`, `test_put`. None for all there is.
    pub name: Option<String>,
    /// The other file.
    pub by: String,
}

impl Borrowed {
    /// The same by the framework's id: `tests/test_cart.py::TestCart::test_put`, `shop.CartTest#put`.
    pub fn holds_test(&self, id: &str) -> bool {
        let head = id.split(['#', '[']).next().unwrap_or(id);
        let start = match head.split_once("::") {
            Some((path, _)) => path.len() + 2,
            None => head.rfind('.').map_or(0, |at| at + 1),
        };
        self.holds(&id[start..])
    }

    /// Whether a test, by its id within the file, is this or stands in it.
    fn holds(&self, id: &str) -> bool {
        let Some(name) = &self.name else { return true };
        let rest = id.strip_prefix(name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '#', '$', '[']))
    }
}

/// Has the tests that another file has a part of left alone.
pub fn leave_alone(survey: &mut Survey, borrowed: &[Borrowed]) {
    for shape in survey.shapes.iter_mut().filter(|shape| shape.refusal.is_none()) {
        if let Some(found) = borrowed.iter().find(|it| it.holds(&shape.id)) {
            let text = format!("another file inherits or imports it: {}", found.by);
            shape.refusal = Some(Refusal::new("base_class", text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_its_tests_and_nested_classes_and_no_class_with_a_longer_name() {
        let borrowed = |name: &str| Borrowed { name: Some(name.to_owned()), by: String::new() };
        assert!(borrowed("TestCart").holds("TestCart::test_put"));
        assert!(borrowed("test_put").holds("test_put"));
        assert!(
            borrowed("CartTest").holds("CartTest$Small#put") && borrowed("CartTest").holds("CartTest#put")
        );
        assert!(!borrowed("Cart").holds("CartTest#put") && !borrowed("test_put").holds("test_put_two"));
        assert!(borrowed("TestCart").holds_test("tests/test.cart.py::TestCart::test_put"));
        assert!(borrowed("test_put").holds_test("test_cart.py::test_put[a.b::c]"));
        assert!(borrowed("CartTest$Small").holds_test("com.shop.CartTest$Small#put[1.5]"));
        assert!(Borrowed { name: None, by: String::new() }.holds("test_put"));
    }
}
