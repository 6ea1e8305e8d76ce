"""Proves: a test that eats memory without end is stopped by a limit and not by the machine."""


def test_memory():
    kept = []
    unrelated = 1
    while unrelated:
        kept.append(bytearray(64 * 1024 * 1024))
    assert kept
