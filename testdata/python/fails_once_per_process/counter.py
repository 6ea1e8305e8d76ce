"""Module state that survives between runs in one process: every run after the first would see another number."""

_number = 1


def next_number():
    global _number
    _number += 1
    return _number
