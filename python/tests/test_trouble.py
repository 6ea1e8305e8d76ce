"""What goes wrong is one line in the summary, and the exit code stays what it is."""

import os
import stat
import subprocess
import sys

import pytest
from paring._arguments import keep
from paring._binary import NoBinary, find_paring_bin


def script(folder, text):
    path = folder / "paring-of-another-kind"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def trouble(project, monkeypatch, binary):
    monkeypatch.setenv("PARING_BINARY", str(binary))
    result = project.run("--pare")
    assert result.ret == 1
    told = [line for line in result.stdout.lines if line.startswith("paring: ")]
    return told


def test_a_wheel_without_its_binary(project, monkeypatch):
    told = trouble(project, monkeypatch, project.path / "nowhere")
    assert len(told) == 1 and "there is no such file" in told[0]


def test_a_binary_that_is_gone_is_told_with_a_next_step(tmp_path):
    code = "import sys; sys.path.insert(0, sys.argv[1]); import paring._binary as b; b.script_folders = lambda: iter(['/nowhere']); b.find_paring_bin()"
    package = os.path.dirname(os.path.dirname(os.path.abspath(sys.modules["paring"].__file__)))
    said = subprocess.run([sys.executable, "-c", code, package], capture_output=True, text=True, check=False).stderr
    assert "installed without its binary" in said and "pip install --force-reinstall paring" in said


def test_a_binary_of_another_version(project, monkeypatch):
    told = trouble(project, monkeypatch, script(project.path, "echo paring 0.0.1\n"))
    assert len(told) == 1 and "is paring 0.0.1, and the package is" in told[0]


def test_a_binary_that_fails(project, monkeypatch):
    version = subprocess.run([find_paring_bin(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    told = trouble(project, monkeypatch, script(project.path, 'case "$1" in --version) echo "%s";; *) echo "error: out of luck" >&2; exit 1;; esac\n' % version))
    assert told == ["paring: the binary ended with 1: error: out of luck", "paring: not pared: test_cart.py::test_total: there was no time left"]


def test_a_cache_that_cannot_be_written(project, monkeypatch):
    project.write("file", "")
    monkeypatch.setenv("PARING_CACHE_DIR", str(project.path / "file" / "cache"))
    result = project.run("--pare")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["paring: not pared: test_cart.py::test_total: cannot write to the cache*"])


def test_an_old_pytest(project):
    from paring import _after_run

    run = _after_run.AfterRun.__new__(_after_run.AfterRun)
    run.failed = {"test_a.py::test_a": None}
    real, pytest.__version__ = pytest.__version__, "6.2.5"
    try:
        assert run.why_not(1) == "nothing was pared: pytest 6.2.5 is older than 7"
    finally:
        pytest.__version__ = real


def test_a_plugin_that_breaks_the_report_breaks_no_run(project):
    project.write("conftest.py", "import paring._child\n\n\ndef broken(*args):\n    raise ValueError('surprise')\n\n\nparing._child.Child.pare = broken\n")
    result = project.run("--pare")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["paring: failed: surprise", "*1 failed, 1 passed*"])


def test_what_is_named_and_not_there():
    real = os.environ.pop("PARING_BINARY", None)
    os.environ["PARING_BINARY"] = "/nowhere/paring"
    try:
        with pytest.raises(NoBinary, match="no such file"):
            find_paring_bin()
    finally:
        del os.environ["PARING_BINARY"]
        if real is not None:
            os.environ["PARING_BINARY"] = real


class Action:
    def __init__(self, dest, nargs=None):
        self.dest = dest
        self.nargs = nargs


ACTIONS = {
    "-k": Action("keyword"),
    "-x": Action("maxfail", 0),
    "-v": Action("verbose", 0),
    "-s": Action("capture", 0),
    "-p": Action("plugins"),
    "-c": Action("inifilename"),
    "-n": Action("numprocesses"),
    "--cov": Action("cov_source", "?"),
    "--level": Action("level"),
    "--rootdir": Action("rootdir"),
}


@pytest.mark.parametrize(
    "args, kept",
    [
        ("tests a.py::b", ""),
        ("-k name -x", ""),
        ("-xvs", "-s"),
        ("-pplugin -p other", "-p plugin -p other"),
        ("-n 4 -c other.ini", "-c other.ini"),
        ("--level 7 --level=8 --cov src --cov=src", "--level 7 --level=8"),
        ("--rootdir .. --unknown=3 -- a", "--rootdir .. --unknown=3"),
    ],
)
def test_arguments_that_hold_for_one_test_stay(args, kept):
    assert keep(args.split(), ACTIONS) == kept.split()
