"""Proves: a candidate that hangs (here, without the line that counts down) is an observation and does not stop the search."""


def test_countdown():
    seen = []
    note = "start"
    left = 3
    while left:
        seen.append(left)
        left -= 1
    note += " end"
    assert seen == [3, 2]
