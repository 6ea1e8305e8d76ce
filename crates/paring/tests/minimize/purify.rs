//! `paring purify`: which assertions give a test, what is in it, and where it is written.

use crate::trial::{Ran, Trial};
use serde_json::json;

const STACK: &str = "\
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def peek(self):
        return self.items[0]  # wrong with more than one

    def size(self):
        return len(self.items) + 1  # wrong

    def clear(self):
        raise RuntimeError('not yet')
";

/// The project with one test file: an import of the stack, a blank line, and a text that begins on line 3.
fn trial(tests: &str) -> Trial {
    let trial = Trial::with_file("test_stack.py", &format!("from stack import Stack\n\n{tests}"));
    trial.project.write("stack.py", STACK);
    trial
}

fn purify(tests: &str, id: &str) -> Ran {
    trial(tests).purify(&[&format!("test_stack.py::{id}")])
}

const SEVERAL: &str = "\
def test_stack():
    log = []
    stack = Stack()
    stack.push(1)
    log.append('pushed')
    assert stack.size() == 1
    stack.push(2)
    assert log == ['pushed']
    assert stack.pop() == 2
    stack.push(3)
    assert stack.peek() == 3
";

#[test]
fn assertions_behind_the_first_that_fails_come_to_light_and_those_that_hold_are_dropped() {
    let ran = purify(SEVERAL, "test_stack");
    assert_eq!(ran.code, 0, "{ran}");
    let first = "def test_stack():\n    stack = Stack()\n    stack.push(1)\n    assert stack.size() == 1\n";
    let purified = ran.purified();
    assert_eq!(purified.len(), 2, "{ran}");
    assert_eq!((purified[0].0, purified[0].1.trim_end()), (8, first.trim_end()), "{ran}");
    assert_eq!(purified[1].0, 13, "{ran}");
    let off = "    with contextlib.suppress(AssertionError):\n        assert stack.pop() == 2\n";
    assert!(purified[1].1.contains(off), "what takes something from the stack still does\n{ran}");
    ran.says(&[
        "note: 2 of 4 assertions fail by themselves",
        "assertion: line 13 `assert stack.peek() == 3`",
    ]);
}

#[test]
fn a_result_is_told_as_minimize_tells_it_in_lines_of_the_users_file() {
    let ran = purify(SEVERAL, "test_stack");
    let second = &ran.results[1];
    assert_eq!(second["target"], "test_stack.py::test_stack", "{ran}");
    assert_eq!(second["assertion"], json!({ "line": 13, "text": "assert stack.peek() == 3" }), "{ran}");
    assert_eq!(second["failure"]["line"], 13, "{ran}");
    assert_eq!(second["statements"], json!({ "before": 10, "after": 6 }), "{ran}");
    let removed: Vec<u64> =
        second["removed"].as_array().unwrap().iter().filter_map(|it| it["line"].as_u64()).collect();
    assert_eq!(removed, [4, 7, 8, 10], "{ran}");
    assert_eq!(second["verified"]["fresh_process"], true, "{ran}");
    assert!(second["file"]["text"].as_str().unwrap().starts_with("import contextlib\nfrom stack"), "{ran}");
}

#[test]
fn a_test_with_one_assertion_is_only_pared() {
    let test = "def test_one():\n    other = 3\n    stack = Stack()\n    assert stack.size() == 0\n";
    let trial = trial(test);
    let purified = trial.purify(&["test_stack.py::test_one"]);
    let minimized = trial.minimize(&["test_stack.py::test_one"]);
    assert_eq!(purified.only(0, "minimized")["file"], minimized.only(0, "minimized")["file"]);
    assert_eq!(purified.results[0]["assertion"]["line"], 6);
    assert_eq!(minimized.results[0]["assertion"], json!(null));
}

#[test]
fn a_test_that_an_exception_ends_is_cut_at_the_statement_that_broke() {
    let test = "\
def test_clear():
    stack = Stack()
    name = 'x'
    assert stack.size() == 0
    assert name == 'x'
    stack.clear()
    assert stack.peek() == 1
";
    let ran = purify(test, "test_clear");
    let lines: Vec<u64> = ran.purified().iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [6, 0], "{ran}");
    let broken = &ran.results[1];
    assert_eq!((&broken["failure"]["type"], &broken["failure"]["line"]), (&json!("RuntimeError"), &json!(8)));
    assert_eq!(
        ran.purified()[1].1.trim_end(),
        "def test_clear():\n    stack = Stack()\n    stack.clear()",
        "{ran}"
    );
}

#[test]
fn helpers_that_check_are_assertions_too() {
    let test = "\
def check(stack, n):
    assert stack.size() == n


def test_sizes():
    stack = Stack()
    check(stack, 0)
    stack.push(1)
    check(stack, 1)
";
    let ran = purify(test, "test_sizes");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [9, 11], "{ran}");
    assert!(!ran.purified()[1].1.contains("check(stack, 0)"), "{ran}");
}

#[test]
fn what_was_expected_and_did_not_come_is_a_verdict() {
    let test = "\
import pytest


def test_empty():
    stack = Stack()
    stack.push(1)
    with pytest.raises(IndexError):
        stack.pop()
    with pytest.raises(IndexError, match='empty'):
        stack.pop()
    assert stack.size() == 0
";
    let ran = purify(test, "test_empty");
    let lines: Vec<u64> = ran.purified().iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [9, 13], "the second one is raised\n{ran}");
    assert_eq!(ran.results[0]["failure"]["type"], "Failed", "{ran}");
    assert!(ran.purified()[1].1.contains("assert stack.size() == 0"), "{ran}");
}

#[test]
fn an_exception_that_others_read_cannot_be_turned_off() {
    let test = "\
import pytest


def test_empty():
    stack = Stack()
    stack.push(1)
    assert stack.size() == 1
    with pytest.raises(IndexError) as caught:
        stack.pop()
    assert 'empty' in str(caught.value)
";
    let ran = purify(test, "test_empty");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [9, 10], "{ran}");
}

#[test]
fn what_was_to_raise_stays_where_the_block_itself_says_that_nothing_came() {
    let test = "\
import pytest


def test_pop():
    stack = Stack()
    stack.push(1)
    with pytest.raises(IndexError):
        stack.pop()
        pytest.fail('no error')
";
    let ran = purify(test, "test_pop");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [9, 11], "{ran}");
    assert!(ran.purified().iter().all(|(_, text)| text.contains("stack.pop()")), "{ran}");
    assert!(!ran.purified()[0].1.contains("fail"), "{ran}");
}

#[test]
fn a_verdict_that_is_waited_for_is_no_assertion() {
    let test = "\
import pytest


def test_size():
    stack = Stack()
    with pytest.raises(AssertionError):
        assert stack.size() == 1
    assert stack.size() == 0
";
    let ran = purify(test, "test_size");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [8, 10], "{ran}");
    assert!(!ran.purified()[0].1.contains("suppress"), "{ran}");
}

#[test]
fn an_assertion_in_a_function_within_the_test_speaks_for_its_calls() {
    let test = "\
def test_sizes():
    stack = Stack()

    def check(n):
        assert stack.size() == n
    check(0)
    stack.push(1)
    stack.push(2)
    assert stack.peek() == 2
";
    let ran = purify(test, "test_sizes");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [7, 11], "{ran}");
    assert!(ran.purified()[0].1.contains("check(0)"), "{ran}");
    ran.says(&["2 of 2 assertions fail by themselves"]);
}

#[test]
fn what_did_not_run_is_not_judged() {
    let test = "\
def test_sizes():
    stack = Stack(); assert stack.size() == 0; assert stack.peek() == 1
    assert stack.size() == 1
";
    let ran = purify(test, "test_sizes");
    assert_eq!(ran.purified().len(), 1, "{ran}");
    assert!(ran.purified()[0].1.contains("assert stack.size() == 0"), "{ran}");
    ran.says(&[
        "1 of 3 assertions fails by itself; those after line 4, which cannot be turned off, did not run",
    ]);
}

const CLASS: &str = "\
import unittest


class StackTest(unittest.TestCase):
    def setUp(self):
        self.stack = Stack()

    def test_it(self):
        self.stack.push(1)
        self.stack.push(2)
        self.assertEqual(self.stack.size(), 2)
        self.assertEqual(
            self.stack.pop(),
            2,
        )
        self.assertTrue(self.stack.items)
        with self.assertRaises(IndexError):
            self.stack.pop()

    def test_parts(self):
        for n in (0, 1):
            with self.subTest(n=n):
                self.assertEqual(self.stack.size(), n)
        with self.subTest('order'):
            self.stack.push(4)
            self.stack.push(5)
            self.assertEqual(self.stack.peek(), 5)
";

#[test]
fn assertions_of_a_unittest_class_are_taken_apart() {
    let ran = purify(CLASS, "StackTest::test_it");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [13, 19], "{ran}");
    let (_, second) = ran.purified()[1];
    assert!(
        second.contains("with contextlib.suppress(AssertionError):\n        self.assertEqual(\n"),
        "{ran}"
    );
    assert!(!second.contains("size") && !second.contains("assertTrue"), "{ran}");
}

#[test]
fn assertions_of_sub_tests_are_taken_apart() {
    let ran = purify(CLASS, "StackTest::test_parts");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [25, 29], "{ran}");
    assert!(
        ran.purified()[1].1.contains("self.stack.push(5)") && !ran.purified()[1].1.contains("size"),
        "{ran}"
    );
}

#[test]
fn apply_puts_the_purified_tests_in_the_place_of_the_test() {
    let others = "\n\ndef test_stack_1():\n    pass\n";
    let trial = trial(&format!("{SEVERAL}{others}"));
    let ran = trial.purify(&["test_stack.py::test_stack", "--apply"]);
    assert_eq!(ran.code, 0, "{ran}");
    let after = trial.project.read("test_stack.py");
    assert!(
        after.starts_with("import contextlib\nfrom stack import Stack\n\ndef test_stack_2():\n"),
        "{after}"
    );
    assert!(after.contains("\n\n\ndef test_stack_3():\n") && after.ends_with(others), "{after}");
    assert!(!after.contains("def test_stack():"), "{after}");
    let said = trial.pytest(&["test_stack.py"]);
    assert!(said.contains("2 failed, 1 passed"), "{said}\n{after}");
}

const CASES: &str = "\
import pytest


@pytest.mark.parametrize('n', [1, 2])
def test_case(n):
    stack = Stack()
    stack.push(0)
    assert stack.size() == n
    stack.push(n)
    assert stack.peek() == n
";

#[test]
fn of_a_parametrised_test_the_failing_case_is_taken_apart_and_the_others_stay() {
    let trial = trial(CASES);
    let ran = trial.purify(&["test_stack.py::test_case[1]", "--apply"]);
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [10, 12], "{ran}");
    let after = trial.project.read("test_stack.py");
    let (imports, body) = CASES.split_once("@pytest").expect("it has cases");
    let rest = format!("{imports}@pytest{}", body.replace("[1, 2]", "[2]"));
    assert!(after.starts_with(&format!("from stack import Stack\n\n{rest}")), "{after}");
    let said = trial.pytest(&["test_stack.py"]);
    assert!(said.contains("test_case_1_1[1]") && said.contains("test_case_1_2[1]"), "{said}\n{after}");
}

#[test]
fn cases_with_numbers_for_names_are_each_taken_out_once() {
    let trial = trial(
        "import pytest\n\n\n@pytest.mark.parametrize('row', [[1], [2], [3]])\ndef test_row(row):\n    stack = Stack()\n    stack.push(row[0])\n    assert stack.size() == 1\n    stack.push(4)\n    assert stack.peek() == 4\n",
    );
    let ran = trial.purify(&["--failing", "test_stack.py", "--apply"]);
    assert_eq!(ran.code, 0, "{ran}");
    let after = trial.project.read("test_stack.py");
    // What is left when the others are gone keeps the name.
    for (id, row) in [("row", "[[1]]"), ("row_row1", "[[2]]"), ("row_row2", "[[3]]")] {
        let name = format!("def test_{id}_1(");
        let above = after.split(&name).next().and_then(|above| above.lines().last());
        assert!(above.is_some_and(|above| above.contains(row)), "{id} has {row}\n{after}");
    }
}

#[test]
fn out_writes_a_file_with_all_of_them_and_what_they_need() {
    let trial = trial(&format!("import os\n\n\ndef test_other():\n    assert os\n\n\n{SEVERAL}"));
    let ran = trial.purify(&["test_stack.py::test_stack", "--out", "test_pure.py"]);
    assert_eq!(ran.code, 0, "{ran}");
    let text = trial.project.read("test_pure.py");
    assert!(!text.contains("test_other") && !text.contains("import os"), "{text}");
    let said = trial.pytest(&["test_pure.py"]);
    assert!(said.contains("2 failed") && said.contains("test_stack_2"), "{said}\n{text}");
    assert!(trial.project.read("test_stack.py").contains("def test_stack():"), "the file stays as it is");
}

#[test]
fn a_patch_has_the_same() {
    let trial = trial(SEVERAL);
    let patch = trial.outside("all.patch");
    trial.purify(&["test_stack.py::test_stack", "--patch", patch.as_str()]);
    let patch = std::fs::read_to_string(patch).expect("it is written");
    assert!(patch.contains("+def test_stack_1():") && patch.contains("-def test_stack():"), "{patch}");
}

#[test]
fn with_a_good_version_every_purified_test_passes_there() {
    let trial = trial(SEVERAL);
    let good =
        STACK.replace("len(self.items) + 1", "len(self.items)").replace("self.items[0]", "self.items[-1]");
    std::fs::create_dir(trial.outside("good")).expect("the folder is ours");
    std::fs::write(trial.outside("good/stack.py"), good).expect("it can be written");
    let ran = trial.purify(&["test_stack.py::test_stack", "--good", trial.outside("good").as_str()]);
    assert_eq!(ran.results.len(), 2, "{ran}");
    for result in &ran.results {
        assert_eq!(result["verified"]["passes_on_good"], true, "{ran}");
    }
}

#[test]
fn what_cannot_be_taken_apart_ends_as_minimize_does() {
    let trial = Trial::on("passing");
    trial.purify(&["test_sum.py::test_sum"]).only(4, "passing");
    trial.purify(&["test_sum.py::test_sun"]).only(6, "not_found");
    let ran = Trial::on("flaky").purify(&["test_coin.py::test_coin", "--baseline", "30"]);
    assert_eq!(ran.code, 5, "{ran}");
}

#[test]
fn a_command_has_no_assertions() {
    let ran = trial(SEVERAL).purify(&["test_stack.py", "--command", "false"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("--command is for `paring minimize`"), "{ran}");
}

#[test]
fn an_assertion_that_holds_within_a_block_that_fails_is_dropped() {
    let test = "\
import pytest


def test_nested():
    stack = Stack()
    with pytest.raises(IndexError):
        assert stack.items == []
        stack.push(1)
    assert stack.size() == 1
";
    let ran = purify(test, "test_nested");
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [8, 11], "{ran}");
    assert!(!ran.purified()[0].1.contains("suppress"), "{ran}");
}
