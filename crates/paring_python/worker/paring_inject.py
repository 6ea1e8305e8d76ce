"""Puts a candidate text in the place of the test file, for this process only; no file is written.

A finder in front of all others answers for the module whose file is the test file. Its loader compiles the
candidate as pytest would (assertions rewritten, unless the user switched that off), and `linecache` gets the
candidate's lines, so that `inspect` and tracebacks see them too.
"""
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
from pathlib import Path

import paring_compile
import paring_moved


def install(config, request):
    """Answers for the test file of the request from here on. None if the file is to be run as it is."""
    if request.get("text") is None or request.get("file") is None:
        return None
    for finder in sys.meta_path:
        if isinstance(finder, CandidateFinder):
            finder.config = config
            # pytest has put its own finder of test modules in front since.
            sys.meta_path.remove(finder)
            sys.meta_path.insert(0, finder)
            return finder
    path, text = request["file"], request["text"]
    forget(path)
    finder = CandidateFinder(config, path, text)
    sys.meta_path.insert(0, finder)
    finder.show_source(path)
    answer_for_plain_loaders(finder)
    return finder


def answer_for_plain_loaders(finder):
    """`--import-mode=importlib` may load the file by its path, past every finder (and past the rewriting of assertions)."""
    loader = importlib.machinery.SourceFileLoader
    usual = loader.get_code

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        if os.path.basename(path) == os.path.basename(finder.path) and same_file(path, finder.path):
            finder.show_source(path)
            return compile(finder.text, path, "exec", dont_inherit=True)
        return usual(self, fullname)

    loader.get_code = get_code


class CandidateFinder(importlib.abc.MetaPathFinder):
    def __init__(self, config, path, text):
        self.config = config
        self.path = path
        self.stem = os.path.splitext(os.path.basename(path))[0]
        self.text = text[1:] if text.startswith("\ufeff") else text
        self.code = None

    def show_source(self, path):
        # A modification time of None tells linecache to leave the entry alone.
        linecache.cache[path] = (len(self.text), None, self.text.splitlines(True), path)

    def lies_in(self, folders, name):
        # With `--import-mode=importlib` the folder asked for is that of the outermost package.
        inner = name.replace(".", os.sep) + ".py"
        places = (os.path.join(folder, part) for folder in folders for part in (self.stem + ".py", inner))
        return any(same_file(place, self.path) for place in places)

    def find_spec(self, name, path=None, target=None):
        if name.rpartition(".")[2] != self.stem:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            if spec.origin is None or not same_file(spec.origin, self.path):
                return None
        elif not self.lies_in(path or sys.path, name):
            return None
        origin = spec.origin if spec is not None else self.path
        self.show_source(origin)
        return importlib.util.spec_from_file_location(name, origin, loader=CandidateLoader(self, name, origin))


class CandidateLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, finder, name, path):
        super().__init__(name, path)
        self.finder = finder

    def get_data(self, path):
        # Tests read files beside them through their loader: doctest and pkgutil do.
        if same_file(path, self.path):
            return self.finder.text.encode("utf-8")
        return super().get_data(path)

    def get_source(self, fullname):
        return self.finder.text

    def get_code(self, fullname):
        if self.finder.code is None:
            self.finder.code = paring_compile.compile_candidate(self.finder.text, self.path, self.finder.config)
        return self.finder.code


def same_file(one, other):
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def loaded_as(path):
    """The name under which the file is loaded already."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__dict__", {}).get("__file__") if name != "__main__" else None
        if isinstance(file, str) and os.path.basename(file) == os.path.basename(path) and same_file(file, path):
            return name
    return None


def forget(path):
    name = loaded_as(path)
    while name is not None:
        del sys.modules[name]
        name = loaded_as(path)


def give_temporary_folder(config, folder):
    """`tmp_path` and its like: a folder that is removed after the run."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is None or getattr(factory, "_given_basetemp", None) is not None:
        return
    with contextlib.suppress(OSError, AttributeError):
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        object.__setattr__(factory, "_given_basetemp", Path(folder))
        object.__setattr__(factory, "_basetemp", None)


def move_cache(folder):
    """From here on pytest's cache is not the user's: nothing is read from that, nothing written to it."""
    from _pytest.cacheprovider import Cache

    Cache.cache_dir_from_config = staticmethod(lambda config, **_: Path(folder))


def give_cache_folder(config, folder):
    """A run sees nothing of what another cached."""
    cache = getattr(config, "cache", None)
    if cache is not None:
        with contextlib.suppress(AttributeError):
            object.__setattr__(cache, "_cachedir", Path(folder))


@contextlib.contextmanager
def bytecode_cache(folder):
    """Compiled modules that have no place of their own are kept in paring's: every process after the first starts
    faster, and the user's tree stays as it is."""
    if folder is None:
        yield
        return
    import importlib._bootstrap_external as machinery

    import _pytest.assertion.rewrite as rewrite

    usual = machinery.cache_from_source
    usual_rewritten = rewrite.get_cache_dir

    def cache_from_source(path, debug_override=None, *, optimization=None):
        path = paring_moved.place_of(path)
        place = usual(path, debug_override, optimization=optimization)
        if not os.path.isabs(place) or is_current(place, path):
            return place
        return inside(paring_moved.own_folder(path) or folder, place)

    written, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    machinery.cache_from_source = cache_from_source
    rewrite.get_cache_dir = lambda path: Path(inside(folder, str(usual_rewritten(path))))
    try:
        yield
    finally:
        machinery.cache_from_source = usual
        rewrite.get_cache_dir = usual_rewritten
        sys.dont_write_bytecode = written


def inside(folder, place):
    return os.path.join(folder, os.path.splitdrive(place)[1].lstrip(os.sep))


def is_current(compiled, source):
    """Whether a compiled file would be used as it is; otherwise the interpreter would write it anew."""
    try:
        with open(compiled, "rb") as file:
            head = file.read(16)
        stat = os.stat(source)
    except OSError:
        return False
    if len(head) < 16 or head[:4] != importlib.util.MAGIC_NUMBER or head[4:8] != bytes(4):
        return False
    parts = (int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF)
    return (int.from_bytes(head[8:12], "little"), int.from_bytes(head[12:16], "little")) == parts
