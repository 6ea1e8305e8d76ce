"""Proves: of a parametrised test the failing case is found, pared alone, and the other cases stay where --apply writes."""
import pytest


@pytest.mark.parametrize("base", [2, 10])
@pytest.mark.parametrize(("text", "expected"), [("1", 1), ("10", 10), ("a", 10), ("11", 11)])
def test_numbers(base, text, expected):
    names = [text]
    number = int(text, 10)
    names.append(str(base))
    assert names
    assert number == expected
