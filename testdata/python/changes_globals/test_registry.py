"""Proves: module globals changed by one candidate do not reach the next; both registrations stay in the result."""
import registry


def test_the_last_registration_counts():
    names = ["plain"]
    registry.register("plain", 1)
    names.append("other")
    registry.register("other", 5)
    registry.register("plain", 2)
    assert registry.lookup("other") == 5
    assert registry.lookup("plain") == 2
