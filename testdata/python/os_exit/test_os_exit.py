"""Proves: os._exit in the test is told as a process that ended, with its code."""
import os


def test_os_exit():
    code = 3
    note = "unrelated"
    assert note
    os._exit(code)
