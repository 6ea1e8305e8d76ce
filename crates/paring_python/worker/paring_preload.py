"""Imports ahead of a run what it will need: pytest itself, and what a test module imports, without running the module.

Of a module, statements are taken in order, up to the first that might change what later imports see (a call, or a store into
something that exists already). Errors are left for the run to meet: there they belong to the test.
"""
import ast
import importlib
import os
import sys
import tokenize
from pathlib import Path

# Calls that are common on top of test files and change nothing that an import could see.
HARMLESS = {
    "Path", "TypeVar", "bool", "bytes", "defaultdict", "dict", "float", "frozenset", "getattr", "int", "isinstance",
    "len", "list", "namedtuple", "object", "partial", "range", "set", "sorted", "str", "tuple",
}  # fmt: skip
HARMLESS_PREFIXES = ("pytest.mark.", "pytest.param", "os.path.", "re.compile", "logging.getLogger", "pathlib.Path", "datetime.")


def load_pytest():
    """pytest and its own plugins, as far as they load; what is wrong with them shows when a session is opened."""
    attempt(lambda: importlib.import_module("pytest"))
    config = sys.modules.get("_pytest.config")
    for name in getattr(config, "default_plugins", ()):
        attempt(lambda: importlib.import_module("_pytest." + name))


def preload(config, path):
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read(), path)
    except (OSError, SyntaxError, ValueError):
        return
    name = enter_path(config, Path(path))
    if name is None:
        return
    package = name.rpartition(".")[0]
    namespace = {"__name__": name, "__package__": package, "__file__": path, "__builtins__": __builtins__}
    with warnings_as_collected(config):
        if package:
            attempt(lambda: importlib.import_module(package))
        for node in tree.body:
            if not step(node, namespace):
                return


def enter_path(config, path):
    """Puts the folder in `sys.path` that pytest puts there for this file; the module's full name."""
    mode = config.getoption("importmode", "prepend")
    if mode == "importlib":
        return path.stem
    root, name = package_root(config, path)
    if mode == "append":
        if str(root) not in sys.path:
            sys.path.append(str(root))
    elif str(root) != (sys.path[0] if sys.path else None):
        sys.path.insert(0, str(root))
    return name


def package_root(config, path):
    import _pytest.pathlib as pytest_pathlib

    try:
        resolve = pytest_pathlib.resolve_pkg_root_and_module_name
        return resolve(path, consider_namespace_packages=bool(config.getini("consider_namespace_packages")))
    except AttributeError:
        package = pytest_pathlib.resolve_package_path(path)
    except Exception:
        package = None
    if package is None:
        return path.parent, path.stem
    return package.parent, ".".join(path.with_suffix("").relative_to(package.parent).parts)


def warnings_as_collected(config):
    """A module that warns is imported under the filters it would be collected under: they may say `error`."""
    import contextlib

    try:
        from _pytest.warnings import catch_warnings_for_item

        return catch_warnings_for_item(config, config.hook, "collect", None)
    except (ImportError, TypeError):
        return contextlib.nullcontext()


def step(node, namespace):
    """Runs a statement if it only imports; False where preloading must end."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Try)) or (isinstance(node, ast.If) and is_plain(node)):
        if not isinstance(node, ast.If) and is_plain(node):
            attempt(lambda: execute(node, namespace))
            return True
        if isinstance(node, ast.If):
            if "TYPE_CHECKING" not in ast.dump(node.test):
                attempt(lambda: execute(node, namespace))
            return True
        return all(step(child, namespace) for child in node.body)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return True
    if is_plain(node):
        attempt(lambda: execute(node, namespace))
        return True
    return is_harmless(node)


def execute(node, namespace):
    exec(compile(ast.Module([node], []), namespace["__file__"], "exec"), namespace)


def attempt(action):
    try:
        action()
    except BaseException:
        pass


def is_plain(node):
    """Only imports, and assignments of plain values to plain names: nothing that exists is changed."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Name) for target in node.targets) and not any_call(node.value)
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and not any_call(node)
    if isinstance(node, ast.If):
        return not any_call(node.test) and all(map(is_plain, node.body + node.orelse))
    if isinstance(node, ast.Try):
        blocks = node.body + node.orelse + node.finalbody
        return all(map(is_plain, blocks)) and all(all(map(is_plain, handler.body)) for handler in node.handlers)
    return False


def any_call(node):
    return any(isinstance(child, (ast.Call, ast.Await, ast.NamedExpr)) for child in ast.walk(node))


def is_harmless(node):
    """An assignment to plain names by calls that are known to change nothing."""
    if not isinstance(node, ast.Assign) or not all(isinstance(target, ast.Name) for target in node.targets):
        return False
    for child in ast.walk(node.value):
        if isinstance(child, ast.Call):
            name = dotted(child.func)
            if name not in HARMLESS and not name.startswith(HARMLESS_PREFIXES):
                return False
    return True


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id] + parts[::-1])
