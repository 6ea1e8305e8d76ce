from cart import Cart


def test_removing_a_row_updates_the_total():
    cart = Cart("EUR")
    other = Cart("USD")
    names = []
    for name in ["tea", "mug"]:
        names.append(name)
    assert names == ["tea", "mug"]
    other.add("pen", 3, 150)
    other.add("pad", 1, 250)
    cart.add("tea", 1, 400)
    cart.add("mug", 2, 900)
    assert cart.count() == 3
    cart.remove("mug")
    assert other.total() == 400
    assert cart.total() == 400


def test_total():
    cart = Cart("EUR")
    cart.add("tea", 1, 400)
    note = "one row"
    assert note
    cart.remove("tea")
    assert cart.total() == 0


def test_everything():
    cart = Cart("EUR")
    assert cart.total() == 0
    assert cart.currency == "EUR"
    cart.add("tea", 1, 400)
    assert cart.total() == 400
    other = Cart("USD")
    other.add("pen", 3, 150)
    assert other.count() == 3
    assert other.total() == 150
