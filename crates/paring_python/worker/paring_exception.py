"""An exception as plain data: types, messages, the stack through the test file and below it."""
import itertools
import os
import re
import sys

STDLIB = os.path.dirname(os.__file__)
MESSAGE_LIMIT = 20000
CAUSE_LIMIT = 10
FRAME_LIMIT = 200
RECURSION_FRAMES = 30

NOT_RAISED = re.compile(r"not raised|not triggered|triggered on ")
CHECKING = re.compile(r"assert|check|verify|expect|ensure|should", re.IGNORECASE)


def failure(error, phase, test_file):
    frames = frames_of(error.__traceback__, test_file)
    inside = [place for place, frame in enumerate(frames) if frame["own"]]
    if inside:
        stack = [frames[place] for place in inside]
        below = frames[inside[-1] + 1 :]
    else:
        stack, below = [], without_runner(frames)
    if isinstance(error, RecursionError):
        below = below[:RECURSION_FRAMES]
        stack = stack[:RECURSION_FRAMES]
    return {
        "phase": phase,
        "kind": kind_of(error, frames, below),
        "exceptions": [{"type": type_name(each), "message": message_of(each)} for each in chain(error)],
        "stack": [{"line": frame["line"], "column": frame["column"]} for frame in stack[-FRAME_LIMIT:]],
        "below": [{"file": f["file"], "function": f["function"], "line": f["line"], "runtime": is_runtime(f["path"])} for f in below[:FRAME_LIMIT]],
        "notes": notes_of(error),
    }


def bare_failure(text, phase):
    """A failure that pytest decided on without an exception: a strict xfail that passed."""
    return {
        "phase": phase,
        "kind": "omission" if "XPASS" in text else "exception",
        "exceptions": [{"type": "Failed", "message": text[:MESSAGE_LIMIT]}],
        "stack": [],
        "below": [],
    }


def broken_line(error, test_file):
    """The line of the test file that does not compile; None where the text is not at fault."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        if os.path.realpath(error.filename) == os.path.realpath(test_file):
            return error.lineno or 0
    return None


def chain(error):
    """The exception, then its causes, as a traceback shows them."""
    seen = []
    while error is not None and len(seen) < CAUSE_LIMIT and not any(error is other for other in seen):
        seen.append(error)
        if error.__cause__ is not None:
            error = error.__cause__
        elif not error.__suppress_context__:
            error = error.__context__
        else:
            error = None
    return seen


def type_name(error):
    kind = type(error)
    module = getattr(kind, "__module__", None)
    name = getattr(kind, "__qualname__", kind.__name__)
    return name if module in (None, "builtins") or not isinstance(module, str) else module + "." + name


def message_of(error):
    if isinstance(error, RecursionError):
        # How it goes on depends on where in the cycle the stack ended.
        return "maximum recursion depth exceeded"
    try:
        text = str(error)
        return text[:MESSAGE_LIMIT] if isinstance(text, str) else ""
    except BaseException:
        return "<the message cannot be made>"


def notes_of(error):
    notes = getattr(error, "__notes__", None)
    return [note[:MESSAGE_LIMIT] for note in notes if isinstance(note, str)] if isinstance(notes, (list, tuple)) else []


def frames_of(trace, test_file):
    frames = []
    own = {}
    real = os.path.realpath(test_file)
    while trace is not None:
        code = trace.tb_frame.f_code
        path = code.co_filename
        if path not in own:
            own[path] = os.path.realpath(path) == real
        frames.append(
            {
                "path": path,
                "file": os.path.basename(path),
                "function": code.co_name,
                "line": trace.tb_lineno or code.co_firstlineno,
                "column": column_of(code, trace.tb_lasti) if own[path] else None,
                "own": own[path],
            }
        )
        trace = trace.tb_next
    return frames


def is_runtime(path):
    """Whether a file is of Python's own library."""
    return path.startswith("<frozen ") or path.startswith(STDLIB + os.sep) and "-packages" + os.sep not in path


def column_of(code, offset):
    """In bytes of UTF-8; known from Python 3.11 on."""
    if not hasattr(code, "co_positions") or offset < 0:
        return None
    for _, _, column, _ in itertools.islice(code.co_positions(), offset // 2, None):
        return column
    return None


def without_runner(frames):
    """Of a stack that never enters the test file: without the frames of pytest that lead to it."""
    for place, frame in enumerate(frames):
        if not is_runner(frame["path"]):
            return frames[place:]
    return []


def is_runner(path):
    parts = path.replace("\\", "/").split("/")
    return "_pytest" in parts or "pluggy" in parts or parts[-1].startswith("paring_") or path.startswith("<frozen importlib")


def kind_of(error, frames, below):
    if type_name(error) == "Failed" and not any(frame["file"] == "pytest_timeout.py" for frame in frames):
        return "omission"
    if not isinstance(error, AssertionError):
        return "exception"
    if below and below[-1]["path"].replace("\\", "/").endswith(("unittest/case.py", "unittest/_log.py")):
        if below[-1]["function"] == "_raiseFailure" and NOT_RAISED.search(message_of(error)):
            return "omission"
        if len(below) == 1 and below[-1]["function"] == "fail":
            return "omission"
        return "assertion"
    return "assertion" if not below or is_check(below) else "exception"


def is_check(below):
    """Whether an AssertionError came from something that checks for the test, not from the code under test."""
    for frame in below:
        if CHECKING.search(frame["function"]) or "test" in frame["path"].replace("\\", "/").rpartition("/site-packages/")[2].lower():
            return True
    return below[-1]["file"] in ("mock.py", "case.py", "conftest.py")
