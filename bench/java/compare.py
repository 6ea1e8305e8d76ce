#!/usr/bin/env python3
"""Sets paring beside experiments alone, from kept results of `paring evaluate`.

    compare.py RESULTS

RESULTS holds a folder for each run of run.sh: java, java-largest, java-largest-ddmin. Prints one table.
"""
import json
import statistics
import sys
from pathlib import Path


def results(folder):
    file = folder / "results.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {judged["id"]: judged for judged in map(json.loads, lines)}


def is_kept(judged):
    """Whether the slice itself showed the failure; where it did not, the original was handed back at level none."""
    return bool(judged.get("same")) and judged["level"] != "none"


def reduction(all_judged, size):
    pairs = [judged[size] for judged in all_judged.values() if judged.get(size)]
    shares = [1 - pair["after"] / pair["before"] if pair["before"] else 0.0 for pair in pairs]
    return f"{100 * statistics.mean(shares):.1f} %" if shares else "–"


def ratio(ours, theirs, runs):
    """How many times the runs of ours theirs took, at the median of the cases that both have."""
    ratios = [runs(theirs[id]) / runs(judged) for id, judged in ours.items() if id in theirs and runs(judged) and runs(theirs[id])]
    return f"{statistics.median(ratios):.1f} × ({len(ratios)} tests)" if ratios else "–"


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "–"


def rows(folder):
    auto, ours, ddmin = (results(folder / name) for name in ("java", "java-largest", "java-largest-ddmin"))
    yield "all tests: the slice keeps the failure", share(sum(map(is_kept, auto.values())), len(auto))
    for name, judged in ("all tests", auto), ("largest tests", ours), ("largest tests, `ddmin` alone", ddmin):
        yield f"{name}: statements gone, mean", reduction(judged, "statements")
        yield f"{name}: bytecode instructions gone, mean", reduction(judged, "instructions")
    yield "largest tests: runs of `ddmin` alone in those of paring, median", ratio(ours, ddmin, lambda judged: judged.get("runs"))
    yield "largest tests: of these, runs of the search", ratio(ours, ddmin, lambda judged: judged["runs_by"].get("search"))


def main():
    print("| | |\n| --- | --: |")
    for name, value in rows(Path(sys.argv[1])):
        print(f"| {name} | {value} |")
    print()
    print("A slice that does not keep the failure counts with the original, of which nothing is gone. Instructions are those of the")
    print("test method and of the lambdas written in it, which javac puts into methods of their own.")


if __name__ == "__main__":
    main()
