"""A table of objects by row and column key, fixed: an unknown row key is told."""


class UnknownKeyError(Exception):
    pass


class KeyedObjects2D:
    def __init__(self):
        self.row_keys, self.column_keys, self.rows = [], [], []

    def set_object(self, value, row_key, column_key):
        if column_key not in self.column_keys:
            self.column_keys.append(column_key)
        if row_key not in self.row_keys:
            self.row_keys.append(row_key)
            self.rows.append({})
        self.rows[self.row_keys.index(row_key)][column_key] = value

    def get_row_count(self):
        return len(self.row_keys)

    def get_object(self, row, column):
        return self.rows[row].get(self.column_keys[column])

    def remove_row(self, row_key):
        if row_key not in self.row_keys:
            raise UnknownKeyError(row_key)
        index = self.row_keys.index(row_key)
        self.row_keys.pop(index)
        self.rows.pop(index)
