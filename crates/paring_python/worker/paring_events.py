"""How a trace hears of calls and lines: by `sys.monitoring` where the interpreter has it, else by `sys.settrace`."""
import sys
import types

GENERATORS = 0x20 | 0x200
COROUTINES = 0x80 | 0x100


def means(tracer):
    return Monitoring(tracer) if hasattr(sys, "monitoring") else SetTrace(tracer)


class SetTrace:
    """Before Python 3.12: a trace function that declines every frame but those of the test file."""

    def __init__(self, tracer):
        self.tracer = tracer

    def start(self):
        sys.settrace(self.call)

    def stop(self):
        sys.settrace(None)

    def heed_calls(self):
        """Every call is an event here."""

    def again(self):
        """Every call is an event each time."""

    def call(self, frame, event, arg):
        tracer = self.tracer
        if tracer.busy:
            return None
        if not tracer.owns(frame.f_code):
            if tracer.doings.glances is not None:
                tracer.doings.called(frame)
            return None
        tracer.began(frame)
        return self.local

    def local(self, frame, event, arg):
        tracer = self.tracer
        if event == "line":
            tracer.line(frame, frame.f_lineno)
        elif event == "return":
            # A generator's frame may come back: `yield` looks like `return` here.
            tracer.ended(frame, not frame.f_code.co_flags & (GENERATORS | COROUTINES))
        elif event == "exception":
            tracer.raised(frame)
        return self.local


class Monitoring:
    """From Python 3.12 on: events on the code objects of the test file, nothing anywhere else."""

    def __init__(self, tracer):
        self.tracer = tracer
        self.tool = None
        self.heeds_calls = False

    def start(self):
        monitoring = sys.monitoring
        self.tool = next((tool for tool in (4, 3, 5, 2) if monitoring.get_tool(tool) is None), None)
        if self.tool is None:
            return
        monitoring.use_tool_id(self.tool, "paring")
        events = monitoring.events
        handlers = {
            events.PY_START: lambda code, offset: self.tracer.began(sys._getframe(1)),
            events.PY_RESUME: lambda code, offset: self.tracer.began(sys._getframe(1)),
            events.LINE: lambda code, line: self.tracer.line(sys._getframe(1), line),
            events.PY_RETURN: lambda code, offset, value: self.tracer.ended(sys._getframe(1), True),
            events.PY_YIELD: lambda code, offset, value: self.tracer.ended(sys._getframe(1), False),
            events.PY_THROW: self.thrown,
            events.RAISE: self.raised,
            events.PY_UNWIND: self.unwound,
        }
        local = 0
        for event, handler in handlers.items():
            monitoring.register_callback(self.tool, event, handler)
            if event not in (events.RAISE, events.PY_UNWIND, events.PY_THROW):
                local |= event
        for code in self.codes():
            monitoring.set_local_events(self.tool, code, local)
        monitoring.set_events(self.tool, events.RAISE | events.PY_UNWIND | events.PY_THROW)

    def heed_calls(self):
        """From now on the first call of every function within a statement is told."""
        monitoring = sys.monitoring
        if self.tool is not None:
            events = monitoring.events
            self.heeds_calls = True
            monitoring.register_callback(self.tool, events.PY_START, self.started)
            monitoring.set_events(self.tool, events.RAISE | events.PY_UNWIND | events.PY_THROW | events.PY_START)

    def again(self):
        if self.heeds_calls:
            sys.monitoring.restart_events()

    def started(self, code, offset):
        tracer = self.tracer
        if tracer.owns(code):
            return tracer.began(sys._getframe(1))
        return sys.monitoring.DISABLE if tracer.doings.called(sys._getframe(1)) else None

    def codes(self):
        stack = [self.tracer.finder.code] if self.tracer.finder is not None and self.tracer.finder.code else codes_of(self.tracer.module)
        while stack:
            code = stack.pop()
            stack.extend(each for each in code.co_consts if isinstance(each, types.CodeType))
            if self.tracer.owns(code):
                yield code

    def thrown(self, code, offset, error):
        if self.tracer.owns(code):
            self.tracer.began(sys._getframe(1))

    def raised(self, code, offset, error):
        if not self.tracer.busy and self.tracer.owns(code):
            self.tracer.raised(sys._getframe(1))

    def unwound(self, code, offset, error):
        if not self.tracer.busy and self.tracer.owns(code):
            self.tracer.ended(sys._getframe(1), True)

    def stop(self):
        if self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            for code in self.codes():
                sys.monitoring.set_local_events(self.tool, code, 0)
            sys.monitoring.free_tool_id(self.tool)
            self.tool = None


def codes_of(module):
    """The code of the functions and methods of a module that is loaded."""
    spaces = [vars(module)] if module is not None else []
    found = []
    while spaces:
        for value in list(spaces.pop().values()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                spaces.append(vars(value))
            function = getattr(value, "__func__", value)
            while hasattr(function, "__wrapped__"):
                function = function.__wrapped__
            code = getattr(function, "__code__", None)
            if isinstance(code, types.CodeType):
                found.append(code)
    return found
