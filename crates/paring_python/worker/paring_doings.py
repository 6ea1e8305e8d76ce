"""What each statement did to resources, and what it may have used of them: the log's entries and the code that ran, from its beginning to
its end.

Which code runs is asked for from the first change of a resource on: before that no use of one matters.
"""
import os
import random
import time

import paring_names
import paring_resources

# A statement in a long loop is looked at this often, and then only counted.
LINE_LOOKS = 40
HIDDEN_LOOKS = 2
RAN_LIMIT = 100_000
TOUCH_LIMIT = 60_000
OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
ENVIRONMENT = frozenset(
    each.__code__ for name, each in vars(type(os.environ)).items() if name in ("__getitem__", "__iter__", "copy", "__len__")
)
SEED = random.Random.seed.__code__


class Doings:
    def __init__(self, tracer):
        self.tracer = tracer
        self.log = tracer.log
        # (entry of the log, number, frame, line, execution, how, resource).
        self.touches = []
        # Entries that a statement has been given.
        self.claimed = set()
        # Glances at code that ran; those since the last statement ended are seen once.
        self.ran = []
        self.ran_now = set()
        self.glances = None
        # Where logs are heeded: when each statement ended, and where the log of resources and the statement then stood.
        self.moments = []

    def mark(self):
        """Where the log and what ran stand now."""
        if self.ran_now:
            self.ran_now.clear()
            self.tracer.means.again()
        return len(self.log.entries), len(self.ran), self.log.n_unseen, self.log.n_lost

    def credit(self, frame, state, record):
        """Gives the statement that just ended what it did to resources, and what it may have used of them."""
        log = self.log
        log.poll()
        log.name_sockets()
        if log.logs is not None:
            self.moments.append((time.time(), len(log.entries), state.index, state.last, max(state.hit, 1)))
        first, first_ran, n_unseen, n_lost = state.start
        if record["hides"] and record["hits"] > HIDDEN_LOOKS:
            log.add("define", paring_resources.UNKNOWN)
        used = []
        is_light = self.tracer.is_light
        if not is_light and (log.changed or "sleep" in state.code.co_names):
            used = self.glance(frame, state, first_ran, record)
        for how, resource in used:
            if not (log.is_seeded and resource == paring_resources.RANDOM):
                self.touch(first - 0.5, state, how, resource)
        for entry in range(first, len(log.entries)):
            how, resource = log.entries[entry]
            # The innermost statement did it; those around it leave what it did.
            self.touch(entry, state, "define" if how == "kill" and entry in self.claimed else how, resource)
            self.claimed.add(entry)
            if how != "use":
                log.changed.add(resource)
        if log.changed and not is_light:
            # The very next statement may use it.
            self.heed_calls(frame)
        if len(log.entries) > first:
            # It may have used what it called others to do.
            for how, resource in used:
                self.touch(len(log.entries) - 0.5, state, how, resource)
        log.seeded_at, log.is_seeded = None, False
        if log.n_lost != n_lost:
            self.touch(len(log.entries), state, "define", paring_resources.UNKNOWN)
        if log.n_unseen != n_unseen or self.tracer.threads or log.is_full:
            record["partial"] = True

    def credit_late(self, logs):
        """Gives what logs told after the test to the statements that ended next after it happened."""
        for moment, how, resource in logs.late():
            ended = next((each for each in self.moments if each[0] >= moment), None)
            if ended is not None:
                self.touches.append((ended[1] - 0.25, len(self.touches), *ended[2:], how, resource))

    def touch(self, entry, state, how, resource):
        if len(self.touches) >= TOUCH_LIMIT and resource != paring_resources.UNKNOWN:
            self.log.is_full = True
            self.log.n_lost += how != "use"
            return
        self.touches.append((entry, len(self.touches), state.index, state.last, max(state.hit, 1), how, resource))

    def heed_calls(self, frame):
        """From now on it is asked which code runs."""
        if self.glances is None:
            self.glances = paring_names.Glances(self.tracer.hidden_of(frame).modules)
            self.tracer.means.heed_calls()

    def glance(self, frame, state, first_ran, record):
        """What the statement may have used of what was changed, by the names of the code that ran."""
        self.heed_calls(frame)
        if record["hits"] > LINE_LOOKS or len(self.ran) > RAN_LIMIT:
            # Those around it do not know either what ran.
            self.log.n_unseen += 1
            return []
        own = self.glances.of_line(state.code, state.last, self.tracer.lines.start, frame)
        if "sleep" in own.names:
            self.log.add("define", paring_resources.CLOCK)
        self.ran.append(own)
        if any(paring_names.is_foreign(glance.module) for glance in self.ran[first_ran:]):
            record["ran_code"] = True
        used = []
        if not paring_names.uses(self.log, self.ran[first_ran:], lambda how, resource: used.append((how, resource))):
            record["partial"] = True
        return used

    def called(self, frame):
        """A function outside the test file runs, and something that it may read has been changed. False if it is paring's own."""
        code = frame.f_code
        if self.tracer.busy or self.log.busy or code.co_filename.startswith(OWN_FOLDER):
            return False
        if code.co_name == "readouterr" and self.log.captures:
            self.log.drained()
        if code is SEED and frame.f_locals.get("a") is not None and self.log.seeded_at is None:
            self.log.seeded_at = frame.f_locals["self"].getstate() if frame.f_locals.get("self") is random._inst else None
        if code in ENVIRONMENT:
            name = frame.f_locals.get("key")
            for resource in sorted(self.log.changed, key=repr):
                if resource[0] == "env" and name in (None, resource[1]):
                    self.log.add("use", resource)
        if code not in self.ran_now and len(self.ran) <= RAN_LIMIT:
            self.ran_now.add(code)
            self.tracer.busy = True
            try:
                self.ran.append(self.glances.of_code(code, frame.f_globals))
            finally:
                self.tracer.busy = False
        return code not in ENVIRONMENT

    def told(self):
        """In order of time. Where some found no room nothing is known to have ended."""
        touches = sorted(self.touches, key=lambda touch: touch[:2])
        if self.log.n_lost:
            touches = [touch[:5] + ("define" if touch[5] == "kill" else touch[5],) + touch[6:] for touch in touches]
        # What a statement does again and again within one execution is told once.
        told = [touch[2:] for touch in touches]
        return [touch for place, touch in enumerate(told) if place == 0 or touch != told[place - 1]]
