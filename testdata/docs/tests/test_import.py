from importer import parse


def test_rows():
    names = ["Ann", "Bob", "Eve"]
    assert names
    rows = parse("id;name;city\n1;Ann;Paris\n2;Bob;Rome;x;y\n3;Eve;Oslo", limit=5000)
    assert len(rows) == 4
