//! Tests that are not split, or cannot be: a clear line and an exit code for each.

use crate::trial::Trial;

const TARGET: &str = "test_cart.py::test_cart";

fn split(text: &str) -> crate::trial::Ran {
    Trial::python(&[("test_cart.py", text)]).split(&[TARGET, "--mutants", "0"])
}

#[test]
fn a_failing_test_is_left_to_purify() {
    let ran = split("def test_cart():\n    assert abs(-1) == 1\n    assert abs(-2) == 3\n");
    ran.ends(8, &["error: the test fails: AssertionError", "`paring purify`"]);
    assert_eq!(ran.found[0]["status"], "failing", "{ran}");
}

#[test]
fn a_test_that_passes_every_other_time_is_flaky() {
    let text = "import pathlib\n\n\ndef test_cart():\n    runs = pathlib.Path('../outside')\n    n = len(runs.read_text()) if runs.exists() \
                else 0\n    runs.write_text('x' * (n + 1))\n    assert n % 3 == 0\n    assert abs(n) == n\n";
    let ran = split(text);
    ran.ends(5, &["does not pass every time"]);
}

#[test]
fn a_single_assertion_says_so() {
    let ran = split("def test_cart():\n    one = abs(-1)\n    assert one == 1\n");
    ran.ends(3, &["whole test_cart.py::test_cart: it has a single assertion"]);
    assert_eq!(ran.found[0]["reason"]["kind"], "one_assertion", "{ran}");
}

#[test]
fn assertions_of_another_file_are_not_seen() {
    let helper = "def check(number):\n    assert number == 1\n    assert number != 2\n";
    let text = "from checks import check\n\n\ndef test_cart():\n    check(abs(-1))\n    check(abs(1))\n";
    let trial = Trial::python(&[("test_cart.py", text), ("checks.py", helper)]);
    trial.split(&[TARGET, "--mutants", "0"]).ends(3, &["it has no assertion that paring can see"]);
}

#[test]
fn a_test_whose_checks_need_each_other_stays_whole() {
    let ran = split(
        "def test_cart():\n    numbers = [1, 2]\n    assert numbers.pop() == 2\n    assert numbers.pop() == 1\n    assert numbers == []\n",
    );
    ran.ends(3, &["all that it checks needs the same statements"]);
    assert_eq!(ran.found[0]["reason"]["kind"], "one_scenario", "{ran}");
}

#[test]
fn a_comment_leaves_a_test_whole() {
    let text = "def test_cart():  # paring: keep\n    one = abs(-1)\n    assert one == 1\n    two = abs(2)\n    assert two == 2\n";
    let ran = split(text);
    ran.ends(3, &["a comment says to keep it"]);
    assert_eq!(ran.found[0]["reason"]["kind"], "protected", "{ran}");
}

#[test]
fn a_skipped_test_is_not_tried() {
    let text = "import pytest\n\n\n@pytest.mark.skip(reason='later')\ndef test_cart():\n    one = abs(-1)\n    assert one == 1\n    two = \
                abs(2)\n    assert two == 2\n";
    split(text).ends(3, &["the test is skipped: later"]);
}

#[test]
fn what_is_not_there_is_not_found() {
    let trial = Trial::python(&[("test_cart.py", "def test_other():\n    assert True\n")]);
    trial.split(&[TARGET]).ends(1, &["test_cart.py does not define test_cart.py::test_cart"]);
    trial.split(&["nowhere.py"]).ends(6, &["nowhere.py"]);
}

#[test]
fn a_syntax_error_is_told() {
    split("def test_cart():\n    assert (\n").ends(1, &["next: correct the syntax error first"]);
}
