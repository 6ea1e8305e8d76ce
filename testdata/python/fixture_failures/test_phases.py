"""Proves: failures in set-up and in teardown have their own status, and are pared where the code is the test's."""
import pytest


@pytest.fixture
def broken(settings):
    colour = settings["colour"]
    depth = settings["depth"]
    return colour, depth


def test_set_up(broken):
    colour, depth = broken
    assert colour and depth


def test_teardown(connection):
    names = ["a"]
    connection[0] = names
    assert len(connection) == 3
