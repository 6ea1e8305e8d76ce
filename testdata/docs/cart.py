class Cart:
    def __init__(self, currency):
        self.currency = currency
        self.rows = {}

    def add(self, name, n, price):
        self.rows[name] = (n, price)

    def remove(self, name):
        self.rows.pop(name.upper(), None)  # was: self.rows.pop(name, None)

    def total(self):
        return sum(price for _, price in self.rows.values())

    def count(self):
        return sum(n for n, _ in self.rows.values())
