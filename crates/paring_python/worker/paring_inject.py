"""Puts a candidate text in the place of the test file, for this process only; no file is written.

A finder in front of all others answers for the module whose file is the test file. Its loader compiles the
candidate as pytest would (assertions rewritten, unless the user switched that off), and `linecache` gets the
candidate's lines, so that `inspect` and tracebacks see them too.
"""
import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import types
from pathlib import Path


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
    return finder


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

    def find_spec(self, name, path=None, target=None):
        if name.rpartition(".")[2] != self.stem:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            if spec.origin is None or not same_file(spec.origin, self.path):
                return None
        elif not any(same_file(os.path.join(folder, self.stem + ".py"), self.path) for folder in path or sys.path):
            return None
        origin = spec.origin if spec is not None else self.path
        self.show_source(origin)
        return importlib.util.spec_from_file_location(name, origin, loader=CandidateLoader(self, name, origin))


class CandidateLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, finder, name, path):
        super().__init__(name, path)
        self.finder = finder

    def get_data(self, path):
        return self.finder.text.encode("utf-8")

    def get_source(self, fullname):
        return self.finder.text

    def get_code(self, fullname):
        if self.finder.code is None:
            self.finder.code = compile_candidate(self.finder, self.path)
        return self.finder.code


def compile_candidate(finder, path):
    original = ORIGINALS.get(path)
    if original is not None and finder.config is not None:
        text, codes = original.stub(finder.text)
        if codes:
            return with_codes(compile_text(text, path, finder.config), codes)
    return compile_text(finder.text, path, finder.config)


def compile_text(text, path, config):
    tree = ast.parse(text, path)
    # In a cold process the module may be wanted before there is a configuration: by a conftest file.
    if config is not None and config.getoption("assertmode", "rewrite") != "plain":
        from _pytest.assertion.rewrite import rewrite_asserts

        rewrite_asserts(tree, text.encode("utf-8", "surrogatepass"), path, config)
    return compile(tree, path, "exec", dont_inherit=True)


# Compiled test files by path, for the processes forked later.
ORIGINALS = {}


class Original:
    """The test file as it is, compiled once: candidates take over the functions they did not touch.

    Rewriting and compiling a large file takes far longer than running one of its tests. An untouched function's body
    gives way to `pass` in the text to compile, and its compiled code comes back afterwards. Only functions without
    free variables: there nothing outside the body depends on it.
    """

    def __init__(self, text, path, config):
        self.lines = text.split("\n")
        self.functions = []
        codes = code_by_place(compile_text(text, path, config))
        for node in functions_of(ast.parse(text, path)):
            first = min([node.lineno] + [each.lineno for each in node.decorator_list])
            code = codes.get((node.name, first))
            body = node.body[0]
            if code is None or code.co_freevars or getattr(node, "type_params", None):
                continue
            if body.lineno > header_end(node) and node.end_lineno - body.lineno >= 1:
                self.functions.append((first, body.lineno, node.end_lineno, body.col_offset, (node.name, first), code))

    def stub(self, text):
        """The candidate with untouched bodies replaced, and what to put back."""
        lines = text.split("\n")
        codes = {}
        if len(lines) != len(self.lines):
            return text, codes
        for first, body, last, column, place, code in self.functions:
            if lines[first - 1 : last] == self.lines[first - 1 : last]:
                lines[body - 1] = lines[body - 1][:column] + "pass"
                lines[body:last] = [""] * (last - body)
                codes[place] = code
        return "\n".join(lines), codes


def remember_original(path, config, n_lines=200):
    """Compiles a large test file ahead of the candidates."""
    import tokenize

    try:
        with tokenize.open(path) as file:
            text = file.read()
        with open(path, newline="", encoding=file.encoding) as file:
            if "\r" in file.read().replace("\r\n", "\n") or text.count("\n") < n_lines:
                return
        ORIGINALS[path] = Original(text, path, config)
    except (OSError, SyntaxError, ValueError, RecursionError):
        pass


def functions_of(tree):
    """Functions of the module and of its classes, not those within functions."""
    stack = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, ast.ClassDef):
            stack.extend(node.body)


def header_end(node):
    """The last line of a function's header, as far as its parts tell."""
    parts = [node.returns, node.args] + node.args.args + node.args.defaults + node.args.kwonlyargs
    return max([node.lineno] + [each.end_lineno for each in parts if getattr(each, "end_lineno", None)])


def code_by_place(code):
    """Function code of a module by name and first line; None where two share a place."""
    found = {}
    stack = [code]
    while stack:
        for each in stack.pop().co_consts:
            if isinstance(each, types.CodeType):
                place = (each.co_name, each.co_firstlineno)
                found[place] = None if place in found else each
                stack.append(each)
    return found


def with_codes(code, codes):
    """The same code with functions replaced, in it and in its classes."""
    consts = []
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            each = codes.get((each.co_name, each.co_firstlineno)) or with_codes(each, codes)
        consts.append(each)
    return code.replace(co_consts=tuple(consts))


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


def give_cache_folder(config, folder):
    """pytest's cache is not the user's: nothing is read from it, nothing written to it."""
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
        place = usual(path, debug_override, optimization=optimization)
        if not os.path.isabs(place) or is_current(place, path):
            return place
        return inside(folder, place)

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
