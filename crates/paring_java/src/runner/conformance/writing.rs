//! Tests that the front end writes, run by `JUnit`.

use super::*;
use crate::frontend::JavaFrontend;
use paring_testkit::conformance_write::{WriteCases, writer};

const TARGETS: [&str; 3] = ["shop.CartTest#testOne", "shop.CartTest#testTwo", "shop.CartTest#testThree"];

/// A test as it stands in a class, with a comment, a blank line, an exception and a lambda.
fn method(annotation: &str, name: &str, number: u32) -> String {
    format!(
        "    {annotation}public void {name}() throws java.io.IOException {{\n        // one thing\n        \
         List<Integer> cart = new ArrayList<>();  // empty\n\n        cart.add({number});\n        \
         int[] totals = {{0}};\n        cart.forEach(one -> totals[0] += one);\n        \
         assertEquals({number}, totals[0]);\n        String text = \"{number}, it's\";\n        \
         for (int thing : cart) {{\n            assertEquals(text, thing + \", it's\");\n        }}\n        \
         assertEquals(1, cart.size());\n    }}\n"
    )
}

fn check(set: &str, file: fn(&str) -> String, annotation: &str, parametrises: bool) {
    let tests = [("testOne", 1), ("testTwo", 2), ("testThree", 3)];
    let methods: Vec<String> = tests.iter().map(|(name, number)| method(annotation, name, *number)).collect();
    let source = file(&methods.join("\n"));
    for jdk in jdks() {
        let lab = Lab::new(&jdk, set, &[]);
        let path = lab.root().join("src/shop/CartTest.java");
        let cases = WriteCases { path: path.as_str(), source: &source, targets: TARGETS, parametrises };
        writer(&JavaFrontend, &lab.runner(), &cases);
    }
}

#[test]
fn tests_written_for_junit_3_pass() {
    check("junit3", junit3, "", false);
}

#[test]
fn tests_written_for_junit_4_pass() {
    check("junit4", junit4, "@Test\n    ", false);
}

#[test]
fn tests_written_for_junit_5_pass() {
    check("junit5", junit5, "@Test\n    ", true);
}
