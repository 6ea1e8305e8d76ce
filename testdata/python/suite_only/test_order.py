"""Proves: a test that fails in the suite and passes alone is told as that; --after finds the one test it needs."""
state = {"user": None}


def test_innocent():
    assert state is not None


def test_pollutes():
    note = "sets the user and never clears it"
    state["user"] = note
    assert state["user"]


def test_also_innocent():
    assert len(state) == 1


def test_victim():
    users = [state["user"]]
    count = len(users)
    assert count == 1
    assert users == [None]
