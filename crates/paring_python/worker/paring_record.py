"""A pytest plugin that keeps what happened to each test, from the raw exceptions rather than rendered text."""
import contextlib
import functools
import os
import sys
import time

from pytest import Module, hookimpl

import paring_channel
import paring_effects
import paring_exception
import paring_inject
import paring_process

# Not what a test may put in their place.
_counter, _open, _read, _close = time.perf_counter, os.open, os.read, os.close

PHASES = {"collect": "collection", "setup": "set_up", "call": "call", "teardown": "tear_down"}


class Recorder:
    """One run's record. Lives in the session from its start, and is told in the child what to expect."""

    def __init__(self):
        self.addopts = []
        self.send = None
        self.test_file = None
        self.finder = None
        self.expected = None
        self.wanted = None
        self.current = None
        self.collection = None
        self.skipped_collection = None
        self.message = None
        # pytest finds none of some name.
        self.missing = False
        self.n_items = 0
        self.tracer = None
        # Makes a tracer for each test, where there are many.
        self.light = None
        self.effects = None
        self.coverage = None
        # Watches what is loaded before the first test, where lines are recorded.
        self.loading = None
        self.switched_off = []
        self.calls = None

    # -- one run

    def begin(self, request, send, finder, config):
        self.send = send
        self.finder = finder
        self.test_file = request.get("file")
        self.wanted = None if request.get("many") else wanted_names(request)
        trace = paring_channel.part("paring_trace") if request.get("facts") or request.get("light") else None
        self.effects = paring_effects.watch(request.get("scratch"), request.get("temporary"))
        if request.get("light"):
            self.light = lambda item: trace.Tracer(str(item.path), None, self.effects, request)
        elif trace is not None:
            self.tracer = trace.Tracer(self.test_file, finder, self.effects, request)
        if request.get("coverage"):
            self.coverage = paring_channel.part("paring_cover").Coverage(config, request, self.loading)
        if request.get("calls"):
            self.calls = paring_channel.part("paring_calls").Calls(config, request)

    def expect(self, places):
        """By node id, which of the tests asked for it belongs to. What is not in it runs before them."""
        self.expected = places

    def tracing(self):
        return self.tracer if self.tracer is not None else contextlib.nullcontext()

    def finish(self):
        end = {"shares": self.effects.shares()}
        if self.collection is not None:
            end["collection"] = self.collection
        if self.skipped_collection is not None:
            end["skipped"] = self.skipped_collection
        if self.message is not None:
            end["message"] = self.message
        if self.missing:
            end["missing"] = True
        if self.tracer is not None:
            end["facts"] = self.tracer.report()
        if self.coverage is not None:
            end["coverage"] = dict(self.coverage.report(), switched_off=self.switched_off)
        return end

    # -- hooks

    @hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        # Coverage would be measured, and written to the user's tree, from here on.
        self.addopts = list(early_config.getini("addopts"))
        options = early_config.known_args_namespace
        if getattr(options, "cov_source", None):
            options.cov_source = None
            self.switched_off.append("pytest-cov")
        for finder in sys.meta_path:
            if isinstance(finder, paring_inject.CandidateFinder):
                finder.config = early_config
        yield

    @hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector, name):
        """Skips what the request does not ask for: a file of a thousand parametrised tests costs as much as one."""
        if self.wanted is None or name == "__init__":
            return None
        module = collector.getparent(Module)
        if module is None or not same_path(module.path, self.wanted_file()):
            return None
        path = tuple(node.name for node in collector.listchain() if node in below(collector, module)) + (name,)
        for names in self.wanted:
            n = min(len(names), len(path))
            if names[:n] == path[:n]:
                return None
        return []

    def wanted_file(self):
        return self.test_file

    @hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector):
        outcome = yield
        if self.send is None:
            return
        report = outcome.get_result()
        # Of the session alone: it empties the list before anyone hears of the error.
        self.missing |= bool(getattr(collector, "_notfound", None))
        excinfo = getattr(getattr(report, "call", None), "excinfo", None)
        if excinfo is None or report.outcome == "passed":
            return
        if report.outcome == "skipped":
            self.skipped_collection = self.skipped_collection or str(excinfo.value)
        elif self.collection is None:
            error = collection_error(excinfo.value)
            failure = paring_exception.failure(error, "collection", self.test_file or str(collector.path))
            failure["broken"] = paring_exception.broken_line(error, self.test_file or str(collector.path))
            failure["nodeid"] = collector.nodeid
            failure["path"] = str(collector.path)
            self.collection = failure

    @hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef):
        is_for_many = self.coverage is not None and fixturedef.scope != "function"
        with self.coverage.for_many(self.send, fixturedef) if is_for_many else contextlib.nullcontext():
            yield

    @hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        # To write a report, the exception's own code and that of values may run.
        is_failure = self.coverage is not None and call.excinfo is not None
        with self.coverage.pause() if is_failure else contextlib.nullcontext():
            outcome = yield
            self.note(item, call, outcome)

    def note(self, item, call, outcome):
        """What became of a phase of the test."""
        if self.send is None or self.current is None:
            return
        report = outcome.get_result()
        phase = PHASES.get(call.when, "call")
        current = self.current
        excinfo = call.excinfo
        if report.outcome == "failed" and "failure" not in current:
            path = self.test_file or str(item.path)
            if excinfo is not None:
                current["failure"] = paring_exception.failure(excinfo.value, phase, path)
            else:
                current["failure"] = paring_exception.bare_failure(str(report.longrepr or "failed"), phase)
        elif report.outcome == "skipped" and "skipped" not in current:
            current["skipped"] = skip_reason(report, excinfo)
        elif report.outcome == "passed" and call.when == "call":
            current["passed"] = True
        current["phases"].append([phase, report.outcome])

    @hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self, item):
        if self.calls is None or self.current is None:
            yield
            return
        self.calls.begin(item)
        yield
        self.current["calls"] = self.calls.end()

    @hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self.current = {"t": "item", "nodeid": item.nodeid, "path": str(item.path), "phases": []}
        self.n_items += 1
        begin = {"t": "begin", "nodeid": item.nodeid, "path": str(item.path)}
        if self.expected is not None and item.nodeid in self.expected:
            begin["of"] = self.current["of"] = self.expected[item.nodeid]
        self.send(begin)
        before = paring_process.settings()
        if self.light is not None:
            self.tracer = self.light(item)
        began = clock()
        if self.tracer is not None:
            self.tracer.enter(item, self.expected is None or item.nodeid in self.expected)
        if self.coverage is not None:
            self.coverage.begin(self.send)
        outcome = yield
        current, self.current = self.current, None
        if self.coverage is not None:
            current["seconds"] = max(0, clock() - began)
            current["covered"] = self.coverage.end(self.send, fixtures_of(item))
        if self.tracer is not None:
            self.tracer.leave()
        if self.light is not None:
            current["seconds"] = max(0, clock() - began)
            current["facts"], self.tracer = self.tracer.report(), None
        if outcome.excinfo is not None and "failure" not in current:
            # What pytest itself gives way to: `KeyboardInterrupt`, `pytest.exit()`.
            path = self.test_file or str(item.path)
            current["failure"] = paring_exception.failure(outcome.excinfo[1], next_phase(current["phases"]), path)
        if "failure" in current:
            current["failure"]["left"] = paring_process.changed(before, paring_process.settings())
        if self.expected is None or item.nodeid in self.expected:
            self.send(current)


def clock():
    """Seconds, but for those in which the thread waited for a processor: on a busy machine a test takes no longer."""
    try:
        file = _open("/proc/thread-self/schedstat", os.O_RDONLY)
        try:
            waited = int(_read(file, 100).split()[1]) / 1e9
        finally:
            _close(file)
    except (OSError, IndexError, ValueError):
        waited = 0
    return _counter() - waited


def fixtures_of(item):
    """The fixtures that pytest found for a test before it ran; one that another takes the place of only where that one asks for it."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    for name, several in known.items():
        for fixture in reversed(several):
            yield fixture
            if name not in fixture.argnames:
                break


def next_phase(phases):
    """Where a test was when it was cut short."""
    return ["set_up", "call", "tear_down"][min(len({phase for phase, _ in phases}), 2)]


def wanted_names(request):
    """The names along each wanted node id of the test file, parameters left off."""
    names = []
    for target in list(request.get("after") or []) + list(request["nodeids"]):
        rest = target.partition("::")[2].partition("[")[0]
        if not rest:
            return None
        names.append(tuple(rest.split("::")))
    return names


def below(collector, module):
    chain = collector.listchain()
    return chain[chain.index(module) + 1 :]


def same_path(one, other):
    return other is not None and real_path(str(one)) == real_path(other)


@functools.lru_cache(maxsize=None)
def real_path(path):
    return os.path.realpath(path)


def collection_error(error):
    """pytest wraps what an import raised; the cause is what the user wrote."""
    from _pytest.nodes import Collector

    if isinstance(error, Collector.CollectError) and error.__cause__ is not None:
        error = error.__cause__
    parts = error.args[0] if error.args and isinstance(error.args[0], tuple) else error.args
    if type(error).__name__ == "ImportPathMismatchError" and len(parts) == 3:
        # Two files of one name, and no packages that would tell them apart.
        name, first, second = parts
        return type(error)(
            "%s and %s are both imported as %s: give them different names, make their folders packages (`__init__.py`), or run with "
            "--import-mode=importlib" % (first, second, name)
        )
    return error


def without_prefix(reason):
    """pytest puts the name of its exception before the user's words."""
    return reason[len("Skipped: ") :] if reason.startswith("Skipped: ") else reason


def skip_reason(report, excinfo):
    reason = getattr(report, "wasxfail", None)
    if reason is not None:
        return "xfail: " + str(reason)
    if isinstance(report.longrepr, tuple) and len(report.longrepr) == 3:
        return without_prefix(str(report.longrepr[2]))
    return str(excinfo.value) if excinfo is not None else "skipped"
