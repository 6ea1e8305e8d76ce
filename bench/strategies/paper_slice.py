#!/usr/bin/env python3
"""Whether `--strategy ssmin` is the slice of the paper, by a second reading of its rule that shares nothing with paring.

    paper_slice.py CASES RESULTS

CASES is what python_suite.py or java_suite.py wrote, RESULTS the folder of kept results, of which `ssmin` and `sdmin` are read. A generated test is
a straight line of statements, one a line, each variable assigned once. The rule: a call reads its target and its arguments and writes
its target; a statement belongs to the slice if it defines or writes what a later one of the slice reads. Standard library only.
"""
import json
import re
import sys
from pathlib import Path

from tables import digest, has_result, load, n_calls, share

DEFINED = re.compile(r"(?:[\w.$<>\[\]?]+ )?(\w+) = (?!=)")
TARGET = re.compile(r"(?:\((?:[\w.$<>\[\]]+)\) ?)?(\w+)\.\w+\(")


def body_of(text, line):
    """The test around a line of its file, up to that line: statements by line."""
    lines = text.splitlines()
    start = max(idx for idx in range(line) if re.match(r"\s*(def test|public void test)", lines[idx]))
    return [statement.strip() for statement in lines[start + 1 : line] if statement.strip()]


def sliced(statements):
    """Those that the last one depends on, itself included."""
    defined = {match[1] for match in map(DEFINED.match, statements) if match}
    kept, needed = [], set()
    for statement in reversed(statements):
        made = DEFINED.match(statement)
        target = TARGET.match(statement[made.end() :] if made else statement)
        written = {made[1]} if made else set()
        written |= {target[1]} & defined if target else set()
        if not kept or written & needed:
            kept.append(statement)
            needed |= {name for name in re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*", re.sub(r"'[^']*'|\"[^\"]*\"", "''", statement)) if name in defined}
    return kept[::-1]


def source_of(case):
    if "test_sources" in case:
        return Path(case["test_sources"], case["target"].split("#")[0].replace(".", "/") + ".java")
    return Path(case["cwd"], case["target"].split("::")[0])


def main():
    cases, results = Path(sys.argv[1]), Path(sys.argv[2])
    documents = {strategy: {path.stem.rpartition("-")[2]: path for path in (results / strategy / "documents").glob("*.json")} for strategy in ("ssmin", "sdmin")}
    ended = {judged["id"] for judged in load(results / "ssmin" / "results.jsonl") if has_result(judged)}
    n_tests, n_alike, totals, others = 0, 0, [0, 0, 0], []
    for case in map(json.loads, cases.read_text(encoding="utf-8").splitlines()):
        if case["id"] not in ended:
            continue
        found = {}
        for strategy, paths in documents.items():
            document = json.loads(paths[digest(case["id"])].read_text(encoding="utf-8"))
            found[strategy] = document[0] if isinstance(document, list) else document
        ours = [line.strip() for line in found["ssmin"]["test"].splitlines()]
        ours = [line for line in ours if not re.match(r"(@|def test|public void test|\}$)", line) and line]
        theirs = sliced(body_of(source_of(case).read_text(encoding="utf-8"), found["ssmin"]["failure"]["line"]))
        n_tests += 1
        n_alike += ours == theirs
        for idx, text in enumerate(("\n".join(theirs), found["ssmin"]["test"], found["sdmin"]["test"])):
            totals[idx] += n_calls(text)
        if ours != theirs:
            others.append((case["id"], ours, theirs))
    print(f"`ssmin` is the slice of the paper's rule, statement by statement, in {share(n_alike, n_tests)} of the tests.")
    means = [total / n_tests for total in totals]
    print("Calls, mean: %.2f by the rule, %.2f by `ssmin`, %.2f by `sdmin`, which is what the failure needs." % tuple(means))
    for id, ours, theirs in others:
        only, missing = ([it for it in one if it not in other] for one, other in ((ours, theirs), (theirs, ours)))
        print(f"{id}\n  only in ssmin: {only}\n  only by the rule: {missing}", file=sys.stderr)


if __name__ == "__main__":
    main()
