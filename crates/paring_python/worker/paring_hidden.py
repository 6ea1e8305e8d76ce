"""State that no name of the test shows: globals, class attributes and defaults of the code under test, and the
process-wide settings of the standard library."""
import logging
import os
import sys
import sysconfig
import types
import warnings

import paring_heap

try:
    from _abc import _get_dump as registered
except ImportError:
    registered = None

MODULE_LIMIT = 60
HOLDER_LIMIT = 600
OBJECT_LIMIT = 1500
# Objects looked at in all looks together.
TOTAL_LIMIT = 60_000
IGNORED = ("_pytest", "pytest", "pluggy", "py", "_distutils_hack", "hypothesis", "mock", "paring_")
PLAIN = (types.FunctionType, types.ModuleType, type, types.BuiltinFunctionType)
STDLIB = getattr(sys, "stdlib_module_names", None)


class Hidden:
    def __init__(self, space):
        self.holders = []
        self.functions = []
        # Classes with which others may be registered.
        self.abstract = []
        self.n_objects = 0
        for module in modules_under_test(space):
            self.add_space(module.__dict__, module.__name__)
        self.add_classes(space)

    def add_space(self, space, name):
        self.hold(space)
        for value in list(space.values()):
            if isinstance(value, type) and value.__module__ == name:
                self.add_class(value)
            elif isinstance(value, types.FunctionType) and value.__module__ == name:
                self.add_function(value)

    def add_classes(self, space):
        """Of the test module only the classes: its globals have names."""
        for value in list(space.values()):
            if isinstance(value, type) and value.__module__ == space.get("__name__"):
                self.add_class(value)

    def add_class(self, kind):
        self.hold(type.__getattribute__(kind, "__dict__"))
        if registered is not None and "_abc_impl" in type.__getattribute__(kind, "__dict__"):
            self.abstract.append(kind)
        for value in list(type.__getattribute__(kind, "__dict__").values()):
            function = getattr(value, "__func__", value) if isinstance(value, (staticmethod, classmethod)) else value
            if isinstance(function, types.FunctionType):
                self.add_function(function)

    def add_function(self, function):
        defaults = list(function.__defaults__ or ()) + list((function.__kwdefaults__ or {}).values())
        if len(self.functions) < HOLDER_LIMIT:
            self.functions += [value for value in defaults if not paring_heap.is_immutable(value)]
            self.functions += [value for value in paring_heap.cell_values(function) if not isinstance(value, PLAIN) and not paring_heap.is_immutable(value)]

    def hold(self, space):
        if len(self.holders) < HOLDER_LIMIT:
            self.holders.append(space)

    def look(self):
        """What is there now; None once looking has become too dear."""
        if self.n_objects >= TOTAL_LIMIT:
            return None
        roots = list(self.functions)
        spaces = []
        for space in self.holders:
            parts = []
            for name, value in list(space.items()):
                if not (name.startswith("__") and name.endswith("__")) and not isinstance(value, PLAIN):
                    parts.append(name)
                    paring_heap.note(value, parts, roots)
            spaces.append(parts)
        spaces.append([{id(reference) for reference in registered(kind)[0]} for kind in self.abstract])
        look = paring_heap.Look(roots, OBJECT_LIMIT)
        self.n_objects += len(look.tokens) + len(spaces)
        return spaces, world(), look


def differs(before, now, shown):
    """Whether hidden state changed; what the test's names lead to (`shown`) is not hidden."""
    if before[0] != now[0] or before[1] != now[1]:
        return True
    changed = now[2].changed_since(before[2])
    for reach in shown:
        if not changed:
            break
        changed -= reach
    return bool(changed)


def modules_under_test(space):
    """Modules the test module uses that belong to neither the language nor the test framework, then their siblings."""
    names = []
    for value in list(space.values()):
        name = value.__name__ if isinstance(value, types.ModuleType) else getattr(type(value) if not isinstance(value, PLAIN) else value, "__module__", None)
        if isinstance(name, str) and name != space.get("__name__") and is_under_test(name) and name not in names:
            names.append(name)
    tops = {name.partition(".")[0] for name in names}
    siblings = sorted(name for name in list(sys.modules) if name.partition(".")[0] in tops and name not in names)
    found = [sys.modules.get(name) for name in names + siblings if name != space.get("__name__")]
    return [module for module in found if isinstance(module, types.ModuleType)][:MODULE_LIMIT]


def is_under_test(name):
    top = name.partition(".")[0]
    if top in sys.builtin_module_names or top.startswith(IGNORED) and (top in IGNORED or top.startswith("paring_")):
        return False
    if STDLIB is not None:
        return top not in STDLIB
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    return bool(file) and not (file.startswith(sysconfig.get_paths()["stdlib"]) and "site-packages" not in file)


def world():
    """Process-wide settings a statement may change."""
    parts = [dict(os.environ._data), len(warnings.filters), [id(each) for each in warnings.filters[:5]]]
    try:
        parts.append(os.getcwd())
    except OSError:
        parts.append(None)
    parts.append(logger_state(logging.root))
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if isinstance(logger, logging.Logger):
            parts.append(logger_state(logger))
    random = sys.modules.get("random")
    if random is not None:
        parts.append(random.getstate())
    parts += [list(sys.path), id(sys.stdout), id(sys.stderr)]
    return parts


def logger_state(logger):
    space = logger.__dict__
    handlers = space.get("handlers") or ()
    return (space.get("level"), [id(each) for each in handlers], space.get("disabled"), space.get("propagate"))
