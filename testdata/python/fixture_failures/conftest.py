import pytest


@pytest.fixture
def settings():
    values = {"name": "test", "size": "3"}
    values["colour"] = "red"
    return values


@pytest.fixture
def connection(settings):
    size = int(settings["size"])
    yield [None] * size
    assert size == 4, "closed with the wrong size"
