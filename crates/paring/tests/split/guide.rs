//! The example of the guide, as it stands there.

use crate::trial::Trial;

const PAGE: &str = include_str!("../../../../docs/split.md");

/// The code block that follows a line.
fn block(after: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(after).unwrap_or_else(|| panic!("the page does not say {after:?}"));
    let (_, rest) = rest.split_once("```python\n").expect("a block follows");
    rest.split_once("```").expect("it ends").0
}

#[test]
fn the_example_becomes_what_the_page_says() {
    let files = [("shop.py", block("`shop.py`")), ("test_shop.py", block("`test_shop.py`"))];
    let ran = Trial::python(&files).split(&["test_shop.py::test_shop"]);
    ran.is(block("the test becomes"));
}
