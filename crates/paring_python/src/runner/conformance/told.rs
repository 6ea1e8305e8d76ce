//! The suites about lines and facts that every language has to pass.

use super::{Lab, PYTHON};
use crate::frontend::PythonFrontend;
use crate::runner::PytestCoverage;
use camino::Utf8PathBuf;
use paring_model::{Candidate, Form};
use paring_testkit::conformance_coverage::{CoverageCases, CoveredCase, coverage};
use paring_testkit::conformance_facts::{FactsCases, facts};
use std::time::Duration;

const SHOP: &str = "\
LIMIT = 3


def price(kind):
    if kind == 'book':
        return 10
    return (
        0
    )


def limit():
    return LIMIT
";

const TESTS: &str = "\
import shop


def test_book():
    assert shop.price('book') == 10


def test_pen():
    assert shop.price('pen')


def test_nothing():
    assert True
";

#[test]
fn lines_conform() {
    let named = std::env::var("PARING_TEST_PYTHON_MONITORING").ok().map(Utf8PathBuf::from);
    for python in std::iter::once(PYTHON.clone()).chain(named) {
        let lab = Lab::new(&[("shop.py", SHOP), ("test_shop.py", TESTS)]);
        let file = lab.root().join("project/test_shop.py").canonicalize_utf8().expect("a file");
        let case = |text: String| Candidate::single(&file, text, "test_shop.py::test_pen", Form::Compact);
        let cases = CoverageCases {
            code: "shop.py",
            tests: "test_shop.py",
            passing: CoveredCase { id: "test_shop.py::test_book", lines: &[5, 6] },
            failing: CoveredCase { id: "test_shop.py::test_pen", lines: &[5, 7] },
            calls_nothing: CoveredCase { id: "test_shop.py::test_nothing", lines: &[] },
            candidate: case(TESTS.to_owned()),
            without_call: case(TESTS.replace("assert shop.price('pen')", "assert not shop")),
        };
        let project = super::Project { python, ..lab.project() };
        let recorder = PytestCoverage::new(project, Some(Duration::from_secs(20)), &[]).expect("a cache");
        coverage(&recorder, &cases);
    }
}

#[test]
fn facts_conform() {
    let source = "\
import os
import time

import shop


def test_a(tmp_path):
    made = (tmp_path / 'a.txt').write_text('')
    for part in ['one', 'two', 'three']:
        grown = open(tmp_path / 'a.txt', 'a').write(part)
    read = open(tmp_path / 'a.txt').read()
    shop.LIMIT = 5
    limit = shop.limit()
    time.sleep(0)
    now = time.time()
    plain = len('abc')
    if plain > 5:
        never = 1
    os.remove(tmp_path / 'a.txt')
    assert limit == 3
";
    let lab = Lab::new(&[("shop.py", SHOP), ("test_a.py", source)]);
    let cases = FactsCases {
        path: "test_a.py",
        source,
        target: "test_a.py::test_a",
        file: "a.txt",
        makes: "made =",
        appends: "grown =",
        reads: "read =",
        attribute: "LIMIT",
        sets: "shop.LIMIT",
        gets: "limit =",
        waits: "time.sleep",
        asks_the_clock: "now =",
        plain: "plain =",
        never: "never =",
        removes: "os.remove",
    };
    facts(&PythonFrontend, &lab.runner("test_a.py::test_a"), &cases);
}
