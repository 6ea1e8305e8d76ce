"""A pytest session for the user's project, opened as `python -m pytest` opens it, and run on a candidate text.

The project's own plugins, conftest files, configuration and rootdir are in force. Only options that make no
sense for one test (distribution, reports on disk, stopping early, debuggers, reruns) are put back, after parsing:
nothing of the user's command line can become invalid that way.
"""
import os
import shlex
import sys
import threading
import traceback

import paring_channel
import paring_child
import paring_compile
import paring_inject
import paring_moved
import paring_mutant
import paring_near
import paring_preload
import paring_saver

NEUTRAL = {
    # pytest
    "cacheclear": False,
    "cacheshow": None,
    "collectonly": False,
    "continue_on_collection_errors": True,
    "durations": None,
    "failedfirst": False,
    "fulltrace": False,
    "lf": False,
    "log_file": os.devnull,
    "maxfail": 0,
    "newfirst": False,
    "pastebin": None,
    "setuponly": False,
    "setupplan": False,
    "showlocals": False,
    "stepwise": False,
    "tbstyle": "no",
    "trace": False,
    "usepdb": False,
    "xmlpath": None,
    # xdist, forked
    "dist": "no",
    "distload": False,
    "forked": False,
    "looponfail": False,
    "numprocesses": None,
    "tx": [],
    # others that reorder, repeat, or write files
    "allure_report_dir": None,
    "htmlpath": None,
    "json_report": False,
    "pare": False,
    "pare_apply": False,
    "pare_out": None,
    "randomly_reorganize": False,
    "report_log": None,
    "reruns": 0,
    "testmon": False,
}


# Folders of the framework: a plugin's own fault lies outside of them.
FRAMEWORK = ("pluggy", "_pytest", "pytest", "importlib", "<frozen importlib._bootstrap>")


class Unusable(Exception):
    """The project cannot be run at all: said to the user, with pytest's own words."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


class Session:
    def __init__(self, config, session, recorder, dropped):
        self.dropped = dropped
        self.config = config
        self.session = session
        self.recorder = recorder
        self.colder = None
        # Whether native code is loaded, which may write what nobody sees.
        self.has_native = False

    def describe(self):
        import pytest

        threads = threading.active_count() - 1
        colder = self.colder
        if threads and colder is None:
            running = "a thread is" if threads == 1 else "%d threads are" % threads
            colder = running + " running before the test starts"
        return {
            "pytest": pytest.__version__,
            "rootdir": str(self.config.rootpath),
            "threads": threads,
            "colder": colder,
            "dropped": self.dropped,
        }

    def preload(self, start):
        """Loads what the test module will import, so that every fork has it."""
        path = start.get("file")
        if path is None:
            return
        with paring_inject.bytecode_cache(start.get("bytecode")):
            paring_preload.preload(self.config, path)
        paring_compile.remember_original(path, self.config)
        loaded = paring_inject.loaded_as(path)
        if loaded is not None:
            self.colder = "the test module is imported as %s before the test is collected" % loaded
        self.has_native = paring_saver.has_native()
        paring_channel.silence()

    def run(self, request, send):
        config, session = self.config, self.session
        recapture(config)
        paring_inject.give_temporary_folder(config, paring_child.basetemp(os.getpid()))
        paring_inject.give_cache_folder(config, cache_folder(request))
        finder = paring_inject.install(config, request)
        paring_mutant.install(request)
        recorder = self.recorder
        recorder.begin(request, send, finder, config)
        sys.dont_write_bytecode = True
        end = {"t": "end"}
        try:
            nodeids = collect(config, session, request, recorder)
            send({"t": "collected", "n_tests": len(session.items), "nodeids": nodeids})
            if request.get("collect"):
                end["nodeids"] = [item.nodeid for item in session.items]
            elif session.items:
                with recorder.tracing():
                    config.hook.pytest_runtestloop(session=session)
        except BaseException as stop:
            # pytest's own ways to stop, and plugins that fail: the session has worked before, so it is the text's doing.
            recorder.message = describe_error(stop)
            recorder.missing |= names_no_file(config, request, stop)
            if recorder.missing:
                recorder.message += paring_near.near(request)
        end.update(recorder.finish(), dropped=self.dropped, hides=paring_saver.hides(), strays=paring_moved.strays())
        send(end)

    def close(self):
        """Lets plugins put away what they opened; in no case for long."""
        try:
            import signal

            signal.alarm(2)
        except (ImportError, AttributeError):
            pass
        try:
            self.config._ensure_unconfigure()
        except BaseException:
            pass


def open_session(start, request=None):
    """Everything up to, and without, the collection of tests."""
    try:
        import pytest
    except ImportError as error:
        raise Unusable("no_pytest", "%s has no pytest: %s" % (sys.executable, error)) from error
    if int(pytest.__version__.split(".")[0]) < 7:
        raise Unusable("no_pytest", "pytest %s is older than 7" % pytest.__version__)
    paring_record = paring_channel.part("paring_record")
    from _pytest.config import _prepareconfig
    from _pytest.main import Session as PytestSession

    targets = request_targets(request) if request is not None else [start["nodeid"]]
    args = list(start.get("args") or [])
    pose_as_pytest(args + targets)
    recorder = paring_record.Recorder()
    if request is not None and request.get("coverage") and request.get("many"):
        recorder.loading = paring_channel.part("paring_cover").Loading()
    dropped = []
    if request is not None:
        # Cold: even conftest files that import the test module see the candidate.
        paring_inject.install(None, request)
    try:
        with paring_inject.bytecode_cache(start.get("bytecode")):
            config, dropped = prepare(_prepareconfig, args + targets, recorder)
            neutralise(config)
            session = PytestSession.from_config(config)
            session.exitstatus = 0
            paring_inject.move_cache(cache_folder(start))
            config._do_configure()
            config.hook.pytest_sessionstart(session=session)
    except BaseException as error:
        raise Unusable("broken_environment", cannot_start(error)) from error
    return Session(config, session, recorder, dropped)


def prepare(prepare_config, args, recorder):
    """The configuration, and what of the project's own options had to go: those of plugins that are not here."""
    from _pytest.config import UsageError

    try:
        # pytest extends the list it is given.
        return prepare_config(list(args), plugins=[recorder]), []
    except UsageError as error:
        unknown = unknown_options(str(error), recorder.addopts)
        if not unknown:
            raise
        wanted = recorder.addopts
        for kept in (without(wanted, unknown), []):
            try:
                config = prepare_config(["-o", "addopts=" + shlex.join(kept)] + args, plugins=[recorder])
                return config, [option for option in wanted if option not in kept]
            except UsageError:
                continue
        raise


def unknown_options(message, addopts):
    """Of the options pytest does not know, those that stand in the project's configuration."""
    _, found, rest = message.partition("unrecognized arguments:")
    if not found:
        return []
    words = rest.splitlines()[0].split()
    return [option for option in addopts if option in words]


def without(addopts, unknown):
    kept = []
    skips = False
    for option in addopts:
        # The value of an unknown option looks like a file to collect.
        if option in unknown:
            skips = "=" not in option
        elif option.startswith("-") or not skips:
            kept.append(option)
            skips = False
    return kept


def cache_folder(message):
    """By process, in paring's own folder if it has named one."""
    return os.path.join(message.get("scratch") or paring_child.basetemp(os.getpid()), "cache-%d" % os.getpid())


def request_targets(request):
    return list(request.get("after") or []) + list(request["nodeids"])


def pose_as_pytest(args):
    """Programs that look at their own command line or main module see pytest's."""
    import importlib.util

    spec = importlib.util.find_spec("pytest.__main__")
    main = sys.modules["__main__"]
    if spec is not None:
        main.__spec__ = spec
        main.__file__ = spec.origin
        main.__package__ = "pytest"
        sys.argv = [spec.origin] + args


def neutralise(config):
    for name, value in NEUTRAL.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)
    if getattr(config.option, "hypothesis_seed", 0) is None:
        # The same examples in every process.
        config.option.hypothesis_seed = 0


def recapture(config):
    """A fork shares the files that its parent captures output in: it needs its own."""
    manager = config.pluginmanager.getplugin("capturemanager")
    try:
        if manager is not None:
            manager.stop_global_capturing()
        paring_channel.silence()
        if manager is not None:
            manager.start_global_capturing()
            manager.suspend_global_capture(in_=False)
    except Exception:
        paring_channel.silence()


def collect(config, session, request, recorder):
    """Finds the items of the request, in its order whatever plugins say. Where it asks for many, tells the ids of all."""
    targets = request_targets(request)
    # Without any, pytest's own choice stands: `testpaths`, or where it was started.
    if targets:
        config.args = targets
    config.hook.pytest_collection(session=session)
    if request.get("many"):
        done = set(request.get("done") or ())
        nodeids = [item.nodeid for item in session.items]
        session.items[:] = [item for item in session.items if item.nodeid not in done]
        return nodeids
    wanted = [split_id(config, target) for target in targets]
    placed = []
    for item in session.items:
        for place in reversed(range(len(wanted))):
            if matches(item, wanted[place]):
                placed.append((place, len(placed), item))
                break
    placed.sort(key=lambda entry: entry[:2])
    n_before = len(request.get("after") or [])
    session.items[:] = [item for _, _, item in placed]
    recorder.expect({item.nodeid: place - n_before for place, _, item in placed if place >= n_before})
    return []


def names_no_file(config, request, error):
    """Whether pytest refuses a path because nothing is there."""
    from _pytest.config import UsageError

    paths = [split_id(config, target)[0] for target in request_targets(request)]
    return isinstance(error, UsageError) and not all(os.path.exists(path) for path in paths)


def split_id(config, target):
    """The file and the names of a node id."""
    path, _, names = target.partition("::")
    folder = str(config.invocation_params.dir)
    return os.path.realpath(os.path.join(folder, path)), names


def matches(item, wanted):
    path, names = wanted
    if os.path.realpath(str(item.path)) != path:
        return False
    own = item.nodeid.partition("::")[2]
    return not names or own == names or own.startswith((names + "[", names + "::"))


def cannot_start(error):
    """Why pytest does not get as far as the tests: the cause in the first line, with the interpreter and the place."""
    from _pytest.config import ConftestImportFailure, UsageError

    described = describe_error(error)
    if isinstance(error, (ConftestImportFailure, UsageError)):
        return described
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not any(os.sep + part + os.sep in frame.filename for part in FRAMEWORK) and not is_own(frame.filename):
            place = ", at %s:%d in %s" % (frame.filename, frame.lineno, frame.name)
    said = " ".join(traceback.format_exception_only(type(error), error)[-1].split())
    return "pytest cannot start: %s%s (with %s)\n%s" % (said, place, sys.executable, described)


def is_own(path):
    return os.path.dirname(os.path.abspath(path)) == os.path.dirname(os.path.abspath(__file__))


def describe_error(error):
    from _pytest.config import ConftestImportFailure, UsageError

    if isinstance(error, ConftestImportFailure):
        cause = getattr(error, "cause", None) or error.excinfo[1]
        lines = traceback.format_exception(type(cause), cause, from_file(cause.__traceback__, str(error.path)))
        return "cannot load %s:\n%s" % (error.path, shorten("".join(lines)))
    if isinstance(error, UsageError):
        return "\n".join(str(arg) for arg in error.args) or str(error)
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    said = paring_channel.said(4000).strip()
    return shorten("".join(lines)) + ("\n" + said if said else "")


def from_file(frames, path):
    """The traceback from where it enters the file; whole where it never does."""
    entry = frames
    while entry is not None and entry.tb_frame.f_code.co_filename != path:
        entry = entry.tb_next
    return entry or frames


def shorten(text, n_lines=12):
    """The end of a traceback: the user's frames and the message."""
    lines = text.rstrip().splitlines()
    return "\n".join(lines[-n_lines:])
