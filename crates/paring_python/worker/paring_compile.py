"""Compiles candidates as pytest compiles test files, and large files in parts.

Rewriting and compiling a large file takes far longer than running one of its tests. So the test file as it is gets
compiled once, before the first fork, and candidates take over the functions they did not touch.
"""
import ast
import types


def compile_candidate(text, path, config):
    original = ORIGINALS.get(path)
    if original is not None and config is not None:
        code = original.compile(text, path, config)
        if code is not None:
            return code
    return compile_text(text, path, config)


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

    An untouched function's body gives way to `pass` in the text to compile, and its compiled code comes back
    afterwards. Only functions without free variables: there nothing outside the body depends on it.
    """

    def __init__(self, text, path, config):
        self.lines = text.split("\n")
        self.functions = []
        codes = code_by_place(compile_text(text, path, config))
        for node in functions_of(ast.parse(text, path)):
            first, body = first_line(node), first_line(node.body[0])
            code = codes.get((node.name, first))
            if code is None or code.co_freevars or getattr(node, "type_params", None):
                continue
            if body > header_end(node) and node.end_lineno > body:
                column = len(self.lines[body - 1]) - len(self.lines[body - 1].lstrip())
                self.functions.append((first, body, node.end_lineno, column, (node.name, first), code))

    def compile(self, text, path, config):
        """The candidate's code; None if it must be compiled as a whole."""
        stubbed, codes = self.stub(text)
        placed = set()
        try:
            code = with_codes(compile_text(stubbed, path, config), codes, placed)
        except (SyntaxError, ValueError):
            return None
        # A stub that stayed a stub would be another test.
        return code if len(placed) == len(codes) else None

    def stub(self, text):
        """The candidate with untouched bodies replaced, and what to put back."""
        given = text.split("\n")
        lines, codes = list(given), {}
        moves = list(self.moves(given))
        for first, body, last, column, (name, _), code in self.functions:
            for by in moves:
                if first + by > 0 and given[first - 1 + by : last + by] == self.lines[first - 1 : last]:
                    lines[body - 1 + by] = lines[body - 1 + by][:column] + "pass"
                    lines[body + by : last + by] = [""] * (last - body)
                    codes[name, first + by] = moved_by(code, by)
                    break
        return "\n".join(lines), codes

    def moves(self, given):
        """By how many lines functions may have moved: what turns assertions off puts an import at the top, and lines into one function."""
        yield 0
        start = min((function[0] for function in self.functions), default=1) - 1
        if len(given) != len(self.lines) and self.lines[start] in given:
            yield given.index(self.lines[start]) - start
            yield len(given) - len(self.lines)


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


def first_line(node):
    return min([node.lineno] + [each.lineno for each in getattr(node, "decorator_list", ())])


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


def moved_by(code, n_lines):
    """The code of a function that stands so many lines further down."""
    if n_lines == 0:
        return code
    consts = tuple(moved_by(each, n_lines) if isinstance(each, types.CodeType) else each for each in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + n_lines, co_consts=consts)


def with_codes(code, codes, placed):
    """The same code with functions replaced, in it and in its classes."""
    consts = []
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            place = (each.co_name, each.co_firstlineno)
            if place in codes and place not in placed:
                placed.add(place)
                each = codes[place]
            else:
                each = with_codes(each, codes, placed)
        consts.append(each)
    return code.replace(co_consts=tuple(consts))
