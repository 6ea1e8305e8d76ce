"""The protocol's transport: JSON lines over descriptors that the user's test cannot reach by accident.

The standard streams become `/dev/null` (input) and a sink (output): a test may read, print without end or close
them, and the protocol does not notice.
"""
import importlib
import json
import os
import sys

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None

PROTOCOL = 1


class Channel:
    def __init__(self, source, target):
        self.source = source
        self.target = target
        self.pending = b""

    def receive(self):
        """The next message, or None at the end."""
        while b"\n" not in self.pending:
            data = os.read(self.source, 1 << 16)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)

    def send(self, message):
        write_all(self.target, encode(message))

    def close(self):
        os.close(self.source)
        os.close(self.target)


def encode(message):
    # A text may hold lone surrogates, which have no UTF-8 form, and as an escape no JSON reader takes them.
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def lift(fd):
    """The same file under a high number, which programs that close or reuse low ones leave alone."""
    if fcntl is None:
        return os.dup(fd)
    for floor in (500, 100, 10):
        try:
            return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, floor)
        except OSError:
            continue
    return os.dup(fd)


def take_over():
    """Moves the protocol away from descriptors 0 and 1, and gives those to the test."""
    channel = Channel(lift(0), lift(1))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sink = open_sink()
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.close(sink)
    return channel


def open_sink():
    """A file without a name that keeps what pytest says while it starts: the message of a broken environment."""
    try:
        if hasattr(os, "memfd_create"):
            return os.memfd_create("paring")
        import tempfile

        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    except OSError:
        return os.open(os.devnull, os.O_RDWR)


def said(limit=20000):
    """What was written to the sink so far, its end if it is long."""
    try:
        size = os.fstat(2).st_size
        return os.pread(2, limit, max(0, size - limit)).decode("utf-8", "replace")
    except (OSError, AttributeError):
        return ""


def part(name):
    """A module of the worker that is wanted late; its folder is in `sys.path` for no longer than that takes."""
    here = os.path.dirname(os.path.abspath(__file__))
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(here)
        sys.dont_write_bytecode = written


def silence():
    """From here on output is thrown away."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)
