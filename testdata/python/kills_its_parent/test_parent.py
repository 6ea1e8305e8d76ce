"""Proves: a test that sends its parent a signal takes a worker with it at most, never paring."""
import os
import signal


def test_parent():
    note = "unrelated"
    parent = os.getppid()
    os.kill(parent, signal.SIGKILL)
    assert note == "other"
