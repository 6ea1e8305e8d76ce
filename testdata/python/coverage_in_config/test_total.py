def test_total():
    prices = [3, 4]
    names = ["a", "b"]
    total = sum(prices)
    assert names
    assert total == 8
