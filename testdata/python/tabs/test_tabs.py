"""Proves: tabs stay tabs."""


def test_tabs():
	words = ["a", "b"]
	count = 0
	if words:
		count = len(words)
		words.append("c")
	assert words
	assert count == 3
