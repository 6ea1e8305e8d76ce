//! `--report`: how much tests repeat each other. Nothing is rewritten.

use crate::trial::Trial;
use serde_json::Value;

const SHOP: &str = "\
class Cart:
    def __init__(self):
        self.rows = []

    def add(self, name, n):
        self.rows.append((name, n))

    def total(self):
        return sum(n for _, n in self.rows)
";

/// The file of the guide.
fn tests() -> String {
    let guide = include_str!("../../../../docs/repeats.md");
    let code = guide.lines().filter_map(|line| line.strip_prefix("    ").or(line.is_empty().then_some("")));
    let code: Vec<&str> = code.skip_while(|line| !line.starts_with("def ")).collect();
    format!("from shop import Cart\n\n\n{}\n", code.join("\n").trim_end())
}

#[test]
fn a_test_that_another_does_in_full_is_safe_to_delete() {
    let trial = Trial::with_files(&[("shop.py", SHOP), ("test_shop.py", &tests())]);
    let page = trial.outside("page.html");
    let ran = trial.merge_report(&["test_shop.py", "--html", page.as_str()]);
    ran.ends(0, &["safe to delete: 1", "test_shop.py::test_total: test_shop.py::test_more does all of it"]);
    assert_eq!(ran.found["paring"]["redundant_statements"], 3, "{ran}");
    assert_eq!(ran.found["paring"]["quartiles"], serde_json::json!([3, 3, 3, 3, 3]));
    assert_eq!(ran.found["deletable"][0]["by"], "test_shop.py::test_more");
    assert_eq!(ran.found["deletable"][0]["proof"].as_array().map(Vec::len), Some(4));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("<mark>    cart.add(&quot;pen&quot;, 2)</mark>"), "{page}");
}

#[test]
fn what_other_classes_inherit_is_not_called_safe_to_delete() {
    let one = |name: &str| format!("    def test_{name}(self):\n        assert Cart().total() == 0\n\n");
    let base = format!("from shop import Cart\n\n\nclass TestBase:\n{}\n", one("a"));
    let deletable = |files: &[(&str, &str)]| {
        let ran = Trial::with_files(&[&[("shop.py", SHOP)], files].concat()).merge_report(&["test_shop.py"]);
        ran.found["deletable"]
            .as_array()
            .map(|all| all.iter().map(|it| it["test"].to_string()).collect::<Vec<_>>())
    };
    let heir = format!("{base}\nclass TestMore(TestBase):\n{}", one("c"));
    assert_eq!(
        deletable(&[("test_shop.py", &heir)]),
        Some(vec!["\"test_shop.py::TestMore::test_c\"".to_owned()])
    );
    let two = format!("{base}\nclass TestMore:\n{}", one("c"));
    assert_eq!(deletable(&[("test_shop.py", &two)]).map(|all| all.len()), Some(1));
    let other = "from test_shop import TestMore\n\n\nclass TestOther(TestMore):\n    pass\n";
    assert_eq!(deletable(&[("test_shop.py", &two), ("test_other.py", other)]), Some(Vec::new()));
}

#[test]
fn tests_that_have_nothing_in_common_are_no_failure_of_paring() {
    let apart =
        "from shop import Cart\n\n\ndef test_one():\n    Cart()\n\n\ndef test_two():\n    assert 1 < 2\n";
    let ran =
        Trial::with_files(&[("shop.py", SHOP), ("test_shop.py", apart)]).merge_report(&["test_shop.py"]);
    ran.ends(3, &["safe to delete: 0", "redundant statements"]);
}

#[test]
fn failing_tests_are_left_out_and_reported() {
    let failing = format!("{}\n\n\ndef test_bad():\n    assert Cart().total() == 1\n", tests());
    let ran =
        Trial::with_files(&[("shop.py", SHOP), ("test_shop.py", &failing)]).merge_report(&["test_shop.py"]);
    ran.ends(0, &["2 tests that pass, 1 left out", "left out: test_shop.py::test_bad: AssertionError"]);
    assert_eq!(ran.found["left_out"].as_array().map(Vec::len), Some(1));
    let none = Trial::with_files(&[("shop.py", SHOP)]).merge_report(&["shop.py"]);
    assert_ne!(none.code, 0, "{none}");
    assert_eq!(none.found, Value::Null);
}
