"""Has another version of the project's code run in the place of the one that is installed to be edited.

An environment may lead to the project in many ways: `.pth` files, finders of editable installs, `PYTHONPATH`, namespace packages. All
of them end in `sys.path`, in `sys.meta_path`, or in the `__path__` of a package. Here each is turned from the present folder to that of
the other version. What was loaded from the present folder all the same is told after each run (`strays`), unless it is the very same
text: such a run says nothing about the other version.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

CODE = (".py", ".so", ".pyd")


class Moved(importlib.abc.MetaPathFinder):
    def __init__(self, present, other, bytecode):
        self.present = present
        self.other = other
        self.bytecode = bytecode
        # An environment in the project's folder is no code of the project.
        prefix = os.path.realpath(sys.prefix)
        self.environment = prefix if is_below(prefix, present) else None
        self.seen = {}
        self.read = set()

    def is_present(self, path):
        """Whether a path is of the present version."""
        if not isinstance(path, str) or not path:
            return False
        if path not in self.seen:
            # The other version may be links to a folder that lies in the present one.
            is_other = is_within(os.path.abspath(path), self.other)
            self.seen[path] = not is_other and self.looks_present(os.path.realpath(path))
        return self.seen[path]

    def looks_present(self, path):
        if not is_within(path, self.present) or is_within(path, self.other):
            return False
        if self.environment is not None and is_within(path, self.environment):
            return False
        parts = path[len(self.present) :].split(os.sep)
        return "site-packages" not in parts and "dist-packages" not in parts

    def there(self, path):
        """The same place in the other version."""
        return self.other + os.path.realpath(path)[len(self.present) :]

    def is_same(self, path):
        """Whether the other version has the same text there."""
        return contents(path) is not None and contents(path) == contents(self.there(path))

    def find_spec(self, name, path=None, target=None):
        finders = list(sys.meta_path)
        behind = finders[finders.index(self) + 1 :] if self in finders else []
        for finder in behind:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None else None
            if spec is not None:
                return self.turned(name, spec)
        return None

    def turned(self, name, spec):
        folders = spec.submodule_search_locations
        folders = None if folders is None else [str(folder) for folder in folders]
        leads_here = folders is not None and any(map(self.is_present, folders))
        moved = self.turn_all(folders) if leads_here else folders
        if not (spec.has_location and self.is_present(spec.origin)):
            if not leads_here:
                return spec
            if spec.has_location:
                spec.submodule_search_locations = moved
                return spec
            if not moved:
                raise self.lacks(name)
            namespace = importlib.machinery.ModuleSpec(name, None, is_package=True)
            namespace.submodule_search_locations = moved
            return namespace
        place = self.there(spec.origin)
        if not os.path.isfile(place):
            raise self.lacks(name)
        return importlib.util.spec_from_file_location(name, place, submodule_search_locations=moved)

    def lacks(self, name):
        return ModuleNotFoundError("No module named %r in the other version" % name, name=name)

    def turn_all(self, paths):
        """Paths in the other version, without those that it lacks."""
        turned = []
        for path in paths:
            if self.is_present(path):
                path = self.there(path)
                if not os.path.exists(path):
                    continue
            if path not in turned:
                turned.append(path)
        return turned


MOVED = None


def install(start):
    """From here on modules come from the other version."""
    global MOVED
    given = start.get("moved")
    if not given or MOVED is not None:
        return
    MOVED = Moved(os.path.realpath(given["from"]), os.path.realpath(given["to"]), os.path.join(start["scratch"], "bytecode"))
    led = [path for path in sys.path if MOVED.is_present(path)]
    led += turn_editable()
    sys.path[:] = MOVED.turn_all(sys.path)
    turn_loaded()
    sys.meta_path.insert(0, MOVED)
    hand_down(led)


def turn_editable():
    """The finders that setuptools writes for editable installs keep folders by package. Returns the folders that packages are in."""
    led = []
    for name, module in list(sys.modules.items()):
        mapping = getattr(module, "MAPPING", None)
        if not name.startswith("__editable__") or not isinstance(mapping, dict):
            continue
        for package, path in list(mapping.items()):
            if MOVED.is_present(path):
                mapping[package] = MOVED.there(path)
                if package.count(".") == 0:
                    led.append(os.path.dirname(path))
        namespaces = getattr(module, "NAMESPACES", None)
        for package, paths in list(namespaces.items()) if isinstance(namespaces, dict) else ():
            namespaces[package] = MOVED.turn_all(paths)
    return led


def turn_loaded():
    """Packages that the environment made at its start, as `-nspkg.pth` files do."""
    for module in list(sys.modules.values()):
        folders = getattr(module, "__dict__", {}).get("__path__")
        if isinstance(folders, list) and any(map(MOVED.is_present, folders)):
            folders[:] = MOVED.turn_all(folders)


def hand_down(led):
    """Interpreters that a test starts find the other version too."""
    folders = MOVED.turn_all(led)
    known = os.environ.get("PYTHONPATH")
    if folders:
        os.environ["PYTHONPATH"] = os.pathsep.join(folders + ([known] if known else []))


def hear_open(path):
    """A file is read: code of the present version is none of the other's business."""
    if MOVED is not None and isinstance(path, str) and path.endswith(CODE) and MOVED.is_present(path):
        MOVED.read.add(path)


def hear_start(args):
    """A process is started."""
    if MOVED is None:
        return
    for arg in words(args):
        if MOVED.is_present(arg) and (os.path.isdir(arg) or os.path.isfile(arg)):
            MOVED.read.add(arg)


def words(args):
    for arg in args:
        if isinstance(arg, os.PathLike):
            arg = arg.__fspath__()
        if isinstance(arg, str) and os.path.isabs(arg):
            yield arg
        elif isinstance(arg, (list, tuple)):
            yield from words(arg)


def strays():
    """Code of the present version that was loaded, read or started, and that the other version has not, or not so."""
    if MOVED is None:
        return []
    loaded = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
    paths = {path for path in loaded if MOVED.is_present(path)} | MOVED.read
    return sorted(path for path in paths if not MOVED.is_same(path))


def place_of(path):
    """Where the compiled form of a file is kept: beside that of the present version, where it is the same file."""
    if MOVED is None or not isinstance(path, str) or not is_within(path, MOVED.other):
        return path
    present = MOVED.present + path[len(MOVED.other) :]
    try:
        here, there = os.stat(present), os.stat(path)
    except OSError:
        return path
    is_alike = int(here.st_mtime) == int(there.st_mtime) and here.st_size == there.st_size
    return present if is_alike and contents(present) == contents(path) else path


def own_folder(path):
    """Where compiled modules of the other version are kept: no longer than that itself."""
    return MOVED.bytecode if MOVED is not None and isinstance(path, str) and is_within(path, MOVED.other) else None


def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def is_within(path, folder):
    return path == folder or path.startswith(folder + os.sep)


def is_below(path, folder):
    return path.startswith(folder + os.sep)
