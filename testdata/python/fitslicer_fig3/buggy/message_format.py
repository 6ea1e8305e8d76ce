"""A message format; the fault: all patterns have one hash code."""


class ExtendedMessageFormat:
    def __init__(self, pattern, locale):
        self.pattern = pattern
        self.locale = locale

    def hash_code(self):
        return hash(self.locale)
