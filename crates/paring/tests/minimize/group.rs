//! `--group`: results that show one defect, with one of them to look at.

use crate::trial::Trial;

const LIBRARY: &str = "\
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        if item is None:
            raise TypeError('None is no item')
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def peek(self, n):
        return self.items[n]

    def load(self, items):
        return items[len(items)]
";

/// As a generator writes them: two defects in five failing tests, and one that passes.
const GENERATED: &str = "\
from library import Stack


def test_case_0():
    stack_0 = Stack()
    int_0 = -1203
    none_type_0 = stack_0.push(int_0)
    var_0 = stack_0.pop()
    var_1 = stack_0.pop()


def test_case_1():
    stack_0 = Stack()
    str_0 = 'kj)'
    var_0 = stack_0.push(str_0)
    stack_1 = Stack()
    var_1 = stack_1.pop()


def test_case_2():
    x = Stack()
    x.push(3)
    x.push(None)


def test_case_3():
    b = Stack()
    b.push([1, 2, 3])
    y = Stack()
    y.push(None)


def test_case_4():
    stack_0 = Stack()
    int_0 = 77
    stack_0.push(int_0)


def test_case_5():
    s = Stack()
    t = s.pop()
";

#[test]
fn tests_that_show_one_defect_are_told_together() {
    let trial = Trial::with_file("test_a.py", GENERATED);
    trial.project.write("library.py", LIBRARY);
    let ran = trial.minimize(&["--failing", "test_a.py", "--group"]);
    ran.says(&["also: test_a.py::test_case_5", "also: test_a.py::test_case_2", "groups: "]);
    let group = |name: &str| {
        let target = format!("test_a.py::{name}");
        let result = ran.results.iter().find(|result| result["target"] == target.as_str());
        result.unwrap_or_else(|| panic!("{name} fails\n{ran}"))["group"].clone()
    };
    assert_eq!(group("test_case_1")["number"], group("test_case_5")["number"], "{ran}");
    assert_eq!(group("test_case_2")["number"], group("test_case_3")["number"], "{ran}");
    assert_ne!(group("test_case_1")["number"], group("test_case_2")["number"], "{ran}");
    assert_eq!(group("test_case_2")["size"], 2, "{ran}");
}

#[test]
fn literals_do_not_tell_defects_apart_and_calls_do() {
    let test = "from library import Stack\n\n\ndef test_a():\n    a = Stack().peek(3)\n\n\ndef test_b():\n    b = Stack().peek(-71)\n\n\n\
                def test_c():\n    c = Stack().load([1])\n\n\ndef test_d():\n    d = Stack().load([1, 2, 3])\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("library.py", LIBRARY);
    let ran = trial.minimize(&["--failing", "test_a.py", "--group"]);
    let numbers: Vec<u64> =
        ran.results.iter().map(|result| result["group"]["number"].as_u64().expect("a group")).collect();
    assert_eq!(numbers, [1, 1, 2, 2], "{ran}");
}

#[test]
fn without_being_asked_nothing_is_sorted() {
    let trial = Trial::with_file("test_a.py", GENERATED);
    trial.project.write("library.py", LIBRARY);
    let ran = trial.minimize(&["test_a.py::test_case_1"]);
    assert!(ran.results[0]["group"].is_null(), "{ran}");
}
