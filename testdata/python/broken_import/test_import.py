"""Proves: a module that cannot be imported is a failure of collection, told with the missing name."""
import no_such_module_anywhere


def test_import():
    assert no_such_module_anywhere.value == 1
