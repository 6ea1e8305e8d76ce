"""Traces a run: which statements of the test file ran, what each changed, what it changed that no name shows.

Only functions of the test file are traced: the test, its fixtures, set-up and helpers. From Python 3.12 on by
`sys.monitoring` events on their code objects, before by `sys.settrace` in their frames. At the beginning of every
statement the names of the frame are looked at (paring_heap), and what differs from the look before is the doing of the
statement in between. Looking is limited by the objects looked at, not by the clock, so that two runs tell the same; counting
goes on.
"""
import contextlib
import os
import sys
import threading
import time
import types

import paring_doings
import paring_events
import paring_heap
import paring_hidden
import paring_lines
import paring_logs
import paring_resources
import paring_saver
import paring_watch

LOOK_LIMIT = 2000
OBJECT_LIMIT = 120_000
NAME_OBJECTS = 400
FRAME_OBJECTS = 1500
OPTIMIZED = 0x1
UNITTEST_OWN = frozenset(
    ["_classSetupFailed", "_testMethodName", "_outcome", "_testMethodDoc", "_cleanups", "_subtest", "_type_equality_funcs", "_testcase"]
)


class FrameState:
    """One call of a traced function."""

    __slots__ = ("code", "index", "last", "view", "hidden", "raised", "start", "n_settled", "hit", "since")

    def __init__(self, code, index):
        self.code = code
        self.index = index
        self.last = None
        self.view = None
        self.hidden = None
        self.raised = None
        # Where the log and what ran stood when the statement began.
        self.start = None
        self.n_settled = 0
        self.hit = 0
        self.since = 0.0


class View:
    """The names of a frame at one moment."""

    __slots__ = ("look", "roots", "reaches", "partial")

    def __init__(self, names):
        things = {name: value for name, value in names.items() if not paring_heap.is_atom(value)}
        self.look = paring_heap.Look(things.values(), min(FRAME_OBJECTS, NAME_OBJECTS * (1 + len(things))))
        self.roots = {name: id(value) for name, value in things.items()}
        self.reaches = {}
        self.partial = set()
        for name, root in self.roots.items():
            self.reaches[name], is_whole = self.look.reach(root)
            if not is_whole:
                self.partial.add(name)


class Tracer(contextlib.AbstractContextManager):
    def __init__(self, path, finder, effects, request):
        self.path = path
        self.finder = finder
        self.log = effects.log = paring_resources.Log()
        self.log.watch = paring_watch.Watch(request.get("watch"), request.get("scratch"), effects.private[:1] + [request["temporary"]] if request.get("temporary") else effects.private[:1])
        own = [request.get(name) for name in ("scratch", "saves")]
        temporary = request.get("temporary")
        self.log.own = tuple(os.path.realpath(each) + os.sep for each in own if each and not str(temporary).startswith(each))
        if request.get("logs"):
            self.log.logs = paring_logs.Logs(request["logs"])
        self.doings = paring_doings.Doings(self)
        text = finder.text if finder is not None else read(path)
        self.lines = paring_lines.lines_of(text)
        # Of many tests in a row only what audit events tell, and how long statements take.
        self.is_light = bool(request.get("light"))
        self.module = None
        self.codes = {}
        self.frames = []
        self.records = {}
        self.states = {}
        self.mutable = set()
        self.named = set()
        self.opaque = set()
        self.reaches = set()
        self.transfers = set()
        self.own = {}
        self.test_class = None
        self.wanted = False
        self.busy = False
        self.n_looks = 0
        self.n_objects = 0
        self.truncated = self.is_light
        self.hidden = None
        self.threads = False
        self.n_settled = 0
        self.means = paring_events.means(self)

    # -- when to trace

    def __exit__(self, *_):
        self.leave()

    def enter(self, item, wanted):
        self.wanted = wanted
        self.log.captures = not paring_resources.CAPTURES.isdisjoint(getattr(item, "fixturenames", ()))
        self.test_class = getattr(item, "cls", None)
        if wanted:
            self.module = getattr(item, "module", None)
            if not self.is_light:
                self.heed_threads()
            self.log.watch.begin(self.log)
            if self.log.logs is not None:
                self.log.logs.begin(self.log)
            self.means.start()

    def heed_threads(self):
        """Notes when a thread is started. Never undone: this process makes one run."""
        start = threading.Thread.start

        def heeded(thread):
            self.threads = True
            return start(thread)

        threading.Thread.start = heeded

    def leave(self):
        if self.wanted:
            self.means.stop()
            self.wanted = False

    def owns(self, code):
        """Whether a code object is a function of the test file."""
        found = self.own.get(code)
        if found is None:
            found = bool(code.co_flags & OPTIMIZED) and not code.co_name.startswith("<") and self.is_own_file(code.co_filename)
            self.own[code] = found
        return found

    def is_own_file(self, name):
        return name == self.path or (
            os.path.basename(name) == os.path.basename(self.path) and os.path.realpath(name) == os.path.realpath(self.path)
        )

    # -- events

    def began(self, frame):
        """A call, or the resumption of a generator."""
        state = self.states.get(id(frame))
        if state is not None and state.code is frame.f_code:
            # What happened while a generator slept is not its doing; a coroutine awaited it.
            if frame.f_code.co_flags & paring_events.GENERATORS:
                if state.view is not None:
                    self.look(frame, state)
                self.mark(state)
            return
        self.states[id(frame)] = state = FrameState(frame.f_code, self.index_of(frame.f_code))
        # What the statement that calls it did so far is not the doing of its first one.
        self.log.watched()
        self.mark(state)

    def index_of(self, code):
        index = self.codes.get(code)
        if index is None:
            index = self.codes[code] = len(self.frames)
            name = getattr(code, "co_qualname", code.co_name)
            self.frames.append({"name": name, "line": code.co_firstlineno})
        return index

    def line(self, frame, number):
        state = self.states.get(id(frame))
        if state is None or state.code is not frame.f_code:
            self.began(frame)
            state = self.states[id(frame)]
        line = self.lines.start.get(number, number)
        if state.raised is not None and line not in self.lines.heads:
            clause = self.lines.handler_entered(state.raised, number)
            if clause is not None:
                self.transfers.add((state.index, state.raised, clause))
            state.raised = None
        if line == state.last:
            return
        self.settle(frame, state)
        # A `with` comes back to its own line to leave its block: that is no second beginning.
        leaves_block = state.last is not None and self.lines.is_exit(line, state.last)
        state.last = line
        record = self.records.get((state.index, line))
        if record is None:
            record = self.records[state.index, line] = {"hits": 0, "changed": set(), "partial": False, "ran_code": False, "hides": False, "voids": 0, "seen": 0, "seconds": 0.0}
        if not leaves_block:
            record["hits"] += 1
        if any(paring_heap.is_watched(frame.f_locals.get(name)) for name in self.lines.releases.get(line, ())):
            # The last to let go of it changes what others see of it, and that may be the fault.
            self.log.add("define", paring_resources.UNKNOWN)
        state.hit = record["hits"]
        if record["hits"] > paring_doings.LINE_LOOKS:
            state.view = None
        elif state.view is None:
            self.look(frame, state)
        if record["hits"] > paring_doings.HIDDEN_LOOKS or state.view is None:
            state.hidden = None
        elif state.hidden is None:
            self.look_hidden(frame, state)

    def ended(self, frame, for_good):
        state = self.states.get(id(frame))
        if state is None or state.code is not frame.f_code:
            return
        self.settle(frame, state)
        if for_good:
            del self.states[id(frame)]

    def raised(self, frame):
        state = self.states.get(id(frame))
        if state is not None and state.code is frame.f_code and state.raised is None:
            state.raised = self.lines.start.get(frame.f_lineno, frame.f_lineno)

    # -- looking

    def settle(self, frame, state):
        """Gives the statement that just ended what changed since it began."""
        if self.busy:
            return
        muting = paring_saver.MUTING
        if muting is not None:
            muting(True)
        if state.view is not None:
            self.compare(frame, state)
        if state.last is not None:
            record = self.records[state.index, state.last]
            record["seconds"] += time.perf_counter() - state.since
            self.doings.credit(frame, state, record)
        self.mark(state)
        if muting is not None:
            muting(False)

    def mark(self, state):
        self.n_settled += 1
        state.start = self.doings.mark()
        state.n_settled = self.n_settled
        state.since = time.perf_counter()

    def compare(self, frame, state):
        before, hidden_before = state.view, state.hidden
        names = self.look(frame, state)
        if names is None or state.last is None:
            return
        record = self.records[state.index, state.last]
        record["seen"] += 1
        changed = state.view.look.changed_since(before.look)
        if changed:
            for name, root in before.roots.items():
                if state.view.roots.get(name) == root and not changed.isdisjoint(before.reaches[name]):
                    record["changed"].add(name)
            for path, is_written in before.look.files_below(changed):
                self.log.add("define" if is_written else "use", ("file", path))
        if hidden_before is not None and state.hidden is not None:
            changes = paring_hidden.changes(hidden_before, state.hidden, before.reaches.values())
            # What another statement did while this one ran is not this one's to end.
            is_alone = state.n_settled == self.n_settled
            self.log.is_seeded = is_alone and self.log.begins_anew(hidden_before.parts.get(paring_resources.RANDOM))
            for how, resource in changes:
                if resource == paring_resources.RANDOM and self.log.is_seeded:
                    how = "kill"
                self.log.add(how if is_alone else "define", resource)
            record["hides"] = record["hides"] or bool(changes)
        target = self.lines.stores.get(state.last)
        if target is not None:
            scoped = "m:" + target[5:] if target.startswith("self.") else "l:" + target
            record["voids"] += scoped in names and names[scoped] is None

    def look(self, frame, state):
        if self.truncated:
            state.view = None
            return None
        self.busy = True
        try:
            names = self.names_of(frame)
            state.view = View(names)
            self.note(state, names)
            if state.hidden is not None:
                state.hidden = self.hidden.look()
        finally:
            self.busy = False
        self.n_looks += 1
        self.n_objects += len(state.view.look.tokens)
        self.truncated = self.n_looks >= LOOK_LIMIT or self.n_objects >= OBJECT_LIMIT
        return names

    def hidden_of(self, frame):
        if self.hidden is None:
            self.hidden = paring_hidden.Hidden(frame.f_globals)
        return self.hidden

    def look_hidden(self, frame, state):
        """Dearer than the names: only around a statement's first runs."""
        self.busy = True
        try:
            state.hidden = self.hidden_of(frame).look()
        finally:
            self.busy = False

    def note(self, state, names):
        index, view = state.index, state.view
        for name, value in names.items():
            self.named.add((index, name))
            if not paring_heap.is_immutable(value):
                self.mutable.add((index, name))
        mutable = [(name, root) for name, root in view.roots.items() if (index, name) in self.mutable]
        for outer, reach in view.reaches.items():
            for inner, root in mutable:
                if inner != outer and root in reach:
                    self.reaches.add((index, inner, outer))
            if outer in view.partial or near(view.look, view.roots[outer]) & view.look.opaque:
                self.opaque.add((index, outer))

    def names_of(self, frame):
        """What the frame can name, by scope: `l:` its own, `f:` of functions around it, `m:` of the test object, `g:`
        of the module."""
        code = frame.f_code
        names = {}
        first = code.co_varnames[0] if code.co_argcount and code.co_varnames[0] in ("self", "cls") else None
        free = set(code.co_freevars)
        for name, value in dict(frame.f_locals).items():
            if name == first and self.is_test_object(value):
                self.add_members(value, names)
            elif name[0] not in "@." and name != "__class__":
                names[("f:" if name in free else "l:") + name] = value
        space = frame.f_globals
        for name in self.lines.globals:
            if name in space:
                value = space[name]
                if not isinstance(value, (type, types.ModuleType, types.FunctionType)):
                    names["g:" + name] = value
        return names

    def is_test_object(self, thing):
        """Other classes of the file have a `self` too, which is a local like others."""
        kind = thing if isinstance(thing, type) else type(thing)
        return self.test_class is not None and (issubclass(kind, self.test_class) or issubclass(self.test_class, kind))

    def add_members(self, thing, names):
        kind = thing if isinstance(thing, type) else type(thing)
        for base in reversed(kind.__mro__):
            if self.is_test_class(base):
                for name, value in base.__dict__.items():
                    if not name.startswith("__") and name not in UNITTEST_OWN and not isinstance(value, CALLABLE):
                        names["m:" + name] = value
        if kind is not thing:
            try:
                space = object.__getattribute__(thing, "__dict__")
            except AttributeError:
                return
            for name, value in space.items():
                # pytest leaves the test method itself on the object.
                if name not in UNITTEST_OWN and not is_method_of(value, thing):
                    names["m:" + name] = value

    def is_test_class(self, kind):
        module = sys.modules.get(kind.__module__) if isinstance(kind.__module__, str) else None
        return module is not None and self.is_own_file(getattr(module, "__file__", None) or "")

    # -- the end

    def report(self):
        if self.log.logs is not None:
            self.doings.credit_late(self.log.logs)
        lines = []
        for (index, line), record in self.records.items():
            entry = {"frame": index, "line": line, "hits": record["hits"]}
            if record["changed"]:
                entry["changed"] = sorted(record["changed"])
            if self.is_light:
                entry["seconds"] = round(record["seconds"], 6)
            if record["partial"]:
                entry["partial"] = True
            if record["ran_code"]:
                entry["ran_code"] = True
            if record["voids"] and record["voids"] == record["seen"]:
                entry["void"] = True
            lines.append(entry)
        return {
            "frames": self.frames,
            "lines": lines,
            "touches": self.doings.told(),
            "immutable": sorted(self.named - self.mutable),
            "mutable": sorted(self.mutable),
            "opaque": sorted(self.opaque),
            "reaches": sorted(self.reaches),
            "transfers": sorted(self.transfers),
            "threads": self.threads,
            "watch": self.log.watch.report(self.log),
            "truncated": self.truncated,
            "looks": self.n_looks,
            "objects": self.n_objects,
        }


CALLABLE = (types.FunctionType, staticmethod, classmethod, property, type)


def is_method_of(value, thing):
    return type(value) is types.MethodType and value.__self__ is thing


def near(look, root, steps=2):
    """What an object holds within a few steps."""
    seen = {root}
    layer = [root]
    for _ in range(steps):
        layer = [child for key in layer for child in look.edges.get(key, ()) if child not in seen]
        seen.update(layer)
    return seen


def read(path):
    import tokenize

    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):
        return ""
