"""Proves: a test that passes is told as that (status passing, exit 4), and nothing is pared."""


def test_sum():
    total = sum([1, 2, 3])
    assert total == 6
