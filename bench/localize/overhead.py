#!/usr/bin/env python3
"""What recording the lines of each test costs a suite, beside the suite alone and coverage.py with a context for each test.

    overhead.py --paring BIN [--python PYTHON] [--project marshmallow==3.22.0] [--repeat 5] [--out FILE]

PYTHON is to be 3.12 or newer for `sys.monitoring`. The project's sdist is fetched by name; its tests run on its own sources,
with one test more that fails. Prints a table of wall clocks; the ways take turns, and each figure is the median of its runs.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import sdist

# What tests of the projects at hand need beside pytest.
NEEDED = ["pytest>=8,<9", "pytest-cov", "coverage", "simplejson", "pytz"]
FAULT = "def test_that_paring_added():\n    assert 1 == 2\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--project", default="marshmallow==3.22.0")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    tree, python = sdist.laid_out(args.project, args.python, NEEDED)
    (tree / "tests" / "test_that_paring_added.py").write_text(FAULT, encoding="utf-8")
    package = args.project.split("==")[0].replace("-", "_")
    env = dict(os.environ, PYTHONPATH=str(tree / "src"), PYTHONDONTWRITEBYTECODE="1", PARING_CACHE_DIR=str(sdist.WORK / "cache"))
    pytest = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    ways = {
        "pytest alone": pytest + ["-p", "no:cov"],
        "`paring localize --no-purify`": [str(args.paring.resolve()), "localize", "--no-purify", "--fresh", "--python", str(python), "tests"],
        "coverage.py, a context for each test": pytest + ["--cov=" + package, "--cov-context=test", "--cov-report="],
        "coverage.py, all tests together": pytest + ["--cov=" + package, "--cov-report="],
    }
    seconds = {way: [] for way in ways}
    said = {}
    for _ in range(args.repeat):
        for way, command in ways.items():
            began = time.perf_counter()
            ran = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True)
            seconds[way].append(time.perf_counter() - began)
            lines = (ran.stdout + ran.stderr).strip().splitlines()
            said[way] = next((line for line in lines if line.startswith("tests: ")), " ".join(lines[-1:]))
    version = subprocess.run([str(python), "-V"], capture_output=True, text=True, check=True).stdout.strip()
    table = tables(f"{args.project}, {version}", seconds, said)
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")


def tables(title, seconds, said):
    """Wall clocks of each way, beside those of the first."""
    alone = statistics.median(next(iter(seconds.values())))
    n_runs = len(next(iter(seconds.values())))
    lines = [f"{title}, the median of {n_runs} runs each, in turns.", "", "| | seconds | of the suite alone | what it says |", "|---|--:|--:|---|"]
    for way, each in seconds.items():
        median = statistics.median(each)
        lines.append(f"| {way} | {median:.2f} | {median / alone:.2f}x | {said[way]} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
