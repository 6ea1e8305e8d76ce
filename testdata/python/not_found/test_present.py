"""Proves: a target that is not there is told as that (exit 6), with the names that come near."""


class TestPresent:
    def test_here(self):
        assert 1 == 2


def test_there():
    assert 1 == 2
