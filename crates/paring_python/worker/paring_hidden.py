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
        modules = modules_under_test(space)
        self.modules = {module.__name__ for module in modules} | {space.get("__name__")}
        for module in modules:
            self.add_space(module.__dict__, module.__name__)
        self.add_classes(space)

    def add_space(self, space, name):
        self.hold(name, space)
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
        self.hold(full_name(kind), type.__getattribute__(kind, "__dict__"))
        if registered is not None and "_abc_impl" in type.__getattribute__(kind, "__dict__"):
            self.abstract.append(kind)
        for value in list(type.__getattribute__(kind, "__dict__").values()):
            function = getattr(value, "__func__", value) if isinstance(value, (staticmethod, classmethod)) else value
            if isinstance(function, types.FunctionType):
                self.add_function(function)

    def add_function(self, function):
        if len(self.functions) >= HOLDER_LIMIT:
            return
        kept = list(function.__defaults__ or ()) + list((function.__kwdefaults__ or {}).values())
        kept += [value for value in paring_heap.cell_values(function) if not isinstance(value, PLAIN)]
        # Who runs the function reads them: its name is among those of the code that ran.
        resource = ("attribute", function.__module__ or "", function.__code__.co_name)
        self.functions += [(resource, value) for value in kept if not paring_heap.is_immutable(value)]

    def hold(self, owner, space):
        if len(self.holders) < HOLDER_LIMIT:
            self.holders.append((owner, space))

    def look(self):
        """What is there now; None once looking has become too dear."""
        if self.n_objects >= TOTAL_LIMIT:
            return None
        state = world()
        roots = [value for _, value in self.functions]
        holds = [(id(value), resource) for resource, value in self.functions]
        for owner, space in self.holders:
            for name, value in list(space.items()):
                if (name.startswith("__") and name.endswith("__")) or isinstance(value, types.ModuleType):
                    continue
                resource = ("attribute", owner, name)
                if isinstance(value, PLAIN):
                    # A function in the place of another; what it does is not looked into.
                    state[resource] = id(value)
                    continue
                parts = []
                paring_heap.note(value, parts, roots)
                state[resource] = parts
                holds.append((id(value), resource))
        state["abstract"] = [{id(reference) for reference in registered(kind)[0]} for kind in self.abstract]
        look = paring_heap.Look(roots, OBJECT_LIMIT)
        self.n_objects += len(look.tokens) + len(self.holders)
        return State(state, look, holds)


class State:
    """Hidden state at one moment: by resource what it is, and the objects behind them."""

    __slots__ = ("parts", "look", "holds")

    def __init__(self, parts, look, holds):
        self.parts = parts
        self.look = look
        self.holds = holds


UNKNOWN = ("unknown",)
PYTESTS_OWN = os.fsencode("PYTEST_CURRENT_TEST")


def changes(before, now, shown):
    """How which resource changed, in a fixed order; what the test's names lead to (`shown`) is not hidden."""
    found = {}
    for key in before.parts.keys() | now.parts.keys():
        if before.parts.get(key) != now.parts.get(key):
            is_named = isinstance(key, tuple)
            # Of random numbers the next depends on all before.
            found[key if is_named else UNKNOWN] = "kill" if is_named and key[0] != "random" else "define"
    changed = now.look.changed_since(before.look)
    for reach in shown:
        if not changed:
            break
        changed -= reach
    if changed:
        inside = leading_to(before.look, changed)
        resources = {resource for root, resource in before.holds if root in inside}
        for resource in resources or {UNKNOWN}:
            found.setdefault(resource, "define")
    return [(how, resource) for resource, how in sorted(found.items())]


def leading_to(look, keys):
    """Identities of what leads to some objects, themselves included."""
    owners = {}
    for key, children in look.edges.items():
        for child in children:
            owners.setdefault(child, []).append(key)
    seen = set()
    stack = list(keys)
    while stack:
        key = stack.pop()
        if key not in seen:
            seen.add(key)
            stack.extend(owners.get(key, ()))
    return seen


def full_name(kind):
    return "%s.%s" % (type.__dict__["__module__"].__get__(kind), type.__dict__["__qualname__"].__get__(kind))


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
    """Process-wide settings a statement may change, by resource. Native code reads what has no resource here."""
    parts = {("env", os.fsdecode(name)): value for name, value in os.environ._data.items() if name != PYTESTS_OWN}
    parts["warnings"] = len(warnings.filters), [id(each) for each in warnings.filters[:5]]
    parts["streams"] = id(sys.stdout), id(sys.stderr)
    parts["attribute", "sys", "path"] = list(sys.path)
    try:
        parts["cwd",] = os.getcwd()
    except OSError:
        parts["cwd",] = None
    parts["logger", "root"] = logger_state(logging.root)
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if isinstance(logger, logging.Logger):
            parts["logger", name] = logger_state(logger)
    random = sys.modules.get("random")
    if random is not None:
        parts["random",] = random.getstate()
    return parts


def logger_state(logger):
    space = logger.__dict__
    handlers = space.get("handlers") or ()
    return (space.get("level"), [id(each) for each in handlers], space.get("disabled"), space.get("propagate"))
