#!/usr/bin/env python3
"""Failing tests that a generator wrote: over the newer release of a package, failing on it or on an older one.

    python_suite.py [--out ../work/strategies/python] [--python PYTHON3.10] [--generator own|pynguin] [--packages a,b] [--per-package 24] [--seed 1]

Writes OUT/cases.jsonl in the format of `paring evaluate`. A test that passes on the newer release and fails on the older has the newer as its
good version; one that failed where it was written has none. The generator is generate.py, or Pynguin, which takes minutes for what the other
does in seconds. Pynguin and the packages come from the user's index; everything is kept under OUT, and what was written there before is not
written again. Standard library and a Python 3.10 only.
"""
import argparse
import ast
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import traceback
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYNGUIN = "pynguin==0.48.0"
# A package: the older release, the newer, and modules to call until there are enough tests. Pynguin ends once it has covered a module, so small
# ones give next to nothing; a module that the older release has not would only fail to be imported.
PACKAGES = {
    "humanize": ("4.1.0", "4.12.0", ["humanize.number", "humanize.time", "humanize.filesize"]),
    "isodate": ("0.6.0", "0.7.2", ["isodate.duration", "isodate.isodates", "isodate.isoduration"]),
    "textdistance": ("4.2.0", "4.6.3", ["textdistance.algorithms.edit_based", "textdistance.algorithms.token_based"]),
    "boltons": ("20.0.0", "24.1.0", ["boltons.setutils", "boltons.strutils", "boltons.dictutils"]),
    "sqlparse": ("0.3.0", "0.5.1", ["sqlparse.sql", "sqlparse.utils"]),
    "sortedcontainers": ("1.5.10", "2.4.0", ["sortedcontainers.sortedlist", "sortedcontainers.sorteddict"]),
    "natsort": ("7.0.0", "8.4.0", ["natsort.utils", "natsort.natsort"]),
    "netaddr": ("0.8.0", "1.3.0", ["netaddr.ip", "netaddr.core", "netaddr.eui"]),
    "packaging": ("20.0", "24.1", ["packaging.version", "packaging.specifiers", "packaging.tags"]),
    "tomlkit": ("0.7.0", "0.13.2", ["tomlkit.items", "tomlkit.api"]),
}
ENVIRONMENT = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
OPTIONS = [
    *("--algorithm", "RANDOM", "--post-process", "False", "--assertion-generation", "SIMPLE", "--format-with-black", "False"),
    *("--max-sequences-combined", "40", "--maximum-memory", "4000"),
    # Pynguin's own limits count seconds of the clock: on a busy machine it gives up the import of a large module.
    *("--maximum-module-execution-timeout", "300", "--maximum-test-execution-timeout", "20"),
]
SLOWEST = 5
# In a test of our own generator.
N_CALLS = 48


class Workshop:
    def __init__(self, out, python, generator):
        self.out, self.generator = out, generator
        self.venv = out / ("venv-pynguin" if generator == "pynguin" else "venv")
        self.python = self.venv / "bin" / "python"
        if not (self.venv / ".complete").exists():
            subprocess.run([python, "-m", "venv", "--clear", str(self.venv)], check=True)
            subprocess.run([str(self.python), "-m", "pip", "install", "-q", *([PYNGUIN] if generator == "pynguin" else []), "pytest<9"], check=True)
            (self.venv / ".complete").touch()

    def release(self, package, version):
        """A folder with one release and what it needs."""
        folder = self.out / "releases" / f"{package}-{version}"
        if not (folder / ".complete").exists():
            command = [str(self.python), "-m", "pip", "install", "-q", "--no-compile", "--target", str(folder), f"{package}=={version}"]
            subprocess.run(command, check=True)
            (folder / ".complete").touch()
        return folder

    def run(self, command, release, seconds):
        """What a command with a release at hand prints; nothing when it takes too long, and then none of its children stays."""
        env = {**os.environ, **ENVIRONMENT, "PYNGUIN_DANGER_AWARE": "1", "PYTHONPATH": str(release)}
        child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        try:
            return child.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            print(f"{' '.join(command[:6])}: stopped after {seconds} s", file=sys.stderr)
            return ""

    def generate(self, release, module, seed, iterations, seconds):
        folder = self.out / "generated" / f"{self.generator}-{release.name}-{iterations}" / f"{module}-{seed}"
        if not (folder / ".complete").exists():
            if self.generator == "own":
                command = [str(self.python), str(HERE / "generate.py"), module, str(seed), str(iterations), str(N_CALLS), str(folder / f"test_{module.replace('.', '_')}.py")]
            else:
                command = self.pynguin(release, module, seed, iterations, folder)
            self.run(command, release, seconds)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".complete").touch()
        return next(folder.glob("test_*.py"), None)

    def pynguin(self, release, module, seed, iterations, folder):
        # Iterations, not seconds, so that a seed gives the same tests on every machine.
        command = [str(self.venv / "bin" / "pynguin"), "--module-name", module, "--seed", str(seed), "--maximum-iterations", str(iterations)]
        return command + ["--project-path", str(release), "--output-path", str(folder), "--report-dir", str(self.out / "report"), *OPTIONS]

    def outcomes(self, file, release):
        """What went wrong in each test that came to an end."""
        printed = self.run([str(self.python), str(Path(__file__).resolve()), "--outcomes", str(file)], release, 600)
        return dict(map(json.loads, printed.splitlines()))


class Soften(ast.NodeTransformer):
    """Checks that are noted when they fail, so that the test goes on."""

    def visit_Assert(self, node):
        note = f"events.append(('AssertionError', str(error), {node.lineno}, 'check'))"
        soft = ast.parse(f"try:\n    pass\nexcept AssertionError as error:\n    {note}").body[0]
        soft.body = [node]
        return soft


def print_outcomes(path):
    """Run each test of a file in a process of its own, as it will be run later: what one test leaves behind is not there for the next."""
    tree = Soften().visit(ast.parse(Path(path).read_text(encoding="utf-8")))
    # Some code asks for the module it is called from.
    module = sys.modules[Path(path).stem] = types.ModuleType(Path(path).stem)
    module.events = []
    space = module.__dict__
    exec(compile(ast.fix_missing_locations(tree), path, "exec"), space)
    for name in [name for name in space if name.startswith("test_")]:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(SLOWEST)
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            with os.fdopen(writer, "w", encoding="utf-8") as pipe:
                json.dump(events_of(space[name], path, space["events"]), pipe)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as pipe:
            answer = pipe.read()
        os.waitpid(child, 0)
        if answer:
            print(json.dumps([name, json.loads(answer)]), flush=True)


def events_of(test, path, events):
    """What goes wrong in a test: type, message, line, and whether the package, a check or the mere call raised it."""
    try:
        test()
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = next(frame.lineno for frame in frames if frame.filename == path)
        fault = type(error).__name__
        inside = any(frame.filename.startswith(os.environ["PYTHONPATH"]) for frame in frames)
        # pytest.raises fails with Failed.
        events.append((fault, str(error)[:500], line, "package" if inside else "check" if fault == "Failed" else "call"))
    return events


def tests_of(tree):
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def calls_of(test, line):
    """The functions called up to a line, one for each statement with a call; checks aside."""
    body = [statement for statement in test.body if not isinstance(statement, ast.Assert) and statement.lineno <= line]
    calls = ([ast.unparse(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)] for statement in body)
    return [names[-1 if names[0] == "pytest.raises" else 0] for names in calls if names]


def save(tree, file):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ast.unparse(tree) + "\n", encoding="utf-8")


def prepare(written, file, min_calls):
    """The tests that are long enough, as they are to be run."""
    tree = ast.parse(written.read_text(encoding="utf-8"))
    for test in tests_of(tree):
        if len(calls_of(test, test.end_lineno)) < min_calls:
            tree.body.remove(test)
        # Pynguin expects what it saw fail to fail.
        test.decorator_list = []
        # A constant of the module that differs says nothing of the calls.
        test.body = [statement for statement in test.body if not isinstance(statement, ast.Assert) or "var_" in ast.unparse(statement)]
    save(tree, file)


def failing(workshop, file, older, newer, min_calls):
    """The tests of a file that fail on one of the releases, each with where it is to fail."""
    on_new, on_old = workshop.outcomes(file, newer), workshop.outcomes(file, older)
    taken = {}
    for test in tests_of(ast.parse(file.read_text(encoding="utf-8"))):
        release, events = (newer, on_new.get(test.name)) if on_new.get(test.name, True) else (older, on_old.get(test.name))
        # On the release that it was written for, a test fails by an exception of the package or does not count.
        if not events or (release == newer and [event[3] for event in events] != ["package"]):
            continue
        # Releases that differ in every other call would give short tests of one fault: the checks before the chosen one go.
        found = []
        for at, (fault, _, line, where) in enumerate(events):
            calls = calls_of(test, line)
            if len(calls) >= min_calls:
                found.append({"file": file, "name": test.name, "release": release, "line": line, "calls": len(calls), "where": where})
                found[-1].update(fault=(fault, calls[-1].rpartition(".")[2]), without=[event[2] for event in events[:at]])
        if found:
            one = min(found, key=lambda one: (taken.get(one["fault"], 0), -one["calls"]))
            taken[one["fault"]] = taken.get(one["fault"], 0) + 1
            yield one


def choose(found, number):
    """A mix: faults take turns, and what the older release only lacks is a third at most."""
    groups = {}
    for one in found:
        groups.setdefault((one["release"], one["fault"]), []).append(one)
    turns = [one for turn in itertools.zip_longest(*groups.values()) for one in turn if one]
    real = [one for one in turns if one["where"] != "call"]
    lacking = [one for one in turns if one["where"] == "call"][: min(len(real) // 2, number // 3)]
    return lacking + real[: number - len(lacking)]


def cut(chosen, file, target):
    """Only the chosen tests, each up to where it fails: what follows never runs."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    chosen = {one["name"]: one for one in chosen}
    tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef) or node.name in chosen]
    for test in tests_of(tree):
        one = chosen[test.name]
        test.body = [statement for statement in test.body if statement.lineno <= one["line"] and statement.lineno not in one["without"]]
    save(tree, target)


def cases_of(workshop, package, chosen, folder, older, newer):
    """The chosen tests that fail alike twice and, if they can pass, pass twice."""
    for file in sorted({one["file"] for one in chosen}):
        here = [one for one in chosen if one["file"] == file]
        target = folder / file.name
        cut(here, file, target)
        seen = {release: [workshop.outcomes(target, release) for _ in range(2)] for release in (older, newer)}
        for one in here:
            bad, good = ([outcomes.get(one["name"]) for outcomes in seen[release]] for release in (one["release"], newer))
            if bad[0] != bad[1] or not bad[0] or bad[0][0][0] != one["fault"][0] or (one["release"] == older and good != [[], []]):
                continue
            case = {"id": f"{package}-{older.name.rpartition('-')[2]}-{newer.name.rpartition('-')[2]}::{target.name}::{one['name']}"}
            case.update(target=f"{target.name}::{one['name']}", cwd=str(folder), python=str(workshop.python), calls=one["calls"], package=package)
            case["env"] = {**ENVIRONMENT, "PYTHONPATH": str(one["release"])}
            if one["release"] == older:
                case["good_env"] = {**ENVIRONMENT, "PYTHONPATH": str(newer)}
            case.update(fault=one["fault"][0], where=one["where"])
            yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE.parent / "work" / "strategies" / "python")
    parser.add_argument("--python", default="python3.10")
    parser.add_argument("--packages", default=",".join(PACKAGES))
    parser.add_argument("--per-package", type=int, default=24)
    parser.add_argument("--min-calls", type=int, default=20)
    parser.add_argument("--generator", choices=["own", "pynguin"], default="own")
    parser.add_argument("--iterations", type=int, default=150, help="how many tests to write for a module")
    parser.add_argument("--seconds", type=int, default=900, help="how long that may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--outcomes", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.outcomes:
        return print_outcomes(options.outcomes)
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(out, options.python, options.generator)
    with open(out / "cases.jsonl", "w", encoding="utf-8") as cases:
        for package in options.packages.split(","):
            old, new, modules = PACKAGES[package]
            older, newer = workshop.release(package, old), workshop.release(package, new)
            folder = out / "tests" / package
            shutil.rmtree(folder, ignore_errors=True)
            found = []
            for module in modules:
                if len(choose(found, options.per_package)) >= options.per_package:
                    break
                written = workshop.generate(newer, module, options.seed, options.iterations, options.seconds)
                if written:
                    file = folder / "whole" / f"test_{module.replace('.', '_')}.py"
                    prepare(written, file, options.min_calls)
                    found += failing(workshop, file, older, newer, options.min_calls)
            chosen = list(cases_of(workshop, package, choose(found, options.per_package), folder, older, newer))
            shutil.rmtree(folder / "whole", ignore_errors=True)
            for case in chosen:
                print(json.dumps(case), file=cases, flush=True)
            print(f"{package}: {len(chosen)} of {len(found)} failing tests", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
