"""A pytest plugin that runs each test in a fork of its own and writes what happened to the file in ALONE: outcome, seconds, id.

With SHUFFLE=SEED the tests run in one process instead, in an order drawn by the seed; with ORDER=given, in theirs.
"""
import json
import os
import random
import time

import pytest
from _pytest.runner import runtestprotocol


def outcome_of(reports):
    if any(report.failed for report in reports):
        return "failed"
    return "skipped" if any(report.skipped for report in reports) else "passed"


def tell(item, outcome, seconds):
    with open(os.environ["ALONE"], "a", encoding="utf-8") as file:
        file.write(json.dumps([outcome, seconds, item.nodeid]) + "\n")


def run(item, following):
    began = time.perf_counter()
    reports = runtestprotocol(item, nextitem=following, log=False)
    tell(item, outcome_of(reports), time.perf_counter() - began)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if "SHUFFLE" in os.environ or "ORDER" in os.environ:
        run(item, nextitem)
        return True
    pid = os.fork()
    if pid == 0:
        try:
            run(item, None)
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        tell(item, "died", 0.0)
    return True


def pytest_collection_modifyitems(items):
    if "SHUFFLE" in os.environ:
        random.Random(int(os.environ["SHUFFLE"])).shuffle(items)
