//! Which lines each test ran, by every recorder there is: `sys.monitoring` where the interpreter has it, `sys.settrace` elsewhere.

use super::{Lab, PYTHON};
use crate::runner::PytestCoverage;
use camino::Utf8PathBuf;
use paring_model::{
    Candidate, Coverage, Covered, CoveredTest, ErrorCode, Form, Heard, Heat, Observation, Unkept,
};
use std::cell::RefCell;
use std::time::Duration;

const SHOP: &str = "\
LIMIT = 3


def price(kind):
    if kind == 'book':
        return 10
    return discount(
        kind,
    )


def discount(kind):
    raise ValueError(kind)


class Cart:
    size = 0

    def add(self, n):
        self.size = HALF(n) or sum(
            x for x in range(n)
        )


HALF = lambda n: n // 2
";

const TESTS: &str = "\
import threading

import pytest
import shop


@pytest.fixture
def cart():
    yield shop.Cart()


@pytest.mark.parametrize('kind', ['book', 'pen'])
def test_price(kind):
    assert shop.price(kind)


def test_cart(cart):
    cart.add(2)


def test_thread():
    thread = threading.Thread(target=shop.price, args=['book'])
    thread.start()
    thread.join()


def test_nothing():
    assert True
";

/// The interpreters at hand: the usual one, one with the oldest pytest, one with `sys.monitoring`.
fn interpreters() -> Vec<Utf8PathBuf> {
    let named = ["PARING_TEST_PYTHON_OLDEST", "PARING_TEST_PYTHON_MONITORING"];
    let named = named.into_iter().filter_map(|name| std::env::var(name).ok()).map(Utf8PathBuf::from);
    std::iter::once(PYTHON.clone()).chain(named).collect()
}

fn coverage(lab: &Lab, python: &Utf8PathBuf) -> PytestCoverage {
    let project = super::Project { python: python.clone(), ..lab.project() };
    PytestCoverage::new(project, Some(Duration::from_secs(20)), &[]).expect("a cache")
}

fn suite(lab: &Lab, python: &Utf8PathBuf) -> Covered {
    coverage(lab, python).suite(&[], &Unkept, &|_| ()).expect("a run")
}

/// The lines of a file that a test ran.
fn lines(covered: &Covered, id: &str, file: &str) -> Vec<u32> {
    let test = test(covered, id);
    let ran = test.ran.as_ref().expect("its lines are known");
    let of_file = |file_idx: usize| covered.files[file_idx].path.file_name() == Some(file);
    ran.iter().filter(|ran| of_file(ran.file_idx)).flat_map(|ran| ran.lines.clone()).collect()
}

fn test<'a>(covered: &'a Covered, id: &str) -> &'a CoveredTest {
    let found = covered.tests.iter().find(|test| test.id == id);
    found.unwrap_or_else(|| panic!("no {id} among {:?}", covered.tests))
}

#[test]
fn every_test_and_every_case_has_its_own_lines() {
    for python in interpreters() {
        let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", TESTS)]);
        let covered = suite(&lab, &python);
        let shop = |id: &str| lines(&covered, &format!("test_shop.py::{id}"), "shop.py");
        assert_eq!(shop("test_price[book]"), [5, 6], "{python}");
        // The line that raises ran too, and a statement over three lines is its first.
        assert_eq!(shop("test_price[pen]"), [5, 7, 13], "{python}");
        assert_eq!(shop("test_cart"), [20, 25], "{python}");
        assert_eq!(shop("test_thread"), [5, 6], "{python}");
        assert_eq!(shop("test_nothing"), [0_u32; 0], "{python}");
        assert_eq!(lines(&covered, "test_shop.py::test_cart", "test_shop.py"), [9, 18], "{python}");
        let failed = |id: &str| matches!(test(&covered, id).observation, Observation::Failed(_));
        assert!(failed("test_shop.py::test_price[pen]") && !failed("test_shop.py::test_price[book]"));
        assert_eq!(covered.notes, [""; 0], "{python}");
    }
}

#[test]
fn what_only_puts_a_failure_into_words_does_not_count() {
    let money = "\
class Money:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __repr__(self):
        return 'Money(%d)' % self.n


class Broke(Exception):
    def __str__(self):
        return 'no money'


def pay():
    raise Broke()
";
    let tests = "\
import unittest

import money


def test_bare():
    assert money.Money(1) == money.Money(2)


def test_raises():
    money.pay()


def test_looks():
    assert repr(money.Money(1)) == '1'


class TestCase(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(money.Money(1), money.Money(2))
";
    for python in interpreters() {
        let lab = Lab::new(&[("money.py", money), ("test_money.py", tests)]);
        let covered = suite(&lab, &python);
        let ran = |id: &str| lines(&covered, &format!("test_money.py::{id}"), "money.py");
        assert_eq!(ran("test_bare"), [3, 6], "{python}");
        assert_eq!(ran("test_raises"), [18], "{python}");
        assert_eq!(ran("test_looks"), [3, 9], "what the test itself asks for does: {python}");
        assert_eq!(ran("TestCase::test_equal"), [3, 6], "{python}");
        assert!(covered.tests.iter().all(|test| matches!(test.observation, Observation::Failed(_))));
    }
}

#[test]
fn files_are_told_with_what_can_run_and_whether_they_hold_tests() {
    for python in interpreters() {
        let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", TESTS)]);
        let covered = suite(&lab, &python);
        let file = |name: &str| {
            covered.files.iter().find(|file| file.path.file_name() == Some(name)).expect("it was run")
        };
        assert!(file("test_shop.py").holds_tests && !file("shop.py").holds_tests, "{python}");
        let runs: Vec<u32> = file("shop.py").statements.iter().map(|line| line.line).collect();
        assert_eq!(runs, [5, 6, 7, 13, 20, 25], "{python}");
        let names: Vec<&str> =
            file("shop.py").functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["price", "discount", "Cart.add"]);
        assert_eq!(covered.files.len(), 2, "nothing but the project's own files: {python}");
    }
}

#[test]
fn a_test_that_ends_the_process_is_told_and_the_others_run_on() {
    let killer = "import os\nimport shop\n\n\ndef test_a():\n    shop.price('book')\n\n\ndef test_b():\n    os._exit(3)\n\n\n\
                  def test_c():\n    shop.price('book')\n";
    for python in interpreters() {
        let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", killer)]);
        let covered = suite(&lab, &python);
        assert_eq!(covered.tests.len(), 3, "{python}");
        let died = test(&covered, "test_shop.py::test_b");
        assert_eq!(died.observation, Observation::Died { how: "exit 3".to_owned() });
        assert_eq!(died.ran, None);
        for id in ["test_shop.py::test_a", "test_shop.py::test_c"] {
            assert_eq!(lines(&covered, id, "shop.py"), [5, 6], "{id} {python}");
        }
    }
}

#[test]
fn a_file_that_the_user_changes_while_the_tests_run_is_refused() {
    let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", TESTS)]);
    let edit = |heard: Heard<'_>| {
        if matches!(heard, Heard::Began { .. }) {
            lab.write("shop.py", &format!("{SHOP}# more\n"));
        }
    };
    let error = coverage(&lab, &PYTHON).suite(&[], &Unkept, &edit).expect_err("a refusal");
    assert_eq!(error.code, ErrorCode::Changed);
    assert!(error.message.starts_with("shop.py changed"), "{}", error.message);
}

#[test]
fn a_file_that_a_test_changes_is_put_back_and_its_lines_are_told() {
    let writer = "import shop\n\n\ndef test_a():\n    shop.price('book')\n    open(shop.__file__, 'a').write('# more')\n";
    let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", writer)]);
    let covered = suite(&lab, &PYTHON);
    assert_eq!(lines(&covered, "test_shop.py::test_a", "shop.py"), [5, 6]);
    assert_eq!(std::fs::read_to_string(lab.root().join("project/shop.py")).expect("it is there"), SHOP);
}

#[test]
fn another_text_of_the_test_is_run_in_its_place() {
    for python in interpreters() {
        let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", TESTS)]);
        let text = "import shop\ndef test_cart():\n    shop.price('book')\n    assert False\n".to_owned();
        let file = lab.root().join("project/test_shop.py").canonicalize_utf8().expect("a file");
        let candidate = Candidate::single(&file, text, "test_shop.py::test_cart", Form::Compact);
        let coverage = coverage(&lab, &python);
        // The second run is of a worker that was kept.
        for heat in [Heat::Warm, Heat::Warm, Heat::Cold] {
            let covered = coverage.candidate(&candidate, heat).expect("a run");
            let lines = |name| lines(&covered, "test_shop.py::test_cart", name);
            assert_eq!(
                (lines("shop.py"), lines("test_shop.py")),
                (vec![5, 6], vec![3, 4]),
                "{python}, {heat:?}"
            );
        }
    }
}

#[test]
fn code_outside_of_the_project_is_looked_at_where_that_is_asked_for() {
    for python in interpreters() {
        let lab = Lab::new(&[("../lib/shop.py", SHOP), ("test_shop.py", TESTS)]);
        let lib = lab.root().join("lib");
        let env = vec![("PYTHONPATH".to_owned(), lib.to_string())];
        let project = super::Project { python, env, ..lab.project() };
        let run = |sources: &[Utf8PathBuf]| {
            PytestCoverage::new(project.clone(), None, sources)
                .expect("a cache")
                .suite(&[], &Unkept, &|_| ())
                .expect("a run")
        };
        assert_eq!(lines(&run(&[]), "test_shop.py::test_price[book]", "shop.py"), [0_u32; 0]);
        assert_eq!(lines(&run(&[lib]), "test_shop.py::test_price[book]", "shop.py"), [5, 6]);
    }
}

#[test]
fn tests_are_told_as_they_begin() {
    let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", TESTS)]);
    let heard = RefCell::new(Vec::new());
    let tell = |event: Heard<'_>| heard.borrow_mut().push(format!("{event:?}"));
    coverage(&lab, &PYTHON).suite(&["test_shop.py::test_nothing".to_owned()], &Unkept, &tell).expect("a run");
    let expected = ["Collected { n_tests: 1 }", "Began { id: \"test_shop.py::test_nothing\" }"];
    assert_eq!(heard.into_inner(), expected);
}

#[test]
fn the_recorder_is_the_quickest_the_interpreter_has() {
    for python in interpreters() {
        let script = "import sys\nsys.path.insert(0, sys.argv[1])\nimport paring_cover\n\
                      recorder = paring_cover.recorder(paring_cover.Project('/p', '/p', ()))\n\
                      print(recorder.name == ('sys.monitoring' if sys.version_info >= (3, 12) else 'sys.settrace'))";
        let worker = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/worker"));
        let output = std::process::Command::new(&python)
            .args(["-B", "-c", script, worker.as_str()])
            .output()
            .expect("the interpreter starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "True", "{python}: {output:?}");
    }
}
