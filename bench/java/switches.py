#!/usr/bin/env python3
"""What one compilation with a switch before every statement would save, beside a compilation for each candidate.

    switches.py CASES [RESULTS]

CASES as `paring evaluate` takes them; RESULTS is a results.jsonl of a run over them, for how many candidates a search runs.
"""
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path


def field(case):
    name = case["target"].split("#")
    declaring = case.get("declaring_class") or name[0]
    file = Path(case["test_sources"]) / (declaring.split("$")[0].replace(".", "/") + ".java")
    method = name[1].split("(")[0].split("[")[0]
    return "\t".join([case["id"], case["classpath"], str(file), method, str(case.get("release") or "")])


def main():
    cases = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    java = Path(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    lines = "\n".join(field(case) for case in cases)
    ran = subprocess.run([java, Path(__file__).parent / "Switches.java"], input=lines, capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in ran.stdout.splitlines()]
    n_statements, n_switched = (sum(int(row[at]) for row in rows) for at in (1, 2))
    candidate, switched = (statistics.median(float(row[at]) for row in rows) for at in (3, 4))
    none = sum(int(row[2]) == 0 for row in rows)
    print("| | |\n| --- | --: |")
    print(f"| tests | {len(rows)} |")
    print(f"| statements that a switch can stand before | {n_switched} of {n_statements} ({100 * n_switched / n_statements:.1f} %) |")
    print(f"| tests of which nothing can be switched | {none} ({100 * none / len(rows):.1f} %) |")
    print(f"| compilation of a candidate, warm, median | {candidate:.0f} ms |")
    print(f"| compilation with switches, warm, median | {switched:.0f} ms |")
    if len(sys.argv) > 2:
        results = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
        search = [judged["runs_by"].get("search", 0) for judged in results if judged.get("runs_by")]
        seconds = statistics.median(judged["seconds"] for judged in results if judged.get("seconds"))
        saved = [max(0.0, n * candidate - switched) / 1000 for n in search]
        print(f"| candidates of a search, median and mean | {statistics.median(search):.0f} and {statistics.mean(search):.1f} |")
        print(f"| saved at most, median and mean, of {seconds:.1f} s for a test | {statistics.median(saved):.2f} s and {statistics.mean(saved):.2f} s |")


if __name__ == "__main__":
    main()
