"""Proves: a test that fails differently from run to run is told as flaky (exit 5) before any search."""
import os


def toss():
    # Forks of one process share a seeded generator: only the system's own is different in each.
    return os.urandom(1)[0] % 2


def test_coin():
    tosses = [toss() for _ in range(3)]
    heads = sum(tosses)
    assert heads == 3
