#!/usr/bin/env python3
"""Runs the tests of `pytest --pare` with every pytest and every Python that go together, and writes a table of what happened.

Usage: bench/plugin_matrix.py --wheel WHEEL --work FOLDER [--pythons 3.9,3.10] [--pytests 7.0,8] [--whole] [--out TABLE.md]

Each combination gets an environment of its own, with the plugins in the versions that pip chooses for it. Interpreters are looked for as
`python3.x` and under pyenv. What is not there is told as that.
"""
import argparse
import concurrent.futures
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys

PYTHONS = ["3.9", "3.10", "3.11", "3.12", "3.13"]
# What pip is asked for.
PYTESTS = {"7.0": "pytest==7.0.*", "7.4": "pytest==7.4.*", "8": "pytest==8.*", "9": "pytest==9.*"}
PLUGINS = ["pytest-xdist", "pytest-randomly", "pytest-asyncio", "pytest-cov", "pytest-rerunfailures", "anyio[trio]", "hypothesis"]
# The columns of the table, by the tests that stand for them.
COLUMNS = {
    "plain": "the_pared_test_stands_below",
    "xdist": "xdist",
    "randomly": "randomly",
    "asyncio": "asyncio",
    "cov": "coverage",
    "rerunfailures": "reruns",
    "anyio": "anyio",
    "hypothesis": "hypothesis",
    "unittest": "unittest",
}
TESTS = pathlib.Path(__file__).resolve().parent.parent / "python" / "tests"


def interpreter(version):
    found = shutil.which("python" + version)
    if found and subprocess.run([found, "-c", "import ensurepip"], capture_output=True).returncode == 0:
        return found
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    return max(glob.glob("%s/versions/%s.*/bin/python3" % (pyenv, version)), default=None)


def run(*command, **more):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def prepare(python, pytest, wheel, work):
    """An environment; why there is none, and which pytest it has."""
    found = interpreter(python)
    if found is None:
        return None, "no Python"
    folder = work / ("venv-%s-%s" % (python, pytest))
    own = folder / "bin" / "python"
    if not own.exists():
        run(found, "-m", "venv", folder)
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if run(*pip, PYTESTS[pytest]).returncode != 0:
        return None, "not made for it"
    for plugin in PLUGINS:
        # The newest that goes with this pytest; where there is none, its tests are skipped.
        run(*pip, PYTESTS[pytest], plugin)
    done = run(*pip, "--no-deps", "--force-reinstall", wheel)
    return (own, None) if done.returncode == 0 else (None, done.stdout.strip().splitlines()[-1])


def outcomes(python, pytest, wheel, work, whole):
    """The word for each column."""
    own, why = prepare(python, pytest, wheel, work)
    if own is None:
        return why, {}
    version = run(own, "-c", "import pytest; print(pytest.__version__)").stdout.strip()
    # From another folder, so that no other configuration counts.
    chosen = ["-k", " or ".join(COLUMNS.values())] if not whole else []
    log = run(own, "-m", "pytest", "-rA", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *chosen, TESTS, cwd=work)
    (work / ("%s-%s.log" % (python, pytest))).write_text(log.stdout)
    told = {}
    for name, part in COLUMNS.items():
        lines = re.findall(r"^(PASSED|FAILED|ERROR) (\S*%s\S*)" % re.escape(part), log.stdout, re.M)
        n_passed = sum(word == "PASSED" for word, _ in lines)
        told[name] = "-" if not lines else "ok" if n_passed == len(lines) else "%d of %d" % (n_passed, len(lines))
    return version, told


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--pythons", default=",".join(PYTHONS))
    parser.add_argument("--pytests", default=",".join(PYTESTS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="all tests of python/tests, not only one for each column")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    cells = [(python, pytest) for python in options.pythons.split(",") for pytest in options.pytests.split(",")]
    rows = ["| Python | pytest | %s |" % " | ".join(COLUMNS), "|---|---|%s" % ("---|" * len(COLUMNS))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wheel, work = options.wheel.resolve(), options.work.resolve()
        for (python, pytest), (version, told) in zip(cells, pool.map(lambda cell: outcomes(*cell, wheel, work, options.whole), cells)):
            words = [told[name] for name in COLUMNS] if told else [""] * len(COLUMNS)
            shown = version if told else "%s: %s" % (pytest, version)
            rows.append("| %s | %s | %s |" % (python, shown, " | ".join(words)))
            print(rows[-1], flush=True)
    text = "\n".join(rows) + "\n"
    if options.out:
        options.out.write_text(text)
    sys.exit(0)


if __name__ == "__main__":
    main()
