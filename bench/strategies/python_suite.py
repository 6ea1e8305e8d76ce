#!/usr/bin/env python3
"""Failing tests that Pynguin wrote: over the newer release of a package, failing on it or on an older one.

    python_suite.py [--out ../work/strategies/python] [--python PYTHON3.10] [--packages a,b] [--per-package 40] [--seed 1]

Writes OUT/cases.jsonl in the format of `paring evaluate`. A test that passes on the newer release and fails on the older has the newer as its
good version; one that Pynguin saw fail where it was written (no_xfail) has none. Pynguin and the packages come from the user's index;
everything is kept under OUT. Standard library and a Python 3.10 only.
"""
import argparse
import ast
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYNGUIN = "pynguin==0.48.0"
# A package: the older release, the newer, and modules to call.
PACKAGES = {
    "humanize": ("3.14.0", "4.12.0", ["humanize.number", "humanize.filesize", "humanize.time", "humanize.lists"]),
    "inflect": ("5.0.2", "7.5.0", ["inflect"]),
    "tabulate": ("0.8.7", "0.9.0", ["tabulate"]),
    "python-slugify": ("4.0.0", "8.0.4", ["slugify.slugify"]),
    "validators": ("0.18.0", "0.34.0", ["validators.domain", "validators.url", "validators.ip_address", "validators.between"]),
    "textdistance": ("4.2.0", "4.6.3", ["textdistance.algorithms.edit_based", "textdistance.algorithms.simple"]),
    "sqlparse": ("0.3.0", "0.5.1", ["sqlparse", "sqlparse.tokens", "sqlparse.utils"]),
    "more-itertools": ("8.0.0", "10.5.0", ["more_itertools.more", "more_itertools.recipes"]),
    "isodate": ("0.6.0", "0.7.2", ["isodate.isoduration", "isodate.isodates", "isodate.isotime"]),
    "natsort": ("7.0.0", "8.4.0", ["natsort.natsort", "natsort.utils"]),
}
ENVIRONMENT = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
OPTIONS = [
    *("--algorithm", "RANDOM", "--post-process", "False", "--no-xfail", "True", "--assertion-generation", "SIMPLE"),
    *("--chromosome-length", "60", "--max-sequences-combined", "60", "--maximum-memory", "4000"),
]


class Workshop:
    def __init__(self, out, python):
        self.out = out
        self.venv = out / "venv"
        self.python = self.venv / "bin" / "python"
        if not (self.venv / ".complete").exists():
            subprocess.run([python, "-m", "venv", "--clear", str(self.venv)], check=True)
            subprocess.run([str(self.python), "-m", "pip", "install", "-q", PYNGUIN, "pytest<9"], check=True)
            (self.venv / ".complete").touch()

    def release(self, package, version):
        """A folder with one release and what it needs."""
        folder = self.out / "releases" / f"{package}-{version}"
        if not (folder / ".complete").exists():
            command = [str(self.python), "-m", "pip", "install", "-q", "--target", str(folder), f"{package}=={version}"]
            subprocess.run(command, check=True)
            (folder / ".complete").touch()
        return folder

    def generate(self, release, module, folder, seed, seconds):
        command = [str(self.venv / "bin" / "pynguin"), "--project-path", str(release), "--module-name", module]
        command += ["--output-path", str(folder), "--report-dir", str(self.out / "report"), "--seed", str(seed), "--maximum-search-time", str(seconds), *OPTIONS]
        env = {**os.environ, **ENVIRONMENT, "PYNGUIN_DANGER_AWARE": "1", "PYTHONPATH": str(release)}
        try:
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20 * seconds + 60)
        except subprocess.TimeoutExpired:
            print(f"{module}: Pynguin did not come to an end", file=sys.stderr)

    def outcomes(self, folder, release, report):
        """What came of each test; nothing of those that never ran."""
        # Explaining a thousand failed assertions takes longer than the tests.
        command = [str(self.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--assert=plain", "--tb=line", f"--junit-xml={report}", "."]
        env = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(release)}
        try:
            subprocess.run(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900)
        except subprocess.TimeoutExpired:
            return {}
        if not report.exists():
            return {}
        found = {}
        for case in ElementTree.parse(report).iter("testcase"):
            trouble = next((child for child in case if child.tag in ("failure", "error")), None)
            words = (trouble.get("message") or "?").partition(":")[0] if trouble is not None else "passed"
            found[case.get("classname").replace(".", "/") + ".py::" + case.get("name")] = words
        return found


def without_constants(text):
    """The tests without Pynguin's assertions on what the module holds: a constant that differs says nothing of the calls."""
    lines = text.splitlines(keepends=True)
    for function in ast.parse(text).body:
        for statement in getattr(function, "body", []) if isinstance(function, ast.FunctionDef) else []:
            names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            if isinstance(statement, ast.Assert) and not any(name.startswith("var_") for name in names):
                lines[statement.lineno - 1 : statement.end_lineno] = [""] * (statement.end_lineno - statement.lineno + 1)
    return "".join(lines)


def n_calls(folder):
    """How many calls each test makes, checks aside."""
    found = {}
    for file in folder.glob("test_*.py"):
        for function in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                body = [statement for statement in function.body if not isinstance(statement, ast.Assert)]
                calls = sum(any(isinstance(node, ast.Call) for node in ast.walk(statement)) for statement in body)
                found[f"{file.name}::{function.name}"] = calls
    return found


def cases_of(workshop, package, older, newer, folder):
    seen = [workshop.outcomes(folder, release, folder.parent / f"{folder.name}.xml") for release in (older, older, newer, newer)]
    lengths = n_calls(folder)
    for target in sorted(set(seen[0]) & set(seen[2])):
        on_old, on_new = ({seen[at].get(target) for at in pair} for pair in ((0, 1), (2, 3)))
        if len(on_old) > 1 or len(on_new) > 1 or target not in lengths:
            continue
        old, new = on_old.pop(), on_new.pop()
        case = {"id": f"{package}-{older.name.rpartition('-')[2]}-{newer.name.rpartition('-')[2]}::{target}", "target": target}
        case.update(cwd=str(folder), python=str(workshop.python), calls=lengths[target], package=package)
        if new == "passed" and old not in ("passed", None):
            case.update(env={**ENVIRONMENT, "PYTHONPATH": str(older)}, good_env={**ENVIRONMENT, "PYTHONPATH": str(newer)}, fault=old)
            yield case
        elif new not in ("passed", None) and "AssertionError" not in new:
            case.update(env={**ENVIRONMENT, "PYTHONPATH": str(newer)}, fault=new)
            yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE.parent / "work" / "strategies" / "python")
    parser.add_argument("--python", default="python3.10")
    parser.add_argument("--packages", default=",".join(PACKAGES))
    parser.add_argument("--per-package", type=int, default=30)
    parser.add_argument("--min-calls", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=10, help="how long Pynguin searches for a module")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(out, options.python)
    with open(out / "cases.jsonl", "w", encoding="utf-8") as file:
        for package in options.packages.split(","):
            old, new, modules = PACKAGES[package]
            older, newer = workshop.release(package, old), workshop.release(package, new)
            folder = out / "tests" / package
            folder.mkdir(parents=True, exist_ok=True)
            for module in modules:
                workshop.generate(newer, module, folder, options.seed, options.seconds)
            for file in folder.glob("test_*.py"):
                file.write_text(without_constants(file.read_text(encoding="utf-8")), encoding="utf-8")
            cases = [case for case in cases_of(workshop, package, older, newer, folder) if case["calls"] >= options.min_calls]
            # Evenly, lest one module have them all.
            step = max(1, len(cases) // options.per_package)
            for case in cases[::step][: options.per_package]:
                print(json.dumps(case), file=file, flush=True)
            print(f"{package}: {len(cases)} failing tests", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
