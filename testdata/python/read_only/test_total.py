"""Proves: a project in which nothing can be written is pared all the same (the test makes the folder read-only)."""


def test_total():
    prices = [3, 4]
    names = ["a", "b"]
    total = sum(prices)
    assert names
    assert total == 8
