"""The production calls that each statement of a test makes, and what it asserts, for whoever looks for tests that repeat each other.

A call is told with its receiver and arguments as they were before, by value and as a graph, and with the state after it, its result
or exception included. Only the outermost call counts: what production code calls itself is its own business. A call belongs to the
statement of the test's own function that was running, through helpers of the test files too.

    cart.add("pen", 2)      Cart.add: receiver and arguments before; receiver, arguments and result after
    assert cart.n == n      assert $0.n == $1: what the names stand for

What cannot be fingerprinted (mocks, open files, lambdas, native handles) equals nothing.
"""
import ast
import copy
import dis
import inspect
import os
import sys
import time
import unittest.case

import paring_channel
import paring_print

OTHER, PRODUCTION, TEST, ASSERTION = range(4)
# Folders and files of tests, by their names.
FOLDERS = frozenset(["test", "tests", "testing"])
UNITTEST = unittest.case.__file__
# Of pytest, what fails a test.
PYTEST = ("raises", "warns", "deprecated_call", "fail")
# So many facts are told of one test: a statement with more equals nothing.
LIMIT = 2000


class Calls:
    """Follows the tests of one run."""

    def __init__(self, config, request):
        cover = paring_channel.part("paring_cover")
        self.project = cover.Project(config.rootpath, config.invocation_params.dir, request.get("sources") or ())
        self.roots = [os.path.join(str(path), "") for path in (config.rootpath, config.invocation_params.dir)]
        self.kinds = {}
        self.tables = {}
        self.test_files = set()
        self.item = None

    def begin(self, item):
        self.item = item
        self.test_files.add(os.path.realpath(str(item.path)))
        self.code = code_of(item)
        self.test = self.active = self.table = None
        self.facts = []
        self.n_runs = {}
        self.line = 0
        self.statement = self.helped = None
        if self.code is not None and self.decides(self.code):
            self.facts.append(fact(self.code.co_firstlineno, 0, "assert", "a verdict of its own", None, None))
        self.before = sys.gettrace()
        self.began = time.perf_counter()
        sys.settrace(self.on_call)

    def end(self):
        sys.settrace(self.before)
        seconds = time.perf_counter() - self.began
        self.test = self.active = self.item = None
        return {
            "seconds": seconds,
            "first_line": 0 if self.code is None else self.code.co_firstlineno,
            "statements": sorted(self.n_runs),
            "facts": self.facts,
            "native": self.is_native(),
        }

    def is_native(self):
        """Whether the project has code of its own that no interpreter sees."""
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None)
            if isinstance(path, str) and path.endswith((".so", ".pyd")) and self.project.path(path) is not None:
                return True
        return False

    # -- what runs

    def on_call(self, frame, event, arg):
        code = frame.f_code
        known = self.kinds.get(id(code))
        if known is None:
            # The code is kept: another one may not get its id.
            known = self.kinds[id(code)] = (self.kind(code, frame), code)
        kind = known[0]
        if kind == OTHER:
            return None
        if kind == TEST:
            if code is self.code and self.test is None:
                self.test = frame
                self.table = self.table_of(code.co_filename)
                return self.on_line
            # A helper may assert, too.
            return self.on_helper_line if self.test is not None and self.active is None else None
        if self.active is not None or self.test is None:
            return None
        if kind == ASSERTION:
            back = frame.f_back
            if back is not None and self.kinds.get(id(back.f_code), (OTHER,))[0] == TEST:
                is_own = code.co_filename == UNITTEST
                self.asserted(code.co_name, [value for name, value in arguments(frame) if not is_own or name != "self"])
            return None
        self.enter(frame, code)
        frame.f_trace_lines = False
        return self.on_leave

    def kind(self, code, frame):
        name = code.co_filename
        if name == UNITTEST:
            return ASSERTION if code.co_name.startswith(("assert", "fail")) else OTHER
        if name.startswith("<"):
            # Written by the code under test while it ran, as dataclasses are.
            module = sys.modules.get(frame.f_globals.get("__name__"))
            name = getattr(module, "__file__", None) or ""
        elif code.co_name in PYTEST and os.sep + "_pytest" + os.sep in name:
            return ASSERTION
        path = self.project.path(name) if name else None
        if path is None:
            return ASSERTION if code.co_name.startswith("assert") else OTHER
        return TEST if self.is_of_tests(path) else PRODUCTION

    def is_of_tests(self, path):
        if path in self.test_files:
            return True
        base = os.path.basename(path)
        if base == "conftest.py" or base.startswith("test_") or base.endswith("_test.py"):
            return True
        inner = next((path[len(root) :] for root in self.roots if path.startswith(root)), path)
        return not FOLDERS.isdisjoint(inner.split(os.sep)[:-1])

    def on_line(self, frame, event, arg):
        if event == "line" and frame is self.test:
            statement = self.table.get(frame.f_lineno)
            if statement is not None:
                # A call over several lines comes back to its first.
                begins = frame.f_lineno == statement.line and statement is not self.statement
                self.line, self.statement = statement.line, statement
                if begins:
                    self.n_runs[statement.line] = self.n_runs.get(statement.line, 0) + 1
                    if statement.asserted is not None and self.active is None:
                        self.check(statement, frame)
        return self.on_line

    def on_helper_line(self, frame, event, arg):
        if event == "line" and self.active is None:
            statement = self.table_of(frame.f_code.co_filename).get(frame.f_lineno)
            begins = statement is not self.helped and statement is not None and statement.line == frame.f_lineno
            self.helped = statement
            if begins and statement.asserted is not None:
                self.check(statement, frame)
        return self.on_helper_line

    def on_leave(self, frame, event, arg):
        if frame is not self.active:
            return None
        if event == "exception":
            self.raised = (frame.f_lasti, arg[0], arg[1])
        elif event == "return":
            result = arg
            if arg is None and self.raised is not None and self.raised[0] == frame.f_lasti:
                result = self.raised[1:]
            self.active = None
            if self.fact["inputs"] is not None:
                self.fact["after"] = paring_print.of([*self.held, result])
            self.held = self.raised = None
        return self.on_leave

    def enter(self, frame, code):
        self.active = frame
        self.raised = None
        goes_on = code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR) and frame.f_lasti > 4
        if len(self.facts) >= LIMIT:
            self.held, self.fact = [], self.lost("call")
            return
        held = list(frame.f_locals.values()) if goes_on else [value for _, value in arguments(frame)]
        inputs, by_value = paring_print.both(held)
        name = getattr(code, "co_qualname", code.co_name)
        if not hasattr(code, "co_qualname") and held and code.co_varnames[:1] == ("self",):
            name = "%s.%s" % (type(held[0]).__name__, name)
        callee = "%s.%s%s" % (frame.f_globals.get("__name__"), name, " goes on" if goes_on else "")
        self.held = held
        self.fact = self.note("call", callee, inputs, by_value)

    def lost(self, what):
        last = self.facts[-1]
        if last["line"] != self.line or last["inputs"] is not None:
            self.note(what, "more than are told", None, None)
        return self.facts[-1]

    def asserted(self, name, values):
        if len(self.facts) >= LIMIT:
            self.lost("assert")
            return
        inputs, by_value = paring_print.both(values)
        self.note("assert", name, inputs, by_value)

    def check(self, statement, frame):
        if len(self.facts) >= LIMIT:
            self.lost("assert")
            return
        values = []
        for path in statement.names:
            try:
                values.append(look_up(path, frame))
            except LookupError:
                values = None
                break
        inputs, by_value = (None, None) if values is None else paring_print.both(values)
        self.note("assert", statement.asserted, inputs, by_value)

    def note(self, what, callee, inputs, by_value):
        self.facts.append(fact(self.line, self.n_runs.get(self.line, 0), what, callee, by_value, inputs))
        return self.facts[-1]

    def decides(self, code):
        """Whether a test raises or fails by what it itself looks at: nobody sees what that is."""
        if "fail" in code.co_names:
            return True
        first, last = code.co_firstlineno, max((line for _, line in dis.findlinestarts(code) if line), default=0)
        table = self.table_of(code.co_filename)
        return any(table[line].raises for line in range(first, last + 1) if line in table)

    def table_of(self, filename):
        table = self.tables.get(filename)
        if table is None:
            table = self.tables[filename] = statements(filename)
        return table


def fact(line, nth, what, callee, by_value, inputs):
    after = inputs if what == "assert" else None
    return {"line": line, "nth": nth, "what": what, "callee": callee, "value": by_value, "inputs": inputs, "after": after}


def code_of(item):
    """That of the test's own function, below what decorators put around it."""
    function = getattr(item, "obj", None)
    function = inspect.unwrap(getattr(function, "__func__", function)) if function is not None else None
    return getattr(function, "__code__", None)


def arguments(frame):
    code = frame.f_code
    n = code.co_argcount + code.co_kwonlyargcount
    n += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    space = frame.f_locals
    return [(name, space[name]) for name in code.co_varnames[:n] if name in space]


def look_up(path, frame):
    """What a name stands for; of the test object, one of its attributes."""
    name = path[0]
    for space in (frame.f_locals, frame.f_globals, frame.f_builtins):
        if name in space:
            thing = space[name]
            break
    else:
        raise LookupError(name)
    for attribute in path[1:]:
        thing = object.__getattribute__(thing, "__dict__")[attribute]
    return thing


class Statement:
    def __init__(self, node):
        self.line = node.lineno
        self.raises = isinstance(node, ast.Raise)
        self.asserted, self.names = predicate(node) if isinstance(node, ast.Assert) else (None, ())


def statements(filename):
    """The innermost statement of each line of a file: of one with a body, its head."""
    try:
        with open(filename, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return {}
    table = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno
            statement = Statement(node)
            for line in range(node.lineno, max(last, node.lineno) + 1):
                # Those within come later, and lie within.
                table[line] = statement
    return table


def predicate(node):
    """What an assertion says, with numbers in the place of its names, and the names."""
    names = []

    class Renamed(ast.NodeTransformer):
        def visit_Attribute(self, node):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                return self.number(("self", node.attr))
            return self.generic_visit(node)

        def visit_Name(self, node):
            return self.number((node.id,))

        def number(self, path):
            if path not in names:
                names.append(path)
            return ast.Name(id="_%d" % names.index(path), ctx=ast.Load())

    bound = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    bound |= {each.arg for each in ast.walk(node.test) if isinstance(each, ast.arg)}
    if bound:
        # Names of a comprehension or a lambda stand for what is not there yet.
        return ast.unparse(node.test), [("<bound>",)]
    renamed = ast.unparse(Renamed().visit(copy.deepcopy(node.test)))
    return renamed, names
