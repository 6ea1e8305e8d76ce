//! What Testler stops at: handled, or named with a reason.

use crate::trial::{Ran, Trial};

const LIBRARY: &str = "\
import random


class Node:
    def __init__(self, name):
        self.name = name
        self.next = self

    def link(self, other):
        self.next = other
        return self


def shown(node):
    return f\"<{node.name}>\"


def dice():
    return random.randint(1, 6)
";

fn merge(tests: &str) -> Ran {
    let text = format!(
        "import random\nimport threading\n\nimport pytest\n\nfrom nodes import Node, dice, shown\n\n\n{}\n",
        tests.trim()
    );
    let trial = Trial::with_files(&[("nodes.py", LIBRARY), ("test_nodes.py", &text)]);
    trial.merge(&["test_nodes.py", "--how", "parametrise,reorganise", "--mutants", "2"])
}

/// The file has these lines after the merge.
#[track_caller]
fn becomes(tests: &str, expected: &str) {
    let ran = merge(tests);
    assert!(ran.text().contains(expected.trim_start_matches('\n')), "{ran}");
}

/// Nothing is merged, and this is said.
#[track_caller]
fn stays(tests: &str, reason: &str) {
    let ran = merge(tests);
    let told = ran.found[0]["alone"].to_string()
        + &ran.found[0]["groups"].to_string()
        + &ran.found[0]["left_out"].to_string();
    assert!(ran.code == 3 && told.contains(reason), "nothing says {reason:?}\n{ran}");
}

/// Two tests that share a call.
fn two(first: &str, second: &str) -> String {
    format!(
        "def test_one():\n    a = Node('a')\n    b = Node('b')\n    a.link(b)\n{first}\n\n\ndef test_two():\n    a = Node('a')\n    b = \
         Node('b')\n    a.link(b)\n{second}\n"
    )
}

#[test]
fn identity_and_aliases_are_kept() {
    becomes(
        &two("    assert a.next is b", "    c = a.next\n    assert c is not a"),
        "
def test_one_and_two():
    a = Node('a')
    b = Node('b')
    a.link(b)
    assert a.next is b

    c = a.next
    assert c is not a
",
    );
    // What changes through one name has changed through the other, too: the second test comes last.
    becomes(
        &two(
            "    c = a.next\n    c.name = 'x'\n    assert shown(b) == '<x>'",
            "    assert shown(b) == '<b>'",
        ),
        "
    c = a.next
    assert shown(b) == '<b>'

    c.name = 'x'
    assert shown(b) == '<x>'
",
    );
    // The same words, but two objects in one of them.
    stays(
        "def test_one():\n    a = Node('a')\n    assert a.link(a).next is a\n\n\ndef test_two():\n    a = b = Node('a')\n    assert \
         a.link(b).next is b",
        "[]",
    );
}

#[test]
fn statements_within_others_come_along() {
    becomes(
        &two(
            "    for node in [a, b]:\n        assert shown(node)",
            "    try:\n        name = a.next.name\n    except AttributeError:\n        name = None\n    if name:\n        assert name == 'b'",
        ),
        "
    a.link(b)
    for node in [a, b]:
        assert shown(node)

    try:
        name = a.next.name
    except AttributeError:
        name = None
    if name:
        assert name == 'b'
",
    );
}

#[test]
fn what_ends_a_test_early_is_named() {
    stays(
        &two("    if b.next is b:\n        return\n    assert 0", "    assert shown(a)"),
        "it may end early",
    );
}

#[test]
fn inherited_tests_and_those_with_cases_are_named() {
    let class = "class TestBase:\n    def test_a(self):\n        assert shown(Node('a')) == '<a>'\n\n    def test_b(self):\n        assert \
                 shown(Node('b')) == '<b>'\n\n\nclass TestMore(TestBase):\n    pass";
    stays(class, "another class of the file inherits it");
    let cases = "import pytest\n\n\n@pytest.mark.parametrize('name', ['a', 'b'])\ndef test_a(name):\n    assert shown(Node(name)) == \
                 f'<{name}>'\n\n\n@pytest.mark.parametrize('name', ['c'])\ndef test_b(name):\n    assert shown(Node(name)) == f'<{name}>'";
    stays(cases, "it has cases already");
}

/// Merges the tests of one file of several.
fn merge_among(files: &[(&str, &str)]) -> Ran {
    let files = [&[("nodes.py", LIBRARY)], files].concat();
    Trial::with_files(&files).merge(&["tests/test_base.py", "--mutants", "0"])
}

/// Whether a test is said to be left alone for the sake of `tests/test_more.py`.
fn is_borrowed(ran: &Ran, id: &str) -> bool {
    let alone = ran.found[0]["alone"].as_array().expect("a list");
    let told = alone.iter().find(|entry| entry["test"] == id);
    told.is_some_and(|it| {
        it["reason"] == "base_class" && it["text"].to_string().contains("tests/test_more.py")
    })
}

const BASE: &str = "\
from nodes import Node, shown


class TestBase:
    prefix = ''

    def test_a(self):
        assert shown(Node(self.prefix + 'a')).endswith('a>')

    def test_b(self):
        assert shown(Node(self.prefix + 'b')).endswith('b>')


def test_c():
    assert shown(Node('c')) == '<c>'


def test_d():
    assert shown(Node('d')) == '<d>'
";

#[test]
fn tests_that_a_class_of_another_file_inherits_are_named_and_the_others_of_the_file_merged() {
    let heirs = [
        "from tests.test_base import TestBase\n\n\nclass TestMore(TestBase):\n    prefix = 'more'\n",
        "from tests import test_base as base\n\n\nclass TestMore(base.TestBase):\n    prefix = 'more'\n",
    ];
    for heir in heirs {
        let files = [("tests/__init__.py", ""), ("tests/test_base.py", BASE), ("tests/test_more.py", heir)];
        let ran = merge_among(&files);
        assert!(is_borrowed(&ran, "tests/test_base.py::TestBase::test_a"), "{ran}");
        ran.ends(0, &["  left alone (base_class): test_a, test_b: another file inherits or imports it"]);
        assert!(
            ran.text().contains("    def test_a(self):") && !ran.text().contains("def test_c():"),
            "{ran}"
        );
    }
    let stranger = "from tests.test_bases import TestBase\nfrom nodes import Node\n";
    let files = [("tests/__init__.py", ""), ("tests/test_base.py", BASE), ("tests/test_more.py", stranger)];
    assert!(!merge_among(&files).text().contains("    def test_a(self):"));
}

#[test]
fn a_test_that_another_file_imports_is_named() {
    let importing = "from .test_base import test_c\n";
    let files = [("tests/__init__.py", ""), ("tests/test_base.py", BASE), ("tests/test_more.py", importing)];
    let ran = merge_among(&files);
    assert!(is_borrowed(&ran, "tests/test_base.py::test_c"), "{ran}");
    assert!(ran.text().contains("def test_c():") && ran.text().contains("def test_d():"), "{ran}");
}

#[test]
fn what_is_outside_the_test_is_named() {
    let thread = "    threading.Thread(target=b.link, args=(a,)).start()\n    assert a";
    stays(&two(thread, "    assert shown(a)"), "threads");
    stays(
        &two("    open('x.txt', 'w').close()\n    assert a", "    assert shown(a)"),
        "it depends on or changes",
    );
    stays(&two("    assert dice() < 7", "    assert dice() > 0"), "it depends on or changes random numbers");
}

#[test]
fn a_database_is_named() {
    let open = "    db = sqlite3.connect(':memory:')\n    db.execute('create table cart (name)')\n";
    let test = |name: &str, rest: &str| format!("def test_{name}():\n{open}    {rest}\n\n\n");
    let first = test("one", "assert db.execute('select count(*) from cart').fetchone() == (0,)");
    let second = test("two", "assert db.execute('select name from cart').fetchall() == []");
    stays(&format!("import sqlite3\n\n\n{first}{second}"), "it depends on or changes database");
}

#[test]
fn who_measures_time_is_named_and_others_are_merged() {
    let timed = |clock: &str| {
        let test = |name: &str, rest: &str| {
            format!("def test_{name}():\n    start = {clock}\n    a = Node('a')\n    {rest}\n\n\n")
        };
        test("one", &format!("assert a.name and {clock} - start < 9")) + &test("two", "assert shown(a)")
    };
    for clock in ["time.time()", "time.perf_counter()"] {
        stays(&format!("import time\n\n\n{}", timed(clock)), "it measures time");
    }
    assert!(merge(&timed("len('time')")).text().contains("def test_one_and_two"));
}

#[test]
fn a_call_that_fails_the_test_comes_along() {
    becomes(
        &two(
            "    try:\n        a.lost()\n        pytest.fail('there is none')\n    except AttributeError:\n        pass",
            "    if a.next is not b:\n        pytest.fail('not linked')\n    assert shown(a)",
        ),
        "
        try:
            a.lost()
            pytest.fail('there is none')
        except AttributeError:
            pass
",
    );
}

#[test]
fn tests_of_two_classes_do_not_meet() {
    let class = |name: &str, check: &str| {
        format!(
            "class Test{name}:\n    def test_it(self):\n        a = Node('a')\n        assert {check}\n\n\n"
        )
    };
    stays(&(class("One", "a.name == 'a'") + &class("Two", "shown(a) == '<a>'")), "[]");
}

#[test]
fn what_was_merged_before_the_budget_was_spent_stays_merged() {
    let pair = |name: &str| {
        let test = |last: &str, rest: &str| {
            format!("def test_{name}_{last}():\n    {name} = Node('{name}')\n    assert {rest}\n\n\n")
        };
        test("a", &format!("{name}.name")) + &test("b", &format!("shown({name})"))
    };
    let text = format!("from nodes import Node, shown\n\n\n{}{}", pair("x"), pair("y"));
    let trial = Trial::with_files(&[("nodes.py", LIBRARY), ("test_nodes.py", &text)]);
    let ran = trial.merge(&["test_nodes.py", "--how", "reorganise", "--mutants", "0", "--budget", "1runs"]);
    assert_eq!(ran.now("test_nodes.py::test_x_a"), ["test_nodes.py::test_x_a_and_x_b"], "{ran}");
    assert_eq!(ran.now("test_nodes.py::test_y_a"), ["test_nodes.py::test_y_a"], "{ran}");
    ran.ends(0, &["the budget was spent before all groups were tried"]);
}
