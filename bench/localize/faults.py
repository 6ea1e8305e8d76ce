#!/usr/bin/env python3
"""The faults behind real failing tests: the smallest set of hunks between two releases that makes them pass.

    faults.py python|java CASES --paring BIN [--out FILE] [--limit N] [--jobs 2] [--budget 200]

CASES as `paring evaluate` takes them: an older release under the tests of a newer one. Hunks of files that the test loads are
looked at, and all others only where those do not suffice. The hunks are written down as a program of one name a line, file by file, and `paring minimize --command` finds out which of them
matter: the command applies those that are left to the older release, and "fails" where the tests pass. Tests that a set makes pass
belong to its fault; faults are found until every test of a pair has one. FILE gets a line for each fault: its tests by their ids, its hunks by
file and lines of the older release. What it has already is not searched for again. A test for which no set was
found within the budget is told on standard error. Standard library, and what the cases were laid out with.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import hunks
import releases

HERE = Path(__file__).resolve().parent


def main():
    if sys.argv[1:2] == ["--probe"]:
        sys.exit(probe(*sys.argv[2:]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=releases.LANGUAGES)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--limit", type=int, help="faults at most")
    parser.add_argument("--jobs", type=int, default=2, help="pairs of releases at once")
    parser.add_argument("--budget", type=int, default=200, help="runs for one fault")
    parser.add_argument("--per-pair", type=int, default=6, help="faults of one pair at most")
    parser.add_argument("--in-vain", type=int, default=4, help="tests of one pair for which no set is found, after which it is left")
    args = parser.parse_args()
    # The Java cases ask it whether a test passes.
    os.environ["PARING"] = str(args.paring.resolve())
    out = args.out or HERE / f"faults-{args.language}.jsonl"
    known = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
    has_fault = {case for fault in known for case in fault["cases"]}
    first_of = {fault["id"] for fault in known}
    pairs, n_known, n_found = {}, collections.Counter(), len(known)
    for line in args.cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        pair = (case["cwd"], json.dumps(case["env"]))
        n_known[pair] += case["id"] in first_of
        if case["id"] not in has_fault:
            pairs.setdefault(pair, []).append(case)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, open(out, "a", encoding="utf-8") as file:
        for found in pool.map(lambda pair: list(faults(args, pairs[pair], n_known[pair])) if args.limit is None or n_found < args.limit else [], pairs):
            for fault in found:
                print(json.dumps(fault), file=file, flush=True)
                n_found += 1
                print("%d %s: %d hunks, %d tests" % (n_found, fault["id"], len(fault["hunks"]), len(fault["cases"])), file=sys.stderr, flush=True)


def faults(args, cases, n_faults):
    """The faults of one pair of releases that are not among those known, one after the other."""
    waiting, n_in_vain = list(cases), 0
    while waiting and n_faults < args.per_pair and n_in_vain < args.in_vain:
        case = waiting.pop(0)
        with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
            release = releases.of(args.language, case)
            with release.warm() as port:
                found = fault_of(args, case, Path(scratch), port)
                same = [other for other in waiting if found and releases.of(args.language, other).passes(found, scratch, port)]
            if not found:
                n_in_vain += 1
                continue
            n_faults += 1
        waiting = [other for other in waiting if other not in same]
        yield {"id": case["id"], "cases": [each["id"] for each in (case, *same)], "hunks": [[hunk.file, hunk.start, hunk.end] for hunk in found]}


def fault_of(args, case, scratch, port):
    """The hunks without which the test fails; None where they were not found, or a cold run does not agree."""
    release = releases.of(args.language, case)
    candidates = hunks.between(release.older, release.newer, release.loaded(scratch))
    if not release.passes(candidates, scratch, port):
        # What is loaded may need others to be compiled.
        candidates = hunks.between(release.older, release.newer, hunks.files(release.older, release.newer))
    program = scratch / "program" / "hunks.py"
    program.parent.mkdir()
    program.write_text(listed(candidates), encoding="utf-8")
    spec = scratch / "spec.json"
    spec.write_text(json.dumps({"language": args.language, "case": case, "port": port, "hunks": [hunk.__dict__ for hunk in candidates]}), encoding="utf-8")
    command = shlex.join([sys.executable, __file__, "--probe", str(spec)]) + " {}"
    document = scratch / "found.json"
    minimize = [str(args.paring.resolve()), "minimize", "--command", command, "--lang", "python", str(program), "--quiet", "--json", str(document)]
    minimize += ["--baseline", "2", "--jobs", "1", "--budget", f"{args.budget}runs", "--timeout", "60"]
    subprocess.run(minimize, cwd=program.parent, env={**os.environ, "PARING_CACHE_DIR": str(scratch / "cache")}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    result = json.loads(document.read_text(encoding="utf-8"))[0] if document.exists() else {"status": "error"}
    if result["status"] not in ("minimized", "unchanged") or any("budget" in note for note in result["notes"]):
        print("%s: no set found: %s, %d hunks" % (case["id"], (result.get("error") or {}).get("message") or result["status"], len(candidates)), file=sys.stderr, flush=True)
        return None
    found = [candidates[idx] for idx in named(result["file"]["text"])]
    if not release.passes(found, scratch):
        print("%s: a cold run does not pass" % case["id"], file=sys.stderr, flush=True)
        return None
    print("%s: %d of %d hunks, %d runs" % (case["id"], len(found), len(candidates), result["runs"]["total"] if isinstance(result["runs"], dict) else result["runs"]), file=sys.stderr, flush=True)
    return found


def listed(candidates):
    """A program of one name a hunk, in a block for each file: whole files go first."""
    lines, last = [], None
    for idx, hunk in enumerate(candidates):
        if hunk.file != last:
            lines.append("if f%d:" % idx)
            last = hunk.file
        lines.append("    h%d" % idx)
    return "".join(line + "\n" for line in lines)


def named(program):
    return [int(digits) for digits in re.findall(r"^\s*h(\d+)$", program, re.MULTILINE)]


def probe(spec, program):
    """Exit 1 where the test passes with the hunks that a program names; 0 where it does not, 3 where nobody knows."""
    spec = json.loads(Path(spec).read_text(encoding="utf-8"))
    candidates = [hunks.Hunk(**hunk) for hunk in spec["hunks"]]
    chosen = [candidates[idx] for idx in named(Path(program).read_text(encoding="utf-8"))]
    with tempfile.TemporaryDirectory(prefix="probe-") as scratch:
        try:
            return int(releases.of(spec["language"], spec["case"]).passes(chosen, scratch, spec["port"]))
        except OSError:
            return 3


if __name__ == "__main__":
    main()
