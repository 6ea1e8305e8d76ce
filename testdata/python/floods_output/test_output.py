"""Proves: hundreds of megabytes of output, captured or written past the capture, neither fill memory nor hold up the run."""
import os
import sys


def test_output():
    line = "x" * 1023
    size = 0
    for _ in range(100_000):
        print(line)
        size += len(line)
    os.write(2, b"y" * 1_000_000)
    sys.stderr.write("z" * 1_000_000)
    assert size == 0
