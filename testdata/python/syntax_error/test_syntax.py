"""Proves: a test file that does not compile is told as that, with its line (status error, exit 1)."""


def test_syntax():
    value = (1 +
    assert value == 2
