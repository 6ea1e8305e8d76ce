"""Which lines of the project each test runs.

From Python 3.12 `sys.monitoring` tells of each line once per test: the first hit switches its event off, and the next
test switches all on again. Before that `sys.settrace` follows the project's own functions and no others, each until the test has
run all of its lines. A line is told before it is run, so that the line which raises is among those that ran.

What runs while a module or a class is loaded is not told: it runs for whichever test comes first, and says nothing of that
test. Nor is what runs to put a failure into words: `__repr__` of what was compared would be run by failing tests alone.
"""
import contextlib
import dis
import functools
import inspect
import os
import sys
import threading
import unittest.case

# By name: tests put others in the place of what `os.path` has.
from os.path import isfile, realpath

NAME = "paring"
# Functions, lambdas and the like have it; bodies of modules and classes have not.
FUNCTION = inspect.CO_OPTIMIZED
# Where interpreters keep what is installed.
INSTALLED = ("site-packages", "dist-packages")
# What words a failure while the test still runs, by where it is looked up.
WORDING = {
    "_pytest.assertion.rewrite": ("_saferepr", "_call_reprcompare", "_format_assertmsg"),
    "unittest.case": ("safe_repr", "_common_shorten_repr"),
}
# Ids that no tool of the standard library claims come first; some debugger or profiler may hold any of them.
TOOL_IDS = (4, 3, 1, 2, 0)


def recorder(project):
    """The recorder for this interpreter."""
    tool = free_tool()
    return Tracer(project) if tool is None else Monitor(project, tool)


def free_tool():
    if hasattr(sys, "monitoring"):
        for tool in TOOL_IDS:
            if sys.monitoring.get_tool(tool) is None:
                return tool
    return None


class Loading:
    """Which files' functions run before the first test: while plugins, conftest files and test modules are loaded.

    No test ran them, and every test that imports those files depends on what they did.
    """

    def __init__(self):
        self.names = set()
        self.tool = free_tool()
        if self.tool is not None:
            self.listen(sys.monitoring)
        elif sys.gettrace() is None:
            sys.settrace(self.on_call)

    def listen(self, monitoring):
        def on_start(code, offset):
            if code.co_flags & FUNCTION:
                self.names.add(code.co_filename)
            return monitoring.DISABLE

        monitoring.use_tool_id(self.tool, NAME)
        monitoring.register_callback(self.tool, monitoring.events.PY_START, on_start)
        monitoring.set_events(self.tool, monitoring.events.PY_START)

    def on_call(self, frame, event, arg):
        if frame.f_code.co_flags & FUNCTION:
            self.names.add(frame.f_code.co_filename)

    def end(self):
        """The names of the files, the first time it is asked."""
        if self.tool is None:
            if sys.gettrace() == self.on_call:
                sys.settrace(None)
        elif sys.monitoring.get_tool(self.tool) == NAME:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.register_callback(self.tool, sys.monitoring.events.PY_START, None)
            sys.monitoring.free_tool_id(self.tool)
        names, self.names = self.names, set()
        return names


class Project:
    """Tells files of the project from all others."""

    def __init__(self, rootdir, cwd, sources):
        self.sources = [folder(path) for path in sources]
        self.roots = [folder(path) for path in (rootdir, cwd)]
        # An environment within the project is none of it.
        prefixes = {folder(path) for path in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
        self.foreign = [folder(os.path.dirname(os.__file__))]
        self.foreign += [each for each in prefixes if each not in self.roots and each.startswith(tuple(self.roots))]
        self.known = {}

    def path(self, filename):
        """The real path of a file of the project; None for any other."""
        try:
            return self.known[filename]
        except KeyError:
            path = self.known[filename] = self.look(filename)
            return path

    def look(self, filename):
        if filename.startswith("<"):
            return None
        path = realpath(filename)
        if path.startswith(tuple(self.sources)):
            return path
        if not path.startswith(tuple(self.roots)) or path.startswith(tuple(self.foreign)):
            return None
        if any(part in INSTALLED for part in path.split(os.sep)):
            return None
        return path if isfile(path) else None


def folder(path):
    return os.path.join(realpath(str(path)), "")


class Monitor:
    """By `sys.monitoring`: every function tells of its first start, and those of the project get events for their lines.

    The first hit of a line switches its event off. `restart_events` would switch all on again for the next test, of the libraries
    too, and each of their functions would have to be prepared anew: only those whose lines were told are.
    """

    name = "sys.monitoring"

    def __init__(self, project, tool):
        self.project = project
        self.tool = tool
        self.hits = []
        # Functions with lines whose events are off, beside those of the hits; by their ids, for code is hashed by all that it consists of.
        self.spent = {}
        self.lost = None
        sys.monitoring.use_tool_id(tool, NAME)
        self.listen()

    def listen(self):
        monitoring, project, tool = sys.monitoring, self.project, self.tool
        disable, events = monitoring.DISABLE, monitoring.events
        hit = self.hits.append

        def on_start(code, offset):
            if code.co_flags & FUNCTION and project.path(code.co_filename) is not None:
                monitoring.set_local_events(tool, code, events.LINE)
            return disable

        def on_line(code, line):
            hit((code, line))
            return disable

        monitoring.register_callback(tool, events.PY_START, on_start)
        monitoring.register_callback(tool, events.LINE, on_line)
        monitoring.set_events(tool, events.PY_START)

    def begin(self):
        # What ran between two tests belongs to neither.
        self.forget(0)
        self.arm(self.spent)
        self.spent.clear()

    def forget(self, n_hits):
        """Keeps only so many hits."""
        self.spent.update(by_id(self.hits[n_hits:]))
        del self.hits[n_hits:]

    def arm(self, codes):
        """Has all their lines told again."""
        if not self.is_ours():
            return
        set_local_events, tool, line = sys.monitoring.set_local_events, self.tool, sys.monitoring.events.LINE
        for code in codes.values():
            set_local_events(tool, code, 0)
            set_local_events(tool, code, line)

    def is_ours(self):
        return sys.monitoring.get_tool(self.tool) == NAME

    @contextlib.contextmanager
    def apart(self, found):
        """Adds the lines that run meanwhile, by the names of their files."""
        n_hits = len(self.hits)
        # A line that the test has run already is told again.
        self.arm({**self.spent, **by_id(self.hits)})
        try:
            yield
        finally:
            add(found, self.hits[n_hits:])

    @contextlib.contextmanager
    def pause(self):
        n_hits = len(self.hits)
        try:
            yield
        finally:
            # What ran meanwhile may yet run for the test.
            self.arm(by_id(self.hits[n_hits:]))
            self.forget(n_hits)

    def end(self):
        """The lines that ran since `begin`, by path."""
        found = {}
        add(found, self.hits)
        self.forget(0)
        if not self.is_ours():
            self.lost = "a test took sys.monitoring away from paring: what ran from there on is not known"
        return by_path(self.project, found)


def add(found, hits):
    for code, line in hits:
        lines = found.get(code.co_filename)
        if lines is None:
            lines = found[code.co_filename] = set()
        lines.add(line)


def by_id(hits):
    return {id(code): code for code, _ in hits}


class Tracer:
    """By `sys.settrace`, for interpreters without `sys.monitoring`: a function is followed until the test has run all of its lines."""

    name = "sys.settrace"

    def __init__(self, project):
        self.project = project
        self.found = {}
        self.lost = None
        self.before = None
        self.is_paused = False
        # By the ids of functions: what follows their frames, or None for those that nobody wants to know of, or no longer.
        self.followers = {}
        # By the same ids: what follows them in a new test, and the lines that were seen in this one.
        self.followed = {}
        # An id is one only as long as the function lives.
        self.codes = []
        self.trace = self.listener()

    def listener(self):
        followers = self.followers

        def on_call(frame, event, arg):
            code = frame.f_code
            try:
                follower = followers[id(code)]
            except KeyError:
                follower = self.new_follower(code)
            if follower is None or self.is_paused:
                return None
            if not frame.f_trace_lines:
                # A generator that has been followed to its last line in an earlier test.
                frame.f_trace_lines = True
            return follower

        return on_call

    def new_follower(self, code):
        key = id(code)
        self.codes.append(code)
        is_wanted = code.co_flags & FUNCTION and self.project.path(code.co_filename) is not None
        if not is_wanted:
            self.followers[key] = None
            return None
        seen, last = set(), lines_of(code)
        # The set of a file stays the same object, which is emptied between tests.
        lines = self.found.setdefault(code.co_filename, set())
        followers = self.followers

        def on_line(frame, event, arg):
            if event == "line":
                line = frame.f_lineno
                if line not in seen:
                    seen.add(line)
                    lines.add(line)
                    if last <= seen:
                        followers[key] = None
                        frame.f_trace_lines = False
            return on_line

        self.followers[key] = on_line
        self.followed[key] = on_line, seen
        return on_line

    def forget(self):
        """From here on every line is new."""
        for key, (follower, seen) in self.followed.items():
            if seen:
                seen.clear()
                self.followers[key] = follower
        for lines in self.found.values():
            lines.clear()

    def begin(self):
        self.forget()
        self.before = sys.gettrace()
        if self.before is not None:
            self.lost = "another tool was tracing (%s): it saw nothing of the tests" % describe(self.before)
        threading.settrace(self.trace)
        sys.settrace(self.trace)

    @contextlib.contextmanager
    def apart(self, found):
        before = {name: set(lines) for name, lines in self.found.items()}
        self.forget()
        try:
            yield
        finally:
            found.update((name, set(lines)) for name, lines in self.found.items() if lines)
            for name, lines in before.items():
                self.found[name] |= lines

    @contextlib.contextmanager
    def pause(self):
        self.is_paused = True
        try:
            yield
        finally:
            self.is_paused = False

    def end(self):
        if sys.gettrace() is not self.trace:
            self.lost = "a test set a trace function of its own: what it ran from there on is not known"
        sys.settrace(self.before)
        threading.settrace(self.before)
        return by_path(self.project, self.found)


def lines_of(code):
    """The lines of a function that are told when all of it has run; where it is called, no line begins."""
    if hasattr(code, "co_lines"):
        lines = {line for _, _, line in code.co_lines() if line}
    else:
        lines = {line for _, line in dis.findlinestarts(code)}
    return lines - {code.co_firstlineno}


def by_path(project, found):
    lines_of = {}
    for filename, lines in found.items():
        path = project.path(filename)
        if path is not None and lines:
            lines_of[path] = sorted(set(lines_of.get(path, ())) | lines)
    return lines_of


def describe(function):
    return getattr(type(function), "__module__", "") + "." + getattr(function, "__qualname__", type(function).__name__)


class Coverage:
    """One run's coverage, as it goes into the messages: files are numbered as they turn up."""

    def __init__(self, config, request, loading):
        self.project = Project(config.rootpath, config.invocation_params.dir, request.get("sources") or ())
        self.recorder = recorder(self.project)
        self.loading = loading
        self.numbers = {}
        self.is_paused = False
        # What tests depend on beside the lines they run: files that were loaded, and files whose functions ran for many tests.
        self.loaded = set()
        self.shared = set()
        # What ran to make the fixtures that several tests share, by their ids; they live as long as the session.
        self.made = {}
        self.n_modules = 0
        for module, names in WORDING.items():
            for name in names:
                self.leave_out(sys.modules.get(module), name)

    def leave_out(self, module, name):
        """Has the recorder pause while a function runs."""
        function = getattr(module, name, None)
        if function is None:
            return

        @functools.wraps(function)
        def unrecorded(*args, **kwargs):
            with self.pause():
                return function(*args, **kwargs)

        setattr(module, name, unrecorded)

    @contextlib.contextmanager
    def pause(self):
        """Nothing that runs meanwhile counts."""
        if self.is_paused:
            yield
            return
        self.is_paused = True
        with self.recorder.pause():
            try:
                yield
            finally:
                self.is_paused = False

    def begin(self, send):
        if self.loading is not None:
            names, self.loading = self.loading.end(), None
            self.tell(send, self.new_modules(), self.paths(names))
        self.recorder.begin()

    @contextlib.contextmanager
    def for_many(self, send, fixture):
        """What runs meanwhile makes a fixture for the first of several tests, and the others depend on it too."""
        found = {}
        with self.recorder.apart(found):
            yield
        self.made[id(fixture)] = found
        self.tell(send, set(), self.paths(found))

    def paths(self, names):
        return {self.project.path(name) for name in names} - {None}

    def new_modules(self):
        """Files of the project that have been loaded since it was last asked."""
        modules = list(sys.modules.values())
        if len(modules) == self.n_modules:
            return set()
        self.n_modules = len(modules)
        names = {getattr(module, "__file__", None) for module in modules}
        return self.paths(name for name in names if isinstance(name, str)) - self.loaded

    def tell(self, send, loaded, shared):
        loaded, shared = loaded - self.loaded, shared - self.shared
        self.loaded |= loaded
        self.shared |= shared
        if loaded or shared:
            send({"t": "loaded", "paths": sorted(loaded), "shared": sorted(shared)})

    def end(self, send, fixtures):
        """The lines of the test that is over, and of what made its fixtures, as pairs of a file's number and its lines."""
        covered = []
        # What a module ran while this test loaded it, it will not run for the next.
        new = self.new_modules()
        self.tell(send, new, new)
        found = self.recorder.end()
        for made in [self.made[id(fixture)] for fixture in fixtures if id(fixture) in self.made]:
            for path, lines in by_path(self.project, made).items():
                found[path] = sorted({*found.get(path, ()), *lines})
        for path, lines in found.items():
            number = self.numbers.get(path)
            if number is None:
                number = self.numbers[path] = len(self.numbers)
                send({"t": "file", "number": number, "path": path})
            covered.append([number, lines])
        return covered

    def report(self):
        return {"recorder": self.recorder.name, "lost": self.recorder.lost}
