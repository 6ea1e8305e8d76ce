"""Proves: a candidate that leaves by os._exit (without the line that sets the guard) is not taken for a pass."""
import os


def test_guard():
    safe = False
    extra = 5
    safe = True
    extra += 1
    if not safe:
        os._exit(0)
    assert safe == "yes"
