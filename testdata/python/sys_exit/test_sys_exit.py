"""Proves: SystemExit is a failure like others, and is pared."""
import sys


def stop(code):
    sys.exit(code)


def test_sys_exit():
    names = ["a", "b"]
    code = 4
    names.append("c")
    stop(code)
    assert names
