"""`pytest --pare`: what it prints, writes and leaves alone."""

import json
import re
import subprocess
import sys

PARED = ["*FAILURES*", "*- pared test (8 -> 5 statements, *", "def test_total():", "    cart = Cart()", "*short test summary*"]


def test_the_pared_test_stands_below_its_failure(project):
    before = project.run()
    after = project.run("--pare")
    assert after.ret == before.ret == 1
    after.stdout.fnmatch_lines(PARED)
    after.stdout.no_fnmatch_line("paring: *")
    assert "names" not in str(after.stdout).partition("- pared test")[2]


def test_nothing_happens_unless_it_is_asked_for(project):
    code = "import sys, paring.pytest_plugin; print([name for name in sys.modules if name.startswith('paring')])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "_after_run" not in said
    project.run().stdout.no_fnmatch_line("*paring *")


def test_a_run_that_passes_is_left_alone(project):
    result = project.run("--pare", "-k", "empty")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*paring*failing*")


def test_apply_rewrites_the_file(project):
    result = project.run("--pare-apply")
    assert result.ret == 1
    text = (project.path / "test_cart.py").read_text()
    assert "names" not in text and "def test_empty" in text
    assert project.run().ret == 1


def test_out_writes_a_file_for_each(project):
    project.write("test_other.py", "def test_sum():\n    a = 1\n    b = 2\n    c = 3\n    assert a + c == b\n")
    result = project.run("--pare-out", "pared")
    assert result.ret == 1
    assert sorted(path.name for path in (project.path / "pared").iterdir()) == ["test_sum.py", "test_total.py"]
    assert project.run("pared", "-p", "no:cacheprovider").ret == 1


def test_what_is_not_pared_is_named(empty):
    empty.write("test_a.py", "def test_a():\n    a = 1\n    assert a == 2\n\n\ndef test_b():\n    b = 1\n    assert b == 2\n")
    result = empty.run("--pare", "--pare-max", "1")
    result.stdout.fnmatch_lines(["*paring 1 failing test of 2, for at most 60 s", "paring: not pared: test_a.py::test_b: --pare-max is 1"])


def test_the_budget_is_for_all_together(project):
    result = project.run("--pare", "--pare-budget", "0.001")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["paring: not pared: test_cart.py::test_total: *"])


def test_one_of_the_tests_that_fail_in_one_set_up_is_pared(empty):
    empty.write("conftest.py", "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef database():\n    raise OSError('no database')\n")
    empty.write("test_a.py", "".join("def test_%d():\n    a = 1\n    assert a\n\n\n" % n for n in range(20)))
    result = empty.run("--pare")
    result.stdout.fnmatch_lines(["*paring 1 failing test, for*", "paring: 20 tests fail in the same set-up, at conftest.py:6: pared only test_a.py::test_0"])


def test_where_pytest_prints_no_failure_the_pared_test_has_a_section(project):
    result = project.run("--pare", "--tb=no")
    result.stdout.fnmatch_lines(["*- test_cart.py::test_total: pared test (8 -> 5*", "def test_total():"])


def test_from_a_folder_below_the_root(project, monkeypatch):
    project.write("pytest.ini", "[pytest]\naddopts = -ra\n")
    project.write("sub/test_sub.py", "def test_sub():\n    a = 1\n    b = 2\n    assert b == 1\n")
    monkeypatch.chdir(project.path / "sub")
    result = project.run("--pare")
    result.stdout.fnmatch_lines(["*- pared test (3 -> 2 statements, *"])


def test_an_order_that_matters_is_known(empty):
    empty.write("lib.py", "seen = []\n")
    empty.write(
        "test_order.py",
        "import lib\n\n\ndef test_first():\n    lib.seen.append(1)\n\n\ndef test_other():\n    pass\n\n\ndef test_last():\n    a = 1\n    assert a\n    assert not lib.seen\n",
    )
    empty.run("--pare").stdout.fnmatch_lines(["*- pared test (3 -> 1 statement, *", "    assert not lib.seen"])


def test_stopping_and_choosing_options_do_not_reach_the_pared_test(project):
    options = ["-x", "--maxfail=3", "-k", "total", "-v", "--tb=short", "--durations=3", "--junitxml", "out.xml", "-p", "no:cacheprovider"]
    result = project.run("--pare", *options)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*- pared test (8 -> 5 statements, *"])


def test_own_options_and_markers_reach_it(empty):
    empty.write("conftest.py", "def pytest_addoption(parser):\n    parser.addoption('--level', default='0')\n    parser.addoption('--deep', action='store_true')\n")
    empty.write("test_a.py", "def test_a(pytestconfig):\n    a = 1\n    b = 2\n    assert pytestconfig.getoption('level') == '0'\n")
    empty.run("--pare", "--level", "7").stdout.fnmatch_lines(["*- pared test (3 -> 1 statement, *"])
    empty.run("--pare", "--level=7", "--deep").stdout.fnmatch_lines(["*- pared test (3 -> 1 statement, *"])


def test_last_failed_goes_on_with_what_failed(project):
    project.run()
    result = project.run("--pare", "--lf")
    result.stdout.fnmatch_lines(["*- pared test (8 -> 5 statements, *"])
    result.assert_outcomes(failed=1)


def test_the_debugger_is_left_alone(project):
    from paring._after_run import AfterRun

    class Option:
        usepdb = True

    run = AfterRun.__new__(AfterRun)
    run.failed = {"a": None}
    run.config = type("Config", (), {"option": Option})
    assert "--pdb" in run.why_not(1)


def test_in_addopts_it_holds_for_the_users_run_alone(project):
    project.write("pytest.ini", "[pytest]\naddopts = --pare\n")
    assert len(re.findall("- pared test", str(project.run().stdout))) == 1


def test_a_json_report_is_what_the_binary_says(project):
    binary = subprocess.run([sys.executable, "-m", "paring", "minimize", "test_cart.py::test_total", "--python", sys.executable, "--json", "-"], capture_output=True, check=True, cwd=project.path)
    assert json.loads(binary.stdout)[0]["status"] == "minimized"
