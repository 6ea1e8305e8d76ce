"""Fingerprints of objects: equal where two graphs of objects are, with their types, identities, aliases and cycles.

    a = []; f(a, a)     is not  f([], [])
    f(1)                is not  f(1.0), nor f(True)
    f(0.0)              is not  f(-0.0): floats count by their bits

By value is what remains without identities. None of the user's code is run. What cannot be told (mocks, lambdas, open files, what is
written in C and not known here, and graphs without end) has no fingerprint.
"""
import collections
import datetime
import decimal
import enum
import fractions
import functools
import hashlib
import io
import logging
import pathlib
import re
import struct
import sys
import types
import uuid

import paring_heap

LIMIT = 4000
DEPTH = 150
# Their words tell all of them.
TOLD = frozenset(
    [complex, range, slice, type(...), type(NotImplemented), decimal.Decimal, fractions.Fraction, uuid.UUID]
    + [datetime.datetime, datetime.date, datetime.time, datetime.timedelta, datetime.timezone, collections.Counter]
) - {collections.Counter}
WITHOUT = (
    types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.FrameType, types.TracebackType, types.CodeType,
    io.IOBase, property, types.SimpleNamespace,
)  # fmt: skip


class Opaque(Exception):
    """There is no telling."""


def of(roots):
    """The fingerprint of some objects together; None where they have none."""
    return both(roots)[0]


def both(roots):
    """With identities and without."""
    try:
        graph = Print(True)
        for root in roots:
            graph.walk(root, 0)
        digest = graph.digest()
        if not graph.is_shared:
            return digest, digest
        tree = Print(False)
        for root in roots:
            tree.walk(root, 0)
        return digest, tree.digest()
    except (Opaque, RecursionError):
        return None, None
    except Exception:
        # What is odd enough to get here says nothing.
        return None, None


class Print:
    def __init__(self, has_identity):
        self.has_identity = has_identity
        self.parts = []
        self.numbers = {}
        self.path = {}
        self.is_shared = False
        self.n = 0

    def digest(self):
        return hashlib.blake2b(b"".join(self.parts), digest_size=12).hexdigest()

    def put(self, tag, data=b""):
        self.parts.append(b"%s%d:" % (tag, len(data)))
        self.parts.append(data)

    def words(self, tag, words):
        self.put(tag, words.encode("utf-8", "surrogatepass"))

    def walk(self, thing, depth):
        self.n += 1
        if self.n > LIMIT or depth > DEPTH:
            raise Opaque
        kind = type(thing)
        if kind is str:
            self.words(b"s", thing)
        elif kind is int:
            self.put(b"i", b"%d" % thing)
        elif thing is None or kind is bool:
            self.put(b"c", repr(thing).encode())
        elif kind is float:
            self.put(b"f", struct.pack("<d", thing))
        elif kind is bytes:
            self.put(b"b", thing)
        elif kind in TOLD:
            self.words(b"r", "%s %r" % (kind.__name__, thing))
        elif kind is tuple:
            self.put(b"t", b"%d" % len(thing))
            for each in thing:
                self.walk(each, depth + 1)
        elif isinstance(thing, type):
            self.name(thing)
        else:
            self.object(thing, kind, depth)

    def name(self, kind):
        words = "%s.%s" % (kind.__module__, kind.__qualname__)
        if "<" in words:
            # Two tests may define different classes of one name.
            raise Opaque
        self.words(b"T", words)

    def object(self, thing, kind, depth):
        if self.atom(thing, kind, depth):
            return
        key = id(thing)
        numbers = self.numbers if self.has_identity else self.path
        if key in numbers:
            self.is_shared = True
            self.put(b"#", b"%d" % (numbers[key] if self.has_identity else depth - numbers[key]))
            return
        numbers[key] = len(numbers) if self.has_identity else depth
        self.contents(thing, kind, depth + 1)
        if not self.has_identity:
            del self.path[key]

    def atom(self, thing, kind, depth):
        """What has no state, or is known by a name."""
        if kind is types.ModuleType or isinstance(thing, types.ModuleType):
            self.words(b"M", thing.__name__)
        elif isinstance(thing, enum.Enum):
            self.name(kind)
            self.words(b"e", str(thing._name_))
        elif kind is types.FunctionType:
            self.function(thing)
        elif kind in (types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType):
            self.words(b"m", thing.__name__)
            self.walk(thing.__self__, depth + 1)
            if kind is types.MethodType:
                self.walk(thing.__func__, depth + 1)
        elif kind is re.Pattern:
            self.words(b"p", "%r %d" % (thing.pattern, thing.flags))
        elif isinstance(thing, pathlib.PurePath):
            self.words(b"P", "%s %s" % (kind.__name__, thing))
        elif isinstance(thing, logging.Logger):
            self.words(b"L", thing.name)
        elif kind.__module__ == "unittest.mock" or any(base.__module__ == "unittest.mock" for base in kind.__mro__):
            raise Opaque
        else:
            return False
        return True

    def function(self, function):
        words = "%s.%s" % (function.__module__, function.__qualname__)
        if "<" in words or function.__closure__:
            raise Opaque
        self.words(b"F", words)

    def contents(self, thing, kind, depth):
        if kind in (io.StringIO, io.BytesIO):
            self.words(b"I", "%r %d" % (thing.getvalue(), thing.tell()))
            return
        if isinstance(thing, WITHOUT) and kind is not types.SimpleNamespace:
            raise Opaque
        self.name(kind)
        if kind is functools.partial:
            for each in (thing.func, thing.args, thing.keywords):
                self.walk(each, depth)
            return
        plan = paring_heap.plan_of(kind)
        if plan.opaque and not self.is_known(kind):
            raise Opaque
        for take in plan.values:
            value = take(thing)
            self.words(b"v", repr(value) if not isinstance(value, float) else struct.pack("<d", value).hex())
        self.elements(thing, kind, depth)
        self.attributes(thing, kind, plan, depth)

    @staticmethod
    def is_known(kind):
        known = (list, dict, set, frozenset, tuple, collections.deque, bytearray, BaseException, types.SimpleNamespace)
        return issubclass(kind, known) and all(base in known or base is object or base.__flags__ & paring_heap.HEAP for base in kind.__mro__ if base.__module__ == "builtins")

    def elements(self, thing, kind, depth):
        if issubclass(kind, (list, tuple, collections.deque)):
            base = next(base for base in (list, tuple, collections.deque) if issubclass(kind, base))
            each = list(base.__iter__(thing))
            self.put(b"l", b"%d" % len(each))
            for value in each:
                self.walk(value, depth)
        elif issubclass(kind, dict):
            items = list(dict.items(thing))
            self.put(b"d", b"%d" % len(items))
            for key, value in items:
                self.walk(key, depth)
                self.walk(value, depth)
            if issubclass(kind, collections.defaultdict):
                self.walk(thing.default_factory, depth)
        elif issubclass(kind, (set, frozenset)):
            base = set if issubclass(kind, set) else frozenset
            prints = []
            for value in base.__iter__(thing):
                own = Print(False)
                own.n = self.n
                own.walk(value, depth)
                self.n = own.n
                prints.append(own.digest())
            self.words(b"S", " ".join(sorted(prints)))
        elif kind is bytearray:
            self.put(b"B", bytes(thing))
        elif issubclass(kind, BaseException):
            self.walk(BaseException.args.__get__(thing), depth)

    def attributes(self, thing, kind, plan, depth):
        if plan.has_dict:
            space = object.__getattribute__(thing, "__dict__")
            if type(space) is not dict:
                raise Opaque
            self.put(b"a", b"%d" % len(space))
            for name in sorted(space, key=str):
                self.words(b"n", str(name))
                self.walk(space[name], depth)
        for slot in plan.slots:
            if slot.__name__ in ("__weakref__", "__dict__"):
                continue
            try:
                value = slot.__get__(thing, kind)
            except AttributeError:
                self.put(b"-")
                continue
            self.words(b"n", slot.__name__)
            self.walk(value, depth)
