#!/usr/bin/env python3
"""Checks by brute force that nothing more can go: each statement of a pared test is left out in turn.

    minimal.py CASES.jsonl --results DIR [--sample N] [--out FILE]

DIR is what `paring evaluate --good` kept. A statement could have gone where the test without it still fails in the same way
on the older release and passes on the newer one, each told by the judge's own cold pytest runs. Prints every such
statement, and a summary line.
"""
import argparse
import ast
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "crates" / "paring" / "src" / "command" / "evaluate"))
import judge  # noqa: E402

BLOCKS = ("body", "orelse", "finalbody")


def documents(folder, cases):
    """Results by the id of their case, in the order of the cases: all that have a text."""
    found = {}
    for path in sorted((folder / "documents").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        result = document[0] if isinstance(document, list) else document
        if (result.get("file") or {}).get("text"):
            found.setdefault(result["target"], []).append(result)
    return [(case, result) for case in cases for result in found.get(case["target"], [])[:1]]


def without_each(text, target):
    """The text without each of the test's statements in turn, and the statement's own text."""
    lines = text.splitlines(keepends=True)
    node = judge.test_node(text, target)
    for parent in ast.walk(node) if node else ():
        for name in BLOCKS:
            block = getattr(parent, name, [])
            for statement in block if isinstance(block, list) else ():
                if isinstance(statement, ast.stmt) and not is_filler(statement):
                    filler = "pass" if len(block) == 1 else ""
                    yield cut(lines, statement, filler), ast.get_source_segment(text, statement)


def is_filler(statement):
    """Stands in a block for want of anything else, or is a docstring."""
    return isinstance(statement, ast.Pass) or isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def cut(lines, statement, filler):
    first = min([statement.lineno] + [d.lineno for d in getattr(statement, "decorator_list", [])])
    before, after = lines[: first - 1], lines[statement.end_lineno :]
    head = lines[first - 1].encode()[: statement.col_offset].decode()
    tail = lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].decode()
    if filler or head.strip() or tail.strip(" ;\t\r\n"):
        return "".join(before) + head + (filler or "pass") + tail + "".join(after)
    return "".join(before) + "\n" * (statement.end_lineno - first + 1) + "".join(after)


def removable(case, result):
    """Statements whose removal leaves a test that fails the same way and passes where it should."""
    text, target = result["file"]["text"], result["file"].get("target") or case["target"]
    found, n_tried = [], 0
    with judge.Tree(case, "faulty") as faulty, judge.Tree(case, "good") as good:
        base = faulty.observe(text, target)
        for candidate, statement in without_each(text, target):
            n_tried += 1
            try:
                compile(candidate, "candidate", "exec", dont_inherit=True)
            except (SyntaxError, ValueError):
                continue
            if judge.difference(base, faulty.observe(candidate, target)) is None:
                if good.observe(candidate, target)["outcome"] == "passed":
                    found.append(statement)
    return found, n_tried


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("cases"), a.add_argument("--results", type=Path, required=True)
    a.add_argument("--sample", type=int, default=50), a.add_argument("--out", type=Path)
    a = a.parse_args()
    with open(a.cases, encoding="utf-8") as file:
        pairs = documents(a.results, [json.loads(line) for line in file])
    # A test of one statement has nothing to leave out.
    pairs = [(case, result) for case, result in pairs if result["statements"]["after"] > 1]
    chosen = [pairs[i * len(pairs) // min(a.sample, len(pairs))] for i in range(min(a.sample, len(pairs)))]
    n_minimal = n_statements = 0
    lines = []
    for case, result in chosen:
        found, n_tried = removable(case, result)
        n_minimal, n_statements = n_minimal + (not found), n_statements + n_tried
        for statement in found:
            lines.append(f"- `{case['id']}`: `{' '.join(statement.split())[:120]}`")
            print(lines[-1], flush=True)
    summary = f"{n_minimal} of {len(chosen)} pared tests are 1-minimal: {n_statements} statements left out one by one, in cold runs on both releases."
    print(summary)
    if a.out:
        a.out.write_text("\n".join([summary, "", *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    main()
