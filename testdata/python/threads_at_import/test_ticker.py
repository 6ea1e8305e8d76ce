"""Proves: threads started at import are noticed and served by colder workers; in a fork the thread would be missing."""
import ticker


def test_ticks():
    names = ["a"]
    count = ticker.wait_for_tick()
    names.append("b")
    assert count < 0, "ticks are never fewer than none"
