"""Proves: a test that forks and lets the child come back into pytest does not report twice or hang the worker."""
import os


def test_fork():
    value = 1
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
    value += 1
    assert value == 3
