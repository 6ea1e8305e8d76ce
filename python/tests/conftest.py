"""The tests of the wheel as it is installed: run them with the environment that `make wheel-tests` makes."""

import os

import pytest

pytest_plugins = ["pytester"]

CART = '''
class Cart:
    def __init__(self):
        self.rows = {}

    def add(self, name, price):
        self.rows[name] = price

    def remove(self, name):
        pass

    def total(self):
        return sum(self.rows.values())
'''

TESTS = '''
from cart import Cart


def test_total():
    names = []
    names.append("tea")
    cart = Cart()
    cart.add("tea", 4)
    cart.add("mug", 9)
    cart.remove("mug")
    assert names
    assert cart.total() == 4


def test_empty():
    assert Cart().total() == 0
'''


class Project:
    """A project of a test, and runs of pytest in it."""

    def __init__(self, pytester):
        self.pytester = pytester
        self.path = pytester.path

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *args):
        return self.pytester.runpytest_subprocess("-p", "no:randomly", *args)


@pytest.fixture
def empty(pytester, monkeypatch, tmp_path_factory):
    # One cache for all: what a worker compiles is the same.
    monkeypatch.setenv("PARING_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "paring-cache"))
    for name in ("PYTEST_ADDOPTS", "PARING_BINARY", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    assert os.environ.get("HOME")
    return Project(pytester)


@pytest.fixture
def project(empty):
    """A test that fails after eight statements, and one that passes."""
    empty.write("cart.py", CART)
    empty.write("test_cart.py", TESTS)
    return empty
