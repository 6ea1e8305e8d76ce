"""What code may read of attributes, files, the clock and the like, from the names that it loads: too much rather than too little.

A *glance* is what is known of one piece of code that ran: a function, or a statement of the test file. The names are those of
globals and attributes, with what `getattr` asks for where that is written out. Code that computes names may read any attribute; code
beside which native code stands that nobody can look into may read anything.
"""
import dis
import importlib.machinery
import sys
import types

import paring_hidden

COMPUTES = frozenset(
    ["vars", "globals", "locals", "__dict__", "__getattribute__", "eval", "exec", "dir", "getmembers", "getattr_static", "import_module",
     "__import__", "_getframe", "get_objects", "get_referrers", "pickle", "_pickle", "Unpickler", "find_class", "resolve_name", "format", "format_map", "vformat"]
)  # fmt: skip
# What they return reads names later, and no frame shows it.
COMPUTES_LATER = frozenset(["attrgetter", "methodcaller", "partial"])
ASKS = frozenset(["getattr", "hasattr"])
UNSEEN = frozenset(["ctypes", "mmap", "dbm", "_dbm", "_gdbm", "shelve", "multiprocessing", "set_trace_callback", "set_authorizer"])
FILES = frozenset(
    ["exists", "lexists", "isfile", "isdir", "islink", "ismount", "is_file", "is_dir", "is_symlink", "stat", "lstat", "fstat", "access",
     "getsize", "getmtime", "getatime", "getctime", "samefile", "same_file", "readlink", "disk_usage", "realpath", "resolve", "glob", "rglob"]
)  # fmt: skip
RAW = frozenset(["read", "pread", "readv", "preadv", "lseek", "fstat", "sendfile", "copy_file_range", "write", "pwrite", "writev", "ftruncate"])
CWD = FILES | {"getcwd", "getcwdb", "cwd", "abspath", "absolute", "relpath"}
CLOCK = frozenset(
    ["time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "clock_gettime", "now", "utcnow",
     "today", "localtime", "gmtime", "ctime", "asctime", "strftime"]
)  # fmt: skip
RANDOM = frozenset(["random", "randint", "randrange", "choice", "choices", "shuffle", "sample", "uniform", "gauss", "getrandbits", "getstate"])
ENVIRONMENT = frozenset(["environb", "tzset", "setlocale", "load_default_certs", "set_default_verify_paths"])
SOCKETS = frozenset(
    ["send", "sendall", "sendto", "sendmsg", "sendfile", "recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg", "accept", "_accept",
     "listen", "shutdown", "makefile", "socketpair", "select", "poll"]
)  # fmt: skip
# Parts of the standard library and of pytest that compute names of their own things alone.
SELF_CONTAINED = frozenset(
    ["_collections_abc", "_io", "_pytest", "abc", "base64", "bisect", "calendar", "codecs", "collections", "contextlib", "csv", "datetime",
     "decimal", "email", "enum", "fnmatch", "fractions", "genericpath", "glob", "gzip", "hashlib", "heapq", "hmac", "http", "io", "ipaddress",
     "json", "linecache", "locale", "logging", "numbers", "os", "pathlib", "platform", "pluggy", "posixpath", "queue", "random", "re", "secrets",
     "select", "selectors", "shutil", "signal", "socket", "sqlite3", "ssl", "stat", "struct", "subprocess", "tarfile", "tempfile", "textwrap",
     "threading", "time", "tokenize", "traceback", "urllib", "uuid", "warnings", "weakref", "zipfile"]
)  # fmt: skip
REFLECTING = ("_pytest.monkeypatch", "_pytest.fixtures", "_pytest.python", "_pytest.unittest", "_pytest.doctest", "http.server", "logging.config")
LOADS = frozenset(["LOAD_GLOBAL", "LOAD_NAME"])
EXTENSIONS = tuple(importlib.machinery.EXTENSION_SUFFIXES)
HEAP = 1 << 9


class Glance:
    __slots__ = ("names", "module", "computes", "is_native")

    def __init__(self, names, module, computes=False, is_native=False):
        self.names = names
        self.module = module
        self.computes = computes
        self.is_native = is_native or not UNSEEN.isdisjoint(names)


class Glances:
    """Of all code that ran while somebody wanted to know."""

    def __init__(self, watched):
        self.watched = watched
        self.known = {}
        self.lines = {}
        self.native = native_packages()
        self.spaces = {}

    def of_code(self, code, space):
        """A function outside the test file."""
        found = self.known.get(code)
        if found is None:
            module = space.get("__name__") if isinstance(space.get("__name__"), str) else ""
            names, computes = names_of(dis.get_instructions(code))
            names.add(code.co_name)
            is_strange = is_foreign(module) and module not in self.watched
            is_own = top_of(module) in SELF_CONTAINED and not module.startswith(REFLECTING)
            computes = is_strange or not is_own and (computes or not COMPUTES.isdisjoint(names))
            found = self.known[code] = Glance(names, module, computes, is_foreign(module) and self.has_native(space))
        return found

    def of_line(self, code, line, starts, frame):
        """A statement of the test file, with the values that its names have."""
        by_line = self.lines.get(code)
        if by_line is None:
            by_line = self.lines[code] = split(code, starts)
        names, computes, locals_ = by_line.get(line, (frozenset(), False, frozenset()))
        is_native = False
        if self.native:
            values = [frame.f_globals.get(name) for name in names] + [frame.f_locals.get(name) for name in locals_]
            is_native = any(self.is_native(value) or self.is_native(type(value)) for value in values)
        return Glance(names, "", computes or not COMPUTES.isdisjoint(names), is_native)

    def has_native(self, space):
        if not self.native:
            return False
        key = id(space)
        if key not in self.spaces:
            self.spaces[key] = any(self.is_native(value) for value in list(space.values()))
        return self.spaces[key]

    def is_native(self, value):
        """Whether native code that is not the interpreter's own stands behind a module, type or function."""
        if isinstance(value, types.ModuleType):
            return top_of(value.__name__) in self.native
        if isinstance(value, types.BuiltinFunctionType):
            return top_of(getattr(value, "__module__", None)) in self.native
        if isinstance(value, type):
            bases = type.__dict__["__mro__"].__get__(value)
            return any(not base.__flags__ & HEAP and top_of(base.__module__) in self.native for base in bases) or (
                top_of(value.__module__) in self.native and not hasattr(value, "__dict__")
            )
        return False


def top_of(name):
    return name.partition(".")[0] if isinstance(name, str) else ""


def is_foreign(module):
    return bool(module) and paring_hidden.is_under_test(module)


def native_packages():
    """Packages outside the standard library with a part that is native code."""
    found = set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(EXTENSIONS) and is_foreign(name):
            found.add(top_of(name))
    return found


def names_of(instructions):
    """Globals and attributes that the instructions name, and whether they compute names beside."""
    instructions = list(instructions)
    names = set()
    computes = False
    for place, each in enumerate(instructions):
        value = each.argval
        if isinstance(value, str) and each.opcode in HAS_NAME:
            names.update(value.split("."))
            if value in ASKS and each.opname in LOADS:
                asked = asked_for(instructions, place)
                computes = computes or asked is None
                names.add(asked or value)
            elif value in COMPUTES_LATER:
                computes = True
    return names, computes


HAS_NAME = frozenset(dis.hasname)


def asked_for(instructions, place):
    """The second argument of a call of `getattr` whose name is loaded at the place, if it is written out, attributes of a name come before
    it and at most a default behind it."""
    rest = [each for each in instructions[place + 1 : place + 14] if each.opname not in NO_MATTER]
    n_loads = 0
    for idx, each in enumerate(rest):
        if each.opname == "LOAD_CONST" and n_loads == 1 and isinstance(each.argval, str):
            behind = rest[idx + 1 :]
            n_args = 3 if behind and is_load(behind[0]) else 2
            call = behind[n_args - 2 : n_args - 1]
            return each.argval if call and call[0].opname in CALLS and call[0].arg == n_args else None
        if n_loads == 1 and each.opname == "LOAD_ATTR":
            continue
        if n_loads == 1 or not is_load(each):
            return None
        n_loads = 1
    return None


def is_load(instruction):
    return instruction.opname.startswith("LOAD_") and not isinstance(instruction.argval, tuple)


NO_MATTER = frozenset(["PUSH_NULL", "PRECALL", "CACHE", "NOP", "EXTENDED_ARG"])
CALLS = frozenset(["CALL", "CALL_FUNCTION"])


def split(code, starts):
    """By the line at which a statement begins: names, whether some are computed, and the locals it loads."""
    lines = {}
    current = code.co_firstlineno
    for each in dis.get_instructions(code):
        line = line_of(each)
        current = current if line is None else line
        lines.setdefault(starts.get(current, current), []).append(each)
    return {line: (*names_of(each), locals_of(each)) for line, each in lines.items()}


def line_of(instruction):
    if hasattr(instruction, "line_number"):
        return instruction.line_number
    return instruction.starts_line if not isinstance(instruction.starts_line, bool) else None


def locals_of(instructions):
    found = set()
    for each in instructions:
        if isinstance(each.argval, str) and each.opcode not in HAS_NAME:
            found.add(each.argval)
        elif isinstance(each.argval, tuple):
            # Two locals in one instruction.
            found.update(name for name in each.argval if isinstance(name, str))
    return found


def uses(log, glances, add):
    """Tells `add` of every resource that code may have used of those that something changed. False if that is not all."""
    names = set()
    modules = set()
    for glance in glances:
        names.update(glance.names)
        modules.add(glance.module)
    computes = any(glance.computes for glance in glances)
    for resource in sorted(log.changed, key=repr):
        kind = resource[0]
        if (
            kind == "attribute" and (computes or resource[2] in names)
            or kind == "file" and not FILES.isdisjoint(names) and not log.sees_looks()
            or kind == "file" and resource in log.raw and not RAW.isdisjoint(names)
            or kind == "cwd" and not CWD.isdisjoint(names)
            or kind == "clock" and not CLOCK.isdisjoint(names)
            or kind == "random" and ("random" in modules or not RANDOM.isdisjoint(names))
            or kind == "env" and not ENVIRONMENT.isdisjoint(names)
            or kind == "logger" and ("logging" in modules or "logging" in names)
        ):  # fmt: skip
            add("use", resource)
        elif kind == "socket" and not log.sees_looks() and ("socket" in modules or not SOCKETS.isdisjoint(names)):
            add("define", resource)
    return not any(glance.is_native for glance in glances)
