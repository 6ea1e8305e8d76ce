class Table:
    def __init__(self):
        self.rows = []

    def add_row(self, row):
        self.rows.append(row)

    def remove_row(self, idx):
        self.rows = self.rows[: len(self.rows)]  # was: del self.rows[idx]
