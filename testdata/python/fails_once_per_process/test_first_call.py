"""Proves: a test that only fails in a fresh process (a warm one remembers) is not called flaky or passing."""
import counter


def test_first_call():
    unrelated = [1, 2, 3]
    first = counter.next_number()
    unrelated.append(first)
    assert first == 1
