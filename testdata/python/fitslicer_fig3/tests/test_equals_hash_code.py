"""Proves: FitSlicer's Fig. 3 keeps both branches' worth of what decides the value: every path to the assertion defines it.

After an example of Apache Commons Lang in the paper. The first lines (a variable set in both branches, two names set
to None first) may go. Run with PYTHONPATH=buggy, and good for the fixed library.
"""
from message_format import ExtendedMessageFormat


def test_equals_hash_code():
    equal = None
    pattern = "Pattern: {0,testfmt}"
    first = None
    second = None
    first = ExtendedMessageFormat(pattern, "en_US")
    other_pattern = "X" + pattern  # different pattern
    second = ExtendedMessageFormat(other_pattern, "en_US")
    if first.hash_code() == second.hash_code():
        equal = True
    else:
        equal = False
    assert not equal, "pattern, hash_code()"
