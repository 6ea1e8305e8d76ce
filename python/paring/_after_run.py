"""What `pytest --pare` does: notes which tests fail, has the binary pare them after the run, and adds what came of it to their failures.

Nothing here may break a run: whatever goes wrong is one line in the summary, and pytest's exit code stays what it is.
"""

import os

import pytest

from ._child import Child

OLDEST_PYTEST = 7
INTERRUPTED = 2


class AfterRun:
    def __init__(self, config):
        self.config = config
        # Tests may change it.
        self.environ = dict(os.environ)
        self.order = {}
        self.failed = {}
        self.lines = []
        self.sections = []

    def pytest_runtest_logreport(self, report):
        self.order.setdefault(report.nodeid)
        if report.outcome == "failed":
            self.failed.setdefault(report.nodeid, report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus):
        try:
            why_not = self.why_not(exitstatus)
            if why_not:
                self.lines.append(why_not)
            elif self.failed:
                self.pare()
        except KeyboardInterrupt:
            self.lines.append("stopped while paring")
        except Exception as error:
            self.lines.append("failed: %s" % (one_line(error) or type(error).__name__))

    def pytest_terminal_summary(self, terminalreporter):
        for title, text in self.sections:
            terminalreporter.section(title, sep="-")
            terminalreporter.write_line(text)
        for line in self.lines:
            terminalreporter.write_line("paring: %s" % line)

    def why_not(self, exitstatus):
        """Why nothing is pared, where that is to be said."""
        if not self.failed:
            return None
        if int(pytest.__version__.split(".")[0]) < OLDEST_PYTEST:
            return "nothing was pared: pytest %s is older than %d" % (pytest.__version__, OLDEST_PYTEST)
        if getattr(self.config.option, "usepdb", False) or getattr(self.config.option, "trace", False):
            return "nothing was pared: with --pdb the failure is yours"
        if exitstatus == INTERRUPTED:
            return "nothing was pared: the run was interrupted"
        return None

    def pare(self):
        option = self.config.option
        alike = self.alike()
        targets = [Target.of(self.config, nodeid) for nodeid in self.failed if nodeid not in alike]
        targets = [target for target in targets if target]
        chosen, beyond = targets[: option.pare_max], targets[option.pare_max :]
        known = {target.nodeid for target in targets}
        foreign = [nodeid for nodeid in self.failed if nodeid not in known and nodeid not in alike]
        results = {}
        if chosen:
            self.say(len(chosen), len(targets), option.pare_budget)
            ran = [target for target in (Target.of(self.config, nodeid) for nodeid in self.order) if target]
            child = Child(self.config, self.environ)
            results = child.pare([target.given for target in chosen], [target.given for target in ran])
            self.lines += child.troubles
        for target in chosen:
            self.take(target, results.get(target.given))
        self.tell_left([target.nodeid for target in beyond], "--pare-max is %d" % option.pare_max)
        self.tell_left(foreign, "no test of a Python file")

    def alike(self):
        """Tests that fail in the set-up in which an earlier one fails, which stands for them. Says so."""
        alike, first, counts = set(), {}, {}
        for nodeid, report in self.failed.items():
            crash = getattr(report.longrepr, "reprcrash", None)
            if report.when != "setup" or crash is None:
                continue
            place = (crash.path, crash.lineno)
            if place in first:
                alike.add(nodeid)
            first.setdefault(place, nodeid)
            counts[place] = counts.get(place, 0) + 1
        for place, n_tests in counts.items():
            if n_tests > 1:
                where = "%s:%d" % (os.path.relpath(place[0], str(self.config.invocation_params.dir)), place[1])
                self.lines.append("%d tests fail in the same set-up, at %s: pared only %s" % (n_tests, where, first[place]))
        return alike

    def say(self, n_chosen, n_all, budget):
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            number = "%d failing test%s" % (n_chosen, "" if n_chosen == 1 else "s")
            of = "" if n_chosen == n_all else " of %d" % n_all
            reporter.write("\n")
            reporter.write_line("paring %s%s, for at most %g s" % (number, of, budget))

    def take(self, target, result):
        """Puts a result where its failure is printed."""
        if result is None:
            self.tell_left([target.nodeid], "there was no time left")
        elif result["status"] in ("minimized", "interrupted") and result["test"]:
            self.attach(target.nodeid, title(result), body(result))
        else:
            self.lines.append("not pared: %s: %s" % (target.nodeid, reason(result)))
        self.lines += ["%s: %s" % (target.nodeid, note) for note in (result or {}).get("notes", []) if "does not fail the same way" in note]

    def attach(self, nodeid, header, text):
        report = self.failed[nodeid]
        # Where pytest prints no tracebacks, it prints no failure to stand below.
        shown = getattr(self.config.option, "tbstyle", "auto") not in ("no", "line")
        if shown and hasattr(report.longrepr, "addsection"):
            report.longrepr.addsection(header, text, "-")
        else:
            self.sections.append(("%s: %s" % (nodeid, header), text))

    def tell_left(self, nodeids, why):
        for nodeid in nodeids[:20]:
            self.lines.append("not pared: %s: %s" % (nodeid, why))
        if len(nodeids) > 20:
            self.lines.append("not pared: %d more: %s" % (len(nodeids) - 20, why))


class Target:
    """A test as pytest calls it, and as the binary does."""

    def __init__(self, nodeid, given):
        self.nodeid = nodeid
        self.given = given

    @classmethod
    def of(cls, config, nodeid):
        """`None` where it is no test in a Python file, such as a doctest of a page."""
        path, _, names = nodeid.partition("::")
        if not path.endswith(".py") or not names:
            return None
        # Ids are relative to pytest's root folder, those of the binary to where it starts.
        path = os.path.join(str(config.rootpath), path) if hasattr(config, "rootpath") else os.path.join(str(config.rootdir), path)
        here = str(config.invocation_params.dir)
        relative = os.path.relpath(path, here)
        if relative.startswith(os.pardir):
            relative = path
        return cls(nodeid, "%s::%s" % (relative.replace(os.sep, "/"), names))


def title(result):
    statements = result["statements"]
    if statements:
        before, after = statements["before"], statements["after"]
        noun = "statement" if after == 1 else "statements"
        return "pared test (%d -> %d %s, %d runs, %.1f s)" % (before, after, noun, result["runs"], result["seconds"])
    return "pared test"


def body(result):
    lines = [result["test"].rstrip()]
    for suspect in result["suspects"]:
        lines.append("suspect: line %d `%s`: %s" % (suspect["line"], one_line(suspect["text"]), suspect["reason"]))
    for doubt in result["doubts"]:
        where = "" if doubt["line"] is None else "line %d: " % doubt["line"]
        lines.append("doubt: %s%s" % (where, doubt["reason"]))
    if result["status"] == "interrupted":
        lines.append("the time was up before the search was done: there may be a smaller test (--pare-budget)")
    return "\n".join(lines)


def reason(result):
    error = result["error"]
    if error:
        return one_line(error["message"])
    return {
        "unchanged": "no smaller test fails the same way",
        "passing": "it passes alone",
        "flaky": "it does not fail the same way every time",
        "interrupted": "the time was up",
    }.get(result["status"], result["status"].replace("_", " "))


def one_line(text):
    lines = str(text).strip().splitlines()
    return lines[0] if lines else ""


