"""`pytest --pare` beside other plugins. Each of them is skipped where it is not installed; `bench/plugin_matrix.py` has the versions."""

import pytest

PARED = "*- pared test (8 -> 5 statements, *"


def test_xdist_lets_the_controller_pare(project):
    pytest.importorskip("xdist")
    result = project.run("--pare", "-n", "2")
    assert result.ret == 1
    result.stdout.fnmatch_lines([PARED])
    assert str(result.stdout).count("- pared test") == 1


def test_randomly_hands_its_seed_on(empty):
    pytest.importorskip("pytest_randomly")
    empty.write("test_a.py", "import random\n\n\ndef test_a():\n    a = 1\n    b = 2\n    assert random.random() == 2\n")
    result = empty.pytester.runpytest_subprocess("--pare", "-p", "randomly", "-p", "no:xdist")
    result.stdout.fnmatch_lines(["*- pared test (3 -> 1 statement, *"])


def test_asyncio_tests_are_pared(empty):
    pytest.importorskip("pytest_asyncio")
    empty.write("test_a.py", "import asyncio\n\nimport pytest\n\n\n@pytest.mark.asyncio\nasync def test_a():\n    a = 1\n    b = 2\n    await asyncio.sleep(0)\n    assert a == 2\n")
    empty.run("--pare").stdout.fnmatch_lines(["*- pared test (4 -> 2 statements, *"])


def test_coverage_is_that_of_the_run(project):
    pytest.importorskip("pytest_cov")
    plain = project.run("--cov=cart", "--cov-report=term")
    result = project.run("--pare", "--cov=cart", "--cov-report=term")
    result.stdout.fnmatch_lines([PARED])
    total = [line for line in plain.stdout.lines if line.startswith("TOTAL")]
    assert total and total[0] in result.stdout.lines


def test_reruns_are_over_first(empty):
    pytest.importorskip("pytest_rerunfailures")
    empty.write("lib.py", "tries = []\n")
    empty.write("test_a.py", "import lib\n\n\ndef test_flaky():\n    lib.tries.append(1)\n    assert len(lib.tries) > 1\n\n\ndef test_red():\n    a = 1\n    assert 1 == 2\n")
    result = empty.run("--pare", "--reruns", "1")
    result.stdout.fnmatch_lines(["*paring 1 failing test, for*", "*- pared test (2 -> 1 statement, *"])


def test_unittest_cases_are_pared(empty):
    empty.write(
        "test_a.py",
        "import unittest\n\n\nclass CaseTest(unittest.TestCase):\n    def setUp(self):\n        self.rows = [1]\n        self.other = 3\n\n    def test_rows(self):\n        a = 1\n        self.assertTrue(a)\n        self.assertEqual(self.rows, [])\n",
    )
    empty.run("--pare").stdout.fnmatch_lines(["*- pared test (3 -> 1 statement, *", "    self.assertEqual(self.rows, [[]])"])


def test_anyio_tests_are_pared(empty):
    pytest.importorskip("anyio")
    empty.write(
        "test_a.py",
        "import anyio\nimport pytest\n\n\n@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n\n\n@pytest.mark.anyio\nasync def test_a():\n    a = 1\n    b = 2\n    await anyio.sleep(0)\n    assert a == 2\n",
    )
    empty.run("--pare").stdout.fnmatch_lines(["*- pared test (4 -> 2 statements, *"])


def test_hypothesis_tests_are_pared(empty):
    pytest.importorskip("hypothesis")
    empty.write(
        "test_a.py",
        "from hypothesis import given, strategies\n\n\n@given(strategies.integers(0, 10))\ndef test_a(n):\n    a = 1\n    b = 2\n    assert n + b < 3\n",
    )
    empty.run("--pare").stdout.fnmatch_lines(["*- pared test (3 -> 2 statements, *", "def test_a(n=1):"])
