"""A registry that lives as long as its process: what one run leaves here, the next one would find."""

ENTRIES = {}


def register(name, value):
    # The fault: a name that is there already is not replaced.
    ENTRIES.setdefault(name, value)


def lookup(name):
    return ENTRIES.get(name)
