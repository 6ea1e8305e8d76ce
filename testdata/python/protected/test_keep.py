"""Proves: a statement under a `paring: keep` comment stays, and comments go with the statements they stand over."""


def test_keep():
    # goes with the line below
    gone = [1]
    kept = [2]  # paring: keep
    total = 3
    # goes too
    gone.append(total)
    assert total == 4
