#!/usr/bin/env python3
"""`paring localize` beside FauxPy: seconds, spectra and ranks on the same seeded faults, with failing tests as they are.

    peers_python.py --paring BIN [--python PYTHON] [--faults 3] [--seed 1] [--projects NAME...] [--out FILE]

The faults are the first of those that seeded.py draws. FauxPy comes from the user's index, into an environment of its own. Its formulas add a
tenth to what they divide by, so scores are compared by what they are made of: a line is the same in both where FauxPy's own formula gives
FauxPy's score from paring's counts. Ties share the mean of the ranks they take up. Prints a table, and each line that differs.
"""
import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import python_project
import sdist
from seeded import mean, shuffled

FAUXPY = "fauxpy==0.7.0"
# It breaks on the subtests of pytest 9: a test that reports twice is not to be kept twice.
PYTEST = "pytest>=8,<9"
EPSILON = 0.1
FORMULAS = {"Ochiai": "ochiai", "Tarantula": "tarantula", "Dstar": "dstar"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--faults", type=int, default=3, help="of each project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--projects", nargs="+", default=list(python_project.PROJECTS))
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    rows = []
    for name in args.projects:
        project = python_project.PythonProject(name, args)
        fauxpy = sdist.environment(sdist.WORK / name / "venv-fauxpy", name, args.python, [FAUXPY, PYTEST])
        rows += faults(project, fauxpy, args)
    table = tables(rows)
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")


def faults(project, fauxpy, args):
    rows = []
    for path, mutant in shuffled(project, args.seed):
        if len(rows) == args.faults:
            break
        with tempfile.TemporaryDirectory(prefix="peers-") as scratch:
            seeded = project.seeded(path, mutant, Path(scratch).resolve())
            row = seeded and side_by_side(project, fauxpy, args, path, mutant, *seeded)
        if row:
            rows.append(row)
            print("%s %d/%d %s:%d" % (project.name, len(rows), args.faults, path, mutant.line), file=sys.stderr, flush=True)
    return rows


def timed(command, tree, env):
    began = time.perf_counter()
    ran = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True)
    return ran, time.perf_counter() - began


def side_by_side(project, fauxpy, args, path, mutant, tree, env, options):
    env = {**env, "PARING_CACHE_DIR": str(sdist.WORK / "cache")}
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", project.tests]
    _, alone = timed([str(project.python), *pytest], tree, env)
    sbfl = ["--src", project.code, "--exclude", "[%s]" % project.tests, "--family", "sbfl", "--granularity", "statement"]
    said, theirs = timed([str(fauxpy), *pytest, *sbfl], tree, env)
    report = next(tree.parent.glob("FauxPyReport_*"), tree.parent)
    found = tree.parent / "found.json"
    ran, ours = timed([str(args.paring.resolve()), "localize", "--no-purify", "--fresh", "--json", str(found), "--top", "1000000", *options], tree, env)
    if ran.returncode != 0:
        print("%s:%d: exit %d %s" % (path, mutant.line, ran.returncode, ran.stderr[-300:]), file=sys.stderr)
        return None
    document = json.loads(found.read_text(encoding="utf-8"))
    ranks = {rank["formula"]: rank["rank"] for rank in document["fault"] if rank["combine"] == "none"}
    counts = {(suspect["file"], suspect["line"]): suspect["counts"] for suspect in document["suspects"]}
    if not (report / "Scores_Ochiai.csv").exists():
        print("%s:%d: FauxPy ranks nothing:\n%s" % (path, mutant.line, (said.stdout + said.stderr)[-600:]), file=sys.stderr)
    scores = {formula: read(report / ("Scores_%s.csv" % formula), tree) for formula in FORMULAS}
    suspicious = {line for line, score in scores["Ochiai"].items() if score > 0}
    both = suspicious & counts.keys()
    differ = {line for line in both if any(not math.isclose(scores[formula].get(line, -1), score_of(formula, counts[line]), rel_tol=1e-9) for formula in FORMULAS)}
    for line in sorted(suspicious ^ counts.keys()) + sorted(differ):
        print("  %s:%d: FauxPy %s, paring %s" % (*line, scores["Ochiai"].get(line), counts.get(line)), file=sys.stderr)
    fault = (str(path), mutant.line)
    return {
        "project": project.name, "fault": "%s:%d" % fault, "alone": alone, "theirs": theirs, "ours": ours, "both": len(both), "same": len(both - differ),
        "only_theirs": len(suspicious - counts.keys()), "only_ours": len(counts.keys() - suspicious),
        "ranks": {formula: (rank_of(scores[formula], fault), ranks.get(name)) for formula, name in FORMULAS.items()},
    }


def read(file, tree):
    scores = {}
    if not file.exists():
        return scores
    for row in csv.DictReader(open(file, encoding="utf-8")):
        path, _, line = row["Entity"].rpartition("::")
        scores[str(Path(path).resolve().relative_to(tree.resolve())), int(line)] = float(row["Score"])
    return scores


def score_of(formula, counts):
    """FauxPy's formulas."""
    ef, nf, ep, np = (counts[name] for name in ("ef", "nf", "ep", "np"))
    if formula == "Ochiai":
        return ef / (math.sqrt((ef + nf) * (ef + ep)) + EPSILON)
    if formula == "Dstar":
        return ef * ef / (ep + nf + EPSILON)
    failed = ef / (ef + nf + EPSILON)
    return failed / (failed + ep / (ep + np + EPSILON)) + EPSILON


def rank_of(scores, line):
    if line not in scores:
        return None
    above = sum(score > scores[line] for score in scores.values())
    return above + (sum(score == scores[line] for score in scores.values()) + 1) / 2


def tables(rows):
    lines = ["| fault | suite alone, s | FauxPy | paring | lines failing tests run: both, of these the same counts | only FauxPy | only paring | %s |" % " | ".join("rank by %s, FauxPy / paring" % formula for formula in FORMULAS)]
    lines.append("|---|" + "--:|" * (6 + len(FORMULAS)))
    for row in rows:
        ranks = " | ".join("%s / %s" % tuple("–" if rank is None else "%.1f" % rank for rank in pair) for pair in row["ranks"].values())
        lines.append("| %s %s | %.1f | %.1f | %.1f | %d, %d | %d | %d | %s |" % (row["project"], row["fault"], row["alone"], row["theirs"], row["ours"], row["both"], row["same"], row["only_theirs"], row["only_ours"], ranks))
    alone, theirs, ours = (mean(row[name] for row in rows) for name in ("alone", "theirs", "ours"))
    lines.append("")
    lines.append("In the time of the suite alone, mean: FauxPy %.1fx, paring %.1fx; paring is %.1f times as fast." % (theirs / alone, ours / alone, theirs / ours))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
