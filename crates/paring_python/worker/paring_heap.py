"""Looks at objects without running any of their code, and tells what changed between two looks.

A look gives every object it reaches a *token*: its type, the plain values it holds, and the identities of the other
objects it holds. An object changed if it is in both looks with different tokens; a name changed if it could reach
such an object before. Identity makes that true through every alias.

Nothing is called that the user could have written: no `repr`, no `==`, no property, no `__getattr__`.
"""
import abc
import collections
import datetime
import decimal
import enum
import functools
import gc
import io
import logging
import os
import pathlib
import re
import threading
import types
import weakref

VALUES = frozenset(
    [int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range]
    + [datetime.datetime, datetime.date, datetime.time, datetime.timedelta]
)
# Told by identity: they do not change, or are none of a test's business.
ATOMS = (
    type, types.ModuleType, types.CodeType, types.FrameType, types.TracebackType, property,
    weakref.ref, re.Pattern, re.Match, enum.Enum, pathlib.PurePath, decimal.Decimal, datetime.tzinfo,
    type(threading.RLock()), logging.Manager, logging.PlaceHolder,
    types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType,
    # What `isinstance` remembers of an abstract class; who is registered with it is looked at elsewhere.
    type(abc.ABC.__dict__.get("_abc_impl")),
)  # fmt: skip
IMMUTABLE = ATOMS + (types.FunctionType, types.BuiltinFunctionType)
# Where the standard library keeps, in the globals of a module, what it has warned of.
WARNED = "__warningregistry__"
BIG = 2000
TOKEN_BYTES = 1 << 16


class Look:
    """Everything reachable from some roots at one moment, up to a limit."""

    def __init__(self, roots, limit):
        self.tokens = {}
        self.edges = {}
        self.opaque = set()
        # Streams: what their file is where they are next to it, else None.
        self.streams = {}
        queue = collections.deque(roots)
        alive = []
        while queue:
            thing = queue.popleft()
            key = id(thing)
            if key in self.tokens:
                continue
            if len(self.tokens) >= limit:
                break
            alive.append(thing)
            token, children, is_opaque = look_at(thing)
            self.tokens[key] = token
            self.edges[key] = [id(child) for child in children]
            if is_opaque:
                self.opaque.add(key)
            if isinstance(thing, io.IOBase):
                self.streams[key] = file_of(thing)
            queue.extend(children)

    def reach(self, root):
        """Identities of what one object leads to, itself included; and whether that is all."""
        seen = set()
        stack = [root]
        whole = True
        while stack:
            key = stack.pop()
            if key not in seen:
                if key in self.tokens:
                    seen.add(key)
                    stack.extend(self.edges[key])
                else:
                    whole = False
        return seen, whole

    def files_below(self, keys):
        """Of streams among some objects: the files at their end, and whether those are written."""
        seen = set()
        stack = [key for key in keys if key in self.streams]
        while stack:
            key = stack.pop()
            if key not in seen:
                seen.add(key)
                if isinstance(self.streams.get(key), tuple):
                    yield self.streams[key]
                stack.extend(self.edges.get(key, ()))

    def changed_since(self, before):
        now = self.tokens
        return {key for key, token in before.tokens.items() if key in now and now[key] != token}


def is_atom(thing):
    kind = type(thing)
    return kind in VALUES or plan_of(kind).atom


def is_immutable(thing, depth=4):
    kind = type(thing)
    if kind in VALUES or issubclass(kind, IMMUTABLE):
        return True
    if issubclass(kind, (tuple, frozenset)) and not plan_of(kind).has_dict and depth > 0:
        elements = tuple.__iter__(thing) if issubclass(kind, tuple) else frozenset.__iter__(thing)
        return all(is_immutable(element, depth - 1) for element in elements)
    return False


def is_watched(thing):
    """Whether somebody learns that an object is gone: a weak reference, or its own finalizer."""
    return weakref.getweakrefcount(thing) > 0 or any("__del__" in type.__getattribute__(base, "__dict__") for base in MRO.__get__(type(thing)))


class Plan:
    """How objects of one type are looked at."""

    def __init__(self, kind):
        mro = MRO.__get__(kind)
        module = type.__dict__["__module__"].__get__(kind)
        module = module if isinstance(module, str) else ""
        self.atom = issubclass(kind, ATOMS) or is_framework(module)
        self.lookers = [LOOKERS[base] for base in mro if base in LOOKERS]
        if (module, kind.__name__) in EXTRA:
            self.lookers.append(EXTRA[module, kind.__name__])
        self.values = [take for base, take in BASES if base in mro]
        self.slots = []
        self.has_dict = False
        self.opaque = kind is not object and not self.lookers and not self.values
        for base in mro:
            space = type.__getattribute__(base, "__dict__")
            self.slots += [each for each in space.values() if type(each) is types.MemberDescriptorType]
            self.has_dict = self.has_dict or "__dict__" in space
            if "__slots__" in space:
                self.opaque = False
        self.opaque = self.opaque and not self.has_dict and not self.slots
        # Of a logger only what it does with a record: it also keeps a cache, and the way to all other loggers.
        self.has_dict = self.has_dict and not issubclass(kind, logging.Logger)
        # A type written in C that is not listed here keeps its state to itself, also below a class in Python.
        self.opaque = self.opaque or any(not base.__flags__ & HEAP and not is_known(base) for base in mro)
        self.opaque = (self.opaque or (module, kind.__name__) in EXTRA) and not self.atom


def is_known(base):
    return base in VALUES or any(issubclass(base, each) or issubclass(each, base) for each in LOOKERS)


MRO = type.__dict__["__mro__"]
BASES = (
    (int, int.__index__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda thing: bytes.__getitem__(thing, slice(None))),
)
HEAP = 1 << 9
PLANS = {}


def plan_of(kind):
    plan = PLANS.get(kind)
    if plan is None:
        plan = PLANS[kind] = Plan(kind)
    return plan


def is_framework(module):
    """pytest's own graph leads everywhere: only the parts that record for the test are looked into."""
    if not module.startswith(("_pytest.", "pluggy")):
        return module.startswith("paring_")
    return not module.startswith(("_pytest.logging", "_pytest.monkeypatch", "_pytest.recwarn"))


def look_at(thing):
    """The token of one object, the objects it holds, and whether it keeps more to itself."""
    kind = type(thing)
    plan = plan_of(kind)
    parts = [id(kind)]
    children = []
    if plan.atom:
        return (id(kind),), (), False
    opaque = plan.opaque
    try:
        for take in plan.values:
            parts.append(take(thing))
        for looker in plan.lookers:
            looker(thing, parts, children)
        if plan.has_dict:
            space = object.__getattribute__(thing, "__dict__")
            if type(space) is dict:
                look_dict(space, parts, children)
        for slot in plan.slots:
            try:
                note(slot.__get__(thing, kind), parts, children)
            except AttributeError:
                parts.append(None)
    except Exception:
        opaque = True
    if opaque:
        children.extend(each for each in gc.get_referents(thing) if not is_atom(each) and type(each) is not dict)
    return tuple(parts), children, opaque


def note(value, parts, children):
    kind = type(value)
    if kind in VALUES:
        # With its type: 1, 1.0 and True are equal.
        parts.append(kind)
        parts.append(value)
    else:
        parts.append(id(value))
        if not (PLANS.get(kind) or plan_of(kind)).atom:
            children.append(value)


def look_dict(thing, parts, children):
    if len(thing) > BIG:
        parts.append(len(thing))
    n = 0
    for key, value in dict.items(thing):
        if type(key) is str and key == WARNED:
            continue
        note(key, parts, children)
        note(value, parts, children)
        n += 1
        if n >= BIG:
            break


def look_sequence(iterate, size):
    def look(thing, parts, children):
        length = size(thing)
        parts.append(length)
        n = 0
        for value in iterate(thing):
            note(value, parts, children)
            n += 1
            if n >= BIG:
                break
        if length > BIG:
            # The end is where sequences grow.
            for value in list(iterate(thing))[-BIG // 4 :]:
                note(value, parts, children)

    return look


def look_set(thing, parts, children):
    members = []
    for value in set.__iter__(thing) if isinstance(thing, set) else frozenset.__iter__(thing):
        own = []
        note(value, own, children)
        members.append(tuple(own))
    parts.append(frozenset(members))


def look_function(thing, parts, children):
    for value in (thing.__defaults__, thing.__kwdefaults__, *(cell_values(thing))):
        note(value, parts, children)
    if thing.__dict__:
        look_dict(thing.__dict__, parts, children)


def cell_values(function):
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield None


def look_method(thing, parts, children):
    note(thing.__self__, parts, children)
    note(thing.__func__, parts, children)


def look_builtin(thing, parts, children):
    # `seen.append`, handed to somebody who calls it, leads to the list.
    note(thing.__self__, parts, children)


def look_partial(thing, parts, children):
    for value in (thing.func, thing.args, thing.keywords):
        note(value, parts, children)


def look_wrapped(thing, parts, children):
    note(thing.__func__, parts, children)


def look_error(thing, parts, children):
    note(BaseException.args.__get__(thing), parts, children)
    note(BaseException.__cause__.__get__(thing), parts, children)


def look_generator(thing, parts, children):
    frame = getattr(thing, "gi_frame", None) or getattr(thing, "cr_frame", None) or getattr(thing, "ag_frame", None)
    parts.append(None if frame is None else frame.f_lasti)
    children.extend(each for each in gc.get_referents(thing) if not is_atom(each))


def look_bytearray(thing, parts, children):
    parts += [bytearray.__len__(thing), bytes(bytearray.__getitem__(thing, slice(TOKEN_BYTES)))]


def look_numpy(thing, parts, children):
    if thing.nbytes <= TOKEN_BYTES and not thing.dtype.hasobject:
        parts.append(thing.tobytes())


def look_sqlite(thing, parts, children):
    parts += [thing.total_changes, thing.in_transaction]


def look_caplog(thing, parts, children):
    from _pytest.logging import caplog_handler_key

    item = object.__getattribute__(thing, "_item")
    stash = getattr(item, "stash", None) or item._store
    note(stash[caplog_handler_key], parts, children)


def look_stringio(thing, parts, children):
    if not io.StringIO.closed.__get__(thing):
        parts += [io.StringIO.getvalue(thing), io.StringIO.tell(thing)]


def look_bytesio(thing, parts, children):
    if not io.BytesIO.closed.__get__(thing):
        parts += [io.BytesIO.getvalue(thing), io.BytesIO.tell(thing)]


def look_text_file(thing, parts, children):
    buffer = io.TextIOWrapper.buffer.__get__(thing)
    note(buffer, parts, children)
    # What waits to be written is a referent of the stream, and nothing else shows it.
    parts += [(type(each), len(each)) for each in gc.get_referents(thing) if type(each) in (str, bytes, list)]


def look_buffered_file(thing, parts, children):
    kind = type(thing)
    raw = kind.raw.__get__(thing)
    note(raw, parts, children)
    if type(raw) is io.FileIO and not raw.closed:
        parts.append(kind.tell(thing) if raw.seekable() else None)


def file_of(thing):
    """Path and whether it is written, of a file that the interpreter opened; None of any other stream."""
    if type(thing) is not io.FileIO or thing.closed:
        return None
    try:
        path = os.readlink("/proc/self/fd/%d" % thing.fileno())
        # A file without a name is found through its stream alone.
        return None if path.endswith(" (deleted)") or not path.startswith("/") else (path, thing.writable())
    except (OSError, ValueError):
        return None


def look_raw_file(thing, parts, children):
    try:
        number = thing.fileno() if type(thing).__module__ == "_io" else None
        if number is not None:
            parts += [os.fstat(number).st_size, os.lseek(number, 0, os.SEEK_CUR)]
    except (OSError, ValueError):
        parts.append("closed")


def look_lock(thing, parts, children):
    parts.append(thing.locked())


def look_logger(thing, parts, children):
    space = object.__getattribute__(thing, "__dict__")
    for name in ("level", "disabled", "propagate", "handlers", "filters", "parent"):
        note(space.get(name), parts, children)


def look_iterator(thing, parts, children):
    parts.append(thing.__length_hint__())
    children.extend(each for each in gc.get_referents(thing) if not is_atom(each))


def look_view(thing, parts, children):
    """A view of a dict holds nothing itself: what it shows changes with the dict."""
    children.extend(each for each in gc.get_referents(thing) if not is_atom(each))


def look_cell(thing, parts, children):
    try:
        note(thing.cell_contents, parts, children)
    except ValueError:
        parts.append(None)


LOOKERS = {
    dict: look_dict,
    list: look_sequence(list.__iter__, list.__len__),
    tuple: look_sequence(tuple.__iter__, tuple.__len__),
    collections.deque: look_sequence(collections.deque.__iter__, collections.deque.__len__),
    set: look_set,
    frozenset: look_set,
    types.FunctionType: look_function,
    types.MethodType: look_method,
    types.BuiltinFunctionType: look_builtin,
    types.CellType: look_cell,
    functools.partial: look_partial,
    staticmethod: look_wrapped,
    classmethod: look_wrapped,
    BaseException: look_error,
    types.GeneratorType: look_generator,
    types.CoroutineType: look_generator,
    types.AsyncGeneratorType: look_generator,
    bytearray: look_bytearray,
    io.StringIO: look_stringio,
    io.BytesIO: look_bytesio,
    io.TextIOWrapper: look_text_file,
    io.FileIO: look_raw_file,
    logging.Logger: look_logger,
    type(threading.Lock()): look_lock,
    types.MappingProxyType: look_view,
    **{type(each): look_view for each in ({}.keys(), {}.values(), {}.items())},
    **{type(iter(each)): look_iterator for each in ([], (), {}, {}.values(), {}.items(), set(), range(0))},
}
# Types that are looked into if they are loaded, by module and name; their state is known in part only.
EXTRA = {
    ("sqlite3", "Connection"): look_sqlite,
    ("numpy", "ndarray"): look_numpy,
    ("_pytest.logging", "LogCaptureFixture"): look_caplog,
    ("_io", "BufferedWriter"): look_buffered_file,
    ("_io", "BufferedReader"): look_buffered_file,
    ("_io", "BufferedRandom"): look_buffered_file,
}
