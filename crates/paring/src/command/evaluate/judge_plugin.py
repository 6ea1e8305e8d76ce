"""Loaded into a plain pytest by judge.py: writes down what each phase of the test came to, and where it failed.

It changes nothing about the run. Every record is one JSON line in the file that PARING_JUDGE_OUT names.
"""
import ast
import itertools
import json
import os
import tokenize

import pytest


def write(**record):
    with open(os.environ["PARING_JUDGE_OUT"], "a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")


def position(entry):
    """Line and column at which a traceback entry stands; the column is 0 where the interpreter keeps none."""
    code = entry.tb_frame.f_code
    if hasattr(code, "co_positions"):
        found = next(itertools.islice(code.co_positions(), entry.tb_lasti // 2, None), None)
        if found and found[0] is not None:
            return found[0], found[2] or 0
    return entry.tb_lineno, 0


def statement(path, here):
    """The text of the innermost statement at a position; of a compound one, its header only."""
    with tokenize.open(path) as file:
        source = file.read()
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    inside = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and (node.lineno, node.col_offset if here[1] else 0) <= here
        and here <= (node.end_lineno, node.end_col_offset)
    ]
    if not inside:
        return lines[here[0] - 1].decode() if here[0] <= len(lines) else ""
    found = max(inside, key=lambda node: (node.lineno, node.col_offset))
    nested = [node for node in ast.walk(found) if isinstance(node, ast.stmt) and node is not found]
    end = min([(found.end_lineno, found.end_col_offset)] + [(node.lineno, node.col_offset) for node in nested])
    text = lines[found.lineno - 1 : end[0]]
    text[-1] = text[-1][: end[1]]
    text[0] = text[0][found.col_offset :]
    return b"".join(text).decode()


def words(value):
    try:
        return str(value)
    except Exception as error:  # a broken __str__ is part of what the test does
        return "<%s in __str__>" % type(error).__name__


def failure(item, excinfo):
    test_file = os.path.realpath(str(getattr(item, "path", None) or item.fspath))
    frames = []
    entry = excinfo.value.__traceback__ or excinfo.tb
    while entry is not None:
        code = entry.tb_frame.f_code
        frames.append((os.path.realpath(code.co_filename), code.co_name, entry))
        entry = entry.tb_next
    own = [i for i, frame in enumerate(frames) if frame[0] == test_file]
    record = {"type": type(excinfo.value).__name__, "message": words(excinfo.value), "statement": "", "below": [], "lines": []}
    if own:
        record["statement"] = statement(test_file, position(frames[own[-1]][2]))
        record["lines"] = [position(frames[i][2])[0] for i in own]
        record["below"] = ["%s:%s" % (os.path.basename(f[0]), f[1]) for f in frames[own[-1] + 1 :]]
    return record


def pytest_runtest_logstart(nodeid, location):
    write(outcome="started")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    record = {"when": call.when, "outcome": report.outcome}
    if call.excinfo is not None:
        record.update(failure(item, call.excinfo))
    write(**record)


def pytest_collectreport(report):
    if report.failed:
        write(when="collect", outcome="failed", type="collection", message=words(report.longrepr)[-2000:], statement="", below=[], lines=[])
