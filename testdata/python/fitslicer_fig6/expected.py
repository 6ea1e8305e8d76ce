from keyed_objects import KeyedObjects2D, UnknownKeyError


def test_remove_row_by_key():
    data = KeyedObjects2D()
    data.set_object("Obj1", "R1", "C1")
    data.set_object("Obj2", "R2", "C2")
    data.remove_row("R2")
    try:
        data.remove_row("XXX")
    except UnknownKeyError:
        pass
