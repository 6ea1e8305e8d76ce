#!/usr/bin/env python3
"""Pares all tests of a pair of releases with one call, and tells what a test takes.

    batch.py CASES.jsonl --paring BIN [--at-least 30] [--strategy ssmin]

For every pair that has so many tests: `paring minimize TEST TEST …`, whose tests share warm workers and come out one by one. A slice
that does not keep the failure is at level none: the original is handed back.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from pathlib import Path


def pare(paring, cases, strategy):
    """-> the results, and the seconds of the whole."""
    first = cases[0]
    with tempfile.TemporaryDirectory(prefix="paring-batch-") as scratch:
        out = Path(scratch, "results.json")
        command = [paring, "minimize", *(case["target"] for case in cases), "--json", str(out), "--strategy", strategy]
        command += ["--classpath", first["classpath"], "--test-sources", first["test_sources"]]
        command += [f"--jvm-arg={argument}" for argument in first.get("jvm_args", [])]
        command += ["--javac-arg=--release", f"--javac-arg={first['release']}"] if first.get("release") else []
        started = time.monotonic()
        environment = {**os.environ, **first["env"]}
        subprocess.run(command, cwd=first["cwd"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        took = time.monotonic() - started
        return json.loads(out.read_text(encoding="utf-8")), took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--paring", required=True)
    parser.add_argument("--at-least", type=int, default=30)
    parser.add_argument("--strategy", default="auto")
    options = parser.parse_args()
    pairs = defaultdict(list)
    with open(options.collection, encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            pairs[case["id"].rsplit("/", 1)[0], case["classpath"], case.get("release")].append(case)
    print("| pair | tests | with a result | the slice keeps the failure | seconds of a test, median | all, seconds | a test, mean |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    seen, seconds = [], 0.0
    for (pair, *_), cases in sorted(pairs.items()):
        if len(cases) >= options.at_least:
            results, took = pare(str(Path(options.paring).resolve()), cases, options.strategy)
            print(row(pair, results, took), flush=True)
            seen, seconds = seen + results, seconds + took
    print(row("all", seen, seconds))


def row(name, results, took):
    ended = [result for result in results if result["status"] in ("minimized", "unchanged")]
    kept = sum(result["level"] != "none" for result in ended)
    median = statistics.median(result["seconds"] for result in results)
    share = f"{kept} ({100 * kept / len(results):.1f} %)"
    return f"| {name} | {len(results)} | {len(ended)} | {share} | {median:.2f} | {took:.1f} | {took / len(results):.2f} |"


if __name__ == "__main__":
    main()
