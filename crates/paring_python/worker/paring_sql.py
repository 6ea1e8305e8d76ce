"""Which tables a statement of SQL reads and which it changes, as far as its words tell.

Nothing is parsed: names are what follows FROM, JOIN, INTO, UPDATE, TABLE and the like. Too many are told rather than too few. What makes
other statements touch tables that they do not name (triggers, views, other databases) is told as `*`.
"""
import re

TOKEN = re.compile(r"""--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\w+|[^\s\w]""", re.S)
BEFORE_NAMES = frozenset(["from", "join", "into", "update", "table", "exists", "index", "on", "references"])
NOT_NAMES = frozenset(
    ["if", "not", "exists", "select", "or", "replace", "ignore", "abort", "fail", "rollback", "where", "set", "values", "as", "only"]
)
READS = frozenset(["select", "with", "values", "explain"])
CHANGES = frozenset(["insert", "replace", "update", "delete", "create", "drop", "alter", "reindex", "analyze"])
WITHOUT_EFFECT = frozenset(["begin", "savepoint", "release"])
LOOSE = frozenset(["trigger", "view", "attach", "detach", "virtual", "cascade", "pragma"])


def tables(text):
    """Pairs of how and table; the whole database has an empty name."""
    words = [word for word in TOKEN.findall(text) if not word.startswith(("--", "/*", "'"))]
    lower = [word.lower() for word in words]
    if not lower or lower[0] in WITHOUT_EFFECT:
        return
    if not LOOSE.isdisjoint(lower):
        yield "define", "*"
    first = lower[0]
    if first not in READS and first not in CHANGES:
        # COMMIT and ROLLBACK decide what others see.
        yield "define", ""
        return
    changes = first in CHANGES or first == "with" and not CHANGES.isdisjoint(lower)
    for name in sorted(names(lower)):
        yield "define" if changes else "use", name


def names(words):
    found = set()
    expects = False
    for place, word in enumerate(words):
        if word in BEFORE_NAMES:
            expects = True
        elif expects and word in NOT_NAMES:
            continue
        elif expects and (word[0].isalpha() or word[0] in '_"`['):
            # `main.orders` is a table of a schema.
            if words[place + 1 : place + 2] != ["."]:
                found.add(word.strip('"`[]'))
                expects = False
        elif word == "," and is_list(words, place):
            expects = True
        elif word != ".":
            expects = False
    return found


def is_list(words, place):
    """Whether a comma stands in the list behind a FROM, not among columns."""
    for word in reversed(words[:place]):
        if word == "from":
            return True
        if word in ("select", "where", "set", "values", "(", "by", "on"):
            return False
    return False
