#!/usr/bin/env python3
"""The paper's four tables over generated tests, from kept results of `paring evaluate`, one folder a strategy.

    tables.py CASES RESULTS [--seconds]

RESULTS holds folders ssmin, ddmin, sdmin, auto (and others that were run), each with a results.jsonl over CASES.
"""
import argparse
import hashlib
import json
import re
import statistics
from collections import defaultdict
from pathlib import Path

PAPER = ("ssmin", "ddmin", "sdmin")
# Calls that a slice is hoped to leave.
FEW = 3


def load(file):
    return [json.loads(line) for line in open(file, encoding="utf-8")] if file.exists() else []


def mean(values):
    values = list(values)
    return statistics.mean(values) if values else float("nan")


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "–"


def has_result(judged):
    return judged["status"] in ("minimized", "unchanged") and bool(judged.get("statements"))


def n_calls(test):
    """Statements that call something, checks and definitions aside: what the paper counts."""
    lines = [line.strip() for line in test.splitlines()]
    body = [line for line in lines if not re.match(r"(@|def |public |void |assert|import |with pytest)", line)]
    return sum(re.search(r"\w\(", line) is not None for line in body)


def digest(id):
    """What the name of a kept document ends with."""
    return hashlib.sha256(id.encode()).hexdigest()[:12]


def tests_of(folder):
    """The text of each pared test, by the digest of its id."""
    documents = {path.stem.rpartition("-")[2]: json.loads(path.read_text(encoding="utf-8")) for path in (folder / "documents").glob("*.json")}
    return {key: (document[0] if isinstance(document, list) else document).get("test") or "" for key, document in documents.items()}


def search(judged):
    return judged["runs_by"].get("search", 0)


def rows(*cells):
    return "| " + " | ".join(cells) + " |"


def print_costs(found, order, common):
    print(rows("", *order))
    print("|---|" + "--:|" * len(order))
    print(rows("search runs", *(f"{mean(search(found[name][id]) for id in common):.2f}" for name in order)))
    print(rows("all runs", *(f"{mean(found[name][id]['runs'] for id in common):.2f}" for name in order)))
    seconds = {name: mean(found[name][id]["seconds"] for id in common) for name in order}
    print(rows("seconds", *(f"{seconds[name]:.2f}" for name in order)))
    for name in order:
        print(rows(f"seconds of each, in those of {name}", *(f"{seconds[other] / seconds[name]:.2f}×" for other in order)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--seconds", action="store_true", help="only what it takes, of a sample that ran one at a time")
    options = parser.parse_args()
    cases = {case["id"]: case for case in load(options.cases)}
    folder = options.results
    found = {path.name: {judged["id"]: judged for judged in load(path / "results.jsonl")} for path in sorted(folder.iterdir()) if path.is_dir()}
    found = {name: of for name, of in found.items() if of}
    order = [name for name in (*PAPER, *found) if name in found]
    order = list(dict.fromkeys(order))
    # Only tests that every strategy came to an end with are compared.
    common = [id for id in cases if all(id in found[name] and has_result(found[name][id]) for name in order)]
    if options.seconds:
        print(f"Seconds, of {len(common)} of the tests, one at a time; the paper has 50× (`ddmin` in `ssmin`) and 11× (`ddmin` in `sdmin`), of a tool that "
              "neither starts a framework nor observes and verifies\n")
        return print_costs(found, order, common)
    scopes = defaultdict(list)
    for id in common:
        scopes[cases[id].get("package") or cases[id].get("artifact")].append(id)
    scopes["all"] = common

    print(f"{len(cases)} failing tests, {len(common)} of which all strategies came to an end with; calls in a test, mean: "
          f"{mean(case['calls'] for case in cases.values()):.1f}.\n")
    texts = {name: tests_of(folder / name) for name in order}
    if "sdmin" in found:
        # No experiment takes away more: that is what a failure needs.
        needs = {id: n_calls(texts["sdmin"][digest(id)]) for id in common}
        scopes[f"all that need at most {FEW} calls"] = [id for id in common if needs[id] <= FEW]
        scopes["all that need more"] = [id for id in common if needs[id] > FEW]
    print("Table 1 and 3: calls of a test, mean; in brackets all its statements, values under names of their own included\n")
    print(rows("", "tests", "original", *order))
    print("|---|" + "--:|" * (len(order) + 2))
    for scope, ids in ((scope, ids) for scope, ids in scopes.items() if ids):
        before = mean(found[order[0]][id]["statements"]["before"] for id in ids)
        cells = [f"{mean(cases[id]['calls'] for id in ids):.1f} ({before:.1f})"]
        for name in order:
            calls = mean(n_calls(texts[name][digest(id)]) for id in ids)
            cells.append(f"{calls:.2f} ({mean(found[name][id]['statements']['after'] for id in ids):.2f})")
        print(rows(scope, str(len(ids)), *cells))

    print("\nTable 2 and 4: what it takes, mean of a test\n")
    print_costs(found, order, common)

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
