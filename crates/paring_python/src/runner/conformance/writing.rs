//! Tests that the front end writes, run by pytest.

use super::Lab;
use crate::frontend::PythonFrontend;
use paring_testkit::conformance_write::{WriteCases, writer};

/// The bodies of three tests, at the indentation of their functions.
fn source(head: &str, indent: &str, self_: &str) -> String {
    let test = |number: u32| {
        let body = format!(
            "def test_{number}({self_}):\n    # a cart with one thing in it\n    cart = [{number}]  # filled\n\n    \
             text = '''first\n  {{}}\n'''.format(cart[0])\n    for item in cart:\n        key = f\"{{item}} of {{len(cart)}}\"\n    \
             assert dict(key=key)['key'] == '{number} of 1'\n    assert text == '''first\n  {number}\n'''\n    \
             cart.sort(key=lambda one: one)\n    assert cart == [{number}]\n"
        );
        let mut lines = Vec::new();
        let mut in_string = false;
        for line in body.lines() {
            let is_inside = in_string;
            in_string ^= line.matches("'''").count() % 2 == 1;
            lines.push(if is_inside || line.is_empty() {
                line.to_owned()
            } else {
                format!("{indent}{line}")
            });
        }
        lines.join("\n") + "\n"
    };
    format!("{head}{}\n\n{}\n\n{}", test(1), test(2), test(3))
}

fn check(source: &str, targets: [&str; 3]) {
    let lab = Lab::new(&[("test_a.py", source)]);
    let cases = WriteCases { path: "test_a.py", source, targets, parametrises: true };
    writer(&PythonFrontend, &lab.runner(targets[0]), &cases);
}

#[test]
fn written_functions_pass() {
    check(&source("", "", ""), ["test_a.py::test_1", "test_a.py::test_2", "test_a.py::test_3"]);
}

#[test]
fn written_methods_pass() {
    let targets = ["test_a.py::TestA::test_1", "test_a.py::TestA::test_2", "test_a.py::TestA::test_3"];
    check(&source("class TestA:\n", "    ", "self"), targets);
    let head = "import unittest\n\n\nclass TestA(unittest.TestCase):\n";
    check(&source(head, "    ", "self").replace('\n', "\r\n"), targets);
}
