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
# They decide what others see of the changes before them.
ENDS = frozenset(["commit", "end", "rollback"])
# Where it stands which tables there are.
CATALOGS = frozenset(["sqlite_master", "sqlite_schema", "sqlite_sequence", "sqlite_stat1"])
WITHOUT_EFFECT = frozenset(["begin", "savepoint", "release"])
LOOSE = frozenset(["trigger", "view", "attach", "detach", "virtual", "cascade", "pragma"])


def tables(text):
    """Pairs of how and table; the whole database has an empty name. A use of `*` is one of every table; `commit` and `rollback` stand for
    the tables that the connection has changed before."""
    words = [word for word in TOKEN.findall(text) if not word.startswith(("--", "/*", "'"))]
    lower = [word.lower() for word in words]
    if not lower or lower[0] in WITHOUT_EFFECT:
        return
    if not LOOSE.isdisjoint(lower) and not (lower[0] == "pragma" and "=" not in lower):
        yield "define", "*"
    first = lower[0]
    if first == "pragma" and "=" not in lower:
        yield "use", "*"
        return
    if first in ENDS:
        yield "define", first
        return
    if first not in READS and first not in CHANGES:
        yield "define", ""
        return
    changes = first in CHANGES or first == "with" and not CHANGES.isdisjoint(lower)
    for name in sorted(names(lower)):
        if name in CATALOGS:
            yield "use", "*"
        yield "define" if changes else "use", name


def names(words):
    found = set()
    expects = False
    for place, word in enumerate(words):
        if word in BEFORE_NAMES:
            behind = words[place + 1 : place + 2]
            # `on conflict do update set` names nothing, nor does `on` in a join.
            expects = behind != ["set"] and (word != "on" or words[0] == "create")
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
