#!/usr/bin/env python3
"""What pared tests are worth for localising real faults: those that faults.py found.

    real.py python|java FAULTS CASES --paring BIN [--python PYTHON] [--jobs 2] [--limit N] [--several] [--out DIR]

A fault's suite: the tests that its hunks make pass, and all tests of the same files (classes, in Java) that pass on the older release
(`--for` leaves out those that fail for other reasons; --several keeps them, so that a suite has several faults). Its lines are those that the hunks replace, or between which they add.
`paring localize --fault` tells their best rank by every formula, for the failing tests as they are and for pared ones. Prints top-1/3/5/10 and EXAM; DIR keeps a line for each fault.
"""
import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import hunks
import releases

FORMULAS = ["tarantula", "sbi", "ochiai", "jaccard", "ochiai2", "kulczynski2", "dstar", "op2"]
# "untied" is the tests as they are with ties told apart: what "settle" is worth without pared tests.
WAYS = ["none", "untied", "refine", "replace", "both", "clear", "settle"]
TESTS = {"none": "as they are", "untied": "as they are, ties told apart"}
SECONDS = 900


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=["python", "java"])
    parser.add_argument("faults", type=Path)
    parser.add_argument("cases", type=Path, help="as they were laid out")
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--several", action="store_true", help="count tests too that fail for other faults")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "work" / "localize" / "real")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    name = args.language + "-several" * args.several
    cases = {case["id"]: case for case in map(json.loads, args.cases.read_text(encoding="utf-8").splitlines())}
    faults = [known(fault, cases) for fault in map(json.loads, args.faults.read_text(encoding="utf-8").splitlines())][: args.limit]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, open(args.out / f"{name}.jsonl", "w", encoding="utf-8") as out:
        for row in pool.map(lambda fault: localized(args, fault), faults):
            print(json.dumps(row), file=out, flush=True)
            rows.append(row)
            print("%d/%d %s: %s" % (len(rows), len(faults), row["id"], row.get("trouble") or "rank %.1f" % row["ranks"]["dstar none"][0]), file=sys.stderr, flush=True)
    table = tables(rows)
    (args.out / f"{name}.md").write_text(table, encoding="utf-8")
    print(table)


def known(fault, cases):
    """The fault with its tests as they were laid out; those of them that could be."""
    return {**fault, "cases": [cases[name] for name in fault["cases"] if name in cases]}


def localized(args, fault):
    if not fault["cases"]:
        return {"id": fault["id"], "trouble": "its tests are not laid out"}
    release = releases.of(args.language, fault["cases"][0])
    lines = lines_of(fault, release)
    with tempfile.TemporaryDirectory(prefix="real-") as scratch:
        suite = {"python": python_suite, "java": java_suite}[args.language]
        case = fault["cases"][0]
        tests, options = suite(fault, release)
        document = Path(scratch, "found.json")
        command = [str(args.paring.resolve()), "localize", *options, "--json", str(document), "--top", "1", "--timeout", "60", "--jobs", "1"]
        if not args.several:
            command += ["--for=%s" % failing["target"] for failing in fault["cases"]]
        command += ["--fault=%s:%d" % line for line in lines] + tests
        env = {**os.environ, **case["env"], "PARING_CACHE_DIR": str(Path(scratch, "cache"))}
        try:
            ran = subprocess.run(command, cwd=case["cwd"], env=env, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return {"id": fault["id"], "trouble": "not within %d s" % SECONDS}
        if ran.returncode != 0:
            return {"id": fault["id"], "trouble": "exit %d: %s" % (ran.returncode, ran.stderr.strip()[-200:])}
        found = json.loads(document.read_text(encoding="utf-8"))
    ranks = {"%s %s" % (rank["formula"], rank["combine"]): (rank["rank"], rank["exam"]) for rank in found["fault"]}
    if not ranks:
        return {"id": fault["id"], "trouble": "no faulty line is ranked: none that can run, and none whose name somebody reads"}
    pared = [test for test in found["failing"] if test["pared"]]
    return {"id": fault["id"], "tests": found["tests"], "pared": len(pared), "ranks": ranks, "notes": found["notes"]}


def lines_of(fault, release):
    """The faulty lines, with their files."""
    places = set(map(tuple, fault["hunks"]))
    changes = hunks.between(release.older, release.newer, {file for file, _, _ in places})
    chosen = [hunk for hunk in changes if (hunk.file, hunk.start, hunk.end) in places]
    return sorted({(str(release.older / hunk.file), line) for hunk in chosen for line in hunk.faulty(release.older)})


def python_suite(fault, release):
    """Files of the failing tests; options."""
    case = fault["cases"][0]
    files = sorted({case["target"].split("::")[0] for case in fault["cases"]})
    return files, ["--python", case["python"], "--sources", str(release.older)]


def java_suite(fault, release):
    """Classes of the failing tests; options."""
    case = fault["cases"][0]
    classes = sorted({case["target"].split("#")[0] for case in fault["cases"]})
    options = ["--classpath", case["classpath"], "--test-sources", case["test_sources"], "--sources", str(release.older)]
    options += [f"--jvm-arg={arg}" for arg in case["jvm_args"]]
    if case.get("release"):
        options += ["--javac-arg=--release", f"--javac-arg={case['release']}"]
    return classes, options


def tables(rows):
    ranked = [row for row in rows if "ranks" in row]
    lines = ["%d faults, %d of them with a rank." % (len(rows), len(ranked)), ""]
    lines += ["| formula | tests | top-1 | top-3 | top-5 | top-10 | mean rank | geometric | EXAM |", "|---|---|--:|--:|--:|--:|--:|--:|--:|"]
    for formula in FORMULAS:
        for way in WAYS:
            # Where nothing could be pared, the tests as they are have the word.
            found = [row["ranks"].get(f"{formula} {way}", row["ranks"][f"{formula} none"]) for row in ranked]
            cells = [str(sum(rank <= n for rank, _ in found)) for n in (1, 3, 5, 10)]
            cells += ["%.1f" % mean(rank for rank, _ in found), "%.2f" % statistics.geometric_mean(rank for rank, _ in found), "%.2f %%" % (100 * mean(exam for _, exam in found))]
            lines.append("| %s | %s | %s |" % (formula, TESTS.get(way, f"pared, {way}"), " | ".join(cells)))
    lines += ["", *("- %s: %s" % (row["id"], row["trouble"]) for row in rows if "trouble" in row)]
    return "\n".join(lines) + "\n"


def mean(values):
    values = list(values)
    return statistics.mean(values) if values else 0.0


if __name__ == "__main__":
    main()
