"""A message format, fixed: the pattern is part of the hash code."""


class ExtendedMessageFormat:
    def __init__(self, pattern, locale):
        self.pattern = pattern
        self.locale = locale

    def hash_code(self):
        return hash((self.pattern, self.locale))
