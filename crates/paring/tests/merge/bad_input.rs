//! Suites of which nothing, or not all, can be merged: a clear line and an exit code for each.

use crate::trial::Trial;

const TWO: &str = "\
def test_one():
    assert abs(-1) == 1


def test_two():
    assert abs(2) == 2
";

#[test]
fn failing_tests_are_left_out_and_reported() {
    let failing = format!("{TWO}\n\ndef test_three():\n    assert abs(3) == 4\n");
    let ran = Trial::with_files(&[("test_abs.py", &failing)]).merge(&["test_abs.py"]);
    ran.ends(0, &["left out: test_abs.py::test_three: fails: AssertionError"]);
    assert!(ran.text().ends_with("def test_three():\n    assert abs(3) == 4\n"), "{ran}");
}

#[test]
fn a_test_that_needs_another_is_not_merged() {
    let needs = "SEEN = []\n\n\ndef test_one():\n    SEEN.append(1)\n    assert len(SEEN) == 1\n\n\ndef \
                 test_two():\n    SEEN.append(2)\n    assert len(SEEN) == 2\n";
    Trial::with_files(&[("test_seen.py", needs)]).merge(&["test_seen.py"]).ends(3, &["(unstable)", "alone"]);
}

#[test]
fn nothing_to_merge_is_no_failure_of_paring() {
    let one = "def test_one():\n    assert abs(-1) == 1\n";
    Trial::with_files(&[("test_abs.py", one)]).merge(&["test_abs.py"]).ends(3, &["nothing to merge"]);
}

#[test]
fn what_is_not_there_is_not_found() {
    let trial = Trial::with_files(&[("test_abs.py", TWO), ("empty.py", "")]);
    trial.merge(&["nowhere.py"]).ends(6, &["nowhere.py"]);
    trial.merge(&["test_abs.py::test_one"]).ends(6, &["one alone cannot be merged"]);
}

#[test]
fn where_no_mutants_are_possible_that_is_told() {
    let ran = Trial::with_files(&[("test_abs.py", TWO)]).merge(&["test_abs.py"]);
    ran.ends(0, &["no mutants possible: the tests run no line of the code under test"]);
}
