"""Proves: in FitSlicer's Fig. 6 the handler stays although it never ran: without it the fixed code's exception escapes.

After an example of JFreeChart in the paper. Run with PYTHONPATH=buggy, and good for the fixed library.
"""
from keyed_objects import KeyedObjects2D, UnknownKeyError


def test_remove_row_by_key():
    data = KeyedObjects2D()
    data.set_object("Obj1", "R1", "C1")
    data.set_object("Obj2", "R2", "C2")
    data.remove_row("R2")
    assert data.get_row_count() == 1
    assert data.get_object(0, 0) == "Obj1"
    passed = False
    try:
        data.remove_row("XXX")
    except UnknownKeyError:
        passed = True
    assert passed
