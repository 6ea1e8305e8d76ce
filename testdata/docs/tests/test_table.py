from table import Table


def test_remove_row():
    names = ["a"]
    names.append("b")
    table = Table()
    table.add_row(["a", 1])
    table.remove_row(0)
    assert names
    assert table.rows == []
