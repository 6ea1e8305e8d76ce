"""Proves: of a suite with failing tests, `paring localize` names the faulty line first: in `reduced`, a discount is added."""


class Cart:
    def __init__(self):
        self.prices = []
        self.log = []

    def add(self, price):
        self.note("add")
        self.prices.append(price)

    def note(self, word):
        self.log.append(word)

    def total(self, percent=0):
        total = 0
        for price in self.prices:
            total += price
        if percent:
            total = reduced(
                total,
                percent + 0,
            )
        return total

    def empty(self):
        self.note("empty")
        self.prices.clear()


def reduced(total, percent):
    cut = total * percent // 100
    return total + cut


def label(cart):
    if not cart.prices:
        return "nothing"
    return "%d things" % len(cart.prices)
