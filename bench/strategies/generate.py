#!/usr/bin/env python3
"""Writes pytest tests of random calls to a module's public functions and classes, feedback-directed, as Generate.java does for Java.

    generate.py MODULE SEED N_TESTS N_CALLS FILE

Run with the package at hand. A call that raises is not written down, unless the package itself blunders (an index out of range, an
attribute of None) when the sequence is long enough: then the test ends there. Values that come back are given to later calls, and those that can be written as
literals are checked in the last quarter of a test; earlier checks would fail first and make every test short. Standard library only.
"""
import ast
import importlib
import inspect
import random
import signal
import sys
import traceback
from pathlib import Path

BLUNDERS = (IndexError, AttributeError, ZeroDivisionError, UnboundLocalError, RecursionError, NotImplementedError)
PLAIN = (bool, int, float, str, bytes, type(None))
LONGEST = 120
# How often a new object is made though there is one that would do, as AutoTest has it.
NEW = 0.25
WORDS = ["", "a", "b c", "key=value", "1", "12.5", "-3", "2014-02-28", "10:30", "P1DT2H", "select a from b where c = 1", "x, y; z", "\u00e9t\u00e9", "A_b-C.d", "1,234"]
NUMBERS = [0, 1, -1, 2, 3, 7, 10, 100, 255, 1000, -12, 10**6, 123456789]
FLOATS = [0.0, 1.0, -0.5, 2.75, 1e6, 0.001]


class Slow(Exception):
    pass


class Writer:
    def __init__(self, module, seed, n_calls):
        self.module = importlib.import_module(module)
        self.package = module.split(".")[0]
        self.alias = module.rpartition(".")[2] + "_"
        self.random = random.Random(f"{module} {seed}")
        self.n_calls = n_calls
        self.words = WORDS + self.words_of_the_source()
        self.functions, self.classes = self.public()
        if not self.functions and not self.classes:
            sys.exit(f"{module} has nothing to call")

    def words_of_the_source(self):
        """Short strings that the package itself speaks of: units, formats, names of options."""
        tree = ast.parse(inspect.getsource(self.module))
        found = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) < 20}
        return sorted(found)[:200]

    def public(self):
        own = [(name, thing) for name, thing in sorted(vars(self.module).items()) if not name.startswith("_") and callable(thing)]
        own = [(name, thing) for name, thing in own if str(getattr(thing, "__module__", "")).split(".")[0] == self.package]
        classes = [(name, thing) for name, thing in own if inspect.isclass(thing) and not issubclass(thing, BaseException)]
        return [(name, thing) for name, thing in own if not inspect.isclass(thing)], classes

    def test(self):
        """The lines of one test, and how many calls it makes."""
        self.values, self.lines, self.n_written = [], [], 0
        for _ in range(20 * self.n_calls):
            if self.n_written >= self.n_calls or self.step():
                break
        return self.lines, self.n_written

    def step(self):
        """Tries one call; whether the test ends with it."""
        receiver, target, function = self.choice()
        arguments = self.arguments(function)
        if arguments is None:
            return False
        words, given = arguments
        call = f"{target}({', '.join(words)})"
        try:
            value = self.guarded(function if receiver is None else getattr(receiver, target.rpartition(".")[2]), given)
        except BLUNDERS as error:
            if self.is_of_the_package(error) and self.n_written >= 3 * self.n_calls // 4:
                self.write(call)
                return True
            return False
        except KeyboardInterrupt:
            raise
        except BaseException:
            return False
        self.keep(call, value)
        return False

    def choice(self):
        """A receiver, what is called as it is written, and the function."""
        objects = [(name, value) for name, value in self.values if any(type(value) is known for _, known in self.classes)]
        if objects and self.random.random() < 0.55:
            name, value = self.random.choice(objects)
            if self.random.random() < NEW:
                name, value = self.created(type(value)) or (name, value)
            methods = [(each, getattr(type(value), each)) for each in dir(type(value)) if not each.startswith("_")]
            methods = [(each, found) for each, found in methods if inspect.isfunction(found)]
            if methods:
                method, function = self.random.choice(methods)
                return value, f"{name}.{method}", function
        named = self.functions + self.classes
        name, function = self.random.choice(named)
        return None, f"{self.alias}.{name}", function

    def created(self, kind):
        """A new object under its name, where that works."""
        arguments = self.arguments(kind)
        if arguments is None:
            return None
        words, given = arguments
        try:
            value = self.guarded(kind, given)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return None
        name = next(name for name, known in self.classes if known is kind)
        self.keep(f"{self.alias}.{name}({', '.join(words)})", value)
        return self.values[-1]

    def arguments(self, function):
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return None
        if inspect.isfunction(function) and parameters and parameters[0].name == "self":
            parameters = parameters[1:]
        words, given = [], []
        for parameter in parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            if parameter.default is not parameter.empty and self.random.random() < 0.6:
                continue
            word, value = self.value(parameter)
            by_name = parameter.kind is parameter.KEYWORD_ONLY or parameter.default is not parameter.empty
            words.append(f"{parameter.name}={word}" if by_name else word)
            given.append((parameter.name if by_name else None, value))
        return words, given

    def value(self, parameter):
        """A value of an earlier call, or a literal that the annotation, the default or chance asks for."""
        kind = kind_of(parameter)
        fitting = [(name, value) for name, value in self.values if kind is None or isinstance(value, kind)]
        if fitting and self.random.random() < 0.5:
            return self.random.choice(fitting)
        literal = self.literal(kind or self.random.choice([str, str, int, float, bool, list, dict]))
        return self.bound(literal)

    def bound(self, literal):
        """A literal under a name of its own, as generators write them."""
        name = f"var_{len(self.values)}"
        self.values.append((name, literal))
        self.lines.append(f"{name} = {literal!r}")
        return name, literal

    def literal(self, kind):
        if kind is bool:
            return self.random.random() < 0.5
        if kind is int:
            return self.random.choice(NUMBERS)
        if kind is float:
            return self.random.choice(FLOATS + NUMBERS)
        if kind is bytes:
            return self.random.choice(self.words).encode()
        if kind in (list, tuple, set):
            each = self.random.choice([str, int])
            return kind(self.literal(each) for _ in range(self.random.randrange(5)))
        if kind is dict:
            return {self.literal(str): self.literal(int) for _ in range(self.random.randrange(4))}
        return self.random.choice(self.words)

    def guarded(self, function, given):
        def slow(*_):
            raise Slow

        signal.signal(signal.SIGALRM, slow)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            return function(*(value for name, value in given if name is None), **{name: value for name, value in given if name is not None})
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def is_of_the_package(self, error):
        frames = traceback.extract_tb(error.__traceback__)
        root = str(Path(self.module.__file__).resolve().parent)
        return str(Path(frames[-1].filename).resolve()).startswith(root)

    def write(self, call):
        self.lines.append(call)
        self.n_written += 1

    def keep(self, call, value):
        if value is None or inspect.isgenerator(value) or inspect.iscoroutine(value):
            return self.write(call)
        name = f"var_{len(self.values)}"
        self.write(f"{name} = {call}")
        self.values.append((name, value))
        if self.n_written >= 3 * self.n_calls // 4 and is_writable(value):
            self.lines.append(f"assert {name} == {value!r}")
        return None


def kind_of(parameter):
    """The type that a parameter asks for; None where it does not say."""
    for kind in (bool, int, float, str, bytes, list, tuple, set, dict):
        if parameter.annotation is kind or parameter.annotation == kind.__name__:
            return kind
    if parameter.default is not parameter.empty and type(parameter.default) in (bool, int, float, str, bytes):
        return type(parameter.default)
    return None


def is_writable(value):
    """Whether it can be written down and read back."""
    if isinstance(value, (list, tuple)):
        return type(value) in (list, tuple) and len(repr(value)) <= LONGEST and all(map(is_writable, value))
    return type(value) in PLAIN and value == value and len(repr(value)) <= LONGEST and "inf" not in repr(value)


def main():
    module, seed, n_tests, n_calls, file = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5])
    writer = Writer(module, seed, n_calls)
    sys.setrecursionlimit(400)
    text = [f"import {module} as {writer.alias}"]
    for idx in range(n_tests):
        lines, n_written = writer.test()
        if n_written:
            text += ["", "", f"def test_{idx}():", *(f"    {line}" for line in lines)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
