#!/usr/bin/env python3
"""The paper's four tables over generated tests, from kept results of `paring evaluate`, one folder a strategy.

    tables.py CASES RESULTS

RESULTS holds folders ssmin, ddmin, sdmin, auto (and others that were run), each with a results.jsonl over CASES.
"""
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

PAPER = ("ssmin", "ddmin", "sdmin")


def load(file):
    return [json.loads(line) for line in open(file, encoding="utf-8")] if file.exists() else []


def mean(values):
    values = list(values)
    return statistics.mean(values) if values else float("nan")


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "–"


def has_result(judged):
    return judged["status"] in ("minimized", "unchanged") and bool(judged.get("statements"))


def search(judged):
    return judged["runs_by"].get("search", 0)


def rows(*cells):
    return "| " + " | ".join(cells) + " |"


def main():
    cases = {case["id"]: case for case in load(Path(sys.argv[1]))}
    folder = Path(sys.argv[2])
    found = {path.name: {judged["id"]: judged for judged in load(path / "results.jsonl")} for path in sorted(folder.iterdir()) if path.is_dir()}
    found = {name: of for name, of in found.items() if of}
    order = [name for name in (*PAPER, *found) if name in found]
    order = list(dict.fromkeys(order))
    # Only tests that every strategy came to an end with are compared.
    common = [id for id in cases if all(id in found[name] and has_result(found[name][id]) for name in order)]
    scopes = defaultdict(list)
    for id in common:
        scopes[cases[id].get("package") or cases[id].get("artifact")].append(id)
    scopes["all"] = common

    print(f"{len(cases)} failing tests, {len(common)} of which all strategies came to an end with; calls in a test, mean: "
          f"{mean(case['calls'] for case in cases.values()):.1f}.\n")
    print("Table 1 and 3: statements of a test, mean\n")
    print(rows("", "tests", "original", *order))
    print("|---|" + "--:|" * (len(order) + 2))
    for scope, ids in scopes.items():
        before = mean(found[order[0]][id]["statements"]["before"] for id in ids)
        after = [mean(found[name][id]["statements"]["after"] for id in ids) for name in order]
        print(rows(scope, str(len(ids)), f"{before:.1f}", *(f"{it:.2f}" for it in after)))

    print("\nTable 2 and 4: what it takes, mean of a test\n")
    print(rows("", *order))
    print("|---|" + "--:|" * len(order))
    print(rows("search runs", *(f"{mean(search(found[name][id]) for id in common):.2f}" for name in order)))
    print(rows("all runs", *(f"{mean(found[name][id]['runs'] for id in common):.2f}" for name in order)))
    print(rows("seconds", *(f"{mean(found[name][id]['seconds'] for id in common):.2f}" for name in order)))
    for name in order:
        print(rows(f"seconds of each, in those of {name}", *(
            f"{mean(found[other][id]['seconds'] for id in common) / mean(found[name][id]['seconds'] for id in common):.2f}×" for other in order)))

    print("\nWhat is left\n")
    print(rows("", *order))
    print("|---|" + "--:|" * len(order))
    with_good = [id for id in common if "good_env" in cases[id] or "good_classpath" in cases[id]]
    same = [sum(bool(found[name][id]["same"]) for id in common) for name in order]
    valid = [sum(bool(found[name][id]["valid"]) for id in with_good) for name in order]
    print(rows("same failure", *(share(n, len(common)) for n in same)))
    print(rows("valid", *(share(n, len(with_good)) for n in valid)))
    if "ddmin" in found and "sdmin" in found:
        size = lambda name, id: found[name][id]["statements"]["after"]  # noqa: E731
        equal = sum(size("sdmin", id) == size("ddmin", id) for id in common)
        ratio = mean(search(found["ddmin"][id]) for id in common) / max(1e-9, mean(search(found["sdmin"][id]) for id in common))
        print(f"\n`sdmin` as small as `ddmin`: {share(equal, len(common))}; search runs of `ddmin` in those of `sdmin`: {ratio:.1f}×.")


if __name__ == "__main__":
    main()
