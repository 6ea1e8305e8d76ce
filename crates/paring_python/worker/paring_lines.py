"""What the lines of a test file are: which statement a line belongs to, and where handlers stand."""
import ast
import functools


@functools.lru_cache(maxsize=8)
def lines_of(text):
    return Lines(text)


class Lines:
    def __init__(self, text):
        # line -> first line of the innermost statement it is part of
        self.start = {}
        # lines of `except` clauses
        self.heads = set()
        # (first line of the body, last line, line of the clause, first and last line of the `try` body)
        self.handlers = []
        # the same of `finally` bodies
        self.finals = []
        # first line of a statement -> the scoped name that takes the result of its call
        self.stores = {}
        # first line of `del x` or `x = None` -> the names it takes from their objects
        self.releases = {}
        # first line of a `with` -> first and last line of its block
        self.withs = {}
        # names that the module itself binds to values
        self.globals = set()
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return
        self.read(tree)

    def read(self, tree):
        statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        for node in statements:
            first, last = header(node)
            for line in range(first, last + 1):
                self.start[line] = first
        for node in statements:
            first, _ = header(node)
            self.start[first] = first
            self.note_store(node, first)
            self.note_release(node, first)
            if isinstance(node, (ast.With, ast.AsyncWith)):
                self.withs[first] = span(node.body)
            for handler in getattr(node, "handlers", ()):
                self.heads.add(handler.lineno)
                self.start[handler.lineno] = handler.lineno
                self.handlers.append((handler.body[0].lineno, handler.end_lineno, handler.lineno, *span(node.body)))
            if getattr(node, "finalbody", None):
                low, high = span(node.finalbody)
                self.finals.append((low, high, low, node.lineno, low - 1))
        for node in tree.body:
            self.globals.update(bound_names(node))

    def note_store(self, node, first):
        """`r = f()` and `self.r = f()`, awaited or not."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign):
            target, value = node.target, node.value
        else:
            return
        if isinstance(value, ast.Await):
            value = value.value
        if not isinstance(value, ast.Call):
            return
        if isinstance(target, ast.Name):
            self.stores[first] = target.id
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            self.stores[first] = "self." + target.attr

    def note_release(self, node, first):
        is_none = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None
        if is_none or isinstance(node, ast.Delete):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if names:
                self.releases[first] = names

    def is_exit(self, line, last):
        """Whether going from one line to the other leaves a `with` block."""
        block = self.withs.get(line)
        return block is not None and block[0] <= last <= block[1]

    def handler_entered(self, raised, line):
        """The line of the clause by which an exception raised at one line was caught, seen from the next."""
        best = None
        for low, high, clause, first, last in self.handlers + self.finals:
            if (low <= line <= high or line == clause) and first <= raised <= last:
                if best is None or low >= best[0]:
                    best = (low, clause)
        return None if best is None else best[1]


def header(node):
    """First and last line of a statement without the block below it."""
    first = min([node.lineno] + [each.lineno for each in getattr(node, "decorator_list", ())])
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        return first, max(node.lineno, header(body[0])[0] - 1)
    cases = getattr(node, "cases", None)
    if cases:
        return first, max(node.lineno, cases[0].pattern.lineno - 1)
    return first, node.end_lineno or node.lineno


def span(body):
    return body[0].lineno, body[-1].end_lineno or body[-1].lineno


def bound_names(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
        return
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
