#!/usr/bin/env python3
"""What purification is worth for localising seeded faults: Tables 4 to 7 of the purification paper, on Python packages.

    seeded.py --paring BIN [--python PYTHON] [--faults 100] [--seed 1] [--jobs 2] [--projects NAME==VERSION...] [--out DIR]

Each project's sdist is fetched by name. Mutants of its sources by the paper's six operators (mutants.py) are drawn at random
with a seed that is kept; those that no test kills, and those that break the whole suite, are discarded and drawn anew. A fault
is localised by `paring localize --fault`, which tells its rank by every formula, for the failing tests as they are and for
pared ones. Prints the tables; DIR keeps a line for each fault.
"""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mutants
import sdist

# Name, version and folders of code and tests; small suites that need nothing but pytest.
PROJECTS = {
    "toolz==1.0.0": ("toolz", "toolz/tests"),
    "more-itertools==10.5.0": ("more_itertools", "tests"),
    "portion==2.6.0": ("portion", "tests"),
}
FORMULAS = ["tarantula", "sbi", "ochiai", "jaccard", "ochiai2", "kulczynski2", "dstar", "op2"]
WAYS = ["refine", "replace", "both"]
# A mutant may loop for ever: a suite gets so many times its usual time.
PATIENCE = 5
# More failing tests than this share of the suite is no fault that anybody would look for by lines.
BREAKS_ALL = 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--projects", nargs="+", default=list(PROJECTS))
    parser.add_argument("--out", type=Path, default=sdist.WORK / "seeded")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in args.projects:
        project = Project(name, args)
        rows += project.faults()
    table = tables(rows)
    (args.out / "tables.md").write_text(table, encoding="utf-8")
    print(table)


class Project:
    def __init__(self, name, args):
        self.name, self.args = name, args
        self.code, self.tests = PROJECTS[name]
        self.tree, self.python = sdist.laid_out(name, args.python, ["pytest>=8"])
        began = time.perf_counter()
        ran = self.pytest(self.tree, 600)
        self.seconds = time.perf_counter() - began
        if ran is None or ran.returncode != 0:
            sys.exit("the tests of %s do not pass as they are:\n%s" % (name, ran and ran.stdout[-2000:]))

    def env(self, tree):
        return dict(os.environ, PYTHONPATH=str(tree), PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", PARING_CACHE_DIR=str(sdist.WORK / "cache"))

    def pytest(self, tree, limit):
        command = [str(self.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", self.tests]
        try:
            return subprocess.run(command, cwd=tree, env=self.env(tree), capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None

    def drawn(self):
        """All mutants in a random order that the seed decides."""
        found = []
        tests = self.tree / self.tests
        for path in sorted((self.tree / self.code).rglob("*.py")):
            if tests in path.parents or "_vendor" in path.parts:
                continue
            for mutant in mutants.mutants(path.read_text(encoding="utf-8")):
                found.append((path.relative_to(self.tree), mutant))
        random.Random("%s %d" % (self.name, self.args.seed)).shuffle(found)
        return found

    def faults(self):
        """The first so many that tests kill, in the order in which they were drawn."""
        rows, drawn = [], iter(self.drawn())
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool, open(self.args.out / (self.name + ".jsonl"), "w", encoding="utf-8") as out:
            waiting = [pool.submit(self.fault, *each) for each in take(drawn, self.args.jobs)]
            while waiting and len(rows) < self.args.faults:
                row = waiting.pop(0).result()
                waiting += [pool.submit(self.fault, *each) for each in take(drawn, 1)]
                if row is not None:
                    rows.append(row)
                    print(json.dumps(row), file=out, flush=True)
                    print("%s %d/%d %s:%d" % (self.name, len(rows), self.args.faults, row["file"], row["line"]), file=sys.stderr, flush=True)
            for each in waiting:
                each.cancel()
        return rows

    def fault(self, path, mutant):
        with tempfile.TemporaryDirectory(prefix="seeded-") as folder:
            tree = Path(folder).resolve() / "tree"
            shutil.copytree(self.tree, tree)
            (tree / path).write_text(mutant.text, encoding="utf-8")
            ran = self.pytest(tree, 10 + PATIENCE * self.seconds)
            # 0 kills nothing; 1 has failing tests; all else broke the run.
            if ran is None or ran.returncode != 1:
                return None
            document = tree.parent / "found.json"
            command = [str(self.args.paring.resolve()), "localize", "--python", str(self.python), "--fault", "%s:%d" % (path, mutant.line), "--json", str(document), "--top", "1", "--timeout", "20", self.tests]
            began = time.perf_counter()
            localized = subprocess.run(command, cwd=tree, env=self.env(tree), capture_output=True, text=True)
            seconds = time.perf_counter() - began
            if localized.returncode != 0:
                print("%s:%d %s: exit %d %s" % (path, mutant.line, mutant.operator, localized.returncode, localized.stderr[-300:]), file=sys.stderr)
                return None
            found = json.loads(document.read_text(encoding="utf-8"))
        n_failed, n_passed = found["tests"]["failed"], found["tests"]["passed"]
        ranks = {"%s %s" % (rank["formula"], rank["combine"]): rank["rank"] for rank in found["fault"]}
        if not ranks or n_failed > BREAKS_ALL * (n_failed + n_passed):
            return None
        return {
            "project": self.name, "file": str(path), "line": mutant.line, "operator": mutant.operator, "failed": n_failed, "passed": n_passed,
            "pared": sum(len(test["pared"]) for test in found["failing"]), "statements": found["ranked"], "ranks": ranks, "seconds": seconds, "suite_seconds": self.seconds,
            "notes": found["notes"],
        }


def take(iterator, n):
    return [each for _, each in zip(range(n), iterator)]


def tables(rows):
    lines = ["%d faults: %s." % (len(rows), ", ".join("%s %d" % (name, sum(row["project"] == name for row in rows)) for name in dict.fromkeys(row["project"] for row in rows)))]
    lines += ["", "Faults that come earlier (positive), later (negative) or at the same rank with pared tests, by how those are used; mean effort without and with.", ""]
    lines += ["| formula | way | positive | negative | neutral | effort, tests as they are | pared | saved |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for formula in FORMULAS:
        for way in WAYS:
            pairs = pairs_of(rows, formula, way)
            positive, negative = sum(b < a for a, b in pairs), sum(b > a for a, b in pairs)
            before, after = mean(a for a, _ in pairs), mean(b for _, b in pairs)
            lines.append("| %s | %s | %s | %s | %s | %.2f | %.2f | %.1f %% |" % (formula, way, share(positive, pairs), share(negative, pairs), share(len(pairs) - positive - negative, pairs), before, after, 100 * (1 - after / before) if before else 0))
    lines += ["", "By how hard a fault is to find with the tests as they are (way `refine`, the paper's).", ""]
    lines += ["| formula | rank 1: neutral / all | 2 to 10: positive / negative / all | saved | above 10: positive / negative / all | saved |", "|---|--:|--:|--:|--:|--:|"]
    for formula in FORMULAS:
        pairs = pairs_of(rows, formula, "refine")
        first = [(a, b) for a, b in pairs if a == 1]
        cells = ["%d / %d" % (sum(a == b for a, b in first), len(first))]
        for low, high in ((1, 10), (10, float("inf"))):
            part = [(a, b) for a, b in pairs if low < a <= high]
            cells += ["%d / %d / %d" % (sum(b < a for a, b in part), sum(b > a for a, b in part), len(part)), "%.2f" % mean(a - b for a, b in part)]
        lines.append("| %s | %s |" % (formula, " | ".join(cells)))
    lines += ["", "Seconds.", "", "| project | faults | suite alone | `paring localize`, mean | failing tests, mean | pared tests, mean |", "|---|--:|--:|--:|--:|--:|"]
    for name in dict.fromkeys(row["project"] for row in rows):
        own = [row for row in rows if row["project"] == name]
        lines.append("| %s | %d | %.1f | %.1f | %.1f | %.1f |" % (name, len(own), own[0]["suite_seconds"], mean(row["seconds"] for row in own), mean(row["failed"] for row in own), mean(row["pared"] for row in own)))
    return "\n".join(lines) + "\n"


def pairs_of(rows, formula, way):
    """Ranks without and with pared tests; where none could be pared, nothing changes."""
    return [(row["ranks"][formula + " none"], row["ranks"].get("%s %s" % (formula, way), row["ranks"][formula + " none"])) for row in rows]


def share(n, pairs):
    return "%d (%.1f %%)" % (n, 100 * n / len(pairs) if pairs else 0)


def mean(values):
    values = list(values)
    return statistics.mean(values) if values else 0.0


if __name__ == "__main__":
    main()
