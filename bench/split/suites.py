#!/usr/bin/env python3
"""Splits tests of public suites with three splitters, and judges what they make by pytest alone.

    suites.py --paring PROGRAM [--suites a,b] [--sample N] [--seed N] [--python PYTHON] [--table FILE] [--minutes M]

The suites are sdists from the user's index, in environments of their own below bench/work/split. Of each, N tests with two assertions or more are
drawn by the seed. A test that was done is not done again: results are kept, a line each, in bench/work/split/results.jsonl. The judge shares no
code with paring: each new test runs in a fork of its own, and all of a file in one process, shuffled. Standard library only.
"""
import argparse
import ast
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE.parent / "work" / "split"
STRATEGIES = ("ds3", "auto", "prefix")
# What a suite needs beside itself, where its tests lie, and folders that would have to be on the path.
SUITES = {
    "tinydb": (["pytest", "pyyaml"], "tests", []),
    "sqlite-utils": (["pytest", "hypothesis"], "tests", []),
    "diskcache": (["pytest"], "tests", []),
    "dulwich": (["pytest"], "tests", []),
    "whoosh": (["pytest", "nose"], "tests", ["src"]),
    "cachelib": (["pytest"], "tests", ["src"]),
    "jsbsim": (["pytest", "jsbsim"], ".", []),
}
ASSERTS = ("assert", "fail")


def pip(python, *arguments):
    """The pip of the interpreter that runs this, for an environment that has none."""
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--python", str(python), *arguments], check=True)


class Suite:
    def __init__(self, name, interpreter):
        self.name = name
        self.needed, self.tests, self.path = SUITES[name]
        self.folder = WORK / name
        self.python = self.folder / "venv" / "bin" / "python"
        if not (self.folder / "complete").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            subprocess.run([interpreter, "-m", "venv", "--without-pip", str(self.folder / "venv")], check=True)
            self.fetch()
            (self.folder / "complete").touch()
        self.tree = next((self.folder / "sdist").iterdir())
        # paring takes the nearest repository for the project.
        (self.tree / ".git").mkdir(exist_ok=True)
        # And pytest the nearest configuration for its root.
        if not any(word in text for text in self.settings() for word in ("[pytest]", "tool.pytest", "tool:pytest")):
            (self.tree / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")

    def settings(self):
        names = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
        return [(self.tree / name).read_text(encoding="utf-8") for name in names if (self.tree / name).exists()]

    def fetch(self):
        if self.name == "jsbsim":
            pip(self.python, "install", *self.needed)
            shutil.copytree(HERE / "jsbsim", self.folder / "sdist" / "jsbsim-tests", ignore=shutil.ignore_patterns("__pycache__"))
            return
        pip(self.python, "install", *self.needed, self.name)
        sdists = WORK / "sdists"
        wanted = self.name.replace("-", "[-_]") + "-*.tar.gz"
        if not list(sdists.glob(wanted)):
            pip(self.python, "download", "--no-deps", "--no-binary", ":all:", "-d", str(sdists), self.name)
        with tarfile.open(next(sdists.glob(wanted))) as archive:
            archive.extractall(self.folder / "sdist", filter="data")

    def env(self, **more):
        path = os.pathsep.join(str(self.tree / part) for part in self.path)
        return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TZ": "UTC", **more}

    def candidates(self, options):
        """Passing tests with two assertions or more."""
        out = self.folder / "passing.jsonl"
        if not out.exists():
            self.judge([self.tests], out, seconds=options.suite_seconds, ORDER="given")
        passing = {}
        for outcome, _, nodeid in lines(out):
            name = nodeid.partition("[")[0]
            passing[name] = passing.get(name, True) and outcome == "passed"
        counts = {}
        found = []
        for nodeid, passes in passing.items():
            file = nodeid.partition("::")[0]
            if file not in counts:
                counts[file] = assertions_of((self.tree / file).read_text(encoding="utf-8"))
            if passes and counts[file].get(nodeid.rpartition("::")[2], 0) > 1:
                found.append(nodeid)
        return sorted(found)

    def judge(self, targets, out, seconds=600, **more):
        out.unlink(missing_ok=True)
        command = [str(self.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "alone", "--rootdir", str(self.tree), "--continue-on-collection-errors", *targets]
        env = self.env(ALONE=str(out), **more)
        env["PYTHONPATH"] = str(HERE) + os.pathsep + env["PYTHONPATH"]
        try:
            subprocess.run(command, cwd=self.tree, env=env, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            print(f"{self.name}: {targets[0]} takes too long", file=sys.stderr)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def assertions_of(source):
    """By the name of a function, how many assertions are written in it."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[node.name] = sum(is_assertion(inner) for inner in ast.walk(node))
    return found


def is_assertion(node):
    if isinstance(node, ast.Assert):
        return True
    called = node.func if isinstance(node, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name.startswith(ASSERTS) or name in ("raises", "warns")


def measured(options, suite, nodeids, strategy):
    """Some tests with one splitter and one call of paring: what it says, and what pytest says of it. Tests that it did not get to are left out."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result = folder / "result.json"
        command = [str(options.paring), "split", *nodeids, "--python", str(suite.python), "--strategy", strategy, "--json", str(result)]
        command += ["--mutants", str(options.mutants), "--budget", "90s", "--timeout", "30"]
        try:
            subprocess.run(command, cwd=suite.tree, env=suite.env(), capture_output=True, timeout=options.batch_seconds, check=False)
        except subprocess.TimeoutExpired:
            print(f"{suite.name} {strategy}: stopped", file=sys.stderr)
        said = json.loads(result.read_text(encoding="utf-8")) if result.exists() else []
        before, alone, shuffled = judged(suite, nodeids, said, folder)
        return [row(suite, strategy, outcome, before, alone, shuffled) for outcome in said]


def row(suite, strategy, said, before, alone, shuffled):
    found = {"suite": suite.name, "test": said["target"], "strategy": strategy}
    for key in ("status", "checks", "statements", "lines", "mutants", "runs", "watch", "seconds"):
        found[key] = said.get(key)
    found["reason"] = (said.get("reason") or {}).get("kind") or (said.get("error") or {}).get("code")
    parts = said.get("parts") or []
    found["slices"], found["kept"] = len(said["tests"]), sum(len(part["assertions"]) for part in parts)
    found["written"] = sum(len(part["statements"]) for part in parts)
    if said["tests"]:
        own = of(alone, said["tests"])
        found.update(
            ran=len(own),
            alone=sum(outcome == "passed" for outcome, _ in own),
            all_alone=bool(own) and all(outcome == "passed" for outcome, _ in own),
            shuffled=sum(outcome == "passed" for outcome, _ in of(shuffled, said["tests"])),
            before=sum(seconds for _, seconds in of(before, [said["target"]])),
            sum=sum(seconds for _, seconds in own),
            longest=max((seconds for _, seconds in own), default=0),
        )
    return found


def of(results, ids):
    """Outcome and seconds of tests, their cases included."""
    return [(outcome, seconds) for outcome, seconds, nodeid in results if nodeid.partition("[")[0] in ids]


def judged(suite, nodeids, said, folder):
    """Runs the originals, and all new tests in the place of the files."""
    before, alone, shuffled = folder / "before", folder / "alone", folder / "shuffled"
    # The next test of a file is split in the file as it is then: the last text has all.
    texts = {each["target"].partition("::")[0]: each["file"]["text"] for each in said if each["tests"]}
    new = [each for outcome in said for each in outcome["tests"]]
    if not new:
        return [], [], []
    suite.judge(nodeids, before)
    originals = {name: (suite.tree / name).read_bytes() for name in texts}
    try:
        for name, text in texts.items():
            (suite.tree / name).write_text(text, encoding="utf-8")
        suite.judge(new, alone)
        suite.judge(new, shuffled, SHUFFLE="1")
    finally:
        for name, content in originals.items():
            (suite.tree / name).write_bytes(content)
    return lines(before), lines(alone), lines(shuffled)


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "–"


def table(rows):
    head = ["suite", "splitter", "tests", "split", "slices", "pass alone", "pass shuffled", "assertions before → after", "statements before → after"]
    head += ["run time (median ratio)", "longest (median ratio)", "runs (median)", "mutants kept"]
    text = ["| " + " | ".join(head) + " |", "| --- | --- |" + " --: |" * (len(head) - 2)]
    for suite in [name for name in SUITES if any(row["suite"] == name for row in rows)]:
        for strategy in STRATEGIES:
            own = [row for row in rows if row["suite"] == suite and row["strategy"] == strategy]
            text.append("| " + " | ".join([suite, strategy, *cells(own)]) + " |")
    for strategy in STRATEGIES:
        text.append("| " + " | ".join(["**all**", strategy, *cells([row for row in rows if row["strategy"] == strategy])]) + " |")
    return "\n".join(text)


def cells(rows):
    done = [row for row in rows if row["slices"] > 0]
    ran = sum(row.get("ran", 0) for row in done)

    def median(values):
        values = list(values)
        return f"{statistics.median(values):.2f}" if values else "–"

    timed = [row for row in done if row.get("before")]
    mutants = [row["mutants"] for row in done if row.get("mutants")]
    return [
        str(len(rows)),
        str(sum(row["slices"] > 1 for row in rows)),
        str(sum(row["slices"] for row in done)),
        share(sum(row.get("alone", 0) for row in done), ran),
        share(sum(row.get("shuffled", 0) for row in done), ran),
        f"{sum(row['checks'] or 0 for row in done)} → {sum(row['kept'] for row in done)}",
        f"{sum(row['statements'] or 0 for row in done)} → {sum(row['written'] for row in done)}",
        median(row["sum"] / row["before"] for row in timed),
        median(row["longest"] / row["before"] for row in timed),
        median(row["runs"] for row in done),
        share(sum(it["checked"] for it in mutants), sum(it["caught"] for it in mutants)) if mutants else "–",
    ]


def reasons(rows):
    """Of the tests in which ds3 finds two slices or more: what became of them."""
    ds3 = {(row["suite"], row["test"]) for row in rows if row["strategy"] == "ds3" and row["slices"] > 1}
    ours = {(row["suite"], row["test"]): row for row in rows if row["strategy"] == "auto"}
    known = [ours[key] for key in ds3 if key in ours]
    n_split = sum(row["slices"] > 1 for row in known)
    text = [f"Of the tests in which `ds3` finds two slices or more, {share(n_split, len(known))} are split. The others, by reason:", ""]
    why = {}
    for row in known:
        if row["slices"] < 2:
            key = row["reason"] or row["status"]
            why[key] = why.get(key, 0) + 1
    text += [f"- {key}: {n}" for key, n in sorted(why.items(), key=lambda it: -it[1])]
    worse = [row for row in rows if row["strategy"] == "ds3" and row["slices"] > 1 and not row.get("all_alone")]
    saved = [row for row in worse if (other := ours.get((row["suite"], row["test"]))) and other["slices"] > 1 and other.get("all_alone")]
    text += ["", f"`ds3` gives slices that fail in {len(worse)} tests; in {len(saved)} of these ours are split and all pass."]
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--batch", type=int, default=20, help="tests for one call of paring")
    parser.add_argument("--batch-seconds", type=float, default=3600)
    parser.add_argument("--mutants", type=int, default=5)
    parser.add_argument("--suite-seconds", type=float, default=1800, help="for the run that tells which tests pass; what ran by then counts")
    parser.add_argument("--minutes", type=float, default=0)
    options = parser.parse_args()
    options.paring = options.paring.resolve()
    WORK.mkdir(parents=True, exist_ok=True)
    kept = WORK / "results.jsonl"
    known = {(row["suite"], row["test"], row["strategy"]): row for row in lines(kept)}
    until = time.monotonic() + options.minutes * 60 if options.minutes else None
    wanted = []
    for name in options.suites.split(","):
        try:
            suite = Suite(name, options.python)
            candidates = suite.candidates(options)
        except (subprocess.CalledProcessError, StopIteration) as error:
            print(f"{name}: cannot be laid out: {error}", file=sys.stderr)
            continue
        print(f"{name}: {len(candidates)} passing tests with two assertions or more", file=sys.stderr, flush=True)
        random.Random(options.seed).shuffle(candidates)
        wanted.append([(suite, nodeid) for nodeid in (candidates[: options.sample] if options.sample else candidates)])
    # A batch of each suite in turn: a run that is stopped has seen all of them.
    batches = [[tests[at : at + options.batch] for at in range(0, len(tests), options.batch)] for tests in wanted]
    for place in range(max(map(len, batches), default=0)):
        for batch, strategy in [(each[place], strategy) for each in batches if place < len(each) for strategy in STRATEGIES]:
            suite = batch[0][0]
            nodeids = sorted(nodeid for _, nodeid in batch if (suite.name, nodeid, strategy) not in known)
            if not nodeids or until and time.monotonic() > until:
                continue
            rows = measured(options, suite, nodeids, strategy)
            known.update({(suite.name, row["test"], strategy): row for row in rows})
            with kept.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
            print(f"{suite.name} {strategy}: {len(rows)} tests, {sum(row['slices'] > 1 for row in rows)} split", file=sys.stderr, flush=True)
    done = {(suite.name, nodeid) for tests in wanted for suite, nodeid in tests}
    rows = [row for (suite, test, _), row in known.items() if (suite, test) in done]
    # Only tests that all three have been tried on.
    complete = {key for key in done if all((*key, strategy) in known for strategy in STRATEGIES)}
    rows = [row for row in rows if (row["suite"], row["test"]) in complete]
    text = table(rows) + "\n\n" + reasons(rows) + "\n"
    print(text)
    if options.table:
        options.table.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
